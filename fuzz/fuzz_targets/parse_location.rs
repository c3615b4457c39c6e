//! A location that can be read is written so that it is read the same again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use locant_engine::Location;

fuzz_target!(|text: &str| {
    let Ok(location) = Location::parse(text, &|_| false) else { return };
    // Only a string that was cut can lose something: the index is no part of the string form.
    let written = location.to_string();
    let again = Location::parse(&written, &|_| false);
    assert_eq!(again.as_ref(), Ok(&location), "{text:?} is written {written:?}");
});
