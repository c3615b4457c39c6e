//! One token in a text that is full of it.
//!
//! Up to 64 bytes are compared all at once, one bit of a number for each, as [`parallel`](super::parallel) does it
//! with tokens.
//!
//! Occurrences of longer ones that overlap by more than half stand one period of the token apart, in runs: in
//! `aaaaaa`, the word `aaa` stands at every letter. In a run, only the last period of each occurrence is new and has
//! to be compared. Where a run ends, the next occurrence is at least half a token away, so that searching anew stays
//! linear.

use std::ops::{ControlFlow, Range};

use memchr::memmem::Finder;

use super::outward::period;

/// Calls `emit` with every place where `token` stands, also inside longer words.
#[inline]
pub(super) fn search(
    token: &[u8],
    text: &[u8],
    from: usize,
    emit: impl FnMut(Range<usize>) -> ControlFlow<()>,
) {
    match token.len() {
        ..=64 => search_bits(token, text, from, emit),
        _ => search_runs(token, text, from, emit),
    }
}

#[inline]
fn search_bits(
    token: &[u8],
    text: &[u8],
    from: usize,
    mut emit: impl FnMut(Range<usize>) -> ControlFlow<()>,
) {
    let mut bits = [0u64; 256];
    for (at, &byte) in token.iter().enumerate() {
        bits[usize::from(byte)] |= 1 << at;
    }
    let mut seen = 0;
    for (n, block) in text[from..].chunks(64).enumerate() {
        // Which bytes of the block are the last of an occurrence.
        let mut lasts = 0u64;
        for (at, &byte) in block.iter().enumerate() {
            seen = (seen << 1 | 1) & bits[usize::from(byte)];
            lasts |= (seen >> (token.len() - 1)) << at;
        }
        while lasts != 0 {
            let end = from + 64 * n + lasts.trailing_zeros() as usize + 1;
            if emit(end - token.len()..end).is_break() {
                return;
            }
            lasts &= lasts - 1;
        }
    }
}

#[inline]
fn search_runs(
    token: &[u8],
    text: &[u8],
    from: usize,
    mut emit: impl FnMut(Range<usize>) -> ControlFlow<()>,
) {
    let period = period(token);
    let last_period = &token[token.len() - period..];
    let finder = Finder::new(token);
    let mut at = from;
    while let Some(found) = finder.find(&text[at..]) {
        let mut end = at + found + token.len();
        loop {
            if emit(end - token.len()..end).is_break() {
                return;
            }
            if !text[end..].starts_with(last_period) {
                break;
            }
            end += period;
        }
        at = end - token.len() + period;
    }
}
