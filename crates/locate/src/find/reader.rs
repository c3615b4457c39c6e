//! Reads a source as tokens, 64 bytes at a time.
//!
//! What each byte is, word or blank or neither, is found for all 64 at once and kept as bits; tokens start and end
//! where the bits change. There is no branch for each byte or token, so that no text can make the processor guess
//! wrong at every step: that would take ten times as long as the work itself.

use std::ops::Range;

use super::pattern::{Match, Pattern};
use super::sink::Sink;
use super::values::{FIRST_CUT, FLAGS, LAST_CUT, Values};
use crate::tokens::{self, Class};

/// How many bytes are read at once.
pub(super) const BLOCK: usize = 64;

/// Room for the tokens of a block: more than they need, so that no byte can be an index out of bounds.
const ROOM: usize = 256;

/// Takes the steps of an automaton over the tokens of a region and gives `sink` the matches.
///
/// `step` says whether a match ends with the token whose value it is given; a match is one only if its first token has
/// the flag `first`.
#[inline(always)]
pub(super) fn read(
    (source, region): (&[u8], &Range<usize>),
    (pattern, values): (&Pattern, &Values<'_>),
    first: u64,
    mut step: impl FnMut(u64) -> bool,
    sink: &mut impl Sink,
) {
    let last = pattern.tokens.len() - 1;
    let (first_len, last_len) = (pattern.bytes(0).len(), pattern.bytes(last).len());
    let mut reader = Reader::new(source, region);
    let mut history = History::new(last + 1, first);
    let mut by_end = [0; BLOCK];
    // The last block may be empty: that is where a token at the end of the text ends.
    while reader.base <= region.end {
        let cuts = reader.cut();
        reader.look_up(&cuts, values, &mut by_end);
        reader.mark_cut_words(&cuts, source, &mut by_end);
        let room = history.room();
        let (mut found, mut n_found, mut n_ends, mut ends) = ([0u8; ROOM], 0u8, 0u8, cuts.ends);
        while ends != 0 {
            let end = take_lowest(&mut ends);
            let value = by_end[end % BLOCK];
            room[usize::from(n_ends)] = Seen { end: reader.base + end, flags: value & FLAGS };
            // Written down in any case and counted if so: a branch here is what a hostile text would want.
            found[usize::from(n_found)] = n_ends;
            n_found += u8::from(step(value));
            n_ends += 1;
        }
        let found = &found[..usize::from(n_found)];
        let (n_whole, n_partial) = history.count(found);
        if !sink.count(n_whole, n_partial) {
            let ends = found.iter().map(|&token| history.ends_of(usize::from(token)));
            for (first, last) in ends.filter(|(first, _)| history.is_match(*first)) {
                let range = first.end - first_len..reader.start_of(&cuts, last.end) + last_len;
                if sink.take(Match { range, partial: is_partial(first, last) }).is_break() {
                    return;
                }
            }
        }
        history.advance(usize::from(n_ends));
        reader.advance(&cuts);
    }
}

/// Which bytes belong to words, block by block. The first block starts where the region does.
pub(super) struct Words<'r>(Reader<'r>);

impl<'r> Words<'r> {
    pub(super) fn new(source: &'r [u8], region: &Range<usize>) -> Words<'r> {
        Words(Reader::new(source, region))
    }

    /// The words of the next block; none behind the last.
    #[inline(always)]
    pub(super) fn next(&mut self) -> u64 {
        if self.0.base > self.0.text.len() {
            return 0;
        }
        let words = self.0.kinds().word;
        self.0.word = words >> 63;
        self.0.base += BLOCK;
        words
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
    /// Does the first token go on before the text, and has not been read yet?
    is_first_cut: bool,
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
    fn new(source: &'r [u8], region: &Range<usize>) -> Reader<'r> {
        let (text, from) = (&source[..region.end], region.start);
        let is_first_cut = from < region.end && tokens::cuts_word(source, from);
        Reader { text, is_first_cut, base: from, at: from, word: 0, mark_ends: 0, open: from }
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
    fn look_up(&self, cuts: &Cuts, values: &Values<'_>, by_end: &mut [u64; BLOCK]) {
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

    /// A word that goes on outside of the region is cut by its end.
    #[inline(always)]
    fn mark_cut_words(&mut self, cuts: &Cuts, source: &[u8], by_end: &mut [u64; BLOCK]) {
        if self.is_first_cut && cuts.ends != 0 {
            by_end[cuts.ends.trailing_zeros() as usize % BLOCK] |= FIRST_CUT;
            self.is_first_cut = false;
        }
        let end = self.text.len() - self.base;
        if end < BLOCK && cuts.ends >> end & 1 != 0 && tokens::cuts_word(source, self.text.len()) {
            by_end[end] |= LAST_CUT;
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

/// A token that was read: where it ends, and the flags of its value.
#[derive(Clone, Copy, Default)]
struct Seen {
    end: usize,
    flags: u64,
}

/// Does a match cut a word in two?
#[inline(always)]
fn is_partial(first: Seen, last: Seen) -> bool {
    first.flags & FIRST_CUT | last.flags & LAST_CUT != 0
}

/// The last tokens.
struct History {
    /// Those before the block at hand end at `n_before`.
    tokens: Vec<Seen>,
    n_before: usize,
    /// How many are asked for.
    n_kept: usize,
    /// The flag that the first token of a match has.
    first: u64,
}

impl History {
    fn new(n_kept: usize, first: u64) -> History {
        History { tokens: vec![Seen::default(); 2 * n_kept + 4 * ROOM], n_before: n_kept, n_kept, first }
    }

    /// Room for the tokens of a block.
    #[inline(always)]
    fn room(&mut self) -> &mut [Seen; ROOM] {
        if self.n_before + ROOM > self.tokens.len() {
            self.tokens.copy_within(self.n_before - self.n_kept..self.n_before, 0);
            self.n_before = self.n_kept;
        }
        let room = &mut self.tokens[self.n_before..self.n_before + ROOM];
        room.try_into().expect("as long as asked for")
    }

    /// How many of these tokens end a match that cuts no word in two, and how many one that does.
    #[inline(always)]
    fn count(&self, found: &[u8]) -> (usize, usize) {
        let (mut n_all, mut n_partial) = (0, 0);
        for &token in found {
            let (first, last) = self.ends_of(usize::from(token));
            let is_match = self.is_match(first);
            n_all += usize::from(is_match);
            n_partial += usize::from(is_match & is_partial(first, last));
        }
        (n_all - n_partial, n_partial)
    }

    #[inline(always)]
    fn is_match(&self, first: Seen) -> bool {
        first.flags & self.first == self.first
    }

    /// The first and the last token of a match whose last is this one of the block.
    #[inline(always)]
    fn ends_of(&self, token: usize) -> (Seen, Seen) {
        let last = self.n_before + token;
        (self.tokens[last + 1 - self.n_kept], self.tokens[last])
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
