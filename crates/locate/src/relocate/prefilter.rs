//! Computes an upper bound of how similar the tokens around a word are to the tokens of a find.
//!
//! Aligning tokens takes time quadratic in the length of the find, for each occurrence of its word. One pass over the
//! text excludes most occurrences: they have too few tokens of the find around them, in any order.

use locant_text::{Offset, Text};

use super::token_context::SplitFind;
use crate::stopping::check_at;
use crate::tokens;

/// The tokens of a text, compared with those of a find.
pub(crate) struct Prefilter<'f> {
    find: &'f SplitFind<'f>,
    sides: [Side; 2],
    /// Where each token of the text starts.
    starts: Vec<usize>,
    /// For each token of the text, and for the end of the text: the sums over all tokens before it.
    sums: Vec<Sums>,
}

/// The weight of all tokens of a part of the text, and of those that may occur on the left and on the right side of the
/// find.
#[derive(Clone, Copy, Default)]
struct Sums {
    all: u64,
    known: [u64; 2],
}

impl<'f> Prefilter<'f> {
    /// The prefilter for a text in which the word of the find occurs `n_words` times. `None` if an exact comparison of
    /// each occurrence is as fast.
    pub(crate) fn at(text: &Text, find: &'f SplitFind<'f>, n_words: usize) -> Option<Prefilter<'f>> {
        let n_closely = n_words.saturating_mul(find.n_tokens() * (find.n_tokens() + 10));
        (n_closely / 2 > text.bytes().len()).then(|| Prefilter::new(text, find))
    }

    fn new(text: &Text, find: &'f SplitFind<'f>) -> Prefilter<'f> {
        let bytes = text.bytes();
        let sides = [Side::new(&find.left), Side::new(&find.right)];
        let n_tokens = bytes.len() / 3;
        let (starts, sums) = (Vec::with_capacity(n_tokens), Vec::with_capacity(n_tokens));
        let mut prefilter = Prefilter { find, sides, starts, sums };
        let mut sums = Sums::default();
        for token in tokens::all_in(bytes, text.start().index()..bytes.len()) {
            check_at(prefilter.starts.len());
            prefilter.starts.push(token.start);
            let (weight, bit) = (weight(&bytes[token.clone()]), Bit::of(&bytes[token]));
            prefilter.sums.push(sums);
            sums.all += weight;
            for (known, side) in sums.known.iter_mut().zip(&prefilter.sides) {
                *known += if side.may_have(bit) { weight } else { 0 };
            }
        }
        prefilter.sums.push(sums);
        prefilter
    }

    /// An upper bound of how similar the text around a word is to the find. `None` if no token starts at `word`.
    pub(crate) fn likeness_at_most(&self, word: Offset) -> Option<f64> {
        let at = self.starts.binary_search(&word.index()).ok()?;
        let left = at.saturating_sub(self.find.left.len())..at;
        let right = at + 1..(at + 1 + self.find.right.len()).min(self.starts.len());
        let side = |side: usize, tokens: std::ops::Range<usize>| {
            let (from, to) = (self.sums[tokens.start], self.sums[tokens.end]);
            self.sides[side].likeness_at_most(to.known[side] - from.known[side], to.all - from.all)
        };
        Some(self.find.mean([side(0, left), side(1, right)]) + ROUNDED)
    }
}

/// Added to the bound, since the exact value is rounded differently. It is more than the rounding can differ.
const ROUNDED: f64 = 1e-9;

/// The tokens on one side of a find.
struct Side {
    /// The set of tokens on this side, with one bit for each. Other tokens may share a bit with them.
    bits: [u64; N_BITS / 64],
    weight: u64,
}

impl Side {
    fn new(tokens: &[&[u8]]) -> Side {
        let mut side = Side { bits: [0; N_BITS / 64], weight: 0 };
        for token in tokens {
            let Bit { word, mask } = Bit::of(token);
            side.bits[word] |= mask;
            side.weight += weight(token);
        }
        side
    }

    fn may_have(&self, Bit { word, mask }: Bit) -> bool {
        self.bits[word] & mask != 0
    }

    /// An upper bound of [`similarity`](super::similarity::similarity). `known` is the weight of the tokens of the text
    /// that may be on this side, and `all` the weight of all its tokens.
    fn likeness_at_most(&self, known: u64, all: u64) -> f64 {
        match self.weight + all {
            0 => 1.0,
            total => 2.0 * known.min(self.weight) as f64 / total as f64,
        }
    }
}

/// The bit that represents a token in the set of a [`Side`].
#[derive(Clone, Copy)]
struct Bit {
    word: usize,
    mask: u64,
}

/// The size of the set. It is far larger than the number of tokens of a find, so that other tokens rarely share a bit
/// with them.
const N_BITS: usize = 1024;

impl Bit {
    /// The bit of a token, computed from its first byte, its last byte and its length. All tokens that do not start
    /// with ASCII have the same bit, since invalid bytes are written differently in the find.
    fn of(token: &[u8]) -> Bit {
        let (first, last) = match token {
            [first, .., last] if first.is_ascii() => (*first, *last),
            [first] if first.is_ascii() => (*first, *first),
            _ => (0, 0),
        };
        let length = if first == 0 { 0 } else { token.len() };
        let at = (usize::from(first) + 5 * usize::from(last) + 37 * length) % N_BITS;
        Bit { word: at / 64, mask: 1 << (at % 64) }
    }
}

/// The [`weight`](super::similarity::weight) of a token times six, which makes it a whole number.
fn weight(token: &[u8]) -> u64 {
    if tokens::is_word_at(token, 0) { 6 + token.len().min(12) as u64 } else { 3 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::similarity::occurrences;
    use super::super::token_context::TokenContext;
    use super::*;

    proptest! {
        #[test]
        fn no_place_is_more_like_the_find_than_at_most(
            source in "[ab ,é]{0,12} x [ab ,é]{0,12}",
            parts in prop::collection::vec(("[abcx ,é]{0,12}", any::<u8>()), 1..6),
        ) {
            let at = source.find('x').unwrap_or(0);
            let find = SplitFind::new(source.as_bytes(), at..at + 1);
            let bytes: Vec<u8> =
                parts.into_iter().flat_map(|(part, byte)| [part.as_bytes(), &[byte]].concat()).collect();
            let text = Text::new(bytes).expect("the text is short");
            let prefilter = Prefilter::new(&text, &find);
            let mut around = TokenContext::default();
            for word in occurrences(&text, b"x") {
                find.read(&mut around, text.bytes(), word);
                let at_most = prefilter.likeness_at_most(word);
                prop_assert!(at_most.is_none_or(|at_most| find.mean(find.likeness(&around)) <= at_most));
            }
        }
    }
}
