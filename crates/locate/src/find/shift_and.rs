//! Searches for a pattern of up to 58 tokens. The state is one number, with one bit for each token of the pattern.
//!
//! Bit `n` is set if the last tokens of the source are the first `n + 1` tokens of the pattern. For each token of the
//! source, all bits move up by one. Then a bit stays set only if its token of the pattern equals the token of the
//! source. This is the Shift-And search of Baeza-Yates and Gonnet.
//!
//! For the pattern `a . b`, the table has `a` = 001, `.` = 010, `b` = 100. Over the source `a . . a . b` the number is
//! 001, 010, 000, 001, 010, 100: the third bit marks a match.

use std::ops::Range;

use super::blocks::{BLOCK, low_bits, take_lowest};
use super::pattern::Pattern;
use super::reader::{Automaton, Ended, Tokens, read};
use super::sink::Sink;
use super::token_table::{FIRST_CUT, FLAGS, LAST_CUT, TokenTable};

/// How many tokens a pattern may have: the number of bits of a value that are not flags.
pub(super) const MOST_TOKENS: usize = FLAGS.trailing_zeros() as usize;

/// Gives `sink` every match of the pattern, which has 2 to 58 tokens.
#[inline(always)]
pub(super) fn search(pattern: &Pattern, source: &[u8], region: &Range<usize>, sink: &mut impl Sink) {
    let last = pattern.tokens.len() - 1;
    let bits: Vec<(&[u8], u64)> = (0..=last).map(|token| (pattern.bytes(token), 1 << token)).collect();
    let mut values = TokenTable::new(&bits, pattern, [1, 1 << last]);
    let mut shifts = Shifts { last, seen: 0, first_cuts: 0 };
    read((source, region), (pattern, &mut values), 1, &mut shifts, sink);
}

struct Shifts {
    /// The index of the pattern's last token.
    last: usize,
    /// The state. Invariant: no bit above that of the last token is set. So `seen >> last` is 1 at a match, and 0
    /// otherwise.
    seen: u64,
    /// One bit for each recent token of the source, with the latest in the lowest bit. It tells whether the token is a
    /// longer word that ends with the first token of the pattern.
    first_cuts: u64,
}

impl Automaton for Shifts {
    #[inline(always)]
    fn advance(&mut self, tokens: &Tokens<'_>) -> Ended {
        if tokens.has_cuts | (self.first_cuts != 0) {
            self.advance_by_cuts(tokens)
        } else {
            Ended { all: self.advance_by_whole(tokens), partial: 0 }
        }
    }
}

impl Shifts {
    #[inline(always)]
    fn advance_by_whole(&mut self, tokens: &Tokens<'_>) -> u64 {
        let (mut seen, mut all, mut ends) = (self.seen, 0, tokens.ends);
        while ends != 0 {
            let end = take_lowest(&mut ends) % BLOCK;
            seen = (seen << 1 | 1) & tokens.values[end];
            all |= seen >> self.last << end;
        }
        self.seen = seen;
        all
    }

    #[inline(always)]
    fn advance_by_cuts(&mut self, tokens: &Tokens<'_>) -> Ended {
        let (mut seen, mut first_cuts, mut ends) = (self.seen, self.first_cuts, tokens.ends);
        let (mut all, mut partial) = (0, 0);
        while ends != 0 {
            let end = take_lowest(&mut ends) % BLOCK;
            let value = tokens.values[end];
            seen = (seen << 1 | 1) & value;
            first_cuts = first_cuts << 1 | value >> FIRST_CUT.trailing_zeros() & 1;
            let is_cut = first_cuts >> self.last | value >> LAST_CUT.trailing_zeros();
            all |= seen >> self.last << end;
            partial |= (seen >> self.last & is_cut) << end;
        }
        (self.seen, self.first_cuts) = (seen, first_cuts & low_bits(self.last));
        Ended { all, partial }
    }
}
