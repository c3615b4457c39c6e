//! More tokens than bits of a number, one after the other: the automaton of Knuth, Morris and Pratt.

use std::collections::HashMap;
use std::ops::Range;

use super::blocks::{BLOCK, take_lowest};
use super::outward::borders;
use super::pattern::Pattern;
use super::reader::{Automaton, Found, Tokens, read};
use super::sink::Sink;
use super::values::{FIRST, FLAGS, LAST, Values};

/// Gives `sink` every place where the tokens of the pattern stand. There are at least 3 of them.
///
/// The ones between the first and the last are looked for; the other two are asked for where those have matched.
#[inline(always)]
pub(super) fn search(pattern: &Pattern, source: &[u8], region: &Range<usize>, sink: &mut impl Sink) {
    let last = pattern.tokens.len() - 1;
    let mut tokens = numbered((0..=last).map(|token| pattern.bytes(token)));
    let wanted: Vec<u64> = tokens[1..last].iter().map(|token| token.1).collect();
    let n_numbers = tokens.iter().map(|token| index(token.1) + 1).max().unwrap_or(1);
    let inner = Inner::new(&wanted, n_numbers);
    tokens[0].1 |= FIRST;
    tokens[last].1 |= LAST;
    let mut values = Values::new(&tokens, pattern, [FIRST, LAST]);
    let ring = vec![0; (last + 1).next_power_of_two()];
    let mut row = Row { inner, progress: Progress::default(), values: ring, n_tokens: 0, last };
    read((source, region), (pattern, &mut values), FIRST, &mut row, sink);
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

struct Row {
    inner: Inner,
    progress: Progress,
    /// The values of the last tokens, in a ring. Invariant: a power of two, and more than `last`.
    values: Vec<u64>,
    n_tokens: usize,
    last: usize,
}

impl Automaton for Row {
    #[inline(always)]
    fn advance(&mut self, tokens: &Tokens<'_>) -> Found {
        let mut found = Found { all: 0, partial: 0 };
        let mut ends = tokens.ends;
        while ends != 0 {
            match self.progress.seen {
                0 => self.look_for_first(tokens, &mut ends),
                _ => self.go_on(tokens, &mut ends, &mut found),
            }
        }
        found
    }
}

impl Row {
    /// Takes tokens until the first few have been seen.
    #[inline(always)]
    fn look_for_first(&mut self, tokens: &Tokens<'_>, ends: &mut u64) {
        let (mut may_be_seen, mut n_tokens) = (self.progress.may_be_seen, self.n_tokens);
        let (values, places) = (&mut self.values[..], &self.inner.places[..]);
        let (around, numbers) = (values.len() - 1, places.len() - 1);
        let few_seen = 1 << (self.inner.with_borders.len() - 1);
        while *ends != 0 && may_be_seen & few_seen == 0 {
            let value = tokens.values[take_lowest(ends) % BLOCK];
            values[n_tokens & around] = value;
            n_tokens += 1;
            may_be_seen = (may_be_seen << 1 | 1) & places[index(value & !FLAGS) & numbers];
        }
        self.n_tokens = n_tokens;
        self.progress = self.inner.progress(may_be_seen);
    }

    /// Takes tokens as long as at least the first few have been seen.
    #[inline(always)]
    fn go_on(&mut self, tokens: &Tokens<'_>, ends: &mut u64, found: &mut Found) {
        let (mut progress, mut n_tokens) = (self.progress, self.n_tokens);
        let values = &mut self.values[..];
        let around = values.len() - 1;
        while *ends != 0 && progress.seen > 0 {
            let end = take_lowest(ends) % BLOCK;
            let value = tokens.values[end];
            values[n_tokens & around] = value;
            if self.inner.is_all(progress) {
                let first = values[n_tokens.wrapping_sub(self.last) & around] >> FIRST.trailing_zeros();
                let last = value >> LAST.trailing_zeros();
                let is_match = first & last & 1;
                let is_cut = (first | last) >> 1;
                found.all |= is_match << end;
                found.partial |= (is_match & is_cut) << end;
            }
            n_tokens += 1;
            progress = self.inner.advance(progress, value & !FLAGS);
        }
        (self.progress, self.n_tokens) = (progress, n_tokens);
    }
}

/// How many of the tokens have been seen in a row.
#[derive(Clone, Copy, Default)]
struct Progress {
    /// How many, if these are the first few or more, and 0 otherwise.
    seen: usize,
    /// Otherwise, how many may have been: one bit for each number of tokens.
    may_be_seen: u64,
}

/// Tokens by number.
///
/// The first few are compared all at once, as [`parallel`](super::parallel) does it: there, a text can be made so that
/// whether the next token is the wanted one cannot be guessed. Further on, what is not wanted is rare.
struct Inner {
    /// What comes next, by how many have been seen.
    states: Vec<State>,
    /// By number, which of the first few a token is. Invariant: as long as a power of two, and longer than all numbers.
    places: Vec<u64>,
    /// For each number of tokens fewer than that, what may have been seen when so many have.
    with_borders: Vec<u64>,
}

#[derive(Clone)]
struct State {
    wanted: u64,
    /// How many are seen with it.
    seen: usize,
    /// How many are still seen when it is another token, or fewer.
    otherwise: usize,
}

/// No token of a source has it.
const NO_TOKEN: u64 = u64::MAX;

/// How many tokens are compared all at once.
const FEW: usize = 48;

impl Inner {
    fn new(wanted: &[u64], n_numbers: usize) -> Inner {
        let borders = borders(wanted);
        let n_few = wanted.len().min(FEW);
        let mut places = vec![0; n_numbers.next_power_of_two()];
        for (place, &number) in wanted[..n_few].iter().enumerate() {
            places[index(number)] |= 1 << place;
        }
        let mut with_borders = vec![0; n_few];
        for seen in 1..n_few {
            with_borders[seen] = with_borders[borders[seen - 1]] | 1 << (seen - 1);
        }
        let mut states: Vec<State> = Vec::with_capacity(wanted.len() + 1);
        for (seen, &number) in wanted.iter().enumerate() {
            let otherwise = match seen.checked_sub(1).map_or(0, |last| borders[last]) {
                // Where the same token is wanted, it is missing just as well.
                border if border > 0 && states[border].wanted == number => states[border].otherwise,
                border => border,
            };
            states.push(State { wanted: number, seen: seen + 1, otherwise });
        }
        // When all have been seen, it goes on with those that are the start of the next match as well.
        states.push(match borders[wanted.len() - 1] {
            border if border >= n_few => states[border].clone(),
            border => State { wanted: NO_TOKEN, seen: 0, otherwise: border },
        });
        Inner { states, places, with_borders }
    }

    /// Were the last tokens all that are wanted?
    #[inline(always)]
    fn is_all(&self, progress: Progress) -> bool {
        progress.seen + 1 == self.states.len()
    }

    /// Takes the next token of the source.
    #[inline(always)]
    fn advance(&self, before: Progress, number: u64) -> Progress {
        let mut may_be_seen = before.may_be_seen;
        let mut seen = before.seen;
        let n_few = self.with_borders.len();
        while seen > 0 {
            let state = &self.states[seen];
            if state.wanted == number {
                return Progress { seen: state.seen, may_be_seen: 0 };
            }
            seen = state.otherwise;
            if seen < n_few {
                may_be_seen = self.with_borders[seen];
                seen = 0;
            }
        }
        may_be_seen = (may_be_seen << 1 | 1) & self.places[index(number)];
        self.progress(may_be_seen)
    }

    /// What has been seen, by what may have been.
    #[inline(always)]
    fn progress(&self, may_be_seen: u64) -> Progress {
        let n_few = self.with_borders.len();
        let is_few_seen = may_be_seen >> (n_few - 1) & 1 != 0;
        Progress { seen: if is_few_seen { n_few } else { 0 }, may_be_seen }
    }
}

fn index(number: u64) -> usize {
    usize::try_from(number).expect("there are fewer tokens than addresses")
}
