//! A value for each token of a pattern, looked up while a source is read.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::ops::Range;

use super::pattern::Pattern;

/// Flag: the token of the source is the first token of the pattern, or a word that ends with it.
pub(super) const FIRST: u64 = 1 << 58;
/// Flag: the token of the source is a longer word that ends with the first token of the pattern.
pub(super) const FIRST_CUT: u64 = FIRST << 1;
/// Flag: the token of the source is the last token of the pattern, or a word that starts with it.
pub(super) const LAST: u64 = 1 << 60;
/// Flag: the token of the source is a longer word that starts with the last token of the pattern.
pub(super) const LAST_CUT: u64 = LAST << 1;
/// All flags. The other bits of a value belong to the automaton.
pub(super) const FLAGS: u64 = FIRST | FIRST_CUT | LAST | LAST_CUT;

/// A value for each token of a pattern. All other tokens have the value 0.
pub(super) struct TokenTable<'p> {
    /// The values of tokens of one byte, indexed by that byte.
    single: [u64; 256],
    /// The values of longer tokens, and the length of the longest token.
    longer: HashMap<&'p [u8], u64, Folding>,
    most_bytes: usize,
    first: Part<'p>,
    last: Part<'p>,
    /// A cache for tokens of the source with two to eight bytes: their bytes as a number, and their values. Most tokens
    /// of a source occur again and again.
    remembered: Box<[(u64, u64); N_REMEMBERED]>,
    folding: Folding,
}

/// How many slots the cache has. The bytes of a token determine the only slot that it can be in.
const N_REMEMBERED: usize = 1024;

/// The number in an empty slot. No token has these bytes, since they are not valid UTF-8.
const NOTHING: u64 = u64::MAX;

/// The first or last token of the pattern, which may match a part of a longer word of the source.
struct Part<'p> {
    bytes: &'p [u8],
    /// The first eight bytes of the token as a number. If it has fewer bytes, `n_others` is the number of unused bits.
    number: u64,
    n_others: u32,
    /// The value of a word that the token matches.
    value: u64,
    /// The flag that is added to the value if the word is longer than the token.
    cut: u64,
}

impl<'p> TokenTable<'p> {
    /// Takes the tokens with their values. `ends` has the value of a word that ends with the first token, and the value
    /// of a word that starts with the last token.
    ///
    /// A token that occurs several times gets all its values, joined by `|`.
    pub(super) fn new(tokens: &[(&'p [u8], u64)], pattern: &Pattern, ends: [u64; 2]) -> TokenTable<'p> {
        // If a blank is required at that end, the token cannot be a part of a longer word.
        let part = |token: usize, has_blank: bool, value: u64, cut: u64| {
            let [value, cut] = if has_blank { [0, 0] } else { [value, cut] };
            Part::new(tokens[token].0, value, cut)
        };
        let [lead, trail] = [pattern.lead, pattern.trail].map(|edge| edge.mandatory().is_some());
        let folding = Folding::new();
        let mut values = TokenTable {
            single: [0; 256],
            longer: HashMap::with_hasher(folding),
            most_bytes: tokens.iter().map(|token| token.0.len()).max().unwrap_or(0),
            first: part(0, lead, ends[0], FIRST_CUT),
            last: part(tokens.len() - 1, trail, ends[1], LAST_CUT),
            remembered: Box::new([(NOTHING, 0); N_REMEMBERED]),
            folding,
        };
        for &(token, value) in tokens {
            *match *token {
                [byte] => &mut values.single[usize::from(byte)],
                _ => values.longer.entry(token).or_default(),
            } |= value;
        }
        values
    }

    /// The value of a token of one byte.
    #[inline(always)]
    pub(super) fn single(&self, byte: u8) -> u64 {
        self.single[usize::from(byte)]
    }

    /// The value of the token at a range of the text, which has several bytes. `eight` is the eight bytes before its
    /// end, as a little-endian number.
    #[inline(always)]
    pub(super) fn longer(&mut self, text: &[u8], token: Range<usize>, eight: u64) -> u64 {
        let len = token.len();
        if len > 8 {
            return self.longest(&text[token], eight);
        }
        let number = eight >> (64 - 8 * len);
        let slot = self.folding.slot(number);
        if self.remembered[slot].0 != number {
            self.remembered[slot] = (number, self.looked_up(&text[token]));
        }
        self.remembered[slot].1
    }

    /// The value of a token of more than eight bytes.
    #[inline(always)]
    fn longest(&self, token: &[u8], eight: u64) -> u64 {
        match token.first_chunk() {
            // The token is longer than all tokens of the pattern, so it can only end with the first or start with the
            // last one.
            Some(&start) if self.most_bytes <= 8 => {
                let start = u64::from_le_bytes(start);
                self.first.value_if(self.first.is_end_of(eight), token.len())
                    | self.last.value_if(self.last.is_start_of(start), token.len())
            }
            _ => self.looked_up(token),
        }
    }

    #[inline(never)]
    fn looked_up(&self, token: &[u8]) -> u64 {
        let value = if token.len() <= self.most_bytes { self.longer.get(token).copied() } else { None };
        value.unwrap_or_default()
            | self.first.value_if(token.ends_with(self.first.bytes), token.len())
            | self.last.value_if(token.starts_with(self.last.bytes), token.len())
    }
}

impl<'p> Part<'p> {
    fn new(bytes: &'p [u8], value: u64, cut: u64) -> Part<'p> {
        let mut eight = [0; 8];
        let n_bytes = bytes.len().min(8);
        eight[..n_bytes].copy_from_slice(&bytes[..n_bytes]);
        let n_others = eight[n_bytes..].iter().map(|_| u8::BITS).sum();
        Part { bytes, number: u64::from_le_bytes(eight), n_others, value, cut }
    }

    /// Whether eight bytes end with this token, which has at most eight bytes.
    #[inline(always)]
    fn is_end_of(&self, eight: u64) -> bool {
        eight >> self.n_others == self.number
    }

    /// Whether eight bytes start with this token, which has at most eight bytes.
    #[inline(always)]
    fn is_start_of(&self, eight: u64) -> bool {
        (eight ^ self.number) << self.n_others == 0
    }

    #[inline(always)]
    fn value_if(&self, is_so: bool, len: usize) -> u64 {
        let cut = if len > self.bytes.len() { self.cut } else { 0 };
        if is_so { self.value | cut } else { 0 }
    }
}

/// A hash by multiplication, which takes only a few instructions for eight bytes. The factor is random, so that nobody
/// can construct a text of tokens with equal hashes.
#[derive(Clone, Copy)]
struct Folding {
    factor: u64,
    hash: u64,
}

impl Folding {
    fn new() -> Folding {
        Folding { factor: RandomState::new().hash_one(0) | 1, hash: 0 }
    }

    /// The slot of the cache for a number.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "there are few slots")]
    fn slot(self, number: u64) -> usize {
        (number.wrapping_mul(self.factor) >> (64 - N_REMEMBERED.ilog2())) as usize % N_REMEMBERED
    }

    /// Joins both halves of the product, so that each bit of the result depends on many bits of the number.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the halves are what is meant")]
    fn fold(self, number: u64) -> u64 {
        let product = u128::from(self.hash ^ number) * u128::from(self.factor);
        product as u64 ^ (product >> 64) as u64
    }
}

impl BuildHasher for Folding {
    type Hasher = Folding;

    fn build_hasher(&self) -> Folding {
        *self
    }
}

impl Hasher for Folding {
    fn write(&mut self, bytes: &[u8]) {
        let (eights, rest) = bytes.as_chunks();
        for &eight in eights {
            self.hash = self.fold(u64::from_le_bytes(eight));
        }
        let rest = rest.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
        self.hash = self.fold(rest);
    }

    fn write_usize(&mut self, len: usize) {
        self.hash = self.fold(len as u64);
    }

    fn finish(&self) -> u64 {
        self.hash
    }
}
