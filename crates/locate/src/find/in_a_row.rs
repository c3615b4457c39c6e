//! More tokens than bits of a number, one after the other: the automaton of Knuth, Morris and Pratt.

use std::collections::HashMap;
use std::ops::Range;

use super::outward::borders;
use super::pattern::Pattern;
use super::reader::read;
use super::sink::Sink;
use super::values::{FIRST, FLAGS, LAST, Part, Values};

/// Gives `sink` every place where the tokens of the pattern stand. There are at least 3 of them.
///
/// The ones between the first and the last are looked for; the other two are asked for where those have matched.
pub(super) fn search(pattern: &Pattern, source: &[u8], region: &Range<usize>, sink: &mut impl Sink) {
    let last = pattern.tokens.len() - 1;
    let numbered = numbered((0..=last).map(|token| pattern.bytes(token)));
    let mut inner = Inner::new(numbered[1..last].iter().map(|token| token.1).collect());
    let mut tokens = numbered;
    tokens[0].1 |= FIRST;
    tokens[last].1 |= LAST;
    let (first, last) = (Part::end(tokens[0].0, FIRST), Part::start(tokens[last].0, LAST));
    let values = Values::new(&tokens, first, last);
    let step = |value| {
        let is_match = inner.is_seen() & (value & LAST != 0);
        inner.advance(value & !FLAGS);
        is_match
    };
    read((source, region), (pattern, &values), FIRST, step, sink);
}

/// A number for each token, from 1. The same tokens have the same number.
fn numbered<'p>(tokens: impl Iterator<Item = &'p [u8]>) -> Vec<(&'p [u8], u64)> {
    let mut numbers = HashMap::new();
    let number = |token| {
        let next = numbers.len() as u64 + 1;
        (token, *numbers.entry(token).or_insert(next))
    };
    tokens.map(number).collect()
}

/// Tokens by number, and how many of them have been seen in a row.
struct Inner {
    /// What is wanted next, by how many have been seen. The last wants a number that no token has.
    states: Vec<State>,
    seen: usize,
}

struct State {
    wanted: u64,
    /// How many are still seen when it is another token; one less than none when that token may be skipped.
    otherwise: isize,
}

/// No token of a source has it.
const NO_TOKEN: u64 = u64::MAX;

impl Inner {
    fn new(mut wanted: Vec<u64>) -> Inner {
        let borders = borders(&wanted);
        wanted.push(NO_TOKEN);
        let mut states: Vec<State> = Vec::with_capacity(wanted.len());
        for (seen, &number) in wanted.iter().enumerate() {
            let otherwise = match seen.checked_sub(1).map(|last| borders[last]) {
                None => -1,
                // Where the same token is wanted, it is missing just as well.
                Some(border) if states[border].wanted == number => states[border].otherwise,
                Some(border) => border.cast_signed(),
            };
            states.push(State { wanted: number, otherwise });
        }
        Inner { states, seen: 0 }
    }

    /// Were the last tokens all that are wanted?
    #[inline(always)]
    fn is_seen(&self) -> bool {
        self.seen == self.states.len() - 1
    }

    /// Takes the next token of the source.
    #[inline(always)]
    fn advance(&mut self, number: u64) {
        let mut state = &self.states[self.seen];
        while state.wanted != number {
            let Ok(seen) = usize::try_from(state.otherwise) else {
                self.seen = 0;
                return;
            };
            self.seen = seen;
            state = &self.states[seen];
        }
        self.seen += 1;
    }
}
