//! A part of a text, and what the grammar is given instead.

use std::ops::Range;

/// A part of a text that is replaced for the grammar. The replacement has the same length.
#[derive(Clone, Debug)]
pub(crate) struct MaskedPart(pub(crate) Range<usize>, pub(crate) As);

/// The replacement for a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum As {
    Comment,
    Blank,
    Break,
    /// This word, and blanks up to the end of the part.
    Word(&'static str),
}

impl MaskedPart {
    /// This part in a text that has `by` more bytes before it.
    pub(crate) fn moved(self, by: usize) -> MaskedPart {
        MaskedPart(self.0.start + by..self.0.end + by, self.1)
    }

    /// Writes the replacement into a text.
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

/// Replaces everything but line breaks by blanks, so that tree-sitter counts the same lines.
pub(crate) fn blank(part: &mut [u8]) {
    part.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
}
