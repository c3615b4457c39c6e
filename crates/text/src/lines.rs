//! Where the lines of a text are, and which of its bytes are not ASCII.
//!
//! Not a list of line starts but one bit per byte of the text, set at the last byte of every line break. It is
//! written as fast as the text can be read, takes as much memory as a list does for usual lines and never more
//! for unusual ones, and answers "which line is this?" by counting bits instead of searching.
//!
//! The text `ab\r\nc\rd\n` has its breaks at bytes 3, 5 and 7: the bits are `1010_1000`, and its lines start at
//! 0, 4, 6 and 8.

use crate::simd::{self, Masks};
use std::fmt;
use std::ops::Range;

/// The bytes that are looked at in one step, and that one word of bits stands for.
const CHUNK: usize = 64;

/// The chunks of a block: as many as leave room for the rest of it in a cache line.
const CHUNKS: usize = 7;

/// The bytes that a block stands for.
const BLOCK: usize = CHUNKS * CHUNK;

/// For each so many line breaks, the block of one is noted.
const SAMPLE: u32 = 64;

/// The lines of a text, found in one pass over its bytes.
#[derive(Clone)]
pub struct LineIndex {
    /// Where the first line starts: behind a byte-order mark.
    first: usize,
    n_breaks: u32,
    /// Invariant: the end of the text is a place in the last block, so there is one more than are full.
    blocks: Vec<Block>,
    /// Invariant: for the breaks 0, 64, 128 … the block each is in, and at last the last block.
    samples: Vec<u32>,
}

/// What is known of 448 bytes. It fills one cache line, so most questions cost one access to memory.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
struct Block {
    /// Invariant: bit `i` of word `w` is set when byte `64 w + i` of the block is the last of a line break.
    breaks: [u64; CHUNKS],
    /// The number of breaks in all blocks before.
    n_before: u32,
    /// Invariant: bit `w` is set when a byte beyond ASCII is among the 64 bytes of word `w`.
    non_ascii: u8,
}

impl LineIndex {
    pub(crate) fn new(bytes: &[u8], first: usize) -> LineIndex {
        simd::build(bytes, first)
    }

    pub(crate) fn n_breaks(&self) -> u32 {
        self.n_breaks
    }

    /// The line of a place of the text, counted from 0: how many breaks lie before it.
    pub(crate) fn line_at(&self, index: usize) -> u32 {
        let (block, word) = self.locate(index);
        let full: u32 = block.breaks[..word].iter().map(|word| word.count_ones()).sum();
        block.n_before + full + (block.breaks[word] & lower_bits(index)).count_ones()
    }

    /// Where the line of a place starts.
    pub(crate) fn start_of_line_at(&self, index: usize) -> usize {
        let (block, mut word) = self.locate(index);
        let mut bits = block.breaks[word] & lower_bits(index);
        while bits == 0 && word > 0 {
            word -= 1;
            bits = block.breaks[word];
        }
        match bits.checked_ilog2() {
            Some(bit) => index / BLOCK * BLOCK + word * CHUNK + bit as usize + 1,
            None => self.start_of_line(block.n_before).expect("a place has a line, and that has a start"),
        }
    }

    /// Where a line starts, counted from 0.
    pub(crate) fn start_of_line(&self, line: u32) -> Option<usize> {
        match line.checked_sub(1) {
            Some(n) => self.nth_break(n).map(|last| last + 1),
            None => Some(self.first),
        }
    }

    /// The last byte of the first line break that ends behind a place.
    pub(crate) fn next_break(&self, index: usize) -> Option<usize> {
        let (block, mut word) = self.locate(index);
        let mut bits = block.breaks[word] & !lower_bits(index);
        while bits == 0 && word + 1 < CHUNKS {
            word += 1;
            bits = block.breaks[word];
        }
        match bits {
            0 => self.nth_break(self.blocks.get(index / BLOCK + 1)?.n_before),
            _ => Some(index / BLOCK * BLOCK + word * CHUNK + bits.trailing_zeros() as usize),
        }
    }

    /// Does a line break end with this byte?
    pub(crate) fn is_break(&self, index: usize) -> bool {
        let (block, word) = self.locate(index);
        block.breaks[word] >> (index % CHUNK) & 1 != 0
    }

    /// May the byte behind this place be beyond ASCII?
    pub(crate) fn is_near_non_ascii(&self, index: usize) -> bool {
        let (block, word) = self.locate(index);
        block.non_ascii >> word & 1 != 0
    }

    /// The parts of a range that lie in chunks with bytes beyond ASCII.
    ///
    /// All such bytes are in them. A character beyond ASCII, and a part that is not UTF-8 too, has no ASCII byte in
    /// it, so these runs start and end with whole characters, save where the range itself does not.
    pub(crate) fn non_ascii_runs(&self, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let mut chunk = range.start / CHUNK;
        let end = range.end.div_ceil(CHUNK);
        std::iter::from_fn(move || {
            let first = self.next_chunk(chunk, end, true);
            chunk = self.next_chunk(first, end, false);
            (first < chunk).then(|| range.start.max(first * CHUNK)..range.end.min(chunk * CHUNK))
        })
    }

    /// The first chunk of `from..end` that is beyond ASCII, or is not, as wanted; if there is none, `end`.
    fn next_chunk(&self, from: usize, end: usize, non_ascii: bool) -> usize {
        let mut chunk = from;
        while chunk < end {
            let block = &self.blocks[chunk / CHUNKS];
            let all = if non_ascii { block.non_ascii } else { !block.non_ascii & ((1 << CHUNKS) - 1) };
            let bits = all >> (chunk % CHUNKS);
            if bits != 0 {
                return end.min(chunk + bits.trailing_zeros() as usize);
            }
            chunk = (chunk / CHUNKS + 1) * CHUNKS;
        }
        end
    }

    /// The last byte of a line break; `n` counts from 0.
    fn nth_break(&self, n: u32) -> Option<usize> {
        if self.n_breaks <= n {
            return None;
        }
        let sample = (n / SAMPLE) as usize;
        let (first, last) = (self.samples[sample] as usize, self.samples[sample + 1] as usize);
        let index = first + self.blocks[first + 1..=last].partition_point(|block| block.n_before <= n);
        let block = &self.blocks[index];
        Some(index * BLOCK + block.nth_break(n - block.n_before))
    }

    /// The block of a place, and which of its words has the bit of the byte behind it.
    fn locate(&self, index: usize) -> (&Block, usize) {
        (&self.blocks[index / BLOCK], index / CHUNK % CHUNKS)
    }
}

impl Block {
    /// The last byte of a line break of this block; `n` counts from 0 and is less than their number.
    fn nth_break(&self, mut n: u32) -> usize {
        let mut word = 0;
        while self.breaks[word].count_ones() <= n {
            n -= self.breaks[word].count_ones();
            word += 1;
        }
        let without_lowest = |bits: u64, _| bits & (bits - 1);
        let bits = (0..n).fold(self.breaks[word], without_lowest);
        word * CHUNK + bits.trailing_zeros() as usize
    }
}

impl fmt::Debug for LineIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LineIndex({} line breaks)", self.n_breaks)
    }
}

/// Builds the index with the given eyes.
///
/// Always inlined, so that the eyes are compiled into the loop with the processor features of its caller.
#[inline(always)]
pub(crate) fn build(bytes: &[u8], first: usize, masks: impl Fn(&[u8; CHUNK]) -> Masks) -> LineIndex {
    let n_blocks = bytes.len() / BLOCK + 1;
    let mut index =
        LineIndex { first, n_breaks: 0, blocks: Vec::with_capacity(n_blocks), samples: Vec::new() };
    for number in 0..n_blocks {
        let block = build_block(bytes, number * BLOCK, index.n_breaks, &masks);
        index.n_breaks += block.breaks.iter().map(|word| word.count_ones()).sum::<u32>();
        index.blocks.push(block);
        while index.samples.len() * (SAMPLE as usize) < index.n_breaks as usize {
            index.samples.push(u32::try_from(number).expect("there are fewer blocks than bytes"));
        }
    }
    index.samples.push(u32::try_from(n_blocks - 1).expect("there are fewer blocks than bytes"));
    index
}

#[inline(always)]
fn build_block(bytes: &[u8], start: usize, n_before: u32, masks: impl Fn(&[u8; CHUNK]) -> Masks) -> Block {
    let mut block = Block { breaks: [0; CHUNKS], n_before, non_ascii: 0 };
    for (word, bits) in block.breaks.iter_mut().enumerate() {
        let at = start + word * CHUNK;
        let masks = masks_at(bytes, at, &masks);
        *bits = breaks(masks, bytes.get(at + CHUNK) == Some(&b'\n'));
        block.non_ascii |= u8::from(masks.non_ascii) << word;
    }
    block
}

/// The masks of 64 bytes; behind the end of the text, zeros stand in.
#[inline(always)]
fn masks_at(bytes: &[u8], at: usize, masks: impl Fn(&[u8; CHUNK]) -> Masks) -> Masks {
    let rest = bytes.get(at..).unwrap_or_default();
    match rest.first_chunk() {
        Some(chunk) => masks(chunk),
        None => {
            let mut chunk = [0; CHUNK];
            chunk[..rest.len()].copy_from_slice(rest);
            masks(&chunk)
        }
    }
}

/// The last bytes of line breaks: every `\n`, and every `\r` that no `\n` follows.
#[inline(always)]
fn breaks(masks: Masks, next_is_lf: bool) -> u64 {
    let before_lf = masks.lf >> 1 | u64::from(next_is_lf) << (CHUNK - 1);
    masks.lf | masks.cr & !before_lf
}

/// The bits of a word that stand for the bytes of its chunk before a place.
fn lower_bits(index: usize) -> u64 {
    (1 << (index % CHUNK)) - 1
}
