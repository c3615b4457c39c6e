//! One token in a text that is full of it.
//!
//! Up to 64 bytes are compared all at once, one bit of a number for each, as [`parallel`](super::parallel) does it
//! with tokens.
//!
//! Occurrences of longer ones that overlap by more than half stand one period of the token apart, in runs: in
//! `aaaaaa`, the word `aaa` stands at every letter. In a run, only the last period of each occurrence is new and has
//! to be compared. Where a run ends, the next occurrence is at least half a token away, so that searching anew stays
//! linear.

use std::ops::Range;

use memchr::memmem::Finder;

use super::outward::period;
use super::pattern::Match;
use super::reader::{BLOCK, Words};
use super::sink::Sink;
use crate::tokens;

/// Gives `sink` every place where `token` stands, also inside longer words.
pub(super) fn search(token: &[u8], source: &[u8], region: &Range<usize>, sink: &mut impl Sink) {
    match token.len() {
        ..=BLOCK => search_bits(token, source, region, sink),
        _ => search_runs(token, source, region, sink),
    }
}

fn search_bits(token: &[u8], source: &[u8], region: &Range<usize>, sink: &mut impl Sink) {
    let mut bits = [0u64; 256];
    for (at, &byte) in token.iter().enumerate() {
        bits[usize::from(byte)] |= 1 << at;
    }
    let mut seen = 0;
    let mut cut_words = CutWords::new(token, source, region);
    for (n, block) in source[region.clone()].chunks(BLOCK).enumerate() {
        // Which bytes of the block are the last of an occurrence.
        let mut lasts = 0u64;
        for (at, &byte) in block.iter().enumerate() {
            seen = (seen << 1 | 1) & bits[usize::from(byte)];
            lasts |= (seen >> (token.len() - 1)) << at;
        }
        let partial = lasts & cut_words.next();
        if sink.count((lasts & !partial).count_ones() as usize, partial.count_ones() as usize) {
            continue;
        }
        while lasts != 0 {
            let last = lasts.trailing_zeros();
            let end = region.start + BLOCK * n + last as usize + 1;
            let found = Match { range: end - token.len()..end, partial: partial >> last & 1 != 0 };
            if sink.take(found).is_break() {
                return;
            }
            lasts &= lasts - 1;
        }
    }
}

/// Where an occurrence of a word would be cut from a longer one, block by block.
struct CutWords<'r> {
    len: usize,
    /// The bytes of words in the block at hand and in the one before it.
    here: u64,
    before: u64,
    words: Words<'r>,
    is_word: bool,
    /// How many bytes there are from the block at hand on.
    n_left: usize,
    /// Does a word go on behind the region?
    goes_on: bool,
}

impl<'r> CutWords<'r> {
    fn new(token: &[u8], source: &'r [u8], region: &Range<usize>) -> CutWords<'r> {
        let mut words = Words::new(source, region);
        CutWords {
            len: token.len(),
            here: words.next(),
            before: u64::from(tokens::is_word_before(source, region.start)) << 63,
            words,
            is_word: tokens::is_word_at(token, 0),
            n_left: region.len(),
            goes_on: tokens::is_word_at(source, region.end),
        }
    }

    /// Bit `i` says it of an occurrence whose last byte is byte `i` of the block.
    #[inline(always)]
    fn next(&mut self) -> u64 {
        if !self.is_word {
            return 0;
        }
        let behind = self.words.next();
        let both = u128::from(self.here) << BLOCK | u128::from(self.before);
        #[expect(clippy::cast_possible_truncation, reason = "the lower half is what is meant")]
        let cut_before = (both >> (BLOCK - self.len)) as u64;
        let at_end = if self.n_left <= BLOCK { u64::from(self.goes_on) << (self.n_left - 1) } else { 0 };
        let cut_behind = self.here >> 1 | behind << (BLOCK - 1) | at_end;
        (self.before, self.here) = (self.here, behind);
        self.n_left = self.n_left.saturating_sub(BLOCK);
        cut_before | cut_behind
    }
}

fn search_runs(token: &[u8], source: &[u8], region: &Range<usize>, sink: &mut impl Sink) {
    let text = &source[..region.end];
    let period = period(token);
    let last_period = &token[token.len() - period..];
    let finder = Finder::new(token);
    let is_word = tokens::is_word_at(token, 0);
    let mut at = region.start;
    while let Some(found) = finder.find(&text[at..]) {
        let mut end = at + found + token.len();
        loop {
            let start = end - token.len();
            let is_cut = tokens::is_word_before(source, start) | tokens::is_word_at(source, end);
            if sink.take(Match { range: start..end, partial: is_word & is_cut }).is_break() {
                return;
            }
            if !text[end..].starts_with(last_period) {
                break;
            }
            end += period;
        }
        at = end - token.len() + period;
    }
}
