//! Ranges of a text that are sorted and apart: which of them have a place.

use locant_text::Range;

/// The same ranges, sorted, with those that overlap or touch made one.
pub(crate) fn apart(mut ranges: Vec<Range>) -> Vec<Range> {
    ranges.sort_by_key(|range| range.start());
    let mut apart: Vec<Range> = Vec::new();
    for range in ranges {
        match apart.last_mut() {
            Some(last) if last.touches(range.start()) => *last = last.cover(range),
            _ => apart.push(range),
        }
    }
    apart
}

/// Does one of the ranges, which are sorted and apart, have all of `range`?
pub(crate) fn covers(ranges: &[Range], range: Range) -> bool {
    let next = ranges.partition_point(|other| other.end() <= range.start());
    ranges.get(next).is_some_and(|other| other.covers(range))
}

/// Does one of the ranges, which are sorted and apart, have a byte of `range`?
pub(crate) fn overlaps(ranges: &[Range], range: Range) -> bool {
    let next = ranges.partition_point(|other| other.end() <= range.start());
    ranges.get(next).is_some_and(|other| other.start() < range.end())
}
