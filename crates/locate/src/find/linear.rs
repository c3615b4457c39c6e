//! The slow but steady way: one pass over the tokens of the source, linear whatever they are.
//!
//! The inner tokens of the pattern equal whole tokens of the source, so they are looked for with the automaton
//! of Knuth, Morris and Pratt over token numbers. The first and the last may be parts of a word; they are
//! compared where the inner ones have matched, once for each token of the source.

use std::ops::{ControlFlow, Range};

use super::numbers::Numbers;
use super::outward::{Slow, borders, with_cuts, with_edges};
use super::pattern::{Match, Pattern};
use super::word;
use crate::tokens::{self, Class};

/// Calls `sink` with every match but the first ones, which `slow` has handed out already.
pub(super) fn search(
    pattern: &Pattern,
    source: &[u8],
    region: Range<usize>,
    slow: Slow,
    sink: &mut dyn FnMut(Match) -> ControlFlow<()>,
) {
    let text = &source[..region.end];
    let mut to_skip = slow.n_matches;
    let mut emit = |range: Range<usize>| match with_edges(pattern, text, region.start, range) {
        None => ControlFlow::Continue(()),
        Some(_) if to_skip > 0 => {
            to_skip -= 1;
            ControlFlow::Continue(())
        }
        Some(range) => sink(with_cuts(source, range)),
    };
    match pattern.tokens.len() {
        1 => word::search(pattern.bytes(0), text, region.start, &mut emit),
        _ => search_tokens(pattern, text, region.start, &mut emit),
    }
}

fn search_tokens(
    pattern: &Pattern,
    text: &[u8],
    from: usize,
    emit: &mut dyn FnMut(Range<usize>) -> ControlFlow<()>,
) {
    let (first, last) = (pattern.bytes(0), pattern.bytes(pattern.tokens.len() - 1));
    let mut inner = Inner::new(pattern);
    // Where the first token of a match stands, when all but the last have been seen.
    let mut start: Option<usize> = None;
    let mut at = tokens::blanks_after(text, from);
    while let Some((class, len)) = tokens::class_at(text, at) {
        let end = if class == Class::Word { tokens::word_end(text, at + len) } else { at + len };
        let token = at..end;
        if let Some(start) = start
            && text[token.clone()].starts_with(last)
            && emit(start..token.start + last.len()).is_break()
        {
            return;
        }
        start = inner
            .advance(text, token)
            .filter(|before| text[before.clone()].ends_with(first))
            .map(|before| before.end - first.len());
        at = tokens::blanks_after(text, end);
    }
}

/// The tokens between the first and the last, and how many of them have been seen in a row.
struct Inner<'p> {
    wanted: Vec<u32>,
    borders: Vec<usize>,
    numbers: Numbers<'p>,
    seen: usize,
    /// The last tokens of the source, one more than are wanted, as a ring.
    recent: Vec<Range<usize>>,
    n_tokens: usize,
}

impl<'p> Inner<'p> {
    fn new(pattern: &'p Pattern) -> Inner<'p> {
        let inner = 1..pattern.tokens.len() - 1;
        let numbers = Numbers::new(inner.clone().map(|token| pattern.bytes(token)));
        let wanted: Vec<u32> = inner.map(|token| numbers.of(pattern.bytes(token))).collect();
        let recent = vec![0..0; wanted.len() + 1];
        Inner { borders: borders(&wanted), wanted, numbers, seen: 0, recent, n_tokens: 0 }
    }

    /// Takes the next token of the source. When all wanted ones have been seen, the one before them.
    #[inline]
    fn advance(&mut self, text: &[u8], token: Range<usize>) -> Option<Range<usize>> {
        let number = if self.wanted.is_empty() { 0 } else { self.numbers.of(&text[token.clone()]) };
        let slot = self.n_tokens;
        self.recent[slot] = token;
        self.n_tokens = if slot + 1 == self.recent.len() { 0 } else { slot + 1 };
        if self.wanted.is_empty() {
            return Some(self.recent[slot].clone());
        }
        if self.seen == self.wanted.len() {
            self.seen = self.borders[self.seen - 1];
        }
        while self.seen > 0 && self.wanted[self.seen] != number {
            self.seen = self.borders[self.seen - 1];
        }
        if self.wanted[self.seen] == number {
            self.seen += 1;
        }
        // The ring is one longer than what is wanted: the slot to be written next holds the one before.
        (self.seen == self.wanted.len()).then(|| self.recent[self.n_tokens].clone())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn linear(pattern: &Pattern, source: &[u8]) -> Vec<Match> {
        let mut matches = Vec::new();
        search(pattern, source, 0..source.len(), Slow { n_matches: 0 }, &mut |found| {
            matches.push(found);
            ControlFlow::Continue(())
        });
        matches
    }

    fn outward(pattern: &Pattern, source: &[u8]) -> Vec<Match> {
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
            prop_assert_eq!(linear(&pattern, source.as_bytes()), outward(&pattern, source.as_bytes()));
        }
    }

    #[test]
    fn a_text_made_to_be_slow_drives_the_search_into_the_linear_way() {
        let source = "a ".repeat(20_000);
        let pattern = Pattern::new(&"a ".repeat(500));
        let rarest = pattern.rarest.as_ref().expect("it has tokens");
        let slow =
            super::super::outward::search(&pattern, rarest, source.as_bytes(), 0..source.len(), &mut |_| {
                ControlFlow::Continue(())
            });
        assert!(slow.is_some());
        assert_eq!(outward(&pattern, source.as_bytes()).len(), 20_000 - 500 + 1);
    }
}
