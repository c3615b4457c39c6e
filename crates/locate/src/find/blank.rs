//! A pattern of blanks alone: every run of them matches once.

use std::ops::Range;

use super::pattern::{Edge, Match, Pattern};
use super::sink::Sink;
use crate::tokens::{self, Class};

/// Calls `sink` with every run of blanks: in a line, or across lines when the pattern has a line end.
pub(super) fn search(pattern: &Pattern, source: &[u8], region: Range<usize>, sink: &mut impl Sink) {
    let crosses_lines = matches!(pattern.trail, Edge::Mandatory { crosses_lines: true });
    let run_end = if crosses_lines { tokens::blanks_after } else { tokens::blanks_after_on_line };
    let text = &source[..region.end];
    let mut at = region.start;
    while let Some((class, len)) = tokens::class_at(text, at) {
        let end = if class == Class::Blank { run_end(text, at) } else { at };
        if end > at && sink.take(Match { range: at..end, partial: false }).is_break() {
            return;
        }
        at = end.max(at + len);
    }
}
