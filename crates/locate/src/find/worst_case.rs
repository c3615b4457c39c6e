//! The slow but steady search: one pass over the source, in linear time for every text and every pattern.
//!
//! There are four algorithms. The first one in this list that suits the pattern is used, since it is the fastest. The
//! figures are in docs/performance.md.
//! - [`bit_parallel`] compares a short pattern with the source at 64 places at once.
//! - [`periodic`] searches for one long word.
//! - [`shift_and`] reads the source token by token and follows all open matches of up to 58 tokens at once.
//! - [`kmp`] also reads token by token, for any number of tokens, with the automaton of Knuth, Morris and Pratt.

use std::ops::Range;

use locant_text::{Work, run_tuned};

use super::pattern::Pattern;
use super::rarest_first::Slow;
use super::sink::{AfterFirst, Sink};
use super::{bit_parallel, kmp, periodic, shift_and};

/// Gives `sink` every match except the first ones, which `slow` has handed out already.
pub(super) fn search(
    pattern: &Pattern,
    source: &[u8],
    region: Range<usize>,
    slow: Slow,
    sink: &mut impl Sink,
) {
    run_tuned(WorstCase { pattern, source, region, sink: AfterFirst { n_passed: slow.n_matches, sink } });
}

struct WorstCase<'s, S> {
    pattern: &'s Pattern,
    source: &'s [u8],
    region: Range<usize>,
    sink: AfterFirst<'s, S>,
}

impl<S: Sink> Work for WorstCase<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let WorstCase { pattern, source, region, mut sink } = self;
        match pattern.tokens.len() {
            _ if bit_parallel::suits(pattern) => bit_parallel::search(pattern, source, &region, &mut sink),
            1 => periodic::search(pattern, source, &region, &mut sink),
            2..=shift_and::MOST_TOKENS => shift_and::search(pattern, source, &region, &mut sink),
            _ => kmp::search(pattern, source, &region, &mut sink),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use proptest::prelude::*;

    use super::super::pattern::Match;
    use super::super::rarest_first;
    use super::*;
    use crate::tokens;

    /// Keeps every match.
    #[derive(Default)]
    struct Taken(Vec<Match>);

    impl Sink for Taken {
        fn take(&mut self, found: Match) -> ControlFlow<()> {
            self.0.push(found);
            ControlFlow::Continue(())
        }
    }

    /// Counts the matches that cut no word, and those that do.
    #[derive(Default)]
    struct Counted([usize; 2]);

    impl Sink for Counted {
        fn take(&mut self, found: Match) -> ControlFlow<()> {
            self.0[usize::from(found.partial)] += 1;
            ControlFlow::Continue(())
        }

        fn count(&mut self, n_whole: usize, n_partial: usize) -> bool {
            self.0 = [self.0[0] + n_whole, self.0[1] + n_partial];
            true
        }
    }

    /// The result of each algorithm that suits the pattern.
    fn each_way<S: Sink + Default>(pattern: &Pattern, source: &[u8], region: &Range<usize>) -> Vec<S> {
        let mut sinks: Vec<S> = Vec::new();
        let mut next = |search: &dyn Fn(&mut S)| {
            let mut sink = S::default();
            search(&mut sink);
            sinks.push(sink);
        };
        if bit_parallel::suits(pattern) {
            next(&|sink| bit_parallel::search(pattern, source, region, sink));
        }
        match pattern.tokens.as_slice() {
            [token] if token.is_word => next(&|sink| periodic::search(pattern, source, region, sink)),
            [_] => {}
            tokens => {
                if tokens.len() <= shift_and::MOST_TOKENS {
                    next(&|sink| shift_and::search(pattern, source, region, sink));
                }
                if tokens.len() > 2 {
                    next(&|sink| kmp::search(pattern, source, region, sink));
                }
            }
        }
        sinks
    }

    fn any_way(pattern: &Pattern, source: &[u8], region: Range<usize>) -> Vec<Match> {
        let mut taken = Taken::default();
        pattern.search(source, region, &mut taken);
        taken.0
    }

    /// Checks that all algorithms find exactly these matches, and count the same number.
    fn check(pattern: &Pattern, source: &[u8], region: &Range<usize>, expected: &[Match]) {
        for taken in each_way::<Taken>(pattern, source, region) {
            assert_eq!(taken.0, expected);
        }
        let n_partial = expected.iter().filter(|found| found.partial).count();
        for counted in each_way::<Counted>(pattern, source, region) {
            assert_eq!(counted.0, [expected.len() - n_partial, n_partial]);
        }
    }

    const PIECES: &[&str] = &[
        "a",
        "ab",
        "longer_word",
        "é",
        "变量",
        "😀",
        " ",
        "\u{3000}",
        "\n",
        "(",
        ".",
        "-",
        "→",
        "\0",
        "e\u{301}",
    ];

    fn few_tokens(most: usize) -> impl Strategy<Value = String> {
        prop::collection::vec(prop::sample::select(PIECES), 1..most).prop_map(|pieces| pieces.concat())
    }

    /// Random bytes, including bytes that are not a valid character or only a part of one.
    fn bytes(most: usize) -> impl Strategy<Value = Vec<u8>> {
        const BAD: &[&[u8]] =
            &[b"\xff", b"\xc3", b"\x80", b"\xe2\x82", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\xc0\x80"];
        let pieces: Vec<&[u8]> =
            PIECES.iter().map(|piece| piece.as_bytes()).chain(BAD.iter().copied()).collect();
        prop::collection::vec(prop::sample::select(pieces), 1..most).prop_map(|pieces| pieces.concat())
    }

    /// The first place from `at` on that is not inside a character. A region must not start or end inside one.
    fn boundary(source: &[u8], at: usize) -> usize {
        let mut boundary = 0;
        while let Some((_, len)) = tokens::class_at(source, boundary).filter(|_| boundary < at) {
            boundary += len;
        }
        boundary
    }

    proptest! {
        // Matches that cross the border of a block are rare, so many cases are tried. Each takes only microseconds.
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn all_ways_find_the_same(
            find in few_tokens(6),
            source in bytes(150),
            from in 0usize..70,
            to in 0usize..70,
        ) {
            let pattern = Pattern::new(&find);
            prop_assume!(pattern.rarest.is_some());
            let end = boundary(&source, source.len().saturating_sub(to));
            let region = boundary(&source, from).min(end)..end;
            check(&pattern, &source, &region, &any_way(&pattern, &source, region.clone()));
        }

        /// As before, in texts with many matches.
        #[test]
        fn all_ways_find_the_same_again(
            find in few_tokens(4),
            source in bytes(40),
            n in 1usize..30,
            from in 0usize..70,
        ) {
            let pattern = Pattern::new(&find);
            prop_assume!(pattern.rarest.is_some());
            let source = source.repeat(n);
            let region = boundary(&source, from)..boundary(&source, source.len() - source.len() % 3);
            prop_assume!(region.start <= region.end);
            check(&pattern, &source, &region, &any_way(&pattern, &source, region.clone()));
        }

        /// As before, for a word that is repeated without a gap.
        #[test]
        fn all_ways_find_the_same_words(
            unit in prop::sample::select(&["a", "ab", "aab", "变"][..]),
            n_units in 1usize..80,
            runs in prop::collection::vec((0usize..200, prop::sample::select(&[" ", "(", "x", "\n"][..])), 1..6),
            edges in prop::sample::select(&[["", ""], [" ", ""], ["", " "], [" ", " "]][..]),
        ) {
            let pattern = Pattern::new(&[edges[0], &unit.repeat(n_units), edges[1]].concat());
            let source: String = runs.iter().map(|(n, end)| unit.repeat(*n) + end).collect();
            let (source, region) = (source.as_bytes(), 0..source.len());
            check(&pattern, source, &region, &any_way(&pattern, source, region.clone()));
        }

        /// As before, for patterns with more tokens than a `u64` has bits. The texts have most of the pattern's tokens
        /// in a row, again and again.
        #[test]
        fn all_ways_find_the_same_in_a_row(
            unit in few_tokens(5),
            n_units in 60usize..120,
            end in few_tokens(4),
            cuts in prop::collection::vec(0usize..120, 1..12),
        ) {
            // The unit must have at least one token.
            let unit = format!("{unit}.");
            let find = format!("{} {end}", unit.repeat(n_units));
            let pattern = Pattern::new(&find);
            let source: String = cuts.iter().map(|&n| format!("{} {end} ", unit.repeat(n))).collect();
            let (source, region) = (source.as_bytes(), 0..source.len());
            let mut expected = Vec::new();
            let rarest = pattern.rarest.as_ref().expect("it has tokens");
            let slow = rarest_first::search(&pattern, rarest, source, region.clone(), &mut |found: Match| {
                expected.push(found);
                ControlFlow::Continue(())
            });
            for found in each_way::<Taken>(&pattern, source, &region) {
                let n_expected = slow.as_ref().map_or(found.0.len(), |slow| slow.n_matches);
                prop_assert_eq!(&found.0[..n_expected], &expected[..]);
            }
        }

        /// As before, for patterns with any number of tokens above one.
        #[test]
        fn all_ways_find_the_same_tokens(
            find in few_tokens(60),
            end in few_tokens(4),
            again in 1usize..30,
            source in few_tokens(40),
            n in 1usize..10,
        ) {
            let find = format!("{}{end}", find.repeat(again).chars().take(6 * n).collect::<String>());
            let pattern = Pattern::new(&find);
            prop_assume!(pattern.tokens.len() > 1);
            let source = format!("{source}{find}").repeat(n);
            let (source, region) = (source.as_bytes(), 0..source.len());
            let expected = each_way::<Taken>(&pattern, source, &region).remove(0);
            check(&pattern, source, &region, &expected.0);
        }
    }

    #[test]
    fn a_text_made_to_be_slow_drives_the_search_into_the_linear_way() {
        let source = "a ".repeat(20_000);
        let pattern = Pattern::new(&"a ".repeat(500));
        let rarest = pattern.rarest.as_ref().expect("it has tokens");
        let slow =
            rarest_first::search(&pattern, rarest, source.as_bytes(), 0..source.len(), &mut |_: Match| {
                ControlFlow::Continue(())
            });
        assert!(slow.is_some());
        assert_eq!(any_way(&pattern, source.as_bytes(), 0..source.len()).len(), 20_000 - 500 + 1);
    }
}
