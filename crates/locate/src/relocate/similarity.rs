//! Searches for tokens, and measures how similar two lines are by their tokens.

use std::cmp::Ordering;

use locant_text::{Offset, Text};
use memchr::memmem;

use crate::tokens;

/// How many tokens of a line are compared. The time grows with the square of this number, and longer lines are usually
/// data.
pub(crate) const MOST_TOKENS: usize = 48;

/// The replacement for an invalid byte. An anchor is text, so it cannot keep the byte itself.
pub(crate) const BAD: &[u8] = "\u{FFFD}".as_bytes();

/// Where a token occurs in a text, except inside a longer word.
pub(crate) fn occurrences(text: &Text, token: &[u8]) -> Vec<Offset> {
    locant_stop::check();
    let found = whole(text, token).map(Offset::of_index);
    if token != BAD {
        return found.collect();
    }
    let mut found: Vec<Offset> = found.chain(bad_bytes(text).map(Offset::of_index)).collect();
    found.sort_unstable();
    found
}

/// How often a word occurs in a text.
pub(crate) fn n_occurrences(text: &Text, word: &[u8]) -> usize {
    locant_stop::check();
    whole(text, word).count()
}

/// Where these bytes occur in a text, except inside a longer word.
fn whole<'w>(text: &'w Text, token: &'w [u8]) -> impl Iterator<Item = usize> + 'w {
    let bytes = text.bytes();
    let is_whole =
        move |at: &usize| !tokens::cuts_word(bytes, *at) && !tokens::cuts_word(bytes, at + token.len());
    // The bytes before the start are a byte-order mark, which is not part of the text.
    let start = text.start().index();
    memmem::find_iter(&bytes[start..], token).map(move |at| start + at).filter(is_whole)
}

/// The places of the bytes that are not valid UTF-8.
fn bad_bytes(text: &Text) -> impl Iterator<Item = usize> {
    let mut end = text.start().index();
    text.bytes()[end..].utf8_chunks().flat_map(move |chunk| {
        let bad = end + chunk.valid().len();
        end = bad + chunk.invalid().len();
        bad..end
    })
}

/// A token in the form in which tokens are compared: an invalid byte is replaced by [`BAD`].
fn read(token: &[u8]) -> &[u8] {
    match token {
        [byte] if !byte.is_ascii() => BAD,
        _ => token,
    }
}

/// The tokens of a part of a text, from its start.
pub(crate) fn tokens_from_start(part: &[u8]) -> impl Iterator<Item = &[u8]> {
    tokens::all_in(part, 0..part.len()).map(|token| read(&part[token]))
}

/// The tokens of a part of a text, from its end backwards.
pub(crate) fn tokens_from_end(part: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut at = tokens::blanks_before(part, part.len());
    std::iter::from_fn(move || {
        let end = Some(at).filter(|&end| end > 0)?;
        let start = tokens::token_start(part, end);
        at = tokens::blanks_before(part, start);
        Some(read(&part[start..end]))
    })
}

/// The first tokens of a part of a text, at most `most`.
pub(crate) fn first_tokens(part: &[u8], most: usize) -> Vec<&[u8]> {
    let mut found = Vec::with_capacity(most.min(N_MOSTLY));
    found.extend(tokens_from_start(part).take(most));
    found
}

/// Most lines have no more tokens than this, so it is enough capacity for most lists.
const N_MOSTLY: usize = 24;

/// Where the token with `n_before` tokens before it starts. If there are too few tokens, the end of the part.
pub(crate) fn start_of_token(part: &[u8], n_before: usize) -> usize {
    tokens::all_in(part, 0..part.len()).nth(n_before).map_or(part.len(), |token| token.start)
}

/// The last tokens of a part of a text, at most `most`, in their order.
pub(crate) fn last_tokens(part: &[u8], most: usize) -> Vec<&[u8]> {
    let mut found = Vec::with_capacity(most.min(N_MOSTLY));
    found.extend(tokens_from_end(part).take(most));
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

/// The share of names that two paths have in common, at their start or at their end.
pub(crate) fn likeness_of_paths(old: &[&str], now: &[&str]) -> f64 {
    let from_top = run(old.iter(), now.iter());
    let from_end = run(old.iter().rev(), now.iter().rev());
    match old.len().max(now.len()) {
        0 => 1.0,
        n_names => from_top.max(from_end) as f64 / n_names as f64,
    }
}

/// The pairs of neighbouring bytes inside each token, sorted: `ab` and `bc` for `abc`. They show that a word is a
/// renamed form of another.
pub(crate) fn pairs(tokens: &[&[u8]]) -> Vec<[u8; 2]> {
    let mut pairs: Vec<[u8; 2]> = Vec::new();
    for token in tokens {
        pairs.extend(token.windows(2).map(|pair| [pair[0], pair[1]]));
    }
    pairs.sort_unstable();
    pairs
}

/// The share of pairs that two sorted lists of pairs have in common, from 0 to 1.
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

/// How much two lines of tokens have in common, in their order, from 0 to 1. Long words count more than short words,
/// and punctuation marks count little.
pub(crate) fn similarity(one: &[&[u8]], other: &[&[u8]]) -> f64 {
    if one.is_empty() && other.is_empty() {
        return 1.0;
    }
    let total: f64 = one.iter().chain(other).map(|token| weight(token)).sum();
    2.0 * common(one, other) / total
}

/// The weight of the tokens that two lines have in common, in their order.
pub(crate) fn common(one: &[&[u8]], other: &[&[u8]]) -> f64 {
    common_by(one, other, weight)
}

/// The weight of the tokens that two lines have in common, in their order, with a given weight for each token.
pub(crate) fn common_by(one: &[&[u8]], other: &[&[u8]], weight: impl Fn(&[u8]) -> f64) -> f64 {
    // The common end always counts in full, so it need not be aligned.
    let n_end =
        one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| is_same(one, other)).count();
    let (one, end) = one.split_at(one.len() - n_end);
    let other = &other[..other.len() - n_end];
    end.iter().fold(common_before(one, other, &weight), |common, token| common + weight(token))
}

/// The weight of the longest common subsequence of two lines.
fn common_before(one: &[&[u8]], other: &[&[u8]], weight: impl Fn(&[u8]) -> f64) -> f64 {
    if one.is_empty() || other.is_empty() {
        return 0.0;
    }
    let (mut few, mut many) = ([0.0; MOST_TOKENS], Vec::new());
    let row: &mut [f64] = if other.len() <= few.len() {
        &mut few[..other.len()]
    } else {
        many.resize(other.len(), 0.0);
        &mut many
    };
    for token in one {
        let weight = weight(token);
        let (mut diagonal, mut left) = (0.0, 0.0);
        for (best, rival) in row.iter_mut().zip(other) {
            let above = *best;
            *best = if is_same(token, rival) { diagonal + weight } else { above.max(left) };
            (diagonal, left) = (above, *best);
        }
    }
    row[other.len() - 1]
}

/// Whether two tokens are the same. Length and first byte are compared first, since most different tokens differ there.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.first() == other.first() && (one.len() <= 1 || one == other)
}

/// How much a token counts in a comparison: from 1.2 to 3 for a word, by its length, and 0.5 for a punctuation mark.
pub(crate) fn weight(token: &[u8]) -> f64 {
    if tokens::is_word_at(token, 0) { 1.0 + token.len().min(12) as f64 / 6.0 } else { 0.5 }
}
