//! The format of a catalog.
//!
//! - The header: a mark, the version of the readers, and the root of the tree.
//! - For each file: its path, stamp, language, length and outline.
//! - The end: a checksum of everything before it.
//!
//! Each string and each outline is preceded by its length in four bytes; stamps and numbers have a fixed length.

use std::path::Path;

use locant_engine::{Offset, Outline, READERS, check_of};

use crate::path::written;
use crate::stamp::STAMP_BYTES;

/// The first bytes of a catalog. The number is the version of this format.
const MARK: &str = "locant-catalog-1";

/// One file of a catalog.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry<'b> {
    /// The path from the root.
    pub(super) path: &'b str,
    pub(super) stamp: &'b [u8; STAMP_BYTES],
    pub(super) language: &'b str,
    /// The length of the file's text.
    pub(super) n_bytes: u32,
    pub(super) outline: &'b [u8],
}

impl Entry<'_> {
    /// The outline as a value; `None` when its bytes are damaged.
    pub(super) fn outline(&self) -> Option<Outline> {
        Outline::from_bytes(self.outline, Offset::new(self.n_bytes))
    }
}

/// Writes a catalog with these files.
pub(super) fn pack<'e>(root: &Path, entries: impl Iterator<Item = Entry<'e>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for word in [MARK, &READERS, &written(root)] {
        put(&mut bytes, word.as_bytes());
    }
    for entry in entries {
        put(&mut bytes, entry.path.as_bytes());
        bytes.extend_from_slice(entry.stamp);
        put(&mut bytes, entry.language.as_bytes());
        bytes.extend_from_slice(&entry.n_bytes.to_le_bytes());
        put(&mut bytes, entry.outline);
    }
    let check = check_of(&bytes);
    bytes.extend_from_slice(&check.to_le_bytes());
    bytes
}

/// Reads the files of a catalog. Returns `None` when it belongs to another tree, was written by another version, or is
/// damaged.
pub(super) fn unpack<'b>(bytes: &'b [u8], root: &Path) -> Option<Vec<Entry<'b>>> {
    let (packed, check) = bytes.split_last_chunk()?;
    if check_of(packed) != u64::from_le_bytes(*check) {
        return None;
    }
    let mut rest = packed;
    for word in [MARK, &READERS, &written(root)] {
        if text(&mut rest)? != word {
            return None;
        }
    }
    let mut entries = Vec::new();
    while !rest.is_empty() {
        entries.push(entry(&mut rest)?);
    }
    Some(entries)
}

fn entry<'b>(rest: &mut &'b [u8]) -> Option<Entry<'b>> {
    let path = text(rest)?;
    let stamp = fixed(rest)?;
    let language = text(rest)?;
    let n_bytes = u32::from_le_bytes(*fixed(rest)?);
    Some(Entry { path, stamp, language, n_bytes, outline: take(rest)? })
}

pub(super) fn put(bytes: &mut Vec<u8>, part: &[u8]) {
    let len = u32::try_from(part.len()).expect("a catalog is smaller than 4 GiB");
    bytes.extend_from_slice(&len.to_le_bytes());
    bytes.extend_from_slice(part);
}

pub(super) fn take<'b>(rest: &mut &'b [u8]) -> Option<&'b [u8]> {
    let len = u32::from_le_bytes(*fixed(rest)?) as usize;
    let (part, after) = rest.split_at_checked(len)?;
    *rest = after;
    Some(part)
}

fn text<'b>(rest: &mut &'b [u8]) -> Option<&'b str> {
    std::str::from_utf8(take(rest)?).ok()
}

fn fixed<'b, const N: usize>(rest: &mut &'b [u8]) -> Option<&'b [u8; N]> {
    let (part, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_catalog_comes_back_and_nothing_else_does() {
        let root = Path::new("/tree");
        let outline = Outline::default().to_bytes();
        let (one, other) = ([1; STAMP_BYTES], [2; STAMP_BYTES]);
        let entry = |path, stamp| Entry { path, stamp, language: "python", n_bytes: 7, outline: &outline };
        let entries = [entry("a.py", &one), entry("b/c.py", &other)];
        let packed = pack(root, entries.into_iter());
        assert_eq!(unpack(&packed, root), Some(entries.to_vec()));
        assert_eq!(unpack(&packed, Path::new("/other")), None);
        assert_eq!(entries[0].outline(), Some(Outline::default()));
        for n in 0..packed.len() {
            assert_eq!(unpack(&packed[..n], root), None);
            let mut changed = packed.clone();
            changed[n] ^= 1;
            assert_eq!(unpack(&changed, root), None);
        }
    }
}
