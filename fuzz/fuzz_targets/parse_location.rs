//! If a text parses as a location, writing that location gives a text that parses to the same location.

#![no_main]

use libfuzzer_sys::fuzz_target;
use locant_engine::Location;

fuzz_target!(|text: &str| {
    let Ok(location) = Location::parse(text, &|_| false) else { return };
    let written = location.to_string();
    let again = Location::parse(&written, &|_| false);
    assert_eq!(again.as_ref(), Ok(&location), "{text:?} is written {written:?}");
});
