//! The bytes of a source, 64 at a time, classified as words, blanks and other characters.
//!
//! All 64 bytes are classified at once, and the classes are kept as bits. There is no branch for each byte. So no text
//! can make the processor mispredict a branch at every byte, which would take ten times as long as the work itself.

use std::ops::Range;

use locant_text::highest_bits;

use super::class_cache::ClassCache;
use crate::stopping::check_at;
use crate::tokens;

/// How many bytes are read at once.
pub(super) const BLOCK: usize = 64;

/// The classes of the bytes of a block. Bit `i` is for byte `i`.
#[derive(Clone, Copy, Default)]
pub(super) struct Kinds {
    /// Bytes of blanks.
    pub(super) blank: u64,
    /// Bytes of word characters.
    pub(super) word: u64,
    /// First bytes of characters that are neither words nor blanks.
    pub(super) marks: u64,
    /// Last bytes of the same characters. If a character continues in the next block, its last byte in this block.
    pub(super) mark_lasts: u64,
}

/// Reads the bytes of a region, block by block. The first block starts where the region does.
pub(super) struct Blocks<'r> {
    text: &'r [u8],
    /// Where the block starts.
    base: usize,
    /// Where the last character that is not ASCII ends. This may be in the next block.
    at: usize,
    /// The lowest bits tell whether the previous block ends in a word, and whether it ends in a blank.
    word: u64,
    blank: u64,
    characters: ClassCache,
}

impl<'r> Blocks<'r> {
    pub(super) fn new(source: &'r [u8], region: &Range<usize>) -> Blocks<'r> {
        let (text, from) = (&source[..region.end], region.start);
        Blocks { text, base: from, at: from, word: 0, blank: 0, characters: ClassCache::new() }
    }

    /// The text up to the end of the region.
    pub(super) fn text(&self) -> &'r [u8] {
        self.text
    }

    /// Where the current block starts.
    pub(super) fn base(&self) -> usize {
        self.base
    }

    /// The lowest bit tells whether the previous block ends in a word.
    pub(super) fn word_before(&self) -> u64 {
        self.word
    }

    pub(super) fn advance(&mut self, kinds: &Kinds) {
        (self.word, self.blank) = (kinds.word >> 63, kinds.blank >> 63);
        self.base += BLOCK;
        check_at(self.base / BLOCK);
    }

    /// How many bytes of the last character are in the next block.
    #[inline(always)]
    pub(super) fn n_more(&self) -> usize {
        self.at.saturating_sub(self.base + BLOCK)
    }

    /// The classes of the bytes of the block. Bytes after the end of the text count as blanks.
    #[inline(always)]
    pub(super) fn kinds(&mut self) -> Kinds {
        let mut padded = [b' '; BLOCK];
        let block = match self.text[self.base..].first_chunk() {
            Some(block) => block,
            None => {
                let rest = &self.text[self.base..];
                padded[..rest.len()].copy_from_slice(rest);
                &padded
            }
        };
        let word = mask(block, |byte| {
            let is_letter = (byte | 0x20).wrapping_sub(b'a') < 26;
            is_letter | (byte.wrapping_sub(b'0') < 10) | (byte == b'_')
        });
        let blank = mask(block, |byte| (byte == b' ') | (byte.wrapping_sub(b'\t') < 5));
        let marks = !(word | blank);
        match highest_bits(block) {
            0 => Kinds { blank, word, marks, mark_lasts: marks },
            longer => {
                let marks = marks & !longer;
                self.decode(longer, Kinds { blank, word, marks, mark_lasts: marks })
            }
        }
    }

    /// Adds the characters that are not ASCII.
    #[inline(always)]
    fn decode(&mut self, bytes: u64, mut kinds: Kinds) -> Kinds {
        // These bytes end a character that was classified with the previous block.
        let before = low_bits(self.at.saturating_sub(self.base));
        let longer = bytes & !before;
        // The last character may continue after the block, so a few more bytes are read.
        let mut padded = [0; BLOCK + 4];
        let block: &[u8; BLOCK + 4] = match self.text[self.base..].first_chunk() {
            Some(block) => block,
            None => {
                let rest = &self.text[self.base..];
                let n_rest = rest.len().min(padded.len());
                padded[..n_rest].copy_from_slice(&rest[..n_rest]);
                &padded
            }
        };
        let leads = mask(block[..BLOCK].first_chunk().expect("a block"), |byte| byte >= 0xc0) & longer;
        // All starts are computed first, so the processor can decode several characters at a time.
        let (mut word, mut blank, mut covered, mut left) = (0, 0, 0, leads);
        while left != 0 {
            let bit = take_lowest(&mut left) % BLOCK;
            let four = block[bit..].first_chunk().expect("there is room for a character");
            let shape = self.characters.get(*four);
            word |= u64::from(shape.word) << bit;
            blank |= u64::from(shape.blank) << bit;
            covered |= u64::from(shape.all) << bit;
        }
        if leads != 0 {
            let last = leads.ilog2() as usize % BLOCK;
            let four = block[last..].first_chunk().expect("there is room for a character");
            self.at = self.base + last + self.characters.get(*four).all.count_ones() as usize;
        }
        // A byte that belongs to no valid character counts as a mark of one byte.
        let firsts = leads | longer & !covered;
        let marks = longer & !(word | blank);
        kinds.word |= word | before & self.word.wrapping_neg();
        kinds.blank |= blank | before & self.blank.wrapping_neg();
        kinds.marks |= marks & firsts;
        // The last byte of a mark is the one whose next byte does not belong to it, or is in the next block.
        kinds.mark_lasts |= marks & !((marks & !firsts) >> 1);
        kinds
    }

    /// The blanks of the block: all of them if `crosses_lines`, else only those that do not end a line.
    #[inline(always)]
    pub(super) fn blanks(&self, kinds: &Kinds, crosses_lines: bool) -> u64 {
        let rest = &self.text[self.base..];
        // The padding of the last block does not count as blanks of the text.
        let inside = if rest.len() < BLOCK { low_bits(rest.len()) } else { u64::MAX };
        let line_ends = match rest.first_chunk() {
            _ if crosses_lines => 0,
            Some(block) => mask(block, tokens::is_line_end),
            None => rest.iter().rev().fold(0, |bits, &byte| bits << 1 | u64::from(tokens::is_line_end(byte))),
        };
        kinds.blank & !line_ends & inside
    }
}

/// A bit for each byte for which `is` holds.
#[inline(always)]
fn mask(block: &[u8; BLOCK], is: impl Fn(u8) -> bool) -> u64 {
    highest_bits(&block.map(|byte| if is(byte) { u8::MAX } else { 0 }))
}

/// The lowest `n` bits. `n` must be less than 64.
#[inline(always)]
pub(super) fn low_bits(n: usize) -> u64 {
    (1 << n) - 1
}

/// Removes the lowest bit and returns its index.
#[inline(always)]
pub(super) fn take_lowest(bits: &mut u64) -> usize {
    let lowest = bits.trailing_zeros() as usize;
    *bits &= bits.wrapping_sub(1);
    lowest
}
