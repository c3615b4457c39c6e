//! Up to 58 tokens, all compared at once: one bit of a number for each token of the pattern.
//!
//! Bit `n` is set when the last tokens of the source are the first `n + 1` of the pattern. Each token of the
//! source moves all bits up by one and keeps those whose token it is: the Shift-And search of Baeza-Yates and
//! Gonnet.
//!
//! For the pattern `a . b`, the table says `a` = 001, `.` = 010, `b` = 100. Over the source `a . . a . b` the
//! number is 001, 010, 000, 001, 010, 100: the third bit is a match.

use std::ops::Range;

use super::pattern::Pattern;
use super::reader::read;
use super::sink::Sink;
use super::values::{FLAGS, Part, Values};

/// How many tokens a pattern may have: a value has so many bits that are no flags.
pub(super) const MOST_TOKENS: usize = FLAGS.trailing_zeros() as usize;

/// Gives `sink` every place where the tokens of the pattern stand. There are 2 to 58 of them.
pub(super) fn search(pattern: &Pattern, source: &[u8], region: &Range<usize>, sink: &mut impl Sink) {
    let last = pattern.tokens.len() - 1;
    let bits: Vec<(&[u8], u64)> = (0..=last).map(|token| (pattern.bytes(token), 1 << token)).collect();
    let values = Values::new(&bits, Part::end(bits[0].0, bits[0].1), Part::start(bits[last].0, bits[last].1));
    let mut seen = 0;
    let step = |bits| {
        seen = (seen << 1 | 1) & bits;
        seen >> last & 1 != 0
    };
    read((source, region), (pattern, &values), 0, step, sink);
}
