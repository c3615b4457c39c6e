//! Unit counts at fixed intervals, so that a column far into a long line need not be counted from the start of the
//! line.

use crate::column::Columns;
use crate::{Encoding, Text, units};
use std::ops::Range;

/// How many bytes there are between two checkpoints. Counting is faster than a lookup in any line shorter than this.
pub(crate) const STRIDE: usize = 4096;

/// How many units there are before every 4096th byte of a text, in each encoding.
#[derive(Clone)]
pub(crate) struct Checkpoints(
    /// Invariant: entry `k` counts the units of the parts that start before byte `4096 k`, in each encoding. There is
    /// an entry for each `k` from 0 on for which the text has at least `4096 k` bytes.
    Vec<[u64; 3]>,
);

impl Checkpoints {
    pub(crate) fn new(text: &Text) -> Checkpoints {
        let mut counts = [0; 3];
        let count = |checkpoint| {
            let before = counts;
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                let range = place(text, checkpoint)..place(text, checkpoint + 1);
                counts[entry(encoding)] += Columns { text, encoding }.units(range);
            }
            before
        };
        Checkpoints((0..=text.bytes().len() / STRIDE).map(count).collect())
    }

    /// How many units there are between the start of the text and a place.
    pub(crate) fn units_before(&self, columns: Columns<'_>, index: usize) -> u64 {
        let checkpoint = index / STRIDE;
        self.0[checkpoint][entry(columns.encoding)] + columns.units(place(columns.text, checkpoint)..index)
    }

    /// Finds the stretch between two checkpoints that contains the place `n` units after the start of `range`. Returns
    /// that stretch, cut off at the end of `range`, and how many units after its start the place is.
    pub(crate) fn narrow(&self, columns: Columns<'_>, range: Range<usize>, n: u64) -> (Range<usize>, u64) {
        let wanted = n + self.units_before(columns, range.start);
        let counted = |counts: &[u64; 3]| counts[entry(columns.encoding)];
        let first = range.start / STRIDE;
        let is_up_to = |counts: &[u64; 3]| counted(counts) <= wanted;
        // The first checkpoint is at or before the start of the range, so `partition_point` is at least 1.
        let last = first + self.0[first..=range.end / STRIDE].partition_point(is_up_to) - 1;
        let end = place(columns.text, last + 1).min(range.end);
        (place(columns.text, last)..end, wanted - counted(&self.0[last]))
    }
}

/// The first place at or after a checkpoint that is not inside a part.
fn place(text: &Text, checkpoint: usize) -> usize {
    units::part_start_from(text.bytes(), checkpoint * STRIDE)
}

fn entry(encoding: Encoding) -> usize {
    match encoding {
        Encoding::Utf8 => 0,
        Encoding::Utf16 => 1,
        Encoding::Utf32 => 2,
    }
}
