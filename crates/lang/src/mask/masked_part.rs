//! A part of a text, and what the grammar sees in its place.

use std::ops::Range;

/// A part of a text that is shown to the grammar as something else, of the same length.
#[derive(Clone, Debug)]
pub(crate) struct MaskedPart(pub(crate) Range<usize>, pub(crate) As);

/// What the grammar sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum As {
    Comment,
    Blank,
    Break,
    /// A word, and blanks up to the end of the part.
    Word(&'static str),
}

impl MaskedPart {
    /// The same part of a text that has more in front.
    pub(crate) fn moved(self, by: usize) -> MaskedPart {
        MaskedPart(self.0.start + by..self.0.end + by, self.1)
    }

    /// Writes into a text what the grammar sees.
    pub(crate) fn write(&self, seen: &mut [u8]) {
        let part = &mut seen[self.0.clone()];
        match self.1 {
            As::Comment => {
                let end = part.len();
                part[..2].copy_from_slice(b"/*");
                part[end - 2..].copy_from_slice(b"*/");
            }
            As::Blank => blank(part),
            As::Break => part.fill(b'\r'),
            As::Word(word) => {
                part[..word.len()].copy_from_slice(word.as_bytes());
                blank(&mut part[word.len()..]);
            }
        }
    }
}

/// Line breaks stay, as tree-sitter counts them.
pub(crate) fn blank(part: &mut [u8]) {
    part.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
}
