//! The names of the symbols of a file, in a form that is quickly compared with a query.
//!
//! Most files have no symbol that fits a query. Their names tell it, so their outlines are not read. Each symbol has
//! five bytes for the letters of the names around it, the length of its own name (one byte, or 255 and four bytes),
//! and its own name.

use locant_engine::{Outline, Symbol};

use crate::query::{ALL_LETTERS, letters};

/// How many bytes hold a set of letters.
const LETTERS_BYTES: usize = 5;

/// A length from here on takes four more bytes.
const LONG: u8 = 255;

/// The names of the symbols of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Names<'b>(&'b [u8]);

impl<'b> Names<'b> {
    /// Names from bytes of [`pack_names`].
    pub(super) fn new(bytes: &'b [u8]) -> Names<'b> {
        Names(bytes)
    }

    pub(super) fn bytes(self) -> &'b [u8] {
        self.0
    }

    /// Whether `fits` returns true for the name of a symbol and the letters of the names around it.
    pub fn any(self, fits: impl Fn(&str, u64) -> bool) -> bool {
        let mut rest = self.0;
        while !rest.is_empty() {
            // Bytes that cannot be read say nothing, so the outline has to be asked.
            let Some((name, above)) = next(&mut rest) else { return true };
            if fits(name, above) {
                return true;
            }
        }
        false
    }
}

fn next<'b>(rest: &mut &'b [u8]) -> Option<(&'b str, u64)> {
    let (above, after) = rest.split_first_chunk::<LETTERS_BYTES>()?;
    let above = above.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte));
    let (&short, after) = after.split_first()?;
    let (len, after) = match short {
        LONG => {
            let (len, after) = after.split_first_chunk()?;
            (u32::from_le_bytes(*len) as usize, after)
        }
        _ => (usize::from(short), after),
    };
    let (name, after) = after.split_at_checked(len)?;
    *rest = after;
    Some((std::str::from_utf8(name).ok()?, above))
}

/// The names of the symbols of an outline as bytes.
pub(super) fn pack_names(outline: &Outline) -> Vec<u8> {
    let mut bytes = Vec::new();
    // The letters of the path of each symbol. A parent comes before its members.
    let mut paths: Vec<u64> = Vec::with_capacity(outline.symbols().len());
    for symbol in outline.symbols() {
        let above = letters_above(symbol, &paths);
        bytes.extend_from_slice(&above.to_le_bytes()[..LETTERS_BYTES]);
        put_name(&mut bytes, &symbol.name);
        paths.push(above | letters(symbol.name.bytes()));
    }
    bytes
}

/// The letters of the names before the name of a symbol, and of the dots between them.
fn letters_above(symbol: &Symbol, paths: &[u64]) -> u64 {
    let parent = symbol.parent.map_or(0, |parent| paths[parent.index()]);
    let all = symbol.qualifier.iter().fold(parent, |all, name| all | letters(name.bytes()));
    if symbol.parent.is_none() && symbol.qualifier.is_empty() {
        return 0;
    }
    (all | letters(b".".iter().copied())) & ALL_LETTERS
}

fn put_name(bytes: &mut Vec<u8>, name: &str) {
    match u8::try_from(name.len()) {
        Ok(len) if len < LONG => bytes.push(len),
        _ => {
            bytes.push(LONG);
            let len = u32::try_from(name.len()).expect("a text has fewer than 2^32 bytes");
            bytes.extend_from_slice(&len.to_le_bytes());
        }
    }
    bytes.extend_from_slice(name.as_bytes());
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use locant_engine::Document;

    use super::*;

    #[test]
    fn each_name_comes_back_with_the_letters_around_it() {
        let long = "x".repeat(300);
        let text = format!("class Ab:\n    def cd(self):\n        pass\ndef {long}():\n    pass\n");
        let document = Document::new("a.py", text.as_bytes()).expect("it is a text");
        let packed = pack_names(document.outline().expect("Python is read"));
        let seen = RefCell::new(Vec::new());
        let is_any = Names::new(&packed).any(|name, above| {
            seen.borrow_mut().push((name.to_owned(), above));
            false
        });
        assert!(!is_any);
        let letters = |text: &str| letters(text.bytes());
        assert_eq!(
            seen.into_inner(),
            [("Ab".to_owned(), 0), ("cd".to_owned(), letters("ab.")), (long.clone(), 0)]
        );
        assert!(Names::new(&packed).any(|name, _| name == long));
        assert!(!Names::new(&packed).any(|name, _| name == "e"));
    }

    #[test]
    fn bytes_that_are_no_names_leave_it_to_the_outline() {
        assert!(Names::new(&[1, 2, 3]).any(|_, _| false));
        assert!(Names::new(&[0, 0, 0, 0, 0, LONG, 9, 0]).any(|_, _| false));
    }
}
