//! One token in a text that is full of it.

use std::ops::{ControlFlow, Range};

use super::outward::borders;

/// Calls `emit` with every place where `token` stands, also inside longer words.
pub(super) fn search(
    token: &[u8],
    text: &[u8],
    from: usize,
    mut emit: impl FnMut(Range<usize>) -> ControlFlow<()>,
) {
    if let [wanted] = *token {
        // Where every other byte is one, looking at each is faster than leaping from one to the next.
        for (at, &byte) in text.iter().enumerate().skip(from) {
            if byte == wanted && emit(at..at + 1).is_break() {
                return;
            }
        }
        return;
    }
    let borders = borders(token);
    let mut seen = 0;
    for (at, &byte) in text.iter().enumerate().skip(from) {
        while seen > 0 && (seen == token.len() || token[seen] != byte) {
            seen = borders[seen - 1];
        }
        if token[seen] == byte {
            seen += 1;
        }
        if seen == token.len() && emit(at + 1 - seen..at + 1).is_break() {
            return;
        }
    }
}
