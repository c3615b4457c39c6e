//! Chooses the token of a pattern to search for first.

use std::cmp::Reverse;

use memchr::memmem::Finder;

use super::pattern::{Pattern, Token};

/// The token to search for first.
#[derive(Debug)]
pub(super) struct Rarest {
    pub(super) token: usize,
    pub(super) finder: Finder<'static>,
}

/// How many samples are taken from a text to find rare tokens, and how many bytes each sample has.
const N_SAMPLES: usize = 4;
const SAMPLE: usize = 1 << 12;

/// How many tokens of a pattern are counted in the samples at most. Those that are likely to be rare are preferred.
const MOST_COUNTED: usize = 16;

/// A token that occurs less than once in this number of bytes is rare.
const RARE: usize = 64;

impl Rarest {
    /// The token that is likely to be the rarest in any text.
    pub(super) fn likely(text: &str, tokens: &[Token]) -> Option<Rarest> {
        let bytes = |token: &Token| &text.as_bytes()[token.at.clone()];
        let token = (0..tokens.len()).max_by_key(|&token| rarity(bytes(&tokens[token])))?;
        Some(Rarest { token, finder: Finder::new(bytes(&tokens[token])).into_owned() })
    }

    /// The rarest token in this text, other than the one that was tried. `None` if no other token is rare.
    pub(super) fn in_text(pattern: &Pattern, tried: &Rarest, text: &[u8]) -> Option<Rarest> {
        let mut others: Vec<usize> = (0..pattern.tokens.len()).collect();
        others.sort_unstable_by_key(|&token| (Reverse(rarity(pattern.bytes(token))), pattern.bytes(token)));
        others.dedup_by_key(|token| pattern.bytes(*token));
        others.retain(|&token| pattern.bytes(token) != pattern.bytes(tried.token));
        others.truncate(MOST_COUNTED);
        let samples: Vec<&[u8]> = samples(text).collect();
        let count = |token: usize| -> usize {
            let finder = Finder::new(pattern.bytes(token));
            samples.iter().map(|sample| finder.find_iter(sample).count()).sum()
        };
        let (count, token) = others.into_iter().map(|token| (count(token), token)).min()?;
        let n_bytes: usize = samples.iter().map(|sample| sample.len()).sum();
        let is_rare = count * RARE < n_bytes;
        is_rare.then(|| Rarest { token, finder: Finder::new(pattern.bytes(token)).into_owned() })
    }
}

/// Parts of a text, evenly spread. A short text is one part.
fn samples(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let len = if text.len() <= N_SAMPLES * SAMPLE { text.len() } else { SAMPLE };
    let step = (text.len() / N_SAMPLES).max(len).max(1);
    (0..text.len()).step_by(step).map(move |start| &text[start..text.len().min(start + len)])
}

/// How rare a token is likely to be, as an estimate of its information in bits. Letters that are common in code count
/// less.
fn rarity(token: &[u8]) -> u32 {
    let of_byte = |byte: &u8| match byte {
        b'e' | b't' | b'a' | b'o' | b'i' | b'n' | b's' | b'r' => 3,
        b'.' | b',' | b'(' | b')' | b'_' | b'-' | b'=' | b';' | b':' | b'"' => 3,
        b'l' | b'd' | b'c' | b'u' | b'p' | b'm' | b'f' => 4,
        b'a'..=b'z' | b'0'..=b'9' => 5,
        b'A'..=b'Z' => 6,
        _ => 5,
    };
    token.iter().map(of_byte).sum()
}
