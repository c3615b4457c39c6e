//! Up to 128 tokens, all compared at once: one bit of a number for each token of the pattern.
//!
//! Bit `n` is set when the last tokens of the source are the first `n + 1` of the pattern. Each token of the
//! source moves all bits up by one and keeps those whose token it is: the Shift-And search of Baeza-Yates and
//! Gonnet.
//!
//! For the pattern `a . b`, the table says `a` = 001, `.` = 010, `b` = 100. Over the source `a . . a . b` the
//! number is 001, 010, 000, 001, 010, 100: the third bit is a match.

use std::collections::HashMap;
use std::ops::{BitAnd, BitOr, BitOrAssign, ControlFlow, Range, Shl};

use super::pattern::Pattern;
use super::table::Table;
use crate::tokens::{self, Class};

/// How many tokens a pattern may have.
pub(super) const MOST_TOKENS: usize = 128;

/// A number with a bit for each token. The narrow one is quicker.
trait Bits:
    Copy
    + Default
    + PartialEq
    + From<bool>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitOrAssign
    + Shl<usize, Output = Self>
{
}

impl Bits for u64 {}
impl Bits for u128 {}

/// Calls `emit` with every place where the tokens of the pattern stand. There are 2 to 128 of them.
#[inline]
pub(super) fn search(
    pattern: &Pattern,
    text: &[u8],
    from: usize,
    emit: impl FnMut(Range<usize>) -> ControlFlow<()>,
) {
    match pattern.tokens.len() {
        ..=64 => search_with::<u64>(pattern, text, from, emit),
        _ => search_with::<u128>(pattern, text, from, emit),
    }
}

#[inline]
fn search_with<B: Bits>(
    pattern: &Pattern,
    text: &[u8],
    from: usize,
    mut emit: impl FnMut(Range<usize>) -> ControlFlow<()>,
) {
    let n_tokens = pattern.tokens.len();
    let (first, last) = (pattern.bytes(0), pattern.bytes(n_tokens - 1));
    let table: Table<'_, B> = Table::new(bits(pattern));
    let (one, all_seen) = (B::from(true), B::from(true) << (n_tokens - 1));
    let mut ends = [0usize; MOST_TOKENS];
    let (mut seen, mut n_seen, mut at) = (B::default(), 0usize, from);
    while let Some(&byte) = text.get(at) {
        let Some((mut bits, end)) = table.token(text, at, byte) else {
            at += tokens::blank_len(text, at);
            continue;
        };
        if tokens::alone(byte) != Some(Class::Punctuation) {
            bits |= bits_of_parts(&text[at..end], first, last, n_tokens);
        }
        seen = (seen << 1 | one) & bits;
        ends[n_seen % MOST_TOKENS] = end;
        if seen & all_seen == all_seen {
            let start = ends[(n_seen + 1 - n_tokens) % MOST_TOKENS] - first.len();
            if emit(start..at + last.len()).is_break() {
                return;
            }
        }
        n_seen += 1;
        at = end;
    }
}

/// For each token of the pattern, where it stands in it.
fn bits<B: Bits>(pattern: &Pattern) -> HashMap<&[u8], B> {
    let mut bits: HashMap<&[u8], B> = HashMap::new();
    for token in 0..pattern.tokens.len() {
        *bits.entry(pattern.bytes(token)).or_default() |= B::from(true) << token;
    }
    bits
}

/// A word of the source may end with the first token of the pattern and start with the last one. As long as
/// either it can only be equal, which the table knows.
#[inline]
fn bits_of_parts<B: Bits>(word: &[u8], first: &[u8], last: &[u8], n_tokens: usize) -> B {
    let ends_with_first = word.len() > first.len() && word.ends_with(first);
    let starts_with_last = word.len() > last.len() && word.starts_with(last);
    B::from(ends_with_first) | B::from(starts_with_last) << (n_tokens - 1)
}
