//! Searches for a pattern of any number of tokens, with the automaton of Knuth, Morris and Pratt. It is used for
//! patterns that have too many tokens for [`shift_and`](super::shift_and).

use std::collections::HashMap;
use std::iter::zip;
use std::ops::Range;

use super::blocks::{BLOCK, take_lowest};
use super::pattern::Pattern;
use super::rarest_first::borders;
use super::reader::{Automaton, Ended, Tokens, read};
use super::sink::Sink;
use super::token_table::{FIRST, FLAGS, LAST, TokenTable};

/// Gives `sink` every match of the pattern, which has at least 3 tokens.
///
/// The automaton searches for the inner tokens: those between the first and the last. Where they match, the first and
/// last tokens are compared too. These two are special because they may match only a part of a word.
#[inline(always)]
pub(super) fn search(pattern: &Pattern, source: &[u8], region: &Range<usize>, sink: &mut impl Sink) {
    let last = pattern.tokens.len() - 1;
    let mut tokens = numbered((0..=last).map(|token| pattern.bytes(token)));
    let wanted: Vec<u64> = tokens[1..last].iter().map(|token| token.1).collect();
    let n_numbers = tokens.iter().map(|token| index(token.1) + 1).max().unwrap_or(1);
    let inner = Inner::new(&wanted, n_numbers);
    tokens[0].1 |= FIRST;
    tokens[last].1 |= LAST;
    let mut values = TokenTable::new(&tokens, pattern, [FIRST, LAST]);
    let mut row = Row { inner, progress: Progress::default(), history: History::new(last) };
    read((source, region), (pattern, &mut values), FIRST, &mut row, sink);
}

/// The tokens, each with a number from 1. Equal tokens have the same number.
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
    history: History,
}

impl Automaton for Row {
    #[inline(always)]
    fn advance(&mut self, tokens: &Tokens<'_>) -> Ended {
        let mut found = Ended { all: 0, partial: 0 };
        let block = self.history.push(tokens);
        let (mut progress, mut at) = (self.progress, 0);
        while at < block.values.len() {
            progress = match progress.seen {
                0 => self.inner.look_for_first(progress, &block, &mut at),
                _ => self.inner.go_on(progress, &block, &mut at, &mut found),
            };
        }
        self.progress = progress;
        found
    }
}

/// The values of the last tokens of the source.
struct History {
    /// Invariant: the last `n_before` of the first `n_values` are the latest tokens of the source.
    values: Vec<u64>,
    n_values: usize,
    n_before: usize,
    /// Where the tokens of the last block end.
    ends: [u8; BLOCK],
}

/// The tokens of a block, in order.
struct Block<'h> {
    values: &'h [u64],
    /// For each token of the block: if a match ends with it, the value of the first token of that match.
    firsts: &'h [u64],
    ends: &'h [u8; BLOCK],
}

/// How many values fit into the history before those that are still needed are moved to its front.
const ROOM: usize = 1 << 12;

impl History {
    /// A history with no tokens yet. Their places are filled with 0, which matches nothing.
    fn new(n_before: usize) -> History {
        History { values: vec![0; n_before + ROOM], n_values: n_before, n_before, ends: [0; BLOCK] }
    }

    #[inline(always)]
    fn push(&mut self, tokens: &Tokens<'_>) -> Block<'_> {
        if self.n_values + BLOCK > self.values.len() {
            self.values.copy_within(self.n_values - self.n_before..self.n_values, 0);
            self.n_values = self.n_before;
        }
        let n_tokens = tokens.ends.count_ones() as usize;
        let (start, mut ends) = (self.n_values, tokens.ends);
        self.n_values += n_tokens;
        for (value, place) in self.values[start..self.n_values].iter_mut().zip(&mut self.ends) {
            let end = take_lowest(&mut ends) % BLOCK;
            *value = tokens.values[end];
            *place = u8::try_from(end).expect("a block is shorter");
        }
        let of_block = |start: usize| &self.values[start..][..n_tokens];
        Block { values: of_block(start), firsts: of_block(start - self.n_before), ends: &self.ends }
    }
}

impl Block<'_> {
    /// Adds the match that ends with the token at `at`, if there is one. The caller has found all inner tokens directly
    /// before it.
    #[inline(always)]
    fn match_at(&self, at: usize, found: &mut Ended) {
        let end = self.ends[at % BLOCK];
        let first = self.firsts[at] >> FIRST.trailing_zeros();
        let last = self.values[at] >> LAST.trailing_zeros();
        let is_match = first & last & 1;
        let is_cut = (first | last) >> 1;
        found.all |= is_match << end;
        found.partial |= (is_match & is_cut) << end;
    }
}

/// How many inner tokens of the pattern match the last tokens of the source.
#[derive(Clone, Copy, Default)]
struct Progress {
    /// The number of inner tokens that match, if the first few all match; else 0.
    seen: usize,
    /// Used while `seen` is 0: bit `n` is set if the first `n + 1` inner tokens match.
    may_be_seen: u64,
}

/// The inner tokens of the pattern, as their numbers.
///
/// The first few tokens are compared all at once, without branches, as in [`shift_and`](super::shift_and). Otherwise a
/// text could be constructed in which the processor cannot predict whether the next token matches. Once the first few
/// have matched, the next token nearly always matches too.
struct Inner {
    /// Indexed by how many tokens have matched: the token that must come next. The last entry is used after all inner
    /// tokens have matched: it is the next token of a match that may have begun inside the one just found.
    wanted: Vec<u64>,
    /// Indexed by how many tokens have matched: how many may still match if the next token is not the wanted one.
    otherwise: Vec<usize>,
    /// After all inner tokens have matched: how many tokens at their end are also a beginning of the pattern.
    border: usize,
    /// Indexed by the number of a token: its places among the first few tokens, as bits. Invariant: the length is a
    /// power of two, and larger than all numbers.
    places: Vec<u64>,
    /// Indexed by how many of the first few tokens have matched: bits for that count and for each smaller count that
    /// matches at the same time, as in [`Progress::may_be_seen`].
    with_borders: Vec<u64>,
}

/// A value that no token of a source has.
const NO_TOKEN: u64 = u64::MAX;

/// How many tokens are compared all at once, at most.
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
        let mut otherwise: Vec<usize> = Vec::with_capacity(wanted.len() + 1);
        for (seen, &number) in wanted.iter().enumerate() {
            otherwise.push(match seen.checked_sub(1).map_or(0, |last| borders[last]) {
                // If the shorter match wants the same next token, it fails too, so that step is skipped.
                border if border > 0 && wanted[border] == number => otherwise[border],
                border => border,
            });
        }
        let border = borders[wanted.len() - 1];
        let (next, missing) =
            if border >= n_few { (wanted[border], otherwise[border]) } else { (NO_TOKEN, border) };
        otherwise.push(missing);
        let wanted = [wanted, &[next]].concat();
        Inner { wanted, otherwise, border, places, with_borders }
    }

    /// Reads tokens until the first few tokens of the pattern have matched.
    #[inline(always)]
    fn look_for_first(&self, before: Progress, block: &Block<'_>, at: &mut usize) -> Progress {
        let mut may_be_seen = before.may_be_seen;
        let few_seen = 1 << (self.n_few() - 1);
        for &value in &block.values[*at..] {
            *at += 1;
            may_be_seen = (may_be_seen << 1 | 1) & self.places_of(value);
            if may_be_seen & few_seen != 0 {
                break;
            }
        }
        self.progress(may_be_seen)
    }

    /// Reads tokens as long as at least the first few tokens of the pattern match.
    #[inline(always)]
    fn go_on(&self, before: Progress, block: &Block<'_>, at: &mut usize, found: &mut Ended) -> Progress {
        let mut progress = before;
        while progress.seen > 0 && *at < block.values.len() {
            if self.is_all(progress) {
                block.match_at(*at, found);
            } else {
                let n_wanted = self.n_wanted(progress.seen, &block.values[*at..]);
                if n_wanted > 0 {
                    progress.seen += n_wanted;
                    *at += n_wanted;
                    continue;
                }
            }
            progress = self.advance(progress, block.values[*at]);
            *at += 1;
        }
        progress
    }

    /// How many tokens are compared all at once.
    #[inline(always)]
    fn n_few(&self) -> usize {
        self.with_borders.len()
    }

    /// The places of a token among the first few tokens of the pattern, as bits.
    #[inline(always)]
    fn places_of(&self, value: u64) -> u64 {
        // The flags are in higher bits than all numbers, so the mask removes them.
        self.places[index(value) & (self.places.len() - 1)]
    }

    /// Whether all inner tokens have matched.
    #[inline(always)]
    fn is_all(&self, progress: Progress) -> bool {
        progress.seen + 1 == self.wanted.len()
    }

    /// How many of the next tokens of the source match, up to the end of the inner tokens.
    #[inline(always)]
    fn n_wanted(&self, seen: usize, values: &[u64]) -> usize {
        let wanted = &self.wanted[seen..self.wanted.len() - 1];
        let (wanted_eights, value_eights) = (wanted.as_chunks::<8>().0, values.as_chunks::<8>().0);
        let is_same = |(wanted, value): &(&u64, &u64)| **wanted == **value & !FLAGS;
        // `&` instead of `&&`, so that there is no branch for each token.
        let are_same = |(wanted, values): &(&[u64; 8], &[u64; 8])| {
            zip(*wanted, *values).fold(true, |are_same, pair| are_same & is_same(&pair))
        };
        let n_eights = zip(wanted_eights, value_eights).take_while(are_same).count();
        let rest = zip(&wanted[8 * n_eights..], &values[8 * n_eights..]);
        8 * n_eights + rest.take_while(is_same).count()
    }

    /// The progress after the next token of the source.
    #[inline(always)]
    fn advance(&self, before: Progress, value: u64) -> Progress {
        let mut may_be_seen = before.may_be_seen;
        let mut seen = before.seen;
        while seen > 0 {
            if self.wanted[seen] == value & !FLAGS {
                let seen = if seen + 1 == self.wanted.len() { self.border } else { seen };
                return Progress { seen: seen + 1, may_be_seen: 0 };
            }
            seen = self.otherwise[seen];
            if seen < self.n_few() {
                may_be_seen = self.with_borders[seen];
                seen = 0;
            }
        }
        self.progress((may_be_seen << 1 | 1) & self.places_of(value))
    }

    /// The progress with these bits of [`Progress::may_be_seen`].
    #[inline(always)]
    fn progress(&self, may_be_seen: u64) -> Progress {
        let n_few = self.n_few();
        let is_few_seen = may_be_seen >> (n_few - 1) & 1 != 0;
        Progress { seen: if is_few_seen { n_few } else { 0 }, may_be_seen }
    }
}

fn index(number: u64) -> usize {
    usize::try_from(number).expect("there are fewer tokens than addresses")
}
