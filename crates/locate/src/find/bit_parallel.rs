//! Searches for a short pattern at 64 places of the source at once.
//!
//! For each token of the pattern, a set of 64 bits marks the bytes of a block at which the token starts. Another set of
//! bits marks the places that have been reached. All of these places move on together from one token to the next: over
//! a token by a shift, over blanks by an addition. The steps are the same for every text, so no text can make the
//! search slow.
//!
//! An example for the pattern `a b`, with the bit of the first byte on the left:
//!
//! ```text
//! source             a   b   a a b
//! blanks             .111.111.1.1.
//! a is at            1.......1.1..
//! after it           .1.......1.1.
//! plus the blanks    ....1111..1.1    adding a 1 to a run of blanks carries it to the end of the run
//! without blanks     ....1.....1.1    here the next token must start
//! b is at            ....1.......1    both are in the line above, so both end a match
//! ```

use std::ops::{ControlFlow, Range};

use locant_text::highest_bits;

use super::blocks::{BLOCK, Blocks, Kinds, take_lowest};
use super::pattern::Pattern;
use super::rarest_first::compare_left;
use super::sink::Sink;
use crate::tokens;

/// How many bytes the distinct tokens of a pattern may have in total. Each of them is compared with each byte of the
/// source.
const MOST_BYTES: usize = 96;

/// How many tokens a pattern may have.
const MOST_TOKENS: usize = 12;

/// Whether the pattern is short enough for this search.
pub(super) fn suits(pattern: &Pattern) -> bool {
    let is_short = |token: &&[u8]| token.len() < BLOCK;
    pattern.tokens.len() <= MOST_TOKENS && {
        let (different, _) = different(pattern);
        different.iter().all(is_short) && different.concat().len() <= MOST_BYTES
    }
}

/// Gives `sink` every match of a short pattern.
#[inline(always)]
pub(super) fn search(pattern: &Pattern, source: &[u8], region: &Range<usize>, sink: &mut impl Sink) {
    let (different, numbers) = different(pattern);
    let mut places = vec![0; different.len()];
    let mut all = Chain::new(pattern, &numbers);
    let mut whole = Chain::new(pattern, &numbers);
    let mut edges = Edges::new(pattern, source, region);
    let mut blocks = Blocks::new(source, region);
    // The last block may be empty: a match at the end of the text ends there.
    while blocks.base() <= region.end {
        let kinds = blocks.kinds();
        let edge = edges.next(&blocks, &kinds);
        let mut padded = [NO_TEXT; 2 * BLOCK];
        let two_blocks = two_blocks(&blocks.text()[blocks.base()..], &mut padded);
        for (places, token) in places.iter_mut().zip(&different) {
            *places = places_of(token, two_blocks);
        }
        let ends = all.advance(edge.starts, &places, kinds.blank) & edge.ends;
        let uncut_ends = if pattern.starts_with_word {
            whole.advance(edge.starts & edge.uncut_starts, &places, kinds.blank)
        } else {
            u64::MAX
        };
        let n_whole = (ends & uncut_ends & edge.uncut_ends).count_ones() as usize;
        let n_partial = ends.count_ones() as usize - n_whole;
        if !sink.count(n_whole, n_partial)
            && hand_out(pattern, source, region, blocks.base(), ends, sink).is_break()
        {
            return;
        }
        blocks.advance(&kinds);
    }
}

/// Gives `sink` the matches that end in a block.
fn hand_out(
    pattern: &Pattern,
    source: &[u8],
    region: &Range<usize>,
    base: usize,
    mut ends: u64,
    sink: &mut impl Sink,
) -> ControlFlow<()> {
    let last = pattern.tokens.len() - 1;
    while ends != 0 {
        let end = base + take_lowest(&mut ends);
        let last_start = end - pattern.bytes(last).len();
        let start = compare_left(pattern, last, &source[..region.end], region.start, last_start, &mut 0);
        let start = start.expect("all tokens before the last have been seen");
        if let Some(found) = pattern.finish(source, region, start..end, &mut 0) {
            sink.take(found)?;
        }
    }
    ControlFlow::Continue(())
}

/// The distinct tokens of a pattern, and for each token of the pattern its index among them.
fn different(pattern: &Pattern) -> (Vec<&[u8]>, Vec<usize>) {
    let mut different = Vec::new();
    let number = |token| {
        let token = pattern.bytes(token);
        let known = different.iter().position(|&known| known == token);
        known.unwrap_or_else(|| {
            different.push(token);
            different.len() - 1
        })
    };
    let numbers = (0..pattern.tokens.len()).map(number).collect();
    (different, numbers)
}

/// A byte that is in no pattern, since it never occurs in UTF-8.
const NO_TEXT: u8 = u8::MAX;

/// The first two blocks of a text. A shorter text is copied into `padded`, whose remaining bytes match nothing.
#[inline(always)]
fn two_blocks<'t>(text: &'t [u8], padded: &'t mut [u8; 2 * BLOCK]) -> &'t [u8; 2 * BLOCK] {
    text.first_chunk().unwrap_or_else(|| {
        padded[..text.len()].copy_from_slice(text);
        padded
    })
}

/// Marks, with one bit each, the bytes of the first block at which the token starts.
#[inline(always)]
fn places_of(token: &[u8], two_blocks: &[u8; 2 * BLOCK]) -> u64 {
    let mut is_there = [u8::MAX; BLOCK];
    for (at, &byte) in token.iter().enumerate() {
        let block: &[u8; BLOCK] = two_blocks[at % BLOCK..].first_chunk().expect("there are two");
        for (is_there, &there) in is_there.iter_mut().zip(block) {
            *is_there &= if there == byte { u8::MAX } else { 0 };
        }
    }
    highest_bits(&is_there)
}

/// The tokens of a pattern in order, and the state of the matches that started in an earlier block.
struct Chain {
    links: Vec<Link>,
}

/// A token of the pattern, and its state between two blocks.
struct Link {
    /// Its index among the distinct tokens.
    number: usize,
    /// Its length in bytes, less than [`BLOCK`].
    len: usize,
    /// All bits are set if the next token may follow without a blank, and none otherwise.
    may_touch: u64,
    /// Where tokens that started in the previous block end in this one.
    ends: u64,
    /// The lowest bit tells whether the blanks after a token extend to the end of the previous block.
    blank: u64,
}

impl Chain {
    fn new(pattern: &Pattern, numbers: &[usize]) -> Chain {
        let link = |(token, &number): (usize, &usize)| {
            let is_word = |token: usize| pattern.tokens.get(token).is_some_and(|token| token.is_word);
            let may_touch = if is_word(token) && is_word(token + 1) { 0 } else { u64::MAX };
            Link { number, len: pattern.tokens[token].at.len(), may_touch, ends: 0, blank: 0 }
        };
        Chain { links: numbers.iter().enumerate().map(link).collect() }
    }

    /// Takes bits for a block: where matches may start, where each distinct token starts, and where the blanks are.
    /// Returns where matches end, as the byte after each match.
    #[inline(always)]
    fn advance(&mut self, starts: u64, places: &[u64], blanks: u64) -> u64 {
        let (mut reached, mut ends) = (starts, 0);
        for link in &mut self.links {
            let starts = reached & places[link.number];
            ends = starts << link.len | link.ends;
            link.ends = starts >> (BLOCK - link.len);
            // A token does not end with a blank, so a bit is added at the start of a run of blanks or outside of them.
            // Added inside a run, it would give a wrong sum.
            let (sum, goes_on) = blanks.overflowing_add(ends & (blanks | link.may_touch) | link.blank);
            link.blank = u64::from(goes_on);
            reached = sum & !blanks;
        }
        ends
    }
}

/// Where matches may start and end in a block, as bits. An end is the byte after a match.
struct BlockEdge {
    /// Starts and ends at which the source has the blanks that the pattern requires.
    starts: u64,
    ends: u64,
    /// Starts and ends at which no word is cut in two.
    uncut_starts: u64,
    uncut_ends: u64,
}

/// Computes the edges of matches, block by block.
struct Edges {
    /// `Some` if a blank is required before (or after) a match. The value says whether the blank may be a line end.
    lead: Option<bool>,
    trail: Option<bool>,
    ends_with_word: bool,
    /// The lowest bits tell whether a word, and whether a required blank, is directly before the block.
    word: u64,
    blank: u64,
    /// The lowest bit tells whether a word continues after the region.
    word_after: u64,
}

impl Edges {
    fn new(pattern: &Pattern, source: &[u8], region: &Range<usize>) -> Edges {
        Edges {
            lead: pattern.lead.mandatory(),
            trail: pattern.trail.mandatory(),
            ends_with_word: pattern.ends_with_word,
            word: u64::from(tokens::is_word_before(source, region.start)),
            blank: 0,
            word_after: u64::from(tokens::is_word_at(source, region.end)),
        }
    }

    #[inline(always)]
    fn next(&mut self, blocks: &Blocks<'_>, kinds: &Kinds) -> BlockEdge {
        let lead = self.lead.map_or(u64::MAX, |crosses_lines| blocks.blanks(kinds, crosses_lines));
        let trail = self.trail.map_or(u64::MAX, |crosses_lines| blocks.blanks(kinds, crosses_lines));
        let n_left = blocks.text().len() - blocks.base();
        let words = kinds.word | if n_left < BLOCK { self.word_after << n_left } else { 0 };
        let edge = BlockEdge {
            starts: if self.lead.is_some() { lead << 1 | self.blank } else { u64::MAX },
            ends: trail,
            uncut_starts: !(kinds.word << 1 | self.word),
            uncut_ends: if self.ends_with_word { !words } else { u64::MAX },
        };
        (self.word, self.blank) = (kinds.word >> 63, lead >> 63);
        edge
    }
}
