//! Searches in lists of ranges that are sorted and do not overlap or touch. Such ranges are called "apart".

use locant_text::Range;

pub(crate) use locant_tree::apart;

/// The part of a range before `end`.
pub(crate) fn before(range: Range, end: usize) -> Range {
    Range::of_indices(range.start().index().min(end)..range.end().index().min(end))
}

/// Whether one of the ranges, which are sorted and apart, contains all of `range`.
pub(crate) fn covers(ranges: &[Range], range: Range) -> bool {
    let next = ranges.partition_point(|other| other.end() <= range.start());
    ranges.get(next).is_some_and(|other| other.covers(range))
}

/// Whether one of the ranges, which are sorted and apart, contains a byte of `range`.
pub(crate) fn overlaps(ranges: &[Range], range: Range) -> bool {
    let next = ranges.partition_point(|other| other.end() <= range.start());
    ranges.get(next).is_some_and(|other| other.start() < range.end())
}
