//! More tokens than bits of a number, one after the other: the automaton of Knuth, Morris and Pratt.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use super::outward::borders;
use super::pattern::Pattern;
use super::reader::{Ends, read};
use super::values::{Part, Values};

/// Calls `emit` with every place where the tokens of the pattern stand. There are at least 3 of them.
///
/// The ones between the first and the last are looked for; the other two are compared where those have matched.
#[inline]
pub(super) fn search(
    pattern: &Pattern,
    text: &[u8],
    from: usize,
    mut emit: impl FnMut(Range<usize>) -> ControlFlow<()>,
) {
    let last = pattern.tokens.len() - 1;
    let numbered = numbered((0..=last).map(|token| pattern.bytes(token)));
    let (first_token, last_token) = (pattern.bytes(0), pattern.bytes(last));
    let mut tokens = numbered.clone();
    tokens[last].1 |= STARTS_WITH_LAST;
    let values = Values::new(&tokens, Part::end(first_token, 0), Part::start(last_token, STARTS_WITH_LAST));
    let mut inner = Inner::new(numbered[1..last].iter().map(|token| token.1).collect());
    let step = |value| {
        let is_match = inner.is_seen() & (value & STARTS_WITH_LAST != 0);
        inner.advance(value & !STARTS_WITH_LAST);
        is_match
    };
    read((text, from), &values, last + 1, step, |Ends { first_end, last_start }| {
        match ends_with(&text[from..first_end.max(from)], first_token) {
            true => emit(first_end - first_token.len()..last_start + last_token.len()),
            false => ControlFlow::Continue(()),
        }
    });
}

/// The token is or starts with the last one of the pattern. A bit above the numbers.
const STARTS_WITH_LAST: u32 = 1 << 31;

/// As the method of slices, but the common case of one byte costs no call.
#[inline(always)]
fn ends_with(text: &[u8], token: &[u8]) -> bool {
    text.last() == token.last() && (token.len() == 1 || text.ends_with(token))
}

/// A number for each token, from 1. The same tokens have the same number.
fn numbered<'p>(tokens: impl Iterator<Item = &'p [u8]>) -> Vec<(&'p [u8], u32)> {
    let mut numbers = HashMap::new();
    let number = |token| {
        let next =
            u32::try_from(numbers.len() + 1).expect("a pattern has fewer tokens than a text has bytes");
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
    wanted: u32,
    /// How many are still seen when it is another token; one less than none when that token may be skipped.
    otherwise: isize,
}

/// No token of a source has it.
const NO_TOKEN: u32 = u32::MAX;

impl Inner {
    fn new(mut wanted: Vec<u32>) -> Inner {
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
    fn advance(&mut self, number: u32) {
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
