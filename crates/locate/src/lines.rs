//! The lines of a text that are not blank, with digests by which they are compared across texts.

use std::ops::Range as Indices;
use std::sync::OnceLock;

use locant_text::{Offset, Range, Text};
use locant_tree::Symbol;
use memchr::memchr2;

use crate::stopping::check_at;
use crate::tokens::{self, Class};

/// Eighteen bits that represent a line. They are equal for lines that differ only in blanks. In an anchor, a digest is
/// written as three characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest(u32);

impl Digest {
    const BITS: u32 = 18;

    /// The digest with this number; `None` if it has too many bits.
    pub fn of_number(number: u32) -> Option<Digest> {
        (number < 1 << Digest::BITS).then_some(Digest(number))
    }

    /// Its number.
    pub fn number(self) -> u32 {
        self.0
    }

    /// The digest that a line would have if every token `new` in it were `old` again.
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

/// A hash of a line, equal for lines that differ only in blanks.
///
/// Blanks are left out, but between two words one blank is included.
pub(crate) fn hash_of_line(line: &[u8]) -> u64 {
    let mut hash = Fnv::default();
    let (mut was_word, mut was_blank) = (false, false);
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        let (class, length) =
            tokens::alone(byte).map_or_else(|| tokens::decoded_at(line, at), |class| (class, 1));
        if class == Class::Blank {
            was_blank = true;
        } else {
            let is_word = class == Class::Word;
            if was_blank && was_word && is_word {
                hash.add_byte(b' ');
            }
            hash.add_byte(byte);
            hash.add(&line[at + 1..at + length]);
            (was_word, was_blank) = (is_word, false);
        }
        at += length;
    }
    hash.0
}

/// The hash of [`hash_of_line`], but each token is first replaced by what `read` returns for it.
fn hash_of_tokens<'l>(line: &'l [u8], read: impl Fn(&'l [u8]) -> &'l [u8]) -> u64 {
    let mut hash = Fnv::default();
    let mut at = tokens::blanks_after(line, 0);
    let mut was_word = false;
    while at < line.len() {
        let end = tokens::token_end(line, at);
        // Between two words one blank is included, and nowhere else.
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

/// The hash FNV-1a with 64 bits. It must never change, since anchors that contain it are stored for a long time.
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
        bytes.iter().for_each(|&byte| self.add_byte(byte));
    }

    fn add_byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
}

/// Another line that contains the word of an anchored place, as digests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Other {
    /// The digest of the line.
    pub line: Digest,
    /// One digest of the lines above and below it.
    pub around: Digest,
}

/// The lines of a text that are not blank, with their hashes and digests. A line is known by its index among them.
#[derive(Debug, Default)]
pub struct Lines {
    ranges: Vec<Range>,
    hashes: Vec<u64>,
    digests: Vec<Digest>,
    counts: OnceLock<Counts>,
    digest_of_text: OnceLock<u64>,
}

impl Lines {
    /// The lines of a text.
    pub fn new(text: &Text) -> Lines {
        let mut lines = Lines::default();
        let (bytes, mut at) = (text.bytes(), text.start().index());
        // `\r\n` is read as two line breaks. The empty line between them is blank, and so is left out.
        while at < bytes.len() {
            let end = memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |length| at + length);
            check_at(lines.len());
            lines.add(bytes, tokens::blanks_after(&bytes[..end], at), end);
            at = end + 1;
        }
        lines
    }

    /// Adds a line, unless it is blank.
    fn add(&mut self, bytes: &[u8], start: usize, end: usize) {
        if start == end {
            return;
        }
        let end = tokens::blanks_before(bytes, end);
        let hash = hash_of_line(&bytes[start..end]);
        self.ranges.push(Range::of_indices(start..end));
        self.hashes.push(hash);
        self.digests.push(Digest::of_hash(hash));
    }

    /// How many lines have this digest.
    pub(crate) fn count(&self, digest: Digest) -> u32 {
        self.counts.get_or_init(|| Counts::of(&self.digests)).get(digest)
    }

    /// The digest of the whole text. `text` must be the one that the lines were made from.
    pub(crate) fn digest_of_text(&self, text: &Text) -> u64 {
        *self.digest_of_text.get_or_init(|| Fnv::of(text.bytes()))
    }

    pub(crate) fn len(&self) -> usize {
        self.ranges.len()
    }

    /// The range of a line, without the blanks at its ends.
    pub(crate) fn range(&self, index: usize) -> Range {
        self.ranges[index]
    }

    pub(crate) fn digest(&self, index: usize) -> Digest {
        self.digests[index]
    }

    /// Hashes of the lines with 64 bits, so that different lines practically never have equal hashes.
    pub(crate) fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    pub(crate) fn digests(&self) -> &[Digest] {
        &self.digests
    }

    /// A line and its neighbours, in the form in which anchors store other lines that contain the word.
    pub(crate) fn other(&self, index: usize) -> Other {
        let mut around = Fnv::default();
        for index in [index.checked_sub(1), Some(index + 1)] {
            let hash = index.and_then(|index| self.hashes.get(index)).copied().unwrap_or_default();
            around.add(&hash.to_le_bytes());
        }
        Other { line: self.digest(index), around: Digest::of_hash(around.0) }
    }

    /// The lines that overlap a part of the text.
    pub(crate) fn within(&self, part: Range) -> Indices<usize> {
        let from = self.ranges.partition_point(|range| range.end() <= part.start());
        let to = self.ranges.partition_point(|range| range.start() < part.end());
        from..to.max(from)
    }

    /// The lines of a symbol after the line of its name.
    pub(crate) fn body(&self, symbol: &Symbol) -> Indices<usize> {
        let lines = self.within(symbol.extent);
        let name = self.of_offset(symbol.name_range.start()).map_or(lines.start, |name| name + 1);
        name.clamp(lines.start, lines.end)..lines.end
    }

    /// The indices of all lines with this digest, ascending.
    pub(crate) fn all(&self, digest: Digest) -> Vec<usize> {
        let lines = self.digests.iter().enumerate();
        lines.filter(|(_, other)| **other == digest).map(|(at, _)| at).collect()
    }

    /// For each offset, the line that contains it; `None` between lines. The offsets must be sorted.
    pub(crate) fn of_offsets(&self, offsets: &[Offset]) -> impl Iterator<Item = Option<usize>> {
        let mut line = 0;
        offsets.iter().map(move |&offset| {
            line += self.ranges[line..].iter().take_while(|range| range.end() <= offset).count();
            self.ranges.get(line).filter(|range| range.start() <= offset).map(|_| line)
        })
    }

    /// The line that contains an offset; `None` between lines.
    pub(crate) fn of_offset(&self, offset: Offset) -> Option<usize> {
        let index = self.ranges.partition_point(|range| range.end() <= offset);
        self.ranges.get(index).filter(|range| range.start() <= offset).map(|_| index)
    }
}

/// How often digests occur.
#[derive(Debug)]
struct Counts {
    /// A hash table with the digests and their counts. A digest is in the slot that its number gives, or else in the
    /// next slot that was free. A free slot has the count 0.
    ///
    /// Invariant: the number of slots is a power of two, and some slots are free.
    slots: Vec<(Digest, u32)>,
}

impl Counts {
    fn of(digests: &[Digest]) -> Counts {
        // At least half of the slots stay free, so the next free slot is never far.
        let n_slots = (2 * digests.len() + 1).next_power_of_two();
        let mut counts = Counts { slots: vec![(Digest(0), 0); n_slots] };
        for &digest in digests {
            let slot = counts.slot(digest);
            counts.slots[slot] = (digest, counts.slots[slot].1 + 1);
        }
        counts
    }

    fn get(&self, digest: Digest) -> u32 {
        self.slots[self.slot(digest)].1
    }

    /// The slot of a digest, or the free slot that it would take.
    fn slot(&self, digest: Digest) -> usize {
        let last = self.slots.len() - 1;
        let mut slot = digest.number() as usize & last;
        while self.slots[slot].1 > 0 && self.slots[slot].0 != digest {
            slot = (slot + 1) & last;
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_line_has_the_hash_of_its_tokens(line in "[a-zé_ \t\u{a0}(+=\u{2028}]{0,12}", bad in any::<u8>()) {
            let line = [line.as_bytes(), &[bad], line.as_bytes()].concat();
            prop_assert_eq!(hash_of_line(&line), hash_of_tokens(&line, |token| token));
        }

        #[test]
        fn lines_are_those_of_the_text(source in "[a ]{0,3}([\n\r]|\r\n|[a ]){0,12}") {
            let text = Text::new(source).expect("the text is short");
            let content = (1..=text.n_lines()).filter_map(|line| text.line_content(line));
            let trimmed = content.map(|line| text.slice(line).trim_ascii().to_vec());
            let expected: Vec<Vec<u8>> = trimmed.filter(|line| !line.is_empty()).collect();
            let lines = Lines::new(&text);
            let found: Vec<Vec<u8>> =
                lines.ranges.iter().map(|range| text.slice(*range).to_vec()).collect();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn digests_are_counted(numbers in prop::collection::vec(0u32..40, 0..40), asked in 0u32..40) {
            let digests: Vec<Digest> = numbers.into_iter().map(|number| Digest(number * 7001)).collect();
            let count = digests.iter().filter(|digest| digest.number() == asked * 7001).count();
            prop_assert_eq!(Counts::of(&digests).get(Digest(asked * 7001)) as usize, count);
        }
    }
}
