//! The lines of a text that are not blank, and digests by which they are compared across texts.

use locant_text::{Offset, Range, Text};

use crate::anchor::Other;
use crate::tokens;

/// Eighteen bits that stand for a line: equal for lines that differ in blanks only. Three characters write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest(u32);

impl Digest {
    const BITS: u32 = 18;
    /// How many numbers there are.
    pub(crate) const N_NUMBERS: usize = 1 << Digest::BITS;

    /// The digest with this number; `None` when it has too many bits.
    pub fn of_number(number: u32) -> Option<Digest> {
        (number < 1 << Digest::BITS).then_some(Digest(number))
    }

    /// Its number.
    pub fn number(self) -> u32 {
        self.0
    }

    /// The digest of a line if `old` stood wherever it has the token `new`.
    pub(crate) fn of_line_with(line: &[u8], new: &[u8], old: &[u8]) -> Digest {
        Digest::of_hash(hash_of_tokens(line, |token| if token == new { old } else { token }))
    }

    /// The digest of a line.
    pub(crate) fn of_line(line: &[u8]) -> Digest {
        Digest::of_hash(hash_of_line(line))
    }

    fn of_hash(hash: u64) -> Digest {
        let folded = hash ^ (hash >> 32) ^ (hash >> 17);
        #[expect(clippy::cast_possible_truncation, reason = "masked to the bits that are kept")]
        Digest(folded as u32 & ((1 << Digest::BITS) - 1))
    }
}

/// A hash of a line, equal for lines that differ in blanks only.
fn hash_of_line(line: &[u8]) -> u64 {
    hash_of_tokens(line, |token| token)
}

/// The same for the tokens that others are read as.
fn hash_of_tokens<'l>(line: &'l [u8], read: impl Fn(&'l [u8]) -> &'l [u8]) -> u64 {
    let mut hash = Fnv::default();
    let mut at = tokens::blanks_after(line, 0);
    let mut was_word = false;
    while at < line.len() {
        let end = tokens::token_end(line, at);
        // Blanks keep two words apart and are free everywhere else.
        let is_word = tokens::is_word_at(line, at);
        if was_word && is_word {
            hash.add(b" ");
        }
        hash.add(read(&line[at..end]));
        was_word = is_word;
        at = tokens::blanks_after(line, end);
    }
    hash.0
}

/// A digest of a whole text.
pub(crate) fn digest_of_text(text: &Text) -> u64 {
    let mut hash = Fnv::default();
    hash.add(text.bytes());
    hash.0
}

/// FNV-1a in 64 bits. Anchors are kept for long, so the function must never change.
pub(super) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    pub(super) fn of(bytes: &[u8]) -> u64 {
        let mut hash = Fnv::default();
        hash.add(bytes);
        hash.0
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// The lines of a text that are not blank.
pub(crate) struct Lines {
    ranges: Vec<Range>,
    hashes: Vec<u64>,
    digests: Vec<Digest>,
}

impl Lines {
    pub(crate) fn new(text: &Text) -> Lines {
        let mut lines = Lines { ranges: Vec::new(), hashes: Vec::new(), digests: Vec::new() };
        for line in 1..=text.n_lines() {
            let Some(range) = text.line_content(line) else { break };
            let bytes = text.slice(range);
            let start = tokens::blanks_after(bytes, 0);
            if start == bytes.len() {
                continue;
            }
            let end = tokens::blanks_before(bytes, bytes.len());
            let from = range.start().index();
            lines.ranges.push(Range::of_indices(from + start..from + end));
            let hash = hash_of_line(&bytes[start..end]);
            lines.hashes.push(hash);
            lines.digests.push(Digest::of_hash(hash));
        }
        lines
    }

    pub(crate) fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Where a line stands, without the blanks at its ends.
    pub(crate) fn range(&self, index: usize) -> Range {
        self.ranges[index]
    }

    pub(crate) fn digest(&self, index: usize) -> Digest {
        self.digests[index]
    }

    /// Hashes of the lines, which two different ones do not share.
    pub(crate) fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    pub(crate) fn digests(&self) -> &[Digest] {
        &self.digests
    }

    /// A line as one that has the word.
    pub(crate) fn other(&self, index: usize) -> Other {
        let mut around = Fnv::default();
        for index in [index.checked_sub(1), Some(index + 1)] {
            let hash = index.and_then(|index| self.hashes.get(index)).copied().unwrap_or_default();
            around.add(&hash.to_le_bytes());
        }
        Other { line: self.digest(index), around: Digest::of_hash(around.0) }
    }

    /// The line that holds an offset; `None` between lines.
    pub(crate) fn of_offset(&self, offset: Offset) -> Option<usize> {
        let index = self.ranges.partition_point(|range| range.end() <= offset);
        self.ranges.get(index).filter(|range| range.start() <= offset).map(|_| index)
    }
}
