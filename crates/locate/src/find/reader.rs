//! Reads a source as tokens, 64 bytes at a time.
//!
//! What each byte is, word or blank or neither, is found for all 64 at once and kept as bits; tokens start and end
//! where the bits change. There is no branch for each byte or token, so that no text can make the processor guess
//! wrong at every step: that would take ten times as long as the work itself.

use std::ops::{BitOr, ControlFlow};

use super::values::Values;
use crate::tokens::{self, Class};

/// How many bytes are read at once.
const BLOCK: usize = 64;

/// Room for the tokens of a block: more than they need, so that no byte can be an index out of bounds.
const ROOM: usize = 256;

/// The tokens of the source at the ends of a match.
pub(super) struct Ends {
    /// Where the first one ends.
    pub(super) first_end: usize,
    /// Where the last one starts.
    pub(super) last_start: usize,
}

/// Takes the steps of an automaton over the tokens of a text and calls `emit` where one ends a match.
///
/// A match is so many tokens long; `step` says whether one ends with the token whose value it is given.
#[inline(always)]
pub(super) fn read<V: Copy + Default + BitOr<Output = V>>(
    (text, from): (&[u8], usize),
    values: &Values<'_, V>,
    n_tokens: usize,
    mut step: impl FnMut(V) -> bool,
    mut emit: impl FnMut(Ends) -> ControlFlow<()>,
) {
    let mut reader = Reader::new(text, from);
    let mut history = History::new(n_tokens);
    let mut by_end = [V::default(); BLOCK];
    // The last block may be empty: that is where a token at the end of the text ends.
    while reader.base <= text.len() {
        let cuts = reader.cut();
        reader.look_up(&cuts, values, &mut by_end);
        let token_ends = history.room();
        let (mut found, mut n_found, mut n_ends, mut ends) = ([0u8; ROOM], 0u8, 0u8, cuts.ends);
        while ends != 0 {
            let end = take_lowest(&mut ends);
            token_ends[usize::from(n_ends)] = reader.base + end;
            // Written down in any case and counted if so: a branch here is what a hostile text would want.
            found[usize::from(n_found)] = n_ends;
            n_found += u8::from(step(by_end[end % BLOCK]));
            n_ends += 1;
        }
        for &token in &found[..usize::from(n_found)] {
            let (first_end, last_end) = history.ends(usize::from(token));
            let last_start = reader.start_of(&cuts, last_end);
            if emit(Ends { first_end, last_start }).is_break() {
                return;
            }
        }
        history.advance(usize::from(n_ends));
        reader.advance(&cuts);
    }
}

/// Where tokens start, and the bytes behind them. Bit `i` stands for byte `i` of a block.
struct Cuts {
    starts: u64,
    ends: u64,
    /// Do a word, and another character, go on in the next block? As its lowest bits.
    word: u64,
    mark_ends: u64,
}

/// What the bytes of a block are.
struct Kinds {
    /// Bytes of word characters.
    word: u64,
    /// First bytes of other characters that are no blanks.
    marks: u64,
    /// Last bytes of such characters, as far as they are in the block.
    mark_lasts: u64,
}

struct Reader<'r> {
    text: &'r [u8],
    /// Where the block starts.
    base: usize,
    /// Where the last character ends that is not ASCII. It may be in the next block.
    at: usize,
    word: u64,
    mark_ends: u64,
    /// Where the last token started that did not end before the block.
    open: usize,
}

impl<'r> Reader<'r> {
    fn new(text: &'r [u8], from: usize) -> Reader<'r> {
        Reader { text, base: from, at: from, word: 0, mark_ends: 0, open: from }
    }

    #[inline(always)]
    fn cut(&mut self) -> Cuts {
        let kinds = self.kinds();
        let behind_word = kinds.word << 1 | self.word;
        Cuts {
            starts: kinds.word & !behind_word | kinds.marks,
            ends: !kinds.word & behind_word | kinds.mark_lasts << 1 | self.mark_ends,
            word: kinds.word >> 63,
            mark_ends: kinds.mark_lasts >> 63 << self.n_more(),
        }
    }

    #[inline(always)]
    fn advance(&mut self, cuts: &Cuts) {
        self.open = last_of(cuts.starts, self.base, self.open);
        (self.word, self.mark_ends) = (cuts.word, cuts.mark_ends);
        self.base += BLOCK;
    }

    /// Where the last token starts before this place of the block.
    #[inline(always)]
    fn start_of(&self, cuts: &Cuts, end: usize) -> usize {
        last_of(cuts.starts & low_bits(end - self.base), self.base, self.open)
    }

    /// By where they end in the block, the values of its tokens.
    ///
    /// They are looked up first as if all tokens were one byte, then once more for those that are longer.
    #[inline(always)]
    fn look_up<V>(&self, cuts: &Cuts, values: &Values<'_, V>, by_end: &mut [V; BLOCK])
    where
        V: Copy + Default + BitOr<Output = V>,
    {
        // The byte before each end. No token ends where the text begins.
        match self.text.get(self.base.wrapping_sub(1)..self.base.wrapping_sub(1).wrapping_add(BLOCK)) {
            Some(bytes) => {
                for (value, &byte) in by_end.iter_mut().zip(bytes) {
                    *value = values.single(byte);
                }
            }
            None => {
                let before = self.base.saturating_sub(1);
                let bytes = &self.text[before..self.text.len().min(before + BLOCK)];
                for (value, &byte) in by_end[usize::from(self.base == 0)..].iter_mut().zip(bytes) {
                    *value = values.single(byte);
                }
            }
        }
        let is_open = self.word | self.mark_ends != 0;
        let opened_last = u64::from(is_open && self.open + 1 == self.base);
        let mut long_ends = cuts.ends & !(cuts.starts << 1 | opened_last);
        let mut long_starts = cuts.starts & !(cuts.ends >> 1);
        let is_long_open = is_open && cuts.ends & opened_last == 0;
        let mut start = if is_long_open { self.open } else { self.base + take_lowest(&mut long_starts) };
        while long_ends != 0 {
            let end = take_lowest(&mut long_ends);
            by_end[end % BLOCK] = values.longer(self.text, start, self.base + end);
            start = self.base + take_lowest(&mut long_starts);
        }
    }

    #[inline(always)]
    fn kinds(&mut self) -> Kinds {
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
        match block.is_ascii() {
            true => Kinds { word, marks, mark_lasts: marks },
            false => {
                let longer = mask(block, |byte| byte >= 0x80);
                self.decode(longer, Kinds { word, marks: marks & !longer, mark_lasts: marks & !longer })
            }
        }
    }

    /// Adds the characters that are not ASCII.
    #[inline(never)]
    fn decode(&mut self, mut bytes: u64, mut kinds: Kinds) -> Kinds {
        // The end of a character that was classified with the block before.
        let before = low_bits(self.at.saturating_sub(self.base));
        bytes &= !before;
        kinds.word |= before & self.word.wrapping_neg();
        while bytes != 0 {
            let bit = bytes.trailing_zeros() as usize;
            let (class, len) = tokens::decoded_at(self.text, self.base + bit);
            let (is_word, is_mark) =
                (u64::from(class == Class::Word), u64::from(class != Class::Word && class != Class::Blank));
            let all = low_bits(len) << bit;
            kinds.word |= all & is_word.wrapping_neg();
            kinds.marks |= is_mark << bit;
            kinds.mark_lasts |= (all & !(all >> 1)) & is_mark.wrapping_neg();
            bytes &= !all;
            self.at = self.base + bit + len;
        }
        kinds
    }

    /// How many bytes of the last character are in the next block.
    #[inline(always)]
    fn n_more(&self) -> usize {
        self.at.saturating_sub(self.base + BLOCK)
    }
}

/// Where the last tokens end.
struct History {
    /// Those before the block at hand end at `n_before`.
    ends: Vec<usize>,
    n_before: usize,
    /// How many are asked for.
    n_kept: usize,
}

impl History {
    fn new(n_kept: usize) -> History {
        History { ends: vec![0; 2 * n_kept + 4 * ROOM], n_before: n_kept, n_kept }
    }

    /// Room for the tokens of a block.
    #[inline(always)]
    fn room(&mut self) -> &mut [usize; ROOM] {
        if self.n_before + ROOM > self.ends.len() {
            self.ends.copy_within(self.n_before - self.n_kept..self.n_before, 0);
            self.n_before = self.n_kept;
        }
        let room = &mut self.ends[self.n_before..self.n_before + ROOM];
        room.try_into().expect("as long as asked for")
    }

    /// The ends of the first and the last token of a match whose last is this one of the block.
    #[inline(always)]
    fn ends(&self, token: usize) -> (usize, usize) {
        let last = self.n_before + token;
        (self.ends[last + 1 - self.n_kept], self.ends[last])
    }

    fn advance(&mut self, n_tokens: usize) {
        self.n_before += n_tokens;
    }
}

/// Where the highest bit is, if there is one.
#[inline(always)]
fn last_of(bits: u64, base: usize, otherwise: usize) -> usize {
    bits.checked_ilog2().map_or(otherwise, |bit| base + bit as usize)
}

/// As many bits as asked for; fewer than all.
#[inline(always)]
fn low_bits(n: usize) -> u64 {
    (1 << n) - 1
}

/// Which of the bytes are so.
#[inline(always)]
fn mask(block: &[u8; BLOCK], is: impl Fn(u8) -> bool) -> u64 {
    let flags = block.map(|byte| u8::from(is(byte)));
    // Of eight bytes that are 0 or 1, the product gathers the lowest bits in its top byte.
    let gathered = |flags: &[u8; 8]| u64::from_le_bytes(*flags).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let eights = flags.as_chunks::<8>().0.iter().enumerate();
    eights.fold(0, |mask, (at, flags)| mask | gathered(flags) << (8 * at))
}

/// Takes the lowest bit away and says where it was.
#[inline(always)]
fn take_lowest(bits: &mut u64) -> usize {
    let lowest = bits.trailing_zeros() as usize;
    *bits &= bits.wrapping_sub(1);
    lowest
}
