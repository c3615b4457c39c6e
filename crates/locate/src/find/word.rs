//! One word that overlaps itself, such as `aaaa`, in a text that is full of it.

use std::ops::{ControlFlow, Range};

use super::outward::borders;

/// Calls `emit` with every place where `word` stands, also inside longer words.
pub(super) fn search(
    word: &[u8],
    text: &[u8],
    from: usize,
    emit: &mut dyn FnMut(Range<usize>) -> ControlFlow<()>,
) {
    let borders = borders(word);
    let mut seen = 0;
    for (at, &byte) in text.iter().enumerate().skip(from) {
        while seen > 0 && (seen == word.len() || word[seen] != byte) {
            seen = borders[seen - 1];
        }
        if word[seen] == byte {
            seen += 1;
        }
        if seen == word.len() && emit(at + 1 - seen..at + 1).is_break() {
            return;
        }
    }
}
