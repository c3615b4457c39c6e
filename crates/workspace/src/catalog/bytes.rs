//! The format of a catalog.
//!
//! - A mark, and the length of the head in eight bytes.
//! - The head: the version of the readers, the root of the tree, and for each file its path, stamp, language, length,
//!   names, and the length and the checksum of its outline.
//! - A checksum of everything before it.
//! - The outlines, in the order of the files.
//!
//! Each string is preceded by its length in four bytes; stamps and numbers have a fixed length. A reader needs the
//! head, and of the outlines only those that its question is about.

use std::path::Path;

use locant_engine::{READERS, check_of};

use super::names::Names;
use crate::path::written;
use crate::stamp::STAMP_BYTES;

/// The first bytes of a catalog. The number is the version of this format.
const MARK: &[u8; 16] = b"locant-catalog-2";

/// How many bytes tell how long the head is: the mark and a number.
pub(super) const START_BYTES: usize = MARK.len() + 8;

const CHECK_BYTES: usize = 8;

/// One file of a catalog.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry<'b> {
    /// The path from the root.
    pub(super) path: &'b str,
    pub(super) stamp: &'b [u8; STAMP_BYTES],
    pub(super) language: &'b str,
    /// The length of the file's text.
    pub(super) n_bytes: u32,
    pub(super) names: Names<'b>,
    pub(super) outline: Kept,
}

/// Where the bytes of an outline are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Kept {
    /// How many bytes of the catalog come before it. This is not written, since it follows from what comes before.
    pub(super) start: u64,
    pub(super) len: u32,
    pub(super) check: u64,
}

/// The catalog of these files up to their outlines.
pub(super) fn pack<'e>(root: &Path, entries: impl Iterator<Item = Entry<'e>>) -> Vec<u8> {
    let mut bytes = [&MARK[..], &[0; START_BYTES - MARK.len()]].concat();
    for word in [&READERS, &written(root)] {
        put(&mut bytes, word.as_bytes());
    }
    for entry in entries {
        put(&mut bytes, entry.path.as_bytes());
        bytes.extend_from_slice(entry.stamp);
        put(&mut bytes, entry.language.as_bytes());
        bytes.extend_from_slice(&entry.n_bytes.to_le_bytes());
        put(&mut bytes, entry.names.bytes());
        bytes.extend_from_slice(&entry.outline.len.to_le_bytes());
        bytes.extend_from_slice(&entry.outline.check.to_le_bytes());
    }
    let len = (bytes.len() + CHECK_BYTES) as u64;
    bytes[MARK.len()..START_BYTES].copy_from_slice(&len.to_le_bytes());
    let check = check_of(&bytes);
    bytes.extend_from_slice(&check.to_le_bytes());
    bytes
}

/// How many bytes of a catalog come before its outlines, told from its first bytes. `None` if it is no catalog.
pub(super) fn len_of_head(start: &[u8; START_BYTES]) -> Option<u64> {
    let (mark, len) = start.split_first_chunk()?;
    if mark != MARK {
        return None;
    }
    Some(u64::from_le_bytes(len.try_into().ok()?))
}

/// Reads the files of a catalog from the bytes before its outlines. Returns `None` when it belongs to another tree, was
/// written by another version, or is damaged.
pub(super) fn unpack<'b>(bytes: &'b [u8], root: &Path) -> Option<Vec<Entry<'b>>> {
    let (packed, check) = bytes.split_last_chunk()?;
    if check_of(packed) != u64::from_le_bytes(*check) {
        return None;
    }
    let (start, mut rest) = packed.split_first_chunk::<START_BYTES>()?;
    if len_of_head(start)? != bytes.len() as u64 {
        return None;
    }
    for word in [&READERS, &written(root)] {
        if text(&mut rest)? != word.as_str() {
            return None;
        }
    }
    let mut entries = Vec::new();
    let mut start = bytes.len() as u64;
    while !rest.is_empty() {
        let entry = entry(&mut rest, start)?;
        start += u64::from(entry.outline.len);
        entries.push(entry);
    }
    Some(entries)
}

fn entry<'b>(rest: &mut &'b [u8], start: u64) -> Option<Entry<'b>> {
    let path = text(rest)?;
    let stamp = fixed(rest)?;
    let language = text(rest)?;
    let n_bytes = u32::from_le_bytes(*fixed(rest)?);
    let names = Names::new(take(rest)?);
    let len = u32::from_le_bytes(*fixed(rest)?);
    let check = u64::from_le_bytes(*fixed(rest)?);
    Some(Entry { path, stamp, language, n_bytes, names, outline: Kept { start, len, check } })
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
        let (one, other) = ([1; STAMP_BYTES], [2; STAMP_BYTES]);
        let names = Names::new(b"names");
        let entry = |path, stamp, len| {
            let outline = Kept { start: 0, len, check: 5 };
            Entry { path, stamp, language: "python", n_bytes: 7, names, outline }
        };
        let mut entries = [entry("a.py", &one, 9), entry("b/c.py", &other, 3)];
        let packed = pack(root, entries.into_iter());
        let start = packed.first_chunk().expect("it has a start");
        assert_eq!(len_of_head(start), Some(packed.len() as u64));
        entries[0].outline.start = packed.len() as u64;
        entries[1].outline.start = packed.len() as u64 + 9;
        assert_eq!(unpack(&packed, root), Some(entries.to_vec()));
        assert_eq!(unpack(&packed, Path::new("/other")), None);
        for n in 0..packed.len() {
            assert_eq!(unpack(&packed[..n], root), None);
            let mut changed = packed.clone();
            changed[n] ^= 1;
            assert_eq!(unpack(&changed, root), None);
        }
    }
}
