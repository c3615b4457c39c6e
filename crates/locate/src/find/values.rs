//! What is known of each token of a pattern, looked up while a source is read.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// The token is the first one of the pattern, or ends with it.
pub(super) const FIRST: u64 = 1 << 58;
/// It is more than that.
pub(super) const FIRST_CUT: u64 = 1 << 59;
/// The blanks that the pattern has in front of its first token are there.
pub(super) const LEAD: u64 = 1 << 60;
/// The token is the last one of the pattern, or starts with it.
pub(super) const LAST: u64 = 1 << 61;
/// It is more than that.
pub(super) const LAST_CUT: u64 = 1 << 62;
/// The blanks that the pattern has behind its last token are there.
pub(super) const TRAIL: u64 = 1 << 63;
/// All of these. What else there is in a value belongs to the automaton.
pub(super) const FLAGS: u64 = FIRST | FIRST_CUT | LEAD | LAST | LAST_CUT | TRAIL;

/// A value for each token of a pattern. Every other token has the default.
///
/// Up to eight bytes, a token is a number and is compared at one stroke, without a branch that a text could make
/// unpredictable. Longer tokens are hashed: they have enough bytes to pay for it.
pub(super) struct Values<'p> {
    /// By byte, for tokens of one byte.
    single: [u64; 256],
    short: Slots,
    long: HashMap<&'p [u8], u64>,
    first: Part<'p>,
    last: Part<'p>,
}

/// An end of the pattern, which may be a part of a word of the source, and what such a word has for it.
pub(super) struct Part<'p> {
    bytes: &'p [u8],
    value: u64,
    /// What a word that is longer has besides.
    cut: u64,
    /// The bytes where they stand in eight bytes of the source, and which of the eight those are.
    packed: u64,
    mask: u64,
}

impl<'p> Values<'p> {
    /// Takes the tokens with their values. A token that comes again has both.
    pub(super) fn new(tokens: &[(&'p [u8], u64)], first: Part<'p>, last: Part<'p>) -> Values<'p> {
        let short = Slots::new(tokens.len());
        let mut values = Values { single: [0; 256], short, long: HashMap::new(), first, last };
        for &(token, value) in tokens {
            let known = match *token {
                [byte] => &mut values.single[usize::from(byte)],
                _ if token.len() <= 8 => values.short.get_mut(packed(token)),
                _ => values.long.entry(token).or_default(),
            };
            *known |= value;
        }
        values
    }

    /// The value of a token of one byte.
    #[inline(always)]
    pub(super) fn single(&self, byte: u8) -> u64 {
        self.single[usize::from(byte)]
    }

    /// The value of the token of several bytes that stands there in the text.
    #[inline(always)]
    pub(super) fn longer(&self, text: &[u8], start: usize, end: usize) -> u64 {
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
        self.short.get(head)
            | self.first.value_if(ends_with_first, len)
            | self.last.value_if(starts_with_last, len)
    }

    fn long(&self, token: &[u8]) -> u64 {
        let value = if self.long.is_empty() { None } else { self.long.get(token).copied() };
        value.unwrap_or_default()
            | self.first.value_if(token.ends_with(self.first.bytes), token.len())
            | self.last.value_if(token.starts_with(self.last.bytes), token.len())
    }
}

impl<'p> Part<'p> {
    /// No token of eight bytes is so.
    const NOWHERE: u64 = u64::MAX;

    /// Words that start with these bytes have the value.
    pub(super) fn start(bytes: &'p [u8], value: u64) -> Part<'p> {
        match bytes.len() {
            len @ ..=8 => {
                Part { bytes, value, cut: LAST_CUT, packed: packed(bytes), mask: u64::MAX >> (64 - 8 * len) }
            }
            _ => Part { bytes, value, cut: LAST_CUT, packed: Self::NOWHERE, mask: u64::MAX },
        }
    }

    /// Words that end with these bytes have the value.
    pub(super) fn end(bytes: &'p [u8], value: u64) -> Part<'p> {
        let Part { packed, mask, .. } = Part::start(bytes, value);
        let unused = 64 - 8 * bytes.len().min(8);
        Part { bytes, value, cut: FIRST_CUT, packed: packed << unused, mask: mask << unused }
    }

    #[inline(always)]
    fn is_in(&self, eight: u64) -> bool {
        (eight ^ self.packed) & self.mask == 0
    }

    #[inline(always)]
    fn value_if(&self, is_so: bool, len: usize) -> u64 {
        let cut = if len > self.bytes.len() { self.cut } else { 0 };
        if is_so { self.value | cut } else { 0 }
    }
}

/// Values by key, in a table so sparse that the first slot is nearly always the right one.
struct Slots {
    /// Invariant: a power of two, and at least one is empty.
    slots: Vec<(u64, u64)>,
    /// Odd, and nobody's choice: no pattern can be made to crowd one place of the table.
    factor: u64,
    shift: u32,
}

/// No token is eight bytes that are no characters.
const EMPTY: u64 = u64::MAX;

/// How many slots there are for each token.
const SPARSE: usize = 8;

impl Slots {
    fn new(n_tokens: usize) -> Slots {
        let n_slots = (n_tokens * SPARSE).next_power_of_two();
        Slots {
            slots: vec![(EMPTY, 0); n_slots],
            factor: RandomState::new().hash_one(0) | 1,
            shift: 64 - n_slots.trailing_zeros(),
        }
    }

    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        let (found, value) = self.slots[self.slot(key)];
        if found == key { value } else { 0 }
    }

    fn get_mut(&mut self, key: u64) -> &mut u64 {
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
