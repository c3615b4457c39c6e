//! The slow but steady way: one pass over the tokens of the source, linear whatever they are.
//!
//! The inner tokens of the pattern equal whole tokens of the source; the first may be the end of a word, the
//! last the start of one. Up to 128 tokens are looked for all at once ([`parallel`]). For more, the inner ones
//! are looked for with the automaton of Knuth, Morris and Pratt over token numbers, and the first and the last
//! are compared where those have matched, once for each token of the source.

use std::ops::{ControlFlow, Range};

use super::outward::{Slow, borders};
use super::pattern::{Match, Pattern};
use super::table::Table;
use super::{one_token, parallel};
use crate::tokens;
use std::collections::HashMap;

/// Calls `sink` with every match but the first ones, which `slow` has handed out already.
pub(super) fn search(
    pattern: &Pattern,
    source: &[u8],
    region: Range<usize>,
    slow: Slow,
    sink: &mut impl FnMut(Match) -> ControlFlow<()>,
) {
    let mut to_skip = slow.n_matches;
    let mut hand_out = |found: Match| match to_skip {
        0 => sink(found),
        _ => {
            to_skip -= 1;
            ControlFlow::Continue(())
        }
    };
    // Where every token matches, the little that finishing costs is most of the time: leave out what is idle.
    if pattern.is_finished() {
        tokens_of(pattern, source, &region, |range| hand_out(Match { range, partial: false }));
    } else {
        tokens_of(pattern, source, &region, |tokens| match pattern.finish(source, &region, tokens) {
            None => ControlFlow::Continue(()),
            Some(found) => hand_out(found),
        });
    }
}

/// Calls `emit` with every place where the tokens of the pattern stand, its edges left aside.
#[inline]
fn tokens_of(
    pattern: &Pattern,
    source: &[u8],
    region: &Range<usize>,
    emit: impl FnMut(Range<usize>) -> ControlFlow<()>,
) {
    let text = &source[..region.end];
    match pattern.tokens.len() {
        1 => one_token::search(pattern.bytes(0), text, region.start, emit),
        2..=parallel::MOST_TOKENS => parallel::search(pattern, text, region.start, emit),
        _ => search_tokens(pattern, text, region.start, emit),
    }
}

fn search_tokens(
    pattern: &Pattern,
    text: &[u8],
    from: usize,
    mut emit: impl FnMut(Range<usize>) -> ControlFlow<()>,
) {
    let (first, last) = (pattern.bytes(0), pattern.bytes(pattern.tokens.len() - 1));
    let mut inner = Inner::new(pattern);
    // Where the first token of a match starts, when all but the last have been seen.
    let mut start: Option<usize> = None;
    let mut at = from;
    while let Some(&byte) = text.get(at) {
        let Some((number, end)) = inner.numbers.token(text, at, byte) else {
            at += tokens::blank_len(text, at);
            continue;
        };
        if let Some(start) = start
            && starts_with(&text[at..end], last)
            && emit(start..at + last.len()).is_break()
        {
            return;
        }
        start = match inner.advance(number, end) {
            Some(end) if ends_with(&text[from..end], first) => Some(end - first.len()),
            _ => None,
        };
        at = end;
    }
}

/// As the method of slices, but the common case of different bytes costs no call.
#[inline]
fn starts_with(token: &[u8], part: &[u8]) -> bool {
    token[0] == part[0] && (part.len() == 1 || token.starts_with(part))
}

#[inline]
fn ends_with(text: &[u8], part: &[u8]) -> bool {
    text.last() == part.last() && (part.len() == 1 || text.ends_with(part))
}

/// A number for each token, from 1; every other token is 0.
fn numbered<'p>(tokens: impl Iterator<Item = &'p [u8]>) -> Table<'p, u32> {
    let mut numbers = HashMap::new();
    for token in tokens {
        let next =
            u32::try_from(numbers.len() + 1).expect("a pattern has fewer tokens than a text has bytes");
        numbers.entry(token).or_insert(next);
    }
    Table::new(numbers)
}

/// The tokens between the first and the last, and how many of them have been seen in a row.
struct Inner<'p> {
    /// Invariant: ends with a number that no token has.
    wanted: Vec<u32>,
    /// How many are still seen when the next one is not the wanted one.
    fallback: Vec<usize>,
    numbers: Table<'p, u32>,
    seen: usize,
    /// Where the last tokens of the source end, as a ring. Invariant: its length is a power of two.
    ends: Vec<usize>,
    n_tokens: usize,
}

/// No token of a source has it.
const NO_TOKEN: u32 = u32::MAX;

impl<'p> Inner<'p> {
    fn new(pattern: &'p Pattern) -> Inner<'p> {
        let inner = 1..pattern.tokens.len() - 1;
        let numbers = numbered(inner.clone().map(|token| pattern.bytes(token)));
        let mut wanted: Vec<u32> = inner.map(|token| numbers.get(pattern.bytes(token))).collect();
        let mut fallback = vec![0];
        fallback.extend(borders(&wanted));
        let ends = vec![0; (wanted.len() + 1).next_power_of_two()];
        wanted.push(NO_TOKEN);
        Inner { wanted, fallback, numbers, seen: 0, ends, n_tokens: 0 }
    }

    /// Takes the next token of the source. When all wanted ones have been seen, the end of the one before them.
    #[inline(always)]
    fn advance(&mut self, number: u32, end: usize) -> Option<usize> {
        let n_wanted = self.wanted.len() - 1;
        let mask = self.ends.len() - 1;
        self.ends[self.n_tokens & mask] = end;
        self.n_tokens += 1;
        while self.wanted[self.seen] != number && self.seen > 0 {
            self.seen = self.fallback[self.seen];
        }
        self.seen += usize::from(self.wanted[self.seen] == number);
        let has_one_before = self.n_tokens > n_wanted;
        (self.seen == n_wanted && has_one_before).then(|| self.ends[(self.n_tokens - 1 - n_wanted) & mask])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::outward;
    use super::*;

    fn linear(pattern: &Pattern, source: &[u8]) -> Vec<Match> {
        let mut matches = Vec::new();
        search(pattern, source, 0..source.len(), Slow { n_matches: 0 }, &mut |found| {
            matches.push(found);
            ControlFlow::Continue(())
        });
        matches
    }

    fn both(pattern: &Pattern, source: &[u8]) -> Vec<Match> {
        let mut matches = Vec::new();
        pattern.search(source, 0..source.len(), &mut |found| {
            matches.push(found);
            ControlFlow::Continue(())
        });
        matches
    }

    fn few_tokens(most: usize) -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec!["a", "ab", "longer_word", "é", " ", "\n", "(", ".", "-", "→"]);
        prop::collection::vec(piece, 1..most).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn both_ways_find_the_same(find in few_tokens(10), source in few_tokens(80)) {
            let pattern = Pattern::new(&find);
            prop_assume!(pattern.rarest.is_some());
            prop_assert_eq!(linear(&pattern, source.as_bytes()), both(&pattern, source.as_bytes()));
        }

        /// Both ways of looking for several tokens find the same, whatever their number.
        #[test]
        fn the_automata_find_the_same(find in few_tokens(200), source in few_tokens(40), n in 1usize..10) {
            let pattern = Pattern::new(&find);
            prop_assume!((3..=parallel::MOST_TOKENS).contains(&pattern.tokens.len()));
            let source = format!("{source}{find}").repeat(n);
            let (mut one, mut other) = (Vec::new(), Vec::new());
            parallel::search(&pattern, source.as_bytes(), 0, |range| {
                one.push(range);
                ControlFlow::Continue(())
            });
            search_tokens(&pattern, source.as_bytes(), 0, |range| {
                other.push(range);
                ControlFlow::Continue(())
            });
            prop_assert_eq!(one, other);
        }
    }

    #[test]
    fn a_text_made_to_be_slow_drives_the_search_into_the_linear_way() {
        let source = "a ".repeat(20_000);
        let pattern = Pattern::new(&"a ".repeat(500));
        let rarest = pattern.rarest.as_ref().expect("it has tokens");
        let slow = outward::search(&pattern, rarest, source.as_bytes(), 0..source.len(), &mut |_| {
            ControlFlow::Continue(())
        });
        assert!(slow.is_some());
        assert_eq!(both(&pattern, source.as_bytes()).len(), 20_000 - 500 + 1);
    }
}
