//! Finds the part of a location's scope that still exists in the new text.

use locant_text::{Range, Text};
use locant_tree::Outline;

use crate::location::Segment;
use crate::symbols::{self, Group, Named};

/// Where the symbols of a path are in the new text.
#[derive(Default)]
pub(crate) struct SurvivingScope {
    /// The extents of the symbols that the path leads to. For the empty path, the extents of all symbols. Invariant:
    /// sorted, without overlaps.
    pub(crate) ranges: Vec<Range>,
    /// How many names of the path, from the first on, still lead to a symbol.
    pub(crate) n_there: usize,
}

impl SurvivingScope {
    pub(crate) fn of(text: &Text, outline: &Outline, path: &[Segment]) -> SurvivingScope {
        if path.is_empty() {
            let extents = outline.symbols().iter().map(|symbol| symbol.extent).collect();
            return SurvivingScope { ranges: apart(extents), n_there: 0 };
        }
        let groups: Vec<Group> = match symbols::named(text, outline, path) {
            Named::Nothing => {
                let is_there =
                    |n: &usize| !matches!(symbols::named(text, outline, &path[..*n]), Named::Nothing);
                let n_there = (1..path.len()).rev().find(is_there).unwrap_or(0);
                return SurvivingScope { ranges: Vec::new(), n_there };
            }
            Named::One(group) | Named::Unread(group) | Named::Others(group) => vec![group],
            Named::Several(groups) => groups,
        };
        let regions = groups.iter().flat_map(|group| symbols::regions(outline, group));
        SurvivingScope { ranges: apart(regions.map(|region| region.range).collect()), n_there: path.len() }
    }
}

/// The ranges, sorted, with overlapping ranges joined.
fn apart(mut ranges: Vec<Range>) -> Vec<Range> {
    ranges.sort_unstable_by_key(|range| (range.start(), range.end()));
    let mut apart: Vec<Range> = Vec::new();
    for range in ranges {
        match apart.last_mut() {
            Some(last) if range.start() <= last.end() => {
                *last = Range::new(last.start(), last.end().max(range.end()));
            }
            _ => apart.push(range),
        }
    }
    apart
}
