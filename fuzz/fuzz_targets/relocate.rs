//! Takes places of one text and relocates them in another text, both read as Python. Every place in an answer must be
//! a position of the other text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use locant_engine::{
    Document, Offset, anchor, checked, describe, relocate, relocate_from, relocate_words,
};

fuzz_target!(|texts: (&[u8], &[u8])| {
    let (Ok(old), Ok(new)) = (Document::new("a.py", texts.0), Document::new("a.py", texts.1)) else { return };
    for index in (0..=texts.0.len()).step_by(1 + texts.0.len() / 16) {
        let offset = Offset::of_index(index);
        let Some(description) = describe(&old, offset) else { continue };
        let Some(kept) = anchor(&old, offset, description.location) else { continue };
        let checked = checked(&old, offset, &kept.location).unwrap_or_default();
        let answers = [
            relocate(&new, &kept),
            relocate_from(&old, &new, &kept),
            relocate_words(&new, &kept.location),
            relocate_words(&new, &checked),
        ];
        for answer in answers {
            assert!(answer.places().iter().all(|place| new.text().is_boundary(*place)), "at {index}");
        }
    }
});
