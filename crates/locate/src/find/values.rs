//! What is known of each token of a pattern, looked up while a source is read.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::BitOr;

/// A value for each token of a pattern. Every other token has the default.
///
/// Up to eight bytes, a token is a number and is compared at one stroke, without a branch that a text could make
/// unpredictable. Longer tokens are hashed: they have enough bytes to pay for it.
pub(super) struct Values<'p, V> {
    /// By byte, for tokens of one byte.
    single: [V; 256],
    short: Slots<V>,
    long: HashMap<&'p [u8], V>,
    first: Part<'p, V>,
    last: Part<'p, V>,
}

/// An end of the pattern, which may be a part of a word of the source, and what such a word has for it.
pub(super) struct Part<'p, V> {
    bytes: &'p [u8],
    value: V,
    /// The bytes where they stand in eight bytes of the source, and which of the eight those are.
    packed: u64,
    mask: u64,
}

impl<'p, V: Copy + Default + BitOr<Output = V>> Values<'p, V> {
    /// Takes the tokens with their values. A token that comes again has both.
    pub(super) fn new(tokens: &[(&'p [u8], V)], first: Part<'p, V>, last: Part<'p, V>) -> Values<'p, V> {
        let short = Slots::new(tokens.len());
        let mut values = Values { single: [V::default(); 256], short, long: HashMap::new(), first, last };
        for &(token, value) in tokens {
            let known = match *token {
                [byte] => &mut values.single[usize::from(byte)],
                _ if token.len() <= 8 => values.short.get_mut(packed(token)),
                _ => values.long.entry(token).or_default(),
            };
            *known = *known | value;
        }
        values
    }

    /// The value of a token of one byte.
    #[inline(always)]
    pub(super) fn single(&self, byte: u8) -> V {
        self.single[usize::from(byte)]
    }

    /// The value of the token of several bytes that stands there in the text.
    #[inline(always)]
    pub(super) fn longer(&self, text: &[u8], start: usize, end: usize) -> V {
        let len = end - start;
        if len > 8 {
            return self.long(&text[start..end]);
        }
        // The token at the upper end of eight bytes, then at the lower end, both with zeros beside it.
        let unused = 64 - 8 * len;
        let head = match text.get(end.wrapping_sub(8)..end) {
            Some(bytes) => u64::from_le_bytes(bytes.try_into().expect("eight bytes")) >> unused,
            None => packed(&text[start..end]),
        };
        let ends_with_first = self.first.is_in(head << unused);
        let starts_with_last = self.last.is_in(head);
        self.short.get(head) | self.first.value_if(ends_with_first) | self.last.value_if(starts_with_last)
    }

    fn long(&self, token: &[u8]) -> V {
        let value = if self.long.is_empty() { None } else { self.long.get(token).copied() };
        value.unwrap_or_default()
            | self.first.value_if(token.ends_with(self.first.bytes))
            | self.last.value_if(token.starts_with(self.last.bytes))
    }
}

impl<'p, V: Copy + Default> Part<'p, V> {
    /// No token of eight bytes is so.
    const NOWHERE: u64 = u64::MAX;

    /// Words that start with these bytes have the value.
    pub(super) fn start(bytes: &'p [u8], value: V) -> Part<'p, V> {
        match bytes.len() {
            len @ ..=8 => Part { bytes, value, packed: packed(bytes), mask: u64::MAX >> (64 - 8 * len) },
            _ => Part { bytes, value, packed: Self::NOWHERE, mask: u64::MAX },
        }
    }

    /// Words that end with these bytes have the value.
    pub(super) fn end(bytes: &'p [u8], value: V) -> Part<'p, V> {
        let Part { packed, mask, .. } = Part::start(bytes, value);
        let unused = 64 - 8 * bytes.len().min(8);
        Part { bytes, value, packed: packed << unused, mask: mask << unused }
    }

    #[inline(always)]
    fn is_in(&self, eight: u64) -> bool {
        (eight ^ self.packed) & self.mask == 0
    }

    #[inline(always)]
    fn value_if(&self, is_so: bool) -> V {
        if is_so { self.value } else { V::default() }
    }
}

/// Values by key, in a table so sparse that the first slot is nearly always the right one.
struct Slots<V> {
    /// Invariant: a power of two, and at least one is empty.
    slots: Vec<(u64, V)>,
    /// Odd, and nobody's choice: no pattern can be made to crowd one place of the table.
    factor: u64,
    shift: u32,
}

/// No token is eight bytes that are no characters.
const EMPTY: u64 = u64::MAX;

/// How many slots there are for each token.
const SPARSE: usize = 8;

impl<V: Copy + Default> Slots<V> {
    fn new(n_tokens: usize) -> Slots<V> {
        let n_slots = (n_tokens * SPARSE).next_power_of_two();
        Slots {
            slots: vec![(EMPTY, V::default()); n_slots],
            factor: RandomState::new().hash_one(0) | 1,
            shift: 64 - n_slots.trailing_zeros(),
        }
    }

    #[inline(always)]
    fn get(&self, key: u64) -> V {
        let (found, value) = self.slots[self.slot(key)];
        if found == key { value } else { V::default() }
    }

    fn get_mut(&mut self, key: u64) -> &mut V {
        let slot = self.slot(key);
        self.slots[slot].0 = key;
        &mut self.slots[slot].1
    }

    /// The slot that has this key, or the empty one where it would be.
    #[inline(always)]
    fn slot(&self, key: u64) -> usize {
        let slot = key.wrapping_mul(self.factor) >> self.shift;
        let mut slot = usize::try_from(slot).expect("there are fewer slots than addresses");
        while self.slots[slot].0 != key && self.slots[slot].0 != EMPTY {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }
}

/// Up to eight bytes as a number, the first one lowest.
///
/// No token holds a zero byte and something else, so no two are the same.
fn packed(token: &[u8]) -> u64 {
    token.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}
