//! One token in a text that is full of it.
//!
//! Occurrences that overlap by more than half stand one period of the token apart, in runs: in `aaaaaa`, the word
//! `aaa` stands at every letter. In a run, only the last period of each occurrence is new and has to be compared.
//! Where a run ends, the next occurrence is at least half a token away, so that searching anew stays linear.

use std::ops::{ControlFlow, Range};

use memchr::memmem::Finder;

use super::outward::period;

/// Calls `emit` with every place where `token` stands, also inside longer words.
#[inline]
pub(super) fn search(
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
            if !goes_on(text, end, last_period) {
                break;
            }
            end += period;
        }
        at = end - token.len() + period;
    }
}

/// Does the run go on with another period at `end`?
#[inline(always)]
fn goes_on(text: &[u8], end: usize, last_period: &[u8]) -> bool {
    match *last_period {
        [byte] => text.get(end) == Some(&byte),
        _ => text[end..].starts_with(last_period),
    }
}
