//! The slow but steady way: one pass over the tokens of the source, linear whatever they are.
//!
//! The inner tokens of the pattern equal whole tokens of the source; the first may be the end of a word, the
//! last the start of one. Up to 58 tokens are looked for all at once ([`parallel`]). For more, the inner ones
//! are looked for with the automaton of Knuth, Morris and Pratt over token numbers, and the first and the last
//! are compared where those have matched, once for each token of the source.

use std::ops::Range;

use locant_text::{Work, run_tuned};

use super::outward::Slow;
use super::pattern::Pattern;
use super::sink::{Behind, Sink};
use super::{in_a_row, one_token, parallel};

/// Gives `sink` every match but the first ones, which `slow` has handed out already.
pub(super) fn search(
    pattern: &Pattern,
    source: &[u8],
    region: Range<usize>,
    slow: Slow,
    sink: &mut impl Sink,
) {
    run_tuned(Linear { pattern, source, region, sink: Behind { n_passed: slow.n_matches, sink } });
}

struct Linear<'s, S> {
    pattern: &'s Pattern,
    source: &'s [u8],
    region: Range<usize>,
    sink: Behind<'s, S>,
}

impl<S: Sink> Work for Linear<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Linear { pattern, source, region, mut sink } = self;
        match pattern.tokens.len() {
            1 => one_token::search(pattern, source, &region, &mut sink),
            2..=parallel::MOST_TOKENS => parallel::search(pattern, source, &region, &mut sink),
            _ => in_a_row::search(pattern, source, &region, &mut sink),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use proptest::prelude::*;

    use super::super::outward;
    use super::super::pattern::Match;
    use super::*;
    use crate::tokens;

    fn linear(pattern: &Pattern, source: &[u8], region: Range<usize>) -> Vec<Match> {
        let mut matches = Vec::new();
        search(pattern, source, region, Slow { n_matches: 0 }, &mut |found: Match| {
            matches.push(found);
            ControlFlow::Continue(())
        });
        matches
    }

    fn both(pattern: &Pattern, source: &[u8], region: Range<usize>) -> Vec<Match> {
        let mut matches = Vec::new();
        pattern.search(source, region, &mut |found: Match| {
            matches.push(found);
            ControlFlow::Continue(())
        });
        matches
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

    /// Also bytes that are no characters, and parts of characters.
    fn bytes(most: usize) -> impl Strategy<Value = Vec<u8>> {
        const BAD: &[&[u8]] =
            &[b"\xff", b"\xc3", b"\x80", b"\xe2\x82", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\xc0\x80"];
        let pieces: Vec<&[u8]> =
            PIECES.iter().map(|piece| piece.as_bytes()).chain(BAD.iter().copied()).collect();
        prop::collection::vec(prop::sample::select(pieces), 1..most).prop_map(|pieces| pieces.concat())
    }

    /// The first place from `at` on that is in no character: regions have their ends there.
    fn boundary(source: &[u8], at: usize) -> usize {
        let mut boundary = 0;
        while let Some((_, len)) = tokens::class_at(source, boundary).filter(|_| boundary < at) {
            boundary += len;
        }
        boundary
    }

    proptest! {
        // What crosses the blocks in which a text is read is rare, and a case takes microseconds.
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn both_ways_find_the_same(
            find in few_tokens(6),
            source in bytes(150),
            from in 0usize..70,
            to in 0usize..70,
        ) {
            let pattern = Pattern::new(&find);
            prop_assume!(pattern.rarest.is_some());
            let end = boundary(&source, source.len().saturating_sub(to));
            let region = boundary(&source, from).min(end)..end;
            let expected = both(&pattern, &source, region.clone());
            prop_assert_eq!(linear(&pattern, &source, region), expected);
        }

        /// What is counted in blocks is as much as what is taken one by one.
        #[test]
        fn counting_is_taking(find in few_tokens(4), source in bytes(40), n in 1usize..30, from in 0usize..70) {
            struct Counts([usize; 2]);
            impl Sink for Counts {
                fn take(&mut self, found: Match) -> ControlFlow<()> {
                    self.0[usize::from(found.partial)] += 1;
                    ControlFlow::Continue(())
                }
                fn count(&mut self, n_whole: usize, n_partial: usize) -> bool {
                    self.0 = [self.0[0] + n_whole, self.0[1] + n_partial];
                    true
                }
            }
            let pattern = Pattern::new(&find);
            prop_assume!(pattern.rarest.is_some());
            let source = source.repeat(n);
            let region = boundary(&source, from)..boundary(&source, source.len() - source.len() % 3);
            prop_assume!(region.start <= region.end);
            let taken = linear(&pattern, &source, region.clone());
            let mut counts = Counts([0, 0]);
            search(&pattern, &source, region, Slow { n_matches: 0 }, &mut counts);
            let n_partial = taken.iter().filter(|found| found.partial).count();
            prop_assert_eq!(counts.0, [taken.len() - n_partial, n_partial]);
        }

        /// Also more tokens than bits, in texts that have most of them in a row again and again.
        #[test]
        fn both_ways_find_the_same_in_a_row(
            unit in few_tokens(5),
            n_units in 60usize..120,
            end in few_tokens(4),
            cuts in prop::collection::vec(0usize..120, 1..12),
        ) {
            // At least one token.
            let unit = format!("{unit}.");
            let find = format!("{} {end}", unit.repeat(n_units));
            let pattern = Pattern::new(&find);
            let source: String = cuts.iter().map(|&n| format!("{} {end} ", unit.repeat(n))).collect();
            let (source, region) = (source.as_bytes(), 0..source.len());
            let mut expected = Vec::new();
            let rarest = pattern.rarest.as_ref().expect("it has tokens");
            let slow = outward::search(&pattern, rarest, source, region.clone(), &mut |found: Match| {
                expected.push(found);
                ControlFlow::Continue(())
            });
            let found = linear(&pattern, source, region);
            let n_expected = slow.map_or(found.len(), |slow| slow.n_matches);
            prop_assert_eq!(&found[..n_expected], &expected[..]);
        }

        /// Both ways of looking for several tokens find the same, whatever their number.
        #[test]
        fn the_automata_find_the_same(
            find in few_tokens(60),
            end in few_tokens(4),
            again in 1usize..30,
            source in few_tokens(40),
            n in 1usize..10,
        ) {
            let find = format!("{}{end}", find.repeat(again).chars().take(40 + n).collect::<String>());
            let pattern = Pattern::new(&find);
            prop_assume!((3..=parallel::MOST_TOKENS).contains(&pattern.tokens.len()));
            let source = format!("{source}{find}").repeat(n);
            let (mut one, mut other) = (Vec::new(), Vec::new());
            let (source, region) = (source.as_bytes(), 0..source.len());
            parallel::search(&pattern, source, &region, &mut |found: Match| {
                one.push(found);
                ControlFlow::Continue(())
            });
            in_a_row::search(&pattern, source, &region, &mut |found: Match| {
                other.push(found);
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
        let slow = outward::search(&pattern, rarest, source.as_bytes(), 0..source.len(), &mut |_: Match| {
            ControlFlow::Continue(())
        });
        assert!(slow.is_some());
        assert_eq!(both(&pattern, source.as_bytes(), 0..source.len()).len(), 20_000 - 500 + 1);
    }
}
