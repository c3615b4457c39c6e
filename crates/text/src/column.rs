//! Conversion between byte offsets and columns.
//!
//! In ASCII, a column is the difference of two offsets. The line index knows which stretches of a text are ASCII. Only
//! the other stretches are read, and at most a few kilobytes of them.

use crate::checkpoints::STRIDE;
use crate::{Encoding, Offset, Position, Text, units};
use std::ops::Range;

impl Text {
    /// Whether a place is a position: between two characters, not inside a byte-order mark, and not between `\r` and
    /// `\n`.
    pub fn is_boundary(&self, offset: Offset) -> bool {
        let index = offset.index();
        let is_inside_character =
            || self.lines().is_near_non_ascii(index) && !units::is_part_start(self.bytes(), index);
        self.range().touches(offset) && !self.is_between_cr_and_lf(index) && !is_inside_character()
    }

    /// The line and character of a place. `None` if the place is not a position.
    ///
    /// Also `None` if the character number does not fit in `u32`. In UTF-8, each part that is not UTF-8 counts as
    /// three units, so a line with more than a gigabyte of such parts can exceed `u32`.
    pub fn position(&self, offset: Offset, encoding: Encoding) -> Option<Position> {
        if !self.is_boundary(offset) {
            return None;
        }
        let start = self.lines().start_of_line_at(offset.index());
        let units = Columns { text: self, encoding }.units_in_line(start..offset.index());
        let line = self.lines().line_at(offset.index()) + 1;
        Some(Position { line, character: u32::try_from(units + 1).ok()? })
    }

    /// The place of a line and character. `None` if there is no such line, if the line has no such character, or if
    /// the place is inside a character. The last position of a line is right before its line break.
    pub fn offset(&self, position: Position, encoding: Encoding) -> Option<Offset> {
        let start = self.lines().start_of_line(position.line.checked_sub(1)?)?;
        let end = self.lines().next_break(start).unwrap_or(self.bytes().len());
        let n = position.character.checked_sub(1)?.into();
        let index = Columns { text: self, encoding }.after_units_in_line(start..end, n)?;
        // For a line that ends with `\r\n`, `end` is between the two, so the `\r` was counted as a character of the
        // line. The place after it is ruled out only here, so that the bytes are read only if necessary.
        (!self.is_between_cr_and_lf(index)).then(|| Offset::of_index(index))
    }

    /// Whether a place is between `\r` and `\n`. This checks the line index first: unlike the bytes, it is probably in
    /// the cache.
    fn is_between_cr_and_lf(&self, index: usize) -> bool {
        self.lines().is_break(index) && self.bytes()[..=index].ends_with(b"\r\n")
    }
}

/// A text, and the encoding in which to count its characters.
///
/// Places are byte indices, and all ranges start and end between two parts. [`units`] explains what a part is.
#[derive(Clone, Copy)]
pub(crate) struct Columns<'text> {
    pub(crate) text: &'text Text,
    pub(crate) encoding: Encoding,
}

impl Columns<'_> {
    /// How many units a range has.
    pub(crate) fn units(self, range: Range<usize>) -> u64 {
        let mut units = range.len() as u64;
        for run in self.text.lines().non_ascii_runs(range) {
            units = units - run.len() as u64 + self.units_of_run(run);
        }
        units
    }

    /// How many units a range has. A long range is counted with the help of checkpoints.
    fn units_in_line(self, range: Range<usize>) -> u64 {
        if range.len() < STRIDE {
            return self.units(range);
        }
        let checkpoints = self.text.checkpoints();
        checkpoints.units_before(self, range.end) - checkpoints.units_before(self, range.start)
    }

    /// The place in a range that is `n` units after its start. In a long range it is found with the help of
    /// checkpoints.
    fn after_units_in_line(self, range: Range<usize>, n: u64) -> Option<usize> {
        if range.len() < STRIDE {
            return self.after_units(range, n);
        }
        let (range, n) = self.text.checkpoints().narrow(self, range, n);
        self.after_units(range, n)
    }

    /// The place in a range that is `n` units after its start.
    fn after_units(self, range: Range<usize>, n: u64) -> Option<usize> {
        let (mut at, mut n) = (range.start, n);
        for run in self.text.lines().non_ascii_runs(range.clone()) {
            let ascii = (run.start - at) as u64;
            if n < ascii {
                break;
            }
            match self.after_units_of_run(run.clone(), n - ascii) {
                Ok(found) => return found,
                Err(rest) => (at, n) = (run.end, rest),
            }
        }
        let is_inside = n <= (range.end - at) as u64;
        is_inside.then(|| at + usize::try_from(n).expect("a place in a text is an index"))
    }

    /// The place in a run that is `n` units after its start. `Err` if the run has no more than `n` units: then it
    /// holds how many of the `n` units lie after the end of the run.
    fn after_units_of_run(self, run: Range<usize>, n: u64) -> Result<Option<usize>, u64> {
        let bytes = self.text.bytes();
        let (mut at, mut n) = (run.start, n);
        while at < run.end {
            let piece = at..units::part_start_from(bytes, run.end.min(at + 64));
            let units = self.units_of_run(piece.clone());
            if n < units {
                return Ok(units::after(&bytes[piece], n, self.encoding).map(|len| at + len));
            }
            (at, n) = (piece.end, n - units);
        }
        Err(n)
    }

    fn units_of_run(self, run: Range<usize>) -> u64 {
        let is_valid = self.text.first_bad().is_none_or(|first_bad| run.end <= first_bad.index());
        let bytes = &self.text.bytes()[run];
        if is_valid { units::count_valid(bytes, self.encoding) } else { units::count(bytes, self.encoding) }
    }
}
