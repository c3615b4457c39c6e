//! `locate(describe(p)) == p` for every position of any text, read as Python.

#![no_main]

use libfuzzer_sys::fuzz_target;
use locant_engine::{Document, Location, Offset, Resolution, describe, describe_range, locate, range};

fuzz_target!(|bytes: &[u8]| {
    let Ok(document) = Document::new("a.py", bytes) else { return };
    for index in 0..=bytes.len() {
        let offset = Offset::of_index(index);
        let description = describe(&document, offset);
        assert_eq!(description.is_some(), document.text().is_boundary(offset), "at {index}");
        let Some(description) = description else { continue };
        let written = description.location.to_string();
        let found = locate(&document, &read(&written));
        let Resolution::Found(found) = found else { panic!("{written:?} is not found: {found:?}") };
        assert_eq!((found.offset, found.matches), (offset, 1), "{written:?}");
    }
    for (_, symbol) in document.outline().expect("Python is read").iter() {
        let description = describe_range(&document, symbol.extent).expect("an extent has a description");
        let written = description.location.to_string();
        let found = range(&document, &read(&written));
        let Resolution::Found(found) = found else { panic!("{written:?} is not found: {found:?}") };
        assert_eq!(found.range, symbol.extent, "{written:?}");
    }
});

fn read(written: &str) -> Location {
    Location::parse(written, &|_| false).unwrap_or_else(|error| panic!("{written:?} does not parse: {error}"))
}
