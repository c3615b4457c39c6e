//! What is known of each token of a pattern, looked up in a few steps while a source is read.

use std::collections::HashMap;

use crate::tokens::{self, Class};

/// A value for each of some tokens. Every other token has the default.
pub(super) struct Table<'p, V> {
    /// By byte, for tokens of one ASCII character.
    single: [V; 128],
    /// By the bytes of the token, for tokens of up to eight bytes. Invariant: sorted.
    short: Vec<(u64, V)>,
    long: HashMap<&'p [u8], V>,
}

impl<'p, V: Copy + Default> Table<'p, V> {
    pub(super) fn new(values: HashMap<&'p [u8], V>) -> Table<'p, V> {
        let mut table = Table { single: [V::default(); 128], short: Vec::new(), long: HashMap::new() };
        for (token, value) in values {
            match *token {
                [byte] if byte < 128 => table.single[usize::from(byte)] = value,
                _ if token.len() <= 8 => table.short.push((packed(token), value)),
                _ => {
                    table.long.insert(token, value);
                }
            }
        }
        table.short.sort_unstable_by_key(|entry| entry.0);
        table
    }

    /// The value and the end of the token that starts at `at` with `byte`; `None` where a blank stands.
    #[inline(always)]
    pub(super) fn token(&self, text: &[u8], at: usize, byte: u8) -> Option<(V, usize)> {
        match tokens::alone(byte) {
            Some(Class::Blank) => None,
            Some(Class::Word) => {
                let end = tokens::word_end(text, at + 1);
                Some((self.within(text, at, end), end))
            }
            Some(_) => Some((self.single[usize::from(byte & 127)], at + 1)),
            None => self.longer_token(text, at),
        }
    }

    /// A token that starts with a character of several bytes.
    fn longer_token(&self, text: &[u8], at: usize) -> Option<(V, usize)> {
        let (class, len) = tokens::class_at(text, at)?;
        let end = if class == Class::Word { tokens::word_end(text, at + len) } else { at + len };
        (class != Class::Blank).then(|| (self.within(text, at, end), end))
    }

    /// As [`Table::get`], for a token whose surroundings can be read along with it.
    #[inline(always)]
    fn within(&self, text: &[u8], at: usize, end: usize) -> V {
        match (end - at, text.get(at..at + 8)) {
            (1, _) => self.single[usize::from(text[at] & 127)],
            (2..=8, Some(eight)) => {
                let eight = u64::from_le_bytes(eight.try_into().expect("eight bytes"));
                self.short(eight & u64::MAX >> (64 - 8 * (end - at)))
            }
            _ => self.get(&text[at..end]),
        }
    }

    /// The value of a token of up to eight bytes.
    #[inline(always)]
    fn short(&self, key: u64) -> V {
        let found = match self.short.len() {
            ..=4 => self.short.iter().position(|entry| entry.0 == key),
            _ => self.short.binary_search_by_key(&key, |entry| entry.0).ok(),
        };
        found.map_or(V::default(), |found| self.short[found].1)
    }

    #[inline]
    pub(super) fn get(&self, token: &[u8]) -> V {
        match *token {
            [byte] if byte < 128 => self.single[usize::from(byte)],
            _ if token.len() <= 8 => self.short(packed(token)),
            _ if self.long.is_empty() => V::default(),
            _ => self.long.get(token).copied().unwrap_or_default(),
        }
    }
}

/// Up to eight bytes as a number, the first one lowest. No token holds a zero byte and something else, so no two are the same.
fn packed(token: &[u8]) -> u64 {
    token.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}
