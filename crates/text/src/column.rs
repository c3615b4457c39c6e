//! Between bytes and columns.
//!
//! Where a text is ASCII a column is a difference of two offsets, and the line index knows where that is. Only
//! the other stretches are read.

use crate::{Encoding, Offset, Position, Text, units};
use std::ops::Range;

impl Text {
    /// Is this place a position: a boundary of characters outside a byte-order mark, and not between `\r` and
    /// `\n`?
    pub fn is_boundary(&self, offset: Offset) -> bool {
        self.range().touches(offset)
            && !self.is_between_cr_and_lf(offset.index())
            && (!self.lines().is_near_non_ascii(offset.index())
                || units::is_part_start(self.bytes(), offset.index()))
    }

    /// A place as line and character; `None` if it is no position.
    ///
    /// (Also where the number of the character exceeds `u32`, which takes more than a gigabyte of bytes that are
    /// not UTF-8 in one line, as each counts three units of UTF-8.)
    pub fn position(&self, offset: Offset, encoding: Encoding) -> Option<Position> {
        if !self.is_boundary(offset) {
            return None;
        }
        let start = self.lines().start_of_line_at(offset.index());
        let units = self.units(start..offset.index(), encoding);
        let line = self.lines().line_at(offset.index()) + 1;
        Some(Position { line, character: u32::try_from(units + 1).ok()? })
    }

    /// The place of a line and character; `None` if there is no such line, if it has no such character, or if
    /// that is inside another one. The last position of a line is right before its line break.
    pub fn offset(&self, position: Position, encoding: Encoding) -> Option<Offset> {
        let start = self.line_start(position.line)?.index();
        let content = start..self.content_end(start);
        let index = self.after_units(content, position.character.checked_sub(1)?.into(), encoding)?;
        Some(Offset::of_index(index))
    }

    /// The line index is asked first: it is at hand, while the bytes are usually far away.
    fn is_between_cr_and_lf(&self, index: usize) -> bool {
        self.lines().is_break(index) && self.bytes()[..=index].ends_with(b"\r\n")
    }

    /// How many units a range counts that starts and ends at positions of one line.
    fn units(&self, range: Range<usize>, encoding: Encoding) -> u64 {
        let mut units = range.len() as u64;
        for run in self.lines().non_ascii_runs(range) {
            units = units - run.len() as u64 + self.units_of_run(run, encoding);
        }
        units
    }

    fn units_of_run(&self, run: Range<usize>, encoding: Encoding) -> u64 {
        let is_valid = self.first_bad().is_none_or(|first_bad| run.end <= first_bad.index());
        match is_valid {
            true => units::count_valid(&self.bytes()[run], encoding),
            false => units::count(&self.bytes()[run], encoding),
        }
    }

    /// The place in `content` that has `n` units before it.
    fn after_units(&self, content: Range<usize>, n: u64, encoding: Encoding) -> Option<usize> {
        let (mut at, mut n) = (content.start, n);
        for run in self.lines().non_ascii_runs(content.clone()) {
            let ascii = (run.start - at) as u64;
            if n < ascii {
                break;
            }
            n -= ascii;
            let units = self.units_of_run(run.clone(), encoding);
            if n < units {
                return self.after_units_of_run(run, n, encoding);
            }
            (at, n) = (run.end, n - units);
        }
        (n <= (content.end - at) as u64).then_some(())?;
        Some(at + usize::try_from(n).expect("a place in a text is an index"))
    }

    /// The place in `run` that has `n` units before it; there are more units than `n` in it.
    fn after_units_of_run(&self, run: Range<usize>, n: u64, encoding: Encoding) -> Option<usize> {
        let (mut at, mut n) = (run.start, n);
        while n > 0 {
            let part = units::first_part(&self.bytes()[at..run.end]);
            n = n.checked_sub(part.units(encoding))?;
            at += part.len;
        }
        Some(at)
    }
}
