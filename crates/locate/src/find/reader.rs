//! Reads a source as tokens, 64 bytes at a time.
//!
//! What each byte is, word or blank or neither, is found for all 64 at once and kept as bits; tokens start and end
//! where the bits change. There is no branch for each byte or token, so that no text can make the processor guess
//! wrong at every step: that would take ten times as long as the work itself.

use std::ops::Range;

use super::pattern::{Match, Pattern};
use super::sink::Sink;
use super::values::{FIRST_CUT, FLAGS, LAST_CUT, LEAD, TRAIL, Values};
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
    let mut edges = Edges::new(pattern);
    let mut history = History::new(last + 1);
    let wanted = Wanted::new(pattern, first);
    let mut by_end = [0; BLOCK];
    // The last block may be empty: that is where a token at the end of the text ends.
    while reader.base <= region.end {
        let kinds = reader.kinds();
        let cuts = reader.cut(&kinds);
        reader.look_up(&cuts, values, &mut by_end);
        reader.mark_cut_words(&cuts, source, &mut by_end);
        edges.mark(&reader, &kinds, &cuts, &mut by_end);
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
        let (n_whole, n_partial) = history.count(found, &wanted);
        if !sink.count(n_whole, n_partial) {
            let ends = found.iter().map(|&token| history.ends_of(usize::from(token)));
            for (first, last) in ends.filter(|&(first, last)| wanted.is_match(first, last)) {
                let range = first.end - first_len..reader.start_of(&cuts, last.end) + last_len;
                let found = match pattern.is_bare() {
                    true => Some(Match { range, partial: wanted.is_partial(first, last) }),
                    false => pattern.finish(source, region, range),
                };
                if found.is_some_and(|found| sink.take(found).is_break()) {
                    return;
                }
            }
        }
        history.advance(usize::from(n_ends));
        reader.advance(&cuts);
    }
}

/// What a match must be, by the flags of its first and its last token.
struct Wanted {
    first: u64,
    last: u64,
    /// The flags that a match that is one must not have.
    not_first: u64,
    not_last: u64,
}

impl Wanted {
    fn new(pattern: &Pattern, first: u64) -> Wanted {
        let [lead, trail] = [pattern.lead, pattern.trail].map(|edge| edge.mandatory().is_some());
        // Where a blank must be, no word is cut.
        let if_so = |is_so: bool, flag: u64| if is_so { flag } else { 0 };
        Wanted {
            first: first | if_so(lead, LEAD),
            last: if_so(trail, TRAIL),
            not_first: if_so(lead, FIRST_CUT),
            not_last: if_so(trail, LAST_CUT),
        }
    }

    #[inline(always)]
    fn is_match(&self, first: Seen, last: Seen) -> bool {
        let is_first = first.flags & (self.first | self.not_first) == self.first;
        is_first & (last.flags & (self.last | self.not_last) == self.last)
    }

    /// Does a match cut a word in two?
    #[inline(always)]
    fn is_partial(&self, first: Seen, last: Seen) -> bool {
        first.flags & FIRST_CUT | last.flags & LAST_CUT != 0
    }
}

/// The blanks that must be at the ends of a match.
struct Edges {
    /// Whether there must be some, and whether they may end a line.
    lead: Option<bool>,
    trail: Option<bool>,
    /// Did the block before end with such a blank, and with a word behind one? As lowest bits.
    blank: u64,
    word: u64,
}

impl Edges {
    fn new(pattern: &Pattern) -> Edges {
        Edges { lead: pattern.lead.mandatory(), trail: pattern.trail.mandatory(), blank: 0, word: 0 }
    }

    /// Marks the tokens that have such blanks beside them.
    #[inline(always)]
    fn mark(&mut self, reader: &Reader<'_>, kinds: &Kinds, cuts: &Cuts, by_end: &mut [u64; BLOCK]) {
        if self.lead.is_none() && self.trail.is_none() {
            return;
        }
        let lead = self.lead.map_or(0, |crosses_lines| {
            let blanks = reader.blanks(kinds, crosses_lines);
            self.words_behind(blanks, kinds, cuts)
        });
        let trail = self.trail.map_or(0, |crosses_lines| reader.blanks(kinds, crosses_lines));
        let mut ends = cuts.ends;
        while ends != 0 {
            let end = take_lowest(&mut ends) % BLOCK;
            by_end[end] |= ((lead >> end & 1) * LEAD) | ((trail >> end & 1) * TRAIL);
        }
    }

    /// The ends of the words that start behind such a blank.
    #[inline(always)]
    fn words_behind(&mut self, blanks: u64, kinds: &Kinds, cuts: &Cuts) -> u64 {
        let starts = cuts.starts & kinds.word & (blanks << 1 | self.blank);
        // Added to the first bit of a run of ones, a one comes out behind the last.
        let (sum, goes_on) = kinds.word.overflowing_add(starts | self.word);
        self.word = u64::from(goes_on);
        self.blank = blanks >> 63;
        sum & !kinds.word
    }
}

/// What the bytes around an occurrence are, block by block. The first block starts where the region does.
pub(super) struct Blocks<'r>(Reader<'r>);

impl<'r> Blocks<'r> {
    pub(super) fn new(source: &'r [u8], region: &Range<usize>) -> Blocks<'r> {
        Blocks(Reader::new(source, region))
    }

    /// The words of the next block, and its blanks: those inside a line, and all. None behind the last.
    #[inline(always)]
    pub(super) fn next(&mut self) -> (u64, [u64; 2]) {
        if self.0.base > self.0.text.len() {
            return (0, [0, 0]);
        }
        let kinds = self.0.kinds();
        let blanks = [self.0.blanks(&kinds, false), self.0.blanks(&kinds, true)];
        (self.0.word, self.0.blank) = (kinds.word >> 63, kinds.blank >> 63);
        self.0.base += BLOCK;
        (kinds.word, blanks)
    }
}

/// Where tokens start, and the bytes behind them. Bit `i` stands for byte `i` of a block.
struct Cuts {
    starts: u64,
    ends: u64,
    /// Do a word, a blank and another character go on in the next block? As its lowest bits.
    word: u64,
    blank: u64,
    mark_ends: u64,
}

/// What the bytes of a block are.
struct Kinds {
    /// Bytes of blanks.
    blank: u64,
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
    blank: u64,
    mark_ends: u64,
    /// Where the last token started that did not end before the block.
    open: usize,
}

impl<'r> Reader<'r> {
    fn new(source: &'r [u8], region: &Range<usize>) -> Reader<'r> {
        let (text, from) = (&source[..region.end], region.start);
        let is_first_cut = from < region.end && tokens::cuts_word(source, from);
        Reader { text, is_first_cut, base: from, at: from, word: 0, blank: 0, mark_ends: 0, open: from }
    }

    #[inline(always)]
    fn cut(&self, kinds: &Kinds) -> Cuts {
        let behind_word = kinds.word << 1 | self.word;
        Cuts {
            starts: kinds.word & !behind_word | kinds.marks,
            ends: !kinds.word & behind_word | kinds.mark_lasts << 1 | self.mark_ends,
            word: kinds.word >> 63,
            blank: kinds.blank >> 63,
            mark_ends: kinds.mark_lasts >> 63 << self.n_more(),
        }
    }

    #[inline(always)]
    fn advance(&mut self, cuts: &Cuts) {
        self.open = last_of(cuts.starts, self.base, self.open);
        (self.word, self.blank, self.mark_ends) = (cuts.word, cuts.blank, cuts.mark_ends);
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
            true => Kinds { blank, word, marks, mark_lasts: marks },
            false => {
                let longer = mask(block, |byte| byte >= 0x80);
                let marks = marks & !longer;
                self.decode(longer, Kinds { blank, word, marks, mark_lasts: marks })
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
        kinds.blank |= before & self.blank.wrapping_neg();
        while bytes != 0 {
            let bit = bytes.trailing_zeros() as usize;
            let (class, len) = tokens::decoded_at(self.text, self.base + bit);
            let (is_word, is_blank) = (u64::from(class == Class::Word), u64::from(class == Class::Blank));
            let is_mark = 1 - is_word - is_blank;
            let all = low_bits(len) << bit;
            kinds.word |= all & is_word.wrapping_neg();
            kinds.blank |= all & is_blank.wrapping_neg();
            kinds.marks |= is_mark << bit;
            kinds.mark_lasts |= (all & !(all >> 1)) & is_mark.wrapping_neg();
            bytes &= !all;
            self.at = self.base + bit + len;
        }
        kinds
    }

    /// The blanks of the block; only those that end no line, or all.
    #[inline(always)]
    fn blanks(&self, kinds: &Kinds, crosses_lines: bool) -> u64 {
        let rest = &self.text[self.base..];
        // What fills up the last block is no blank of the text.
        let inside = if rest.len() < BLOCK { low_bits(rest.len()) } else { u64::MAX };
        let line_ends = match rest.first_chunk() {
            _ if crosses_lines => 0,
            Some(block) => mask(block, tokens::is_line_end),
            None => rest.iter().rev().fold(0, |bits, &byte| bits << 1 | u64::from(tokens::is_line_end(byte))),
        };
        kinds.blank & !line_ends & inside
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

/// The last tokens.
struct History {
    /// Those before the block at hand end at `n_before`.
    tokens: Vec<Seen>,
    n_before: usize,
    /// How many are asked for.
    n_kept: usize,
}

impl History {
    fn new(n_kept: usize) -> History {
        History { tokens: vec![Seen::default(); 2 * n_kept + 4 * ROOM], n_before: n_kept, n_kept }
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
    fn count(&self, found: &[u8], wanted: &Wanted) -> (usize, usize) {
        let (mut n_all, mut n_partial) = (0, 0);
        for &token in found {
            let (first, last) = self.ends_of(usize::from(token));
            let is_match = wanted.is_match(first, last);
            n_all += usize::from(is_match);
            n_partial += usize::from(is_match & wanted.is_partial(first, last));
        }
        (n_all - n_partial, n_partial)
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
