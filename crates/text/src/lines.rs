//! Where the lines of a text are, and which of its bytes are not ASCII.
//!
//! The index is not a list of line starts. It has one bit for each byte of the text, and the bit is set if the byte is
//! the last one of a line break. Building the bits is as fast as reading the text. They never take more memory than a
//! list would take for short lines. The line of a place is found by counting bits instead of searching.
//!
//! Example: the line breaks of the text `ab\r\nc\rd\n` end with bytes 3, 5 and 7. The bits are `1010_1000`, and the
//! lines start at 0, 4, 6 and 8.

use crate::block::{BLOCK, Block, CHUNK, CHUNKS, word_and_mask};
use crate::simd::{self, Masks};
use std::fmt;
use std::ops::Range;

/// The index notes the block of every 32nd line break.
const SAMPLE: usize = 32;

/// Up to this many blocks are faster to scan one by one than to search: the processor fetches the next block meanwhile.
const FEW: usize = 16;

/// The lines of a text, found in one pass over its bytes.
#[derive(Clone)]
#[cfg_attr(test, derive(PartialEq))]
pub struct LineIndex {
    /// Where the first line starts. It is after the byte-order mark, if there is one.
    first: usize,
    n_breaks: u32,
    /// Invariant: the last block covers the end of the text, so there is one block more than the text fills.
    blocks: Vec<Block>,
    /// Invariant: the numbers of the blocks that hold break 0, break 32, break 64 and so on. The last entry is the
    /// number of the last block.
    samples: Vec<u32>,
}

impl LineIndex {
    pub(crate) fn new(bytes: &[u8], first: usize) -> LineIndex {
        simd::build(bytes, first)
    }

    /// Builds the index. `eyes` is a function that finds the masks of a chunk.
    ///
    /// This is always inlined, so that `eyes` is compiled into the loop with the processor features of the caller.
    #[inline(always)]
    pub(crate) fn with_eyes(bytes: &[u8], first: usize, eyes: impl Fn(&[u8; CHUNK]) -> Masks) -> LineIndex {
        let n_blocks = bytes.len() / BLOCK + 1;
        let mut index =
            LineIndex { first, n_breaks: 0, blocks: Vec::with_capacity(n_blocks), samples: Vec::new() };
        for number in 0..n_blocks {
            let block = Block::new(&bytes[number * BLOCK..], index.n_breaks, &eyes);
            index.n_breaks += block.n_breaks();
            index.blocks.push(block);
            while index.samples.len() * SAMPLE < index.n_breaks as usize {
                index.samples.push(to_u32(number));
            }
        }
        index.samples.push(to_u32(n_blocks - 1));
        index
    }

    pub(crate) fn n_breaks(&self) -> u32 {
        self.n_breaks
    }

    /// The line of a place, counted from 0. It is the number of line breaks before the place.
    pub(crate) fn line_at(&self, index: usize) -> u32 {
        self.blocks[index / BLOCK].n_breaks_before(index)
    }

    /// Where the line that contains a place starts.
    pub(crate) fn start_of_line_at(&self, index: usize) -> usize {
        let number = index / BLOCK;
        let (word, before) = word_and_mask(index);
        if let Some(last) = self.blocks[number].last_break(word, before) {
            return number * BLOCK + last + 1;
        }
        // Usually the line starts in the previous block, and a look there is much cheaper than a search.
        match number.checked_sub(1).and_then(|before| self.blocks[before].last_break(CHUNKS - 1, u64::MAX)) {
            Some(last) => (number - 1) * BLOCK + last + 1,
            None => {
                let line = self.blocks[number].n_before;
                self.start_of_line(line).expect("a place has a line, and that has a start")
            }
        }
    }

    /// Where a line starts. Lines are counted from 0.
    pub(crate) fn start_of_line(&self, line: u32) -> Option<usize> {
        match line.checked_sub(1) {
            Some(n) => self.nth_break(n).map(|last| last + 1),
            None => Some(self.first),
        }
    }

    /// The last byte of the first line break that ends at or after the byte at `index`.
    pub(crate) fn next_break(&self, index: usize) -> Option<usize> {
        let number = index / BLOCK;
        let (word, before) = word_and_mask(index);
        if let Some(next) = self.blocks[number].first_break(word, !before) {
            return Some(number * BLOCK + next);
        }
        let next = self.blocks.get(number + 1)?;
        match next.first_break(0, u64::MAX) {
            Some(next) => Some((number + 1) * BLOCK + next),
            None => self.nth_break(next.n_before),
        }
    }

    /// Whether this byte is the last one of a line break.
    pub(crate) fn is_break(&self, index: usize) -> bool {
        self.blocks[index / BLOCK].is_break(index)
    }

    /// Whether this byte may be non-ASCII.
    pub(crate) fn is_near_non_ascii(&self, index: usize) -> bool {
        self.blocks[index / BLOCK].is_near_non_ascii(index)
    }

    /// The parts of a range that lie in chunks with non-ASCII bytes.
    ///
    /// All non-ASCII bytes of the range are in these runs. No ASCII byte is ever inside a non-ASCII character or
    /// inside a part that is not UTF-8. So the runs start and end between characters, except where the range itself
    /// does not.
    pub(crate) fn non_ascii_runs(&self, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let mut chunk = range.start / CHUNK;
        let end = range.end.div_ceil(CHUNK);
        std::iter::from_fn(move || {
            let first = self.skip_chunks(chunk, end, false);
            chunk = self.skip_chunks(first, end, true);
            (first < chunk).then(|| range.start.max(first * CHUNK)..range.end.min(chunk * CHUNK))
        })
    }

    /// Skips chunks with non-ASCII bytes if `non_ascii` is true, otherwise chunks without. Returns the first chunk of
    /// `from..end` that is not skipped, or `end`.
    fn skip_chunks(&self, from: usize, end: usize, non_ascii: bool) -> usize {
        let mut chunk = from;
        while chunk < end {
            chunk += match self.blocks[chunk / CHUNKS].n_alike(chunk, non_ascii) {
                0 => break,
                n => n,
            };
        }
        chunk.min(end)
    }

    /// The last byte of line break number `n`, counted from 0.
    fn nth_break(&self, n: u32) -> Option<usize> {
        if self.n_breaks <= n {
            return None;
        }
        let sample = n as usize / SAMPLE;
        let (first, last) = (self.samples[sample] as usize, self.samples[sample + 1] as usize);
        let others = &self.blocks[first + 1..=last];
        let is_up_to = |block: &Block| block.n_before <= n;
        let number = first
            + if others.len() <= FEW {
                others.iter().take_while(|block| is_up_to(block)).count()
            } else {
                others.partition_point(is_up_to)
            };
        let block = &self.blocks[number];
        Some(number * BLOCK + block.nth_break(n - block.n_before))
    }
}

impl fmt::Debug for LineIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LineIndex({} line breaks)", self.n_breaks)
    }
}

fn to_u32(block: usize) -> u32 {
    u32::try_from(block).expect("a text has fewer blocks than bytes, which fit")
}
