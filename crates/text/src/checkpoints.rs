//! Units counted beforehand, so that columns far into a long line need not be counted from its start.

use crate::column::Columns;
use crate::{Encoding, Text, units};
use std::ops::Range;

/// How many bytes are between two checkpoints. A line shorter than that is counted faster than looked up.
pub(crate) const STRIDE: usize = 4096;

/// How many units there are before every 4096th byte of a text, in each encoding.
#[derive(Clone)]
pub(crate) struct Checkpoints(
    /// Invariant: entry `k` counts the units of the parts that start before byte `4096 k`. There is an entry for each
    /// `k` for which `4096 k` is a place of the text.
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

    /// How many units there are before a place.
    pub(crate) fn units_before(&self, columns: Columns<'_>, index: usize) -> u64 {
        let checkpoint = index / STRIDE;
        self.0[checkpoint][entry(columns.encoding)] + columns.units(place(columns.text, checkpoint)..index)
    }

    /// The stretch between two checkpoints that has the place `n` units after the start of a range, cut at the end
    /// of the range; and how many units the place is after the start of the stretch.
    pub(crate) fn narrow(&self, columns: Columns<'_>, range: Range<usize>, n: u64) -> (Range<usize>, u64) {
        let wanted = n + self.units_before(columns, range.start);
        let counted = |counts: &[u64; 3]| counts[entry(columns.encoding)];
        let first = range.start / STRIDE;
        let is_up_to = |counts: &[u64; 3]| counted(counts) <= wanted;
        // The first checkpoint is not after the start of the range, so at least one is not after the place.
        let last = first + self.0[first..=range.end / STRIDE].partition_point(is_up_to) - 1;
        let end = place(columns.text, last + 1).min(range.end);
        (place(columns.text, last)..end, wanted - counted(&self.0[last]))
    }
}

/// The first place from a checkpoint on that is not inside a part.
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
