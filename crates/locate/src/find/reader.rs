//! Reads a source as tokens, 64 bytes at a time.
//!
//! [`Blocks`] gives the classes of the bytes as bits, and tokens start and end where these bits change. The value of
//! each token is looked up in a [`TokenTable`]. An [`Automaton`] takes the values and returns where matches end, again
//! as bits, so that all matches of a block can be counted at once.

use std::collections::VecDeque;
use std::ops::Range;

use super::blocks::{BLOCK, Blocks, Kinds, low_bits, take_lowest};
use super::pattern::{Match, Pattern};
use super::sink::Sink;
use super::token_table::{FIRST_CUT, LAST_CUT, TokenTable};
use crate::tokens;

/// Searches for tokens that follow each other.
pub(super) trait Automaton {
    /// Takes the tokens of a block, and returns the matches that end in it.
    fn advance(&mut self, tokens: &Tokens<'_>) -> Ended;
}

/// The tokens of a block.
pub(super) struct Tokens<'b> {
    /// Where tokens end. Bit `i` is set if a token ends directly before byte `i` of the block.
    pub(super) ends: u64,
    /// The values of the tokens. The value of a token that ends directly before byte `i` is at index `i`.
    pub(super) values: &'b [u64; BLOCK],
    /// Whether a token is a longer word that ends with the first token of the pattern or starts with its last token.
    pub(super) has_cuts: bool,
}

/// The matches that end in a block. Bit `i` is set for a match whose last token ends directly before byte `i`.
pub(super) struct Ended {
    pub(super) all: u64,
    /// The matches that cut a word in two.
    pub(super) partial: u64,
}

/// Gives `sink` the matches that an automaton finds in a region. `first` is the bit that marks, in the value of a
/// token, that a match may start with it.
#[inline(always)]
pub(super) fn read(
    (source, region): (&[u8], &Range<usize>),
    (pattern, values): (&Pattern, &mut TokenTable<'_>),
    first: u64,
    automaton: &mut impl Automaton,
    sink: &mut impl Sink,
) {
    let mut reader = TokenReader::new(source, region);
    let mut edges = EndBlanks::new(pattern, first);
    let mut passed = Passed::new(pattern.tokens.len() - 1);
    let mut by_end = [0; BLOCK];
    // The last block may be empty: a token at the end of the text ends there.
    while reader.blocks.base() <= region.end {
        let kinds = reader.blocks.kinds();
        let cuts = reader.cut(&kinds);
        let mut has_cuts = reader.look_up(&cuts, values, &mut by_end);
        has_cuts |= reader.mark_cut_words(&cuts, source, &mut by_end);
        let trails = edges.mark(&reader.blocks, &kinds, &cuts, &mut by_end);
        let found = automaton.advance(&Tokens { ends: cuts.ends, values: &by_end, has_cuts });
        let (all, partial) = (found.all & trails, found.partial & trails);
        passed.push_block(reader.blocks.base(), cuts.ends);
        if !sink.count((all & !partial).count_ones() as usize, partial.count_ones() as usize) {
            let (first_len, last_len) = (pattern.bytes(0).len(), pattern.bytes(passed.n_before).len());
            let mut ends = all;
            while ends != 0 {
                let end = take_lowest(&mut ends);
                let range = passed.first_end(end) - first_len..reader.start_of(&cuts, end) + last_len;
                let found = if pattern.is_bare() {
                    Some(Match { range, partial: partial >> end & 1 != 0 })
                } else {
                    pattern.finish(source, region, range, &mut 0)
                };
                if found.is_some_and(|found| sink.take(found).is_break()) {
                    return;
                }
            }
        }
        reader.advance(&kinds, &cuts);
    }
}

/// The blanks that the pattern requires at the ends of a match.
struct EndBlanks {
    /// `Some` if a blank is required before (or after) a match. The value says whether the blank may be a line end.
    lead: Option<bool>,
    trail: Option<bool>,
    /// The bit that marks, in the value of a token, that a match may start with it.
    first: u64,
    /// The lowest bits tell whether the previous block ends with a required blank, and whether it ends with a word that
    /// follows a required blank.
    blank: u64,
    word: u64,
}

impl EndBlanks {
    fn new(pattern: &Pattern, first: u64) -> EndBlanks {
        EndBlanks {
            lead: pattern.lead.mandatory(),
            trail: pattern.trail.mandatory(),
            first,
            blank: 0,
            word: 0,
        }
    }

    /// If a blank is required before a match, clears the `first` bit of all tokens that have no blank before them.
    /// Returns, as bits, where a match may end: at all places, or only at those that are followed by the required
    /// blank.
    #[inline(always)]
    fn mark(&mut self, blocks: &Blocks<'_>, kinds: &Kinds, cuts: &Cuts, by_end: &mut [u64; BLOCK]) -> u64 {
        if let Some(crosses_lines) = self.lead {
            let mut others = cuts.ends & !self.words_after(blocks.blanks(kinds, crosses_lines), kinds, cuts);
            while others != 0 {
                by_end[take_lowest(&mut others) % BLOCK] &= !self.first;
            }
        }
        self.trail.map_or(u64::MAX, |crosses_lines| blocks.blanks(kinds, crosses_lines))
    }

    /// The ends of the words that start directly after one of these blanks.
    #[inline(always)]
    fn words_after(&mut self, blanks: u64, kinds: &Kinds, cuts: &Cuts) -> u64 {
        let starts = cuts.starts & kinds.word & (blanks << 1 | self.blank);
        // Adding a 1 at the first bit of a run of ones carries it to the bit after the run.
        let (sum, goes_on) = kinds.word.overflowing_add(starts | self.word);
        self.word = u64::from(goes_on);
        self.blank = blanks >> 63;
        sum & !kinds.word
    }
}

/// Where tokens start and end in a block. Bit `i` of `starts` is set if a token starts at byte `i`, and bit `i` of
/// `ends` if a token ends directly before byte `i`.
struct Cuts {
    starts: u64,
    ends: u64,
    /// The end of a mark that touches or crosses the end of the block, as a bit of the next block.
    mark_ends: u64,
}

struct TokenReader<'r> {
    blocks: Blocks<'r>,
    /// Whether the region starts inside a word whose end has not been read yet.
    is_first_cut: bool,
    /// [`Cuts::mark_ends`] of the previous block.
    mark_ends: u64,
    /// Where the last token before the block starts. It may continue in the block.
    open: usize,
}

impl<'r> TokenReader<'r> {
    fn new(source: &'r [u8], region: &Range<usize>) -> TokenReader<'r> {
        let is_first_cut = region.start < region.end && tokens::cuts_word(source, region.start);
        TokenReader { blocks: Blocks::new(source, region), is_first_cut, mark_ends: 0, open: region.start }
    }

    /// Where tokens start and end in the block, as bits.
    #[inline(always)]
    fn cut(&self, kinds: &Kinds) -> Cuts {
        let after_word = kinds.word << 1 | self.blocks.word_before();
        Cuts {
            starts: kinds.word & !after_word | kinds.marks,
            ends: !kinds.word & after_word | kinds.mark_lasts << 1 | self.mark_ends,
            mark_ends: kinds.mark_lasts >> 63 << self.blocks.n_more(),
        }
    }

    #[inline(always)]
    fn advance(&mut self, kinds: &Kinds, cuts: &Cuts) {
        self.open = last_of(cuts.starts, self.blocks.base(), self.open);
        self.mark_ends = cuts.mark_ends;
        self.blocks.advance(kinds);
    }

    /// Where the last token that starts before byte `end` of the block starts.
    #[inline(always)]
    fn start_of(&self, cuts: &Cuts, end: usize) -> usize {
        last_of(cuts.starts & low_bits(end), self.blocks.base(), self.open)
    }

    /// Writes the values of the tokens that end in the block into `by_end`. Returns whether one of them is a longer
    /// word that ends with the first token of the pattern or starts with its last token.
    #[inline(always)]
    fn look_up(&self, cuts: &Cuts, values: &mut TokenTable<'_>, by_end: &mut [u64; BLOCK]) -> bool {
        let (text, base) = (self.blocks.text(), self.blocks.base());
        let mut padded = [0; BEFORE + BLOCK];
        let around = around(text, base, &mut padded);
        let is_open = self.blocks.word_before() | self.mark_ends != 0;
        let opened_last = u64::from(is_open && self.open + 1 == base);
        let single_ends = cuts.ends & (cuts.starts << 1 | opened_last);
        look_up_single(around, single_ends, values, by_end);
        let mut long_ends = cuts.ends & !single_ends;
        let mut long_starts = cuts.starts & !(cuts.ends >> 1);
        let is_long_open = is_open && cuts.ends & opened_last == 0;
        let mut start = if is_long_open { self.open } else { base + take_lowest(&mut long_starts) };
        let mut any = 0;
        while long_ends != 0 {
            let end = take_lowest(&mut long_ends) % BLOCK;
            let eight = u64::from_le_bytes(*around[end..].first_chunk().expect("a block is around"));
            let value = values.longer(text, start..base + end, eight);
            by_end[end] = value;
            any |= value;
            start = base + take_lowest(&mut long_starts);
        }
        any & (FIRST_CUT | LAST_CUT) != 0
    }

    /// Marks words that continue outside of the region. Returns whether there is such a word.
    #[inline(always)]
    fn mark_cut_words(&mut self, cuts: &Cuts, source: &[u8], by_end: &mut [u64; BLOCK]) -> bool {
        let mut is_cut = false;
        if self.is_first_cut && cuts.ends != 0 {
            by_end[cuts.ends.trailing_zeros() as usize % BLOCK] |= FIRST_CUT;
            self.is_first_cut = false;
            is_cut = true;
        }
        let text = self.blocks.text();
        let end = text.len() - self.blocks.base();
        if end < BLOCK && cuts.ends >> end & 1 != 0 && tokens::cuts_word(source, text.len()) {
            by_end[end] |= LAST_CUT;
            is_cut = true;
        }
        is_cut
    }
}

/// How many bytes before the end of a token are read at once.
const BEFORE: usize = 8;

/// A block and the bytes before it. If some of them are outside of the text, the others are copied into `padded`.
#[inline(always)]
fn around<'t>(text: &'t [u8], base: usize, padded: &'t mut [u8; BEFORE + BLOCK]) -> &'t [u8; BEFORE + BLOCK] {
    let around = base.checked_sub(BEFORE).and_then(|start| text[start..].first_chunk());
    around.unwrap_or_else(|| {
        let n_before = base.min(BEFORE);
        let end = text.len().min(base + BLOCK);
        let text = &text[base - n_before..end];
        padded[BEFORE - n_before..][..text.len()].copy_from_slice(text);
        padded
    })
}

/// If a block has more tokens of one byte than this, looking up all its bytes is faster than looking up single tokens.
const FEW: u32 = 16;

/// Writes the values of tokens of one byte into `by_end`.
#[inline(always)]
fn look_up_single(
    around: &[u8; BEFORE + BLOCK],
    mut ends: u64,
    values: &TokenTable<'_>,
    by_end: &mut [u64; BLOCK],
) {
    let bytes = &around[BEFORE - 1..];
    if ends.count_ones() > FEW {
        for (value, &byte) in by_end.iter_mut().zip(bytes) {
            *value = values.single(byte);
        }
        return;
    }
    while ends != 0 {
        let end = take_lowest(&mut ends) % BLOCK;
        by_end[end] = values.single(bytes[end]);
    }
}

/// Where the last tokens ended, to find the start of a match.
struct Passed {
    /// Invariant: a token ends in each of these blocks. If a match ends in the last block, all its tokens end in these
    /// blocks.
    blocks: VecDeque<PassedBlock>,
    n_tokens: usize,
    /// How many tokens a match has before its last one.
    n_before: usize,
}

struct PassedBlock {
    base: usize,
    ends: u64,
    /// How many tokens there are before this block.
    n_before: usize,
}

impl Passed {
    fn new(n_before: usize) -> Passed {
        Passed { blocks: VecDeque::new(), n_tokens: 0, n_before }
    }

    #[inline(always)]
    fn push_block(&mut self, base: usize, ends: u64) {
        if ends == 0 {
            return;
        }
        let needed = self.n_tokens.saturating_sub(self.n_before);
        while self.blocks.get(1).is_some_and(|block| block.n_before <= needed) {
            self.blocks.pop_front();
        }
        self.blocks.push_back(PassedBlock { base, ends, n_before: self.n_tokens });
        self.n_tokens += ends.count_ones() as usize;
    }

    /// Where the first token of a match ends, if its last token ends directly before byte `end` of the last block.
    fn first_end(&self, end: usize) -> usize {
        let last = self.blocks.back().expect("a token ends there");
        let token = last.n_before + (last.ends & low_bits(end)).count_ones() as usize - self.n_before;
        let block = self.blocks.partition_point(|block| block.n_before <= token) - 1;
        let block = &self.blocks[block];
        let mut ends = block.ends;
        for _ in block.n_before..token {
            take_lowest(&mut ends);
        }
        block.base + ends.trailing_zeros() as usize
    }
}

/// The place in the text of the highest bit, for a block that starts at `base`; `otherwise` if no bit is set.
#[inline(always)]
fn last_of(bits: u64, base: usize, otherwise: usize) -> usize {
    bits.checked_ilog2().map_or(otherwise, |bit| base + bit as usize)
}
