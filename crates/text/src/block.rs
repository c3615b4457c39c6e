//! What the line index notes about 384 bytes of a text, packed into one cache line of 64 bytes.

use crate::simd::Masks;

/// How many bytes are examined in one step: as many as a 64-bit word has bits.
pub(crate) const CHUNK: usize = 64;

/// How many chunks a block has. With six, the bits and the counts of a block together fill a cache line.
pub(crate) const CHUNKS: usize = 6;

/// How many bytes a block describes.
pub(crate) const BLOCK: usize = CHUNKS * CHUNK;

/// The line breaks in 384 bytes of a text. A block fills one cache line, so most queries access memory once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(crate) struct Block {
    /// Invariant: bit `i` of word `w` is set if byte `64 w + i` of the block is the last byte of a line break.
    breaks: [u64; CHUNKS],
    /// The number of line breaks in all earlier blocks.
    pub(crate) n_before: u32,
    /// Invariant: how many breaks of this block come before its second word, before its third word, and so on.
    n_before_word: [u16; CHUNKS - 1],
    /// Invariant: bit `w` is set if any of the 64 bytes of word `w` is non-ASCII.
    non_ascii: u8,
}

const _: () = assert!(size_of::<Block>() == 64, "a block fills a cache line");

impl Block {
    /// The block for the first 384 bytes of `rest`. If `rest` is shorter, the missing bytes count as zeros.
    ///
    /// `eyes` finds the masks of a chunk. This is always inlined, so that `eyes` is compiled into the loop with the
    /// processor features of the caller.
    #[inline(always)]
    pub(crate) fn new(rest: &[u8], n_before: u32, eyes: impl Fn(&[u8; CHUNK]) -> Masks) -> Block {
        let mut block = Block { breaks: [0; CHUNKS], n_before, n_before_word: [0; CHUNKS - 1], non_ascii: 0 };
        for (word, bits) in block.breaks.iter_mut().enumerate() {
            let masks = masks_at(rest, word * CHUNK, &eyes);
            *bits = breaks(masks, rest.get((word + 1) * CHUNK) == Some(&b'\n'));
            block.non_ascii |= u8::from(masks.non_ascii) << word;
        }
        let mut n = 0;
        for (n_before_word, bits) in block.n_before_word.iter_mut().zip(block.breaks) {
            n += bits.count_ones();
            *n_before_word = u16::try_from(n).expect("a block has fewer breaks than bytes");
        }
        block
    }

    /// How many breaks are in this block.
    #[inline(always)]
    pub(crate) fn n_breaks(&self) -> u32 {
        self.n_before_word(CHUNKS - 1) + self.breaks[CHUNKS - 1].count_ones()
    }

    /// How many line breaks of the whole text come before a place in this block.
    pub(crate) fn n_breaks_before(&self, index: usize) -> u32 {
        let (word, mask) = word_and_mask(index);
        self.n_before + self.n_before_word(word) + (self.breaks[word] & mask).count_ones()
    }

    /// Whether the byte at `index` is the last one of a line break.
    pub(crate) fn is_break(&self, index: usize) -> bool {
        let (word, mask) = word_and_mask(index);
        self.breaks[word] & (mask + 1) != 0
    }

    /// Whether the byte at `index` may be non-ASCII. It may be if any byte of its chunk is.
    pub(crate) fn is_near_non_ascii(&self, index: usize) -> bool {
        self.non_ascii >> word_and_mask(index).0 & 1 != 0
    }

    /// How many chunks in a row are alike, starting at `chunk` and ending at the end of this block. If `non_ascii` is
    /// true, they have non-ASCII bytes; otherwise they have none.
    pub(crate) fn n_alike(&self, chunk: usize, non_ascii: bool) -> usize {
        let others = if non_ascii { !self.non_ascii } else { self.non_ascii };
        let n_left = CHUNKS - chunk % CHUNKS;
        n_left.min((others >> (chunk % CHUNKS)).trailing_zeros() as usize)
    }

    /// The index in the block of line break number `n`, counted from 0. The block must have more than `n` breaks.
    pub(crate) fn nth_break(&self, n: u32) -> usize {
        let word = self.n_before_word.iter().filter(|n_before| u32::from(**n_before) <= n).count();
        let without_lowest = |bits: u64, _| bits & (bits - 1);
        let bits = (self.n_before_word(word)..n).fold(self.breaks[word], without_lowest);
        word * CHUNK + bits.trailing_zeros() as usize
    }

    /// The index in the block of the last break in words `0..=word`. In `word` itself, only the bits of `mask` count.
    pub(crate) fn last_break(&self, word: usize, mask: u64) -> Option<usize> {
        let mut word = word;
        let mut bits = self.breaks[word] & mask;
        while bits == 0 && word > 0 {
            word -= 1;
            bits = self.breaks[word];
        }
        Some(word * CHUNK + bits.checked_ilog2()? as usize)
    }

    /// The index in the block of the first break in words `word..`. In `word` itself, only the bits of `mask` count.
    pub(crate) fn first_break(&self, word: usize, mask: u64) -> Option<usize> {
        let mut word = word;
        let mut bits = self.breaks[word] & mask;
        while bits == 0 && word + 1 < CHUNKS {
            word += 1;
            bits = self.breaks[word];
        }
        (bits != 0).then(|| word * CHUNK + bits.trailing_zeros() as usize)
    }

    #[inline(always)]
    fn n_before_word(&self, word: usize) -> u32 {
        word.checked_sub(1).map_or(0, |index| self.n_before_word[index].into())
    }
}

/// The word of its block that has the bit for the byte at `index`, and a mask of the lower bits of that word.
pub(crate) fn word_and_mask(index: usize) -> (usize, u64) {
    (index / CHUNK % CHUNKS, (1 << (index % CHUNK)) - 1)
}

/// The masks of the 64 bytes from `at` on. After the end of `bytes`, missing bytes count as zeros.
#[inline(always)]
fn masks_at(bytes: &[u8], at: usize, eyes: impl Fn(&[u8; CHUNK]) -> Masks) -> Masks {
    let rest = bytes.get(at..).unwrap_or_default();
    match rest.first_chunk() {
        Some(chunk) => eyes(chunk),
        None => {
            let mut chunk = [0; CHUNK];
            chunk[..rest.len()].copy_from_slice(rest);
            eyes(&chunk)
        }
    }
}

/// The last bytes of line breaks: every `\n`, and every `\r` that is not followed by `\n`.
#[inline(always)]
fn breaks(masks: Masks, next_is_lf: bool) -> u64 {
    let before_lf = masks.lf >> 1 | u64::from(next_is_lf) << (CHUNK - 1);
    masks.lf | masks.cr & !before_lf
}
