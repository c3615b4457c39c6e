//! What a find matches in a scope: counted, and the ones that an answer shows kept.

use std::ops::ControlFlow;

use locant_text::{Offset, Range, Text};

use crate::find::{Match, Pattern};
use crate::symbols::Region;

/// How many other places an answer lists.
pub(crate) const MOST_CANDIDATES: usize = 10;

/// The matches of a find. Those that cut no word in two come first.
#[derive(Debug, Default)]
pub(crate) struct Hits {
    /// The one that was asked for.
    pub(crate) picked: Option<Hit>,
    whole: Kept,
    partial: Kept,
}

/// One match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// What matched.
    pub(crate) range: Range,
    /// Where the marker is, or the start.
    pub(crate) place: Offset,
    /// Does it cut a word in two?
    pub(crate) partial: bool,
}

/// The first matches of one sort, and how many there are. A file may have millions: not all are kept.
#[derive(Debug, Default)]
struct Kept {
    n_all: usize,
    first: Vec<Hit>,
}

impl Hits {
    /// Searches the regions one after the other and picks the match with this index.
    pub(crate) fn search(text: &Text, regions: &[Region], find: &str, index: usize) -> Hits {
        let pattern = Pattern::new(find);
        let mut hits = Hits::default();
        if pattern.is_empty() {
            // A marker alone is the start of the scope.
            let start = regions.iter().map(|region| region.range.start()).min();
            let hit = start.map(|place| Hit { range: Range::empty(place), place, partial: false });
            hits.whole.extend(hit);
        } else {
            each(text, regions, &pattern, &mut |hit| {
                if hit.partial {
                    hits.partial.push(hit)
                } else {
                    hits.whole.push(hit)
                }
                ControlFlow::Continue(())
            });
        }
        hits.picked = hits.kept(index).or_else(|| nth(text, regions, &pattern, &hits, index));
        hits
    }

    /// How many matches cut no word in two.
    pub(crate) fn n_whole(&self) -> usize {
        self.whole.n_all
    }

    /// How many matches count: those that cut a word only when there are no others.
    pub(crate) fn n_matches(&self) -> usize {
        match self.whole.n_all {
            0 => self.partial.n_all,
            n_whole => n_whole,
        }
    }

    /// How many matches an index can pick.
    pub(crate) fn n_all(&self) -> usize {
        self.whole.n_all + self.partial.n_all
    }

    /// The first matches that count, but for the picked one.
    pub(crate) fn others(&self) -> impl Iterator<Item = &Hit> {
        let counted = if self.whole.n_all > 0 { &self.whole } else { &self.partial };
        counted.first.iter().filter(|hit| Some(*hit) != self.picked.as_ref())
    }

    fn kept(&self, index: usize) -> Option<Hit> {
        match index.checked_sub(self.whole.n_all) {
            None => self.whole.first.get(index).cloned(),
            Some(index) => self.partial.first.get(index).cloned(),
        }
    }
}

impl Kept {
    fn push(&mut self, hit: Hit) {
        self.n_all += 1;
        if self.first.len() <= MOST_CANDIDATES {
            self.first.push(hit);
        }
    }

    fn extend(&mut self, hits: impl IntoIterator<Item = Hit>) {
        hits.into_iter().for_each(|hit| self.push(hit));
    }
}

/// Searches once more for a match that was counted but not kept.
fn nth(text: &Text, regions: &[Region], pattern: &Pattern, hits: &Hits, index: usize) -> Option<Hit> {
    if index >= hits.n_all() {
        return None;
    }
    let is_partial = index >= hits.whole.n_all;
    let mut left = if is_partial { index - hits.whole.n_all } else { index };
    let mut found = None;
    each(text, regions, pattern, &mut |hit| {
        if hit.partial != is_partial {
            return ControlFlow::Continue(());
        }
        if left == 0 {
            found = Some(hit);
            return ControlFlow::Break(());
        }
        left -= 1;
        ControlFlow::Continue(())
    });
    found
}

/// Calls `sink` with the matches of all regions, in the order in which they are preferred.
pub(crate) fn each(
    text: &Text,
    regions: &[Region],
    pattern: &Pattern,
    sink: &mut dyn FnMut(Hit) -> ControlFlow<()>,
) {
    let source = text.bytes();
    for region in regions {
        let mut is_broken_off = false;
        // What starts before the wanted starts is passed over, what starts behind them ends the search.
        let mut in_region = |found: Match| {
            if found.range.start < region.starts.start().index() {
                return ControlFlow::Continue(());
            }
            if found.range.start >= region.starts.end().index() {
                return ControlFlow::Break(());
            }
            let place = Offset::of_index(pattern.place(source, &found));
            let flow = sink(Hit { range: Range::of_indices(found.range), place, partial: found.partial });
            is_broken_off = flow.is_break();
            flow
        };
        pattern.search(source, region.range.indices(), &mut in_region);
        if is_broken_off {
            return;
        }
    }
}
