//! Offsets and positions are exact inverses, for any bytes and in every encoding.

#![no_main]

use libfuzzer_sys::fuzz_target;
use locant_text::{Encoding, Offset, Text};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = Text::new(bytes) else { return };
    for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
        let mut last = None;
        for index in 0..=bytes.len() + 1 {
            let offset = Offset::of_index(index);
            let Some(position) = text.position(offset, encoding) else {
                assert!(!text.is_boundary(offset), "a boundary without a position");
                continue;
            };
            assert_eq!(text.offset(position, encoding), Some(offset), "{position:?} in {encoding:?}");
            let place = (position.line, position.character);
            assert!(last < Some(place), "positions grow with offsets");
            last = Some(place);
        }
    }
});
