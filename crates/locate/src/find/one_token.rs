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

use super::blocks::{BLOCK, Blocks};
use super::outward::period;
use super::pattern::Pattern;
use super::sink::Sink;
use crate::tokens;

/// Gives `sink` every place where the only token of a pattern stands, also inside longer words.
#[inline(always)]
pub(super) fn search(pattern: &Pattern, source: &[u8], region: &Range<usize>, sink: &mut impl Sink) {
    match pattern.bytes(0).len() {
        ..=BLOCK => search_bits(pattern, source, region, sink),
        _ => search_runs(pattern, source, region, sink),
    }
}

#[inline(always)]
fn search_bits(pattern: &Pattern, source: &[u8], region: &Range<usize>, sink: &mut impl Sink) {
    let token = pattern.bytes(0);
    let mut bits = [0u64; 256];
    for (at, &byte) in token.iter().enumerate() {
        bits[usize::from(byte)] |= 1 << at;
    }
    let mut seen = 0;
    let mut around = Around::new(pattern, source, region);
    for (n, block) in source[region.clone()].chunks(BLOCK).enumerate() {
        // Which bytes of the block are the last of an occurrence.
        let mut lasts = 0u64;
        for (at, &byte) in block.iter().enumerate() {
            seen = (seen << 1 | 1) & bits[usize::from(byte)];
            lasts |= (seen >> (token.len() - 1)) << at;
        }
        let (is_match, is_cut) = around.next();
        lasts &= is_match;
        let partial = lasts & is_cut;
        if sink.count((lasts & !partial).count_ones() as usize, partial.count_ones() as usize) {
            continue;
        }
        while lasts != 0 {
            let end = region.start + BLOCK * n + lasts.trailing_zeros() as usize + 1;
            let found = pattern.finish(source, region, end - token.len()..end);
            if found.is_some_and(|found| sink.take(found).is_break()) {
                return;
            }
            lasts &= lasts - 1;
        }
    }
}

/// What stands around the occurrences of a token, block by block.
struct Around<'r> {
    len: usize,
    is_word: bool,
    /// Whether there must be blanks, and whether they may end a line.
    lead: Option<bool>,
    trail: Option<bool>,
    blocks: Blocks<'r>,
    words: Window,
    leads: Window,
    trails: Window,
    /// How many bytes there are from the block at hand on.
    n_left: usize,
    /// Does a word go on behind the region?
    goes_on: bool,
}

/// A bit for each byte of the block before the one at hand, of that block, and of the next one.
#[derive(Default)]
struct Window {
    before: u64,
    here: u64,
    behind: u64,
}

impl Window {
    fn advance(&mut self, behind: u64) {
        *self = Window { before: self.here, here: self.behind, behind };
    }

    /// For each byte, the bit so many bytes before it: at most a block.
    #[inline(always)]
    fn earlier(&self, n_bytes: usize) -> u64 {
        let both = u128::from(self.here) << BLOCK | u128::from(self.before);
        #[expect(clippy::cast_possible_truncation, reason = "the lower half is what is meant")]
        let earlier = (both >> (BLOCK - n_bytes)) as u64;
        earlier
    }

    /// For each byte, the bit of the next one.
    #[inline(always)]
    fn next(&self) -> u64 {
        self.here >> 1 | self.behind << (BLOCK - 1)
    }
}

impl<'r> Around<'r> {
    fn new(pattern: &Pattern, source: &'r [u8], region: &Range<usize>) -> Around<'r> {
        let token = pattern.bytes(0);
        let mut around = Around {
            len: token.len(),
            is_word: tokens::is_word_at(token, 0),
            lead: pattern.lead.mandatory(),
            trail: pattern.trail.mandatory(),
            blocks: Blocks::new(source, region),
            words: Window::default(),
            leads: Window::default(),
            trails: Window::default(),
            n_left: region.len(),
            goes_on: tokens::is_word_at(source, region.end),
        };
        around.read();
        around.words.here = u64::from(tokens::is_word_before(source, region.start)) << 63;
        around
    }

    #[inline(always)]
    fn read(&mut self) {
        let mut words = 0;
        let mut edges = [0, 0];
        if self.blocks.base() <= self.blocks.text().len() {
            let kinds = self.blocks.kinds();
            words = kinds.word;
            edges = [self.lead, self.trail]
                .map(|edge| edge.map_or(0, |crosses_lines| self.blocks.blanks(&kinds, crosses_lines)));
            self.blocks.advance(&kinds);
        }
        self.words.advance(words);
        self.leads.advance(edges[0]);
        self.trails.advance(edges[1]);
    }

    /// Of an occurrence whose last byte is byte `i` of the block, bit `i` says whether it is a match at all, and
    /// whether it cuts a word in two.
    #[inline(always)]
    fn next(&mut self) -> (u64, u64) {
        if !self.is_word {
            return (u64::MAX, 0);
        }
        self.read();
        let lead = if self.lead.is_some() { self.leads.earlier(self.len) } else { u64::MAX };
        let trail = if self.trail.is_some() { self.trails.next() } else { u64::MAX };
        let at_end = if self.n_left <= BLOCK { u64::from(self.goes_on) << (self.n_left - 1) } else { 0 };
        self.n_left = self.n_left.saturating_sub(BLOCK);
        (lead & trail, self.words.earlier(self.len) | self.words.next() | at_end)
    }
}

fn search_runs(pattern: &Pattern, source: &[u8], region: &Range<usize>, sink: &mut impl Sink) {
    let text = &source[..region.end];
    let token = pattern.bytes(0);
    let period = period(token);
    let last_period = &token[token.len() - period..];
    let finder = Finder::new(token);
    let mut at = region.start;
    while let Some(found) = finder.find(&text[at..]) {
        let mut end = at + found + token.len();
        loop {
            let found = pattern.finish(source, region, end - token.len()..end);
            if found.is_some_and(|found| sink.take(found).is_break()) {
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
