//! Words and lines of tokens: where they occur, and how much they resemble each other.

use std::cmp::Ordering;

use locant_text::{Offset, Text};
use memchr::memmem;

use crate::tokens;

/// How many tokens of a line are compared. Longer lines are data, and comparing takes the square of it.
pub(crate) const MOST_TOKENS: usize = 48;

/// What bytes that are no text are read as: anchors are text and keep only that something stood there.
pub(crate) const BAD: &[u8] = "\u{FFFD}".as_bytes();

/// Where a token occurs in a text, other than inside a longer word.
pub(crate) fn occurrences(text: &Text, token: &[u8]) -> Vec<Offset> {
    let bytes = text.bytes();
    let is_whole = |at: &usize| !tokens::cuts_word(bytes, *at) && !tokens::cuts_word(bytes, at + token.len());
    // What stands before the start is a byte-order mark, which is no part of the text.
    let start = text.start().index();
    let found = memmem::find_iter(&bytes[start..], token).map(|at| start + at);
    let mut found: Vec<usize> = found.filter(is_whole).collect();
    if token == BAD {
        found.extend(bad_bytes(bytes, start));
        found.sort_unstable();
    }
    found.into_iter().map(Offset::of_index).collect()
}

/// The bytes that are no text, from `start` on.
fn bad_bytes(bytes: &[u8], start: usize) -> impl Iterator<Item = usize> {
    let mut end = start;
    bytes[start..].utf8_chunks().flat_map(move |chunk| {
        let bad = end + chunk.valid().len();
        end = bad + chunk.invalid().len();
        bad..end
    })
}

/// A token as it is compared.
fn read(token: &[u8]) -> &[u8] {
    match token {
        [byte] if !byte.is_ascii() => BAD,
        _ => token,
    }
}

/// The first tokens of a part of a text, at most `most`.
pub(crate) fn first_tokens(part: &[u8], most: usize) -> Vec<&[u8]> {
    let mut found = Vec::new();
    let mut at = tokens::blanks_after(part, 0);
    while at < part.len() && found.len() < most {
        let end = tokens::token_end(part, at);
        found.push(read(&part[at..end]));
        at = tokens::blanks_after(part, end);
    }
    found
}

/// Where the token stands that so many others stand before.
pub(crate) fn start_of_token(part: &[u8], n_before: usize) -> usize {
    let mut at = tokens::blanks_after(part, 0);
    for _ in 0..n_before {
        at = tokens::blanks_after(part, tokens::token_end(part, at));
    }
    at
}

/// The last tokens of a part of a text, at most `most`, in their order.
pub(crate) fn last_tokens(part: &[u8], most: usize) -> Vec<&[u8]> {
    let mut found = Vec::new();
    let mut at = tokens::blanks_before(part, part.len());
    while at > 0 && found.len() < most {
        let start = tokens::token_start(part, at);
        found.push(read(&part[start..at]));
        at = tokens::blanks_before(part, start);
    }
    found.reverse();
    found
}

/// How many items two sequences share at their start.
pub(crate) fn run<Item: PartialEq>(
    one: impl Iterator<Item = Item>,
    other: impl Iterator<Item = Item>,
) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).count()
}

/// The pairs of neighbouring characters in a line of tokens, sorted. They see what is left of a word that was renamed.
pub(crate) fn pairs(tokens: &[&[u8]]) -> Vec<[u8; 2]> {
    let mut pairs: Vec<[u8; 2]> = Vec::new();
    for token in tokens {
        pairs.extend(token.windows(2).map(|pair| [pair[0], pair[1]]));
    }
    pairs.sort_unstable();
    pairs
}

/// The share of pairs that two lines have in common, from 0 to 1.
pub(crate) fn common_pairs(one: &[[u8; 2]], other: &[[u8; 2]]) -> f64 {
    let (mut at, mut rival, mut n_common) = (0, 0, 0);
    while at < one.len() && rival < other.len() {
        match one[at].cmp(&other[rival]) {
            Ordering::Less => at += 1,
            Ordering::Greater => rival += 1,
            Ordering::Equal => (at, rival, n_common) = (at + 1, rival + 1, n_common + 1),
        }
    }
    match one.len() + other.len() {
        0 => 1.0,
        n_pairs => 2.0 * f64::from(n_common) / n_pairs as f64,
    }
}

/// How much two lines of tokens have in common, in their order: from 0 to 1. Long words say more than short ones,
/// and marks say little.
pub(crate) fn similarity(one: &[&[u8]], other: &[&[u8]]) -> f64 {
    if one.is_empty() && other.is_empty() {
        return 1.0;
    }
    let total: f64 = one.iter().chain(other).map(|token| weight(token)).sum();
    2.0 * common(one, other) / total
}

/// What two lines of tokens have in common, in their order, by the weight of the tokens.
pub(crate) fn common(one: &[&[u8]], other: &[&[u8]]) -> f64 {
    common_by(one, other, weight)
}

/// The same, when tokens have other weights.
pub(crate) fn common_by(one: &[&[u8]], other: &[&[u8]], weight: impl Fn(&[u8]) -> f64) -> f64 {
    let mut row = vec![0.0f64; other.len() + 1];
    for token in one {
        let mut diagonal = 0.0;
        for (index, rival) in other.iter().enumerate() {
            let above = row[index + 1];
            row[index + 1] = if token == rival { diagonal + weight(token) } else { above.max(row[index]) };
            diagonal = above;
        }
    }
    row[other.len()]
}

/// How much a token says.
pub(crate) fn weight(token: &[u8]) -> f64 {
    if tokens::is_word_at(token, 0) { 1.0 + token.len().min(12) as f64 / 6.0 } else { 0.5 }
}
