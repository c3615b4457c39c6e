//! Compares the lines of a text, and the number of twins, with a check.

use std::sync::Arc;

use locant_text::Text;
use locant_tree::Symbol;

use crate::check::{Check, MOST_TWINS};
use crate::lines::{Digest, Lines};
use crate::stopping::check_at;

/// The lines of a text, compared with a check.
pub(crate) struct CheckedLines {
    pub(crate) lines: Arc<Lines>,
    check: Check,
    /// The lines whose neighbours agree with the check although the line itself does not.
    pub(crate) gaps: Vec<usize>,
    /// Whether the two neighbours of the check are somewhere directly next to each other.
    pub(crate) is_closed_up: bool,
    /// How many lines agree with at least two of the three lines of the check.
    n_alike: usize,
}

impl CheckedLines {
    pub(crate) fn new(lines: Arc<Lines>, check: Check) -> CheckedLines {
        let is_gap = |line: &usize| {
            check_at(*line);
            check.same(Check::of_line(&lines, *line)) == [false, true, true]
        };
        let gaps = (0..lines.len()).filter(is_gap).collect();
        let is_closed_up = (1..lines.len()).any(|line| check.is_closed_up(&lines, line));
        let n_alike = check.n_alike(&lines);
        CheckedLines { gaps, is_closed_up, n_alike, lines, check }
    }

    /// Whether a line, the line above and the line below agree with the check.
    pub(crate) fn same(&self, line: usize) -> [bool; 3] {
        self.check.same(Check::of_line(&self.lines, line))
    }

    /// Whether a line and its neighbours agree with the check. Only neighbours in the body of `symbol` are compared,
    /// and there must be at least one. Where the lines now have the name of the symbol, the check may have been written
    /// for lines with `old_name`.
    pub(crate) fn is_whole(&self, text: &Text, line: usize, symbol: &Symbol, old_name: &str) -> bool {
        let held = self.lines.within(symbol.extent);
        let name = self.lines.of_offset(symbol.name_range.start()).unwrap_or(held.start);
        let body = name + 1..held.end;
        let renamed = |line: usize| {
            let content = text.slice(self.lines.range(line));
            Digest::of_line_with(content, symbol.name.as_bytes(), old_name.as_bytes())
        };
        let [is_same, above, below] = self.same(line);
        let is_inner = |line: Option<usize>| line.filter(|line| body.contains(line));
        let (upper, lower) = (is_inner(line.checked_sub(1)), is_inner(Some(line + 1)));
        (upper.is_some() || lower.is_some())
            && (is_same || self.check.has_line(renamed(line)))
            && upper.is_none_or(|line| above || self.check.has_above(renamed(line)))
            && lower.is_none_or(|line| below || self.check.has_below(renamed(line)))
    }

    /// Whether fewer places match the words of the location than when the check was written. `n_now` is their number
    /// now.
    pub(crate) fn has_lost_words(&self, n_now: usize) -> bool {
        self.check.twins().is_some_and(|twins| n_now <= twins.words as usize)
    }

    /// Whether fewer lines agree with two of the three lines of the check than when it was written.
    pub(crate) fn has_lost_lines(&self) -> bool {
        self.check.twins().is_some_and(|twins| self.n_alike <= twins.lines as usize)
    }

    /// Whether more places match the words, or more lines agree with the check, than when it was written. `None` if
    /// there were too many of both to count.
    pub(crate) fn has_gained(&self, n_words: usize) -> Option<bool> {
        let twins = self.check.twins()?;
        let gained =
            |n_twins: u32, n_now: usize| (n_twins < MOST_TWINS).then_some(n_now > n_twins as usize + 1);
        match (gained(twins.words, n_words), gained(twins.lines, self.n_alike)) {
            (None, None) => None,
            (words, lines) => Some(words == Some(true) || lines == Some(true)),
        }
    }
}
