//! The outlines of single files, kept between commands.
//!
//! Each text has one place in the cache, which follows from a checksum of the text. If two texts have the same place,
//! the later one replaces the earlier one. So the number of files is bounded, and no command has to search for files to
//! remove. A file holds the text beside its outline, so two texts with the same checksum are never confused.

use std::ffi::OsString;

use locant_engine::{Offset, Outline, Outlines, READERS, check_of};

use super::bytes::{put, take};
use super::kept::{folder, read_from, remove_unfinished, write_whole};

/// The outlines in the cache of the user. If something fails, such as a full disk or a damaged file, the outline counts
/// as not kept.
#[derive(Clone, Copy, Debug)]
pub struct KeptOutlines;

const OUTLINES: &str = "outlines";

/// The first bytes of a file. The number is the version of this format.
const MARK: &str = "locant-outline-1";

/// The shortest text whose outline is kept. To read a shorter text by its grammar takes about as long as to read the
/// cache.
const SHORTEST: usize = 16 << 10;

/// A class of places: how many there are, and how many bytes the file at one of them may have. All of them together
/// take less than a gigabyte.
struct Class {
    name: char,
    n_places: u64,
    most_bytes: usize,
}

const SMALL: Class = Class { name: 's', n_places: 2048, most_bytes: 256 << 10 };
const LARGE: Class = Class { name: 'l', n_places: 24, most_bytes: 16 << 20 };

/// About one in this many writes also removes the unfinished files that killed processes have left.
const CLEANED: u64 = 64;

impl Outlines for KeptOutlines {
    fn kept(&self, language: &str, text: &[u8]) -> Option<Outline> {
        let class = class_of(text)?;
        let bytes = read_from(OUTLINES, &place(class, check_of(text)))?;
        unpack(&bytes, language, text)
    }

    fn keep(&self, language: &str, text: &[u8], outline: &Outline) {
        let Some(class) = class_of(text) else { return };
        let packed = pack(language, text, outline);
        let Ok(folder) = folder(OUTLINES) else { return };
        let check = check_of(text);
        if packed.len() <= class.most_bytes {
            // If this fails, the next command reads the text again.
            let _ = write_whole(&folder, &place(class, check), &packed);
        }
        if (check / class.n_places).is_multiple_of(CLEANED) {
            remove_unfinished(&folder);
        }
    }
}

/// The class of a text; `None` if its outline is not kept.
fn class_of(text: &[u8]) -> Option<&'static Class> {
    if text.len() < SHORTEST {
        return None;
    }
    // The file holds the text and its outline, which takes about a tenth of the room of the text.
    [&SMALL, &LARGE].into_iter().find(|class| text.len() <= class.most_bytes / 4 * 3)
}

fn place(class: &Class, check: u64) -> OsString {
    format!("{}{:04x}", class.name, check % class.n_places).into()
}

fn pack(language: &str, text: &[u8], outline: &Outline) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() + text.len() / 4);
    for part in [MARK.as_bytes(), READERS.as_bytes(), language.as_bytes(), text, &outline.to_bytes()] {
        put(&mut bytes, part);
    }
    let check = check_of(&bytes);
    bytes.extend_from_slice(&check.to_le_bytes());
    bytes
}

/// The outline that is packed for this text. `None` if it is that of another text, was written by another version, or
/// is damaged.
fn unpack(bytes: &[u8], language: &str, text: &[u8]) -> Option<Outline> {
    let (packed, check) = bytes.split_last_chunk()?;
    let mut rest = packed;
    for part in [MARK.as_bytes(), READERS.as_bytes(), language.as_bytes(), text] {
        if take(&mut rest)? != part {
            return None;
        }
    }
    if check_of(packed) != u64::from_le_bytes(*check) {
        return None;
    }
    Outline::from_bytes(take(&mut rest)?, Offset::new(u32::try_from(text.len()).ok()?))
}

#[cfg(test)]
mod tests {
    use locant_engine::Document;

    use super::*;

    #[test]
    fn an_outline_comes_back_for_its_text_alone() {
        let text = "def f():\n    pass\nclass A:\n    b = 1\n";
        let document = Document::new("a.py", text).expect("it is a text");
        let outline = document.outline().expect("Python is read");
        let packed = pack("python", text.as_bytes(), outline);
        assert_eq!(unpack(&packed, "python", text.as_bytes()).as_ref(), Some(outline));
        assert_eq!(unpack(&packed, "ruby", text.as_bytes()), None);
        assert_eq!(unpack(&packed, "python", text.replace('f', "g").as_bytes()), None);
        for n in 0..packed.len() {
            assert_eq!(unpack(&packed[..n], "python", text.as_bytes()), None);
            let mut changed = packed.clone();
            changed[n] ^= 1;
            assert_eq!(unpack(&changed, "python", text.as_bytes()), None);
        }
    }

    #[test]
    fn all_places_together_are_bounded() {
        let total = |class: &Class| class.n_places * class.most_bytes as u64;
        assert!(total(&SMALL) + total(&LARGE) < 1 << 30);
        assert!(class_of(&vec![b' '; SHORTEST - 1]).is_none());
        assert_eq!(class_of(&vec![b' '; SHORTEST]).map(|class| class.name), Some('s'));
        assert_eq!(class_of(&vec![b' '; 1 << 20]).map(|class| class.name), Some('l'));
        assert!(class_of(&vec![b' '; 16 << 20]).is_none());
    }
}
