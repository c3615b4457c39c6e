//! Small numbers for tokens, so that comparing two of them takes one step.

use std::collections::HashMap;

/// The numbers of the tokens of a pattern. Every other token is 0.
pub(super) struct Numbers<'p> {
    /// By byte, for tokens of one ASCII character.
    single: [u32; 128],
    /// By the bytes of the token, for tokens of up to eight bytes. Invariant: sorted.
    short: Vec<(u64, u32)>,
    long: HashMap<&'p [u8], u32>,
}

impl<'p> Numbers<'p> {
    pub(super) fn new(tokens: impl Iterator<Item = &'p [u8]>) -> Numbers<'p> {
        let mut numbers = Numbers { single: [0; 128], short: Vec::new(), long: HashMap::new() };
        let mut all = HashMap::new();
        for token in tokens {
            let next =
                u32::try_from(all.len() + 1).expect("a pattern has fewer tokens than a text has bytes");
            all.entry(token).or_insert(next);
        }
        for (token, number) in all {
            match *token {
                [byte] if byte < 128 => numbers.single[usize::from(byte)] = number,
                _ if token.len() <= 8 => numbers.short.push((packed(token), number)),
                _ => {
                    numbers.long.insert(token, number);
                }
            }
        }
        numbers.short.sort_unstable();
        numbers
    }

    #[inline]
    pub(super) fn of(&self, token: &[u8]) -> u32 {
        match *token {
            [byte] if byte < 128 => self.single[usize::from(byte)],
            _ if token.len() <= 8 => {
                let key = packed(token);
                self.short.binary_search_by_key(&key, |entry| entry.0).map_or(0, |found| self.short[found].1)
            }
            _ if self.long.is_empty() => 0,
            _ => self.long.get(token).copied().unwrap_or(0),
        }
    }
}

/// Up to eight bytes as a number. No token holds a zero byte and something else, so no two are the same.
#[inline]
fn packed(token: &[u8]) -> u64 {
    token.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}
