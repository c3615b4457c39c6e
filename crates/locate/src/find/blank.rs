//! Searches for a pattern that consists only of blanks. Every run of blanks in the source is one match.

use std::ops::Range;

use super::blocks::{Blocks, take_lowest};
use super::pattern::{Edge, Match, Pattern};
use super::sink::Sink;
use crate::tokens;

/// Gives `sink` every run of blanks. A run ends with its line, unless the pattern itself has a line end.
pub(super) fn search(pattern: &Pattern, source: &[u8], region: &Range<usize>, sink: &mut impl Sink) {
    let crosses_lines = matches!(pattern.trail, Edge::Mandatory { crosses_lines: true });
    let run_end = if crosses_lines { tokens::blanks_after } else { tokens::blanks_after_on_line };
    let text = &source[..region.end];
    let mut blocks = Blocks::new(source, region);
    let mut blank_before = 0;
    while blocks.base() < region.end {
        let kinds = blocks.kinds();
        let blanks = blocks.blanks(&kinds, crosses_lines);
        let mut starts = blanks & !(blanks << 1 | blank_before);
        if !sink.count(starts.count_ones() as usize, 0) {
            while starts != 0 {
                let start = blocks.base() + take_lowest(&mut starts);
                let found = Match { range: start..run_end(text, start), partial: false };
                if sink.take(found).is_break() {
                    return;
                }
            }
        }
        blank_before = blanks >> 63;
        blocks.advance(&kinds);
    }
}
