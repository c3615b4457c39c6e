//! Up to 64 tokens, all compared at once: one bit of a number for each token of the pattern.
//!
//! Bit `n` is set when the last tokens of the source are the first `n + 1` of the pattern. Each token of the
//! source moves all bits up by one and keeps those whose token it is: the Shift-And search of Baeza-Yates and
//! Gonnet.
//!
//! For the pattern `a . b`, the table says `a` = 001, `.` = 010, `b` = 100. Over the source `a . . a . b` the
//! number is 001, 010, 000, 001, 010, 100: the third bit is a match.

use std::ops::{ControlFlow, Range};

use super::pattern::Pattern;
use super::reader::read;
use super::values::{Part, Values};

/// How many tokens a pattern may have.
pub(super) const MOST_TOKENS: usize = 64;

/// Calls `emit` with every place where the tokens of the pattern stand. There are 2 to 64 of them.
#[inline]
pub(super) fn search(
    pattern: &Pattern,
    text: &[u8],
    from: usize,
    mut emit: impl FnMut(Range<usize>) -> ControlFlow<()>,
) {
    let last = pattern.tokens.len() - 1;
    let bits: Vec<(&[u8], u64)> = (0..=last).map(|token| (pattern.bytes(token), 1 << token)).collect();
    let (first_len, last_len) = (bits[0].0.len(), bits[last].0.len());
    let values = Values::new(&bits, Part::end(bits[0].0, bits[0].1), Part::start(bits[last].0, bits[last].1));
    let mut seen = 0;
    let step = |bits| {
        seen = (seen << 1 | 1) & bits;
        seen >> last != 0
    };
    read((text, from), &values, last + 1, step, |ends| {
        emit(ends.first_end - first_len..ends.last_start + last_len)
    });
}
