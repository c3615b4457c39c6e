//! Ranges of a text that are sorted and apart: which of them have a place.

use locant_text::Range;

pub(crate) use locant_tree::apart;

/// A range without what stands after a place.
pub(crate) fn before(range: Range, end: usize) -> Range {
    Range::of_indices(range.start().index().min(end)..range.end().index().min(end))
}

/// Whether one of the ranges, which are sorted and apart, has all of `range`.
pub(crate) fn covers(ranges: &[Range], range: Range) -> bool {
    let next = ranges.partition_point(|other| other.end() <= range.start());
    ranges.get(next).is_some_and(|other| other.covers(range))
}

/// Whether one of the ranges, which are sorted and apart, has a byte of `range`.
pub(crate) fn overlaps(ranges: &[Range], range: Range) -> bool {
    let next = ranges.partition_point(|other| other.end() <= range.start());
    ranges.get(next).is_some_and(|other| other.start() < range.end())
}
