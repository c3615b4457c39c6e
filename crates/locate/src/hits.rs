//! What a find matches in a scope: counted, and the ones that an answer shows kept.

use std::ops::ControlFlow;

use locant_text::{Offset, Range, Text};

use crate::find::{Match, Pattern};
use crate::symbols::Region;

/// How many other places an answer lists.
pub(crate) const MOST_CANDIDATES: usize = 10;

/// How many matches are kept for that: one of them may be the answer itself.
const MOST_KEPT: usize = MOST_CANDIDATES + 1;

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
    /// The one that has as many before it as the index says, if it is none of the first.
    later: Option<(usize, Hit)>,
}

impl Hits {
    /// Searches the regions one after the other and picks the match with this index.
    pub(crate) fn search(text: &Text, regions: &[Region], find: &str, index: usize) -> Hits {
        let pattern = Pattern::new(find);
        let mut hits = Hits::default();
        let regions_of_pattern = if pattern.is_empty() { start_of(regions) } else { regions.to_vec() };
        // Counted apart from what is kept, so that the numbers stay at hand where every byte is a match.
        let (mut n_all, mut n_partial) = (0, 0);
        each(text, &regions_of_pattern, &pattern, |found| {
            n_all += 1;
            n_partial += usize::from(found.partial);
            let n_before = if found.partial { n_partial - 1 } else { n_all - n_partial - 1 };
            if n_before < MOST_KEPT || n_before == index {
                hits.keep(n_before, text, &pattern, found);
            }
            ControlFlow::Continue(())
        });
        (hits.whole.n_all, hits.partial.n_all) = (n_all - n_partial, n_partial);
        hits.picked = hits.kept(index).or_else(|| nth(text, &regions_of_pattern, &pattern, &hits, index));
        hits
    }

    /// Keeps a match that has so many of its sort before it.
    #[cold]
    #[inline(never)]
    fn keep(&mut self, n_before: usize, text: &Text, pattern: &Pattern, found: Match) {
        let kept = if found.partial { &mut self.partial } else { &mut self.whole };
        let hit = Hit::new(text, pattern, found);
        match n_before {
            ..MOST_KEPT => kept.first.push(hit),
            _ => kept.later = Some((n_before, hit)),
        }
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
            None => self.whole.get(index),
            Some(index) => self.partial.get(index),
        }
    }
}

impl Kept {
    fn get(&self, index: usize) -> Option<Hit> {
        let later = self.later.as_ref().filter(|later| later.0 == index);
        self.first.get(index).or(later.map(|later| &later.1)).cloned()
    }
}

impl Hit {
    fn new(text: &Text, pattern: &Pattern, found: Match) -> Hit {
        let place = Offset::of_index(pattern.place(text.bytes(), &found));
        Hit { range: Range::of_indices(found.range), place, partial: found.partial }
    }
}

/// A marker alone is the start of the scope, and matches only there.
fn start_of(regions: &[Region]) -> Vec<Region> {
    let first = regions.first().map(|region| region.range);
    first.map(|range| Region { range, starts: range }).into_iter().collect()
}

/// Searches once more for a match that was counted but not kept: one that cuts a word, when others do not.
fn nth(text: &Text, regions: &[Region], pattern: &Pattern, hits: &Hits, index: usize) -> Option<Hit> {
    if index >= hits.n_all() {
        return None;
    }
    let mut left = index - hits.whole.n_all;
    let mut found = None;
    each(text, regions, pattern, |hit| {
        if hit.partial && left == 0 {
            found = Some(Hit::new(text, pattern, hit));
            return ControlFlow::Break(());
        }
        left -= usize::from(hit.partial);
        ControlFlow::Continue(())
    });
    found
}

/// Calls `sink` with the matches of all regions, in the order in which they are preferred.
fn each(text: &Text, regions: &[Region], pattern: &Pattern, mut sink: impl FnMut(Match) -> ControlFlow<()>) {
    for region in regions {
        let (first, last) = (region.starts.start().index(), region.starts.end().index());
        let mut is_broken_off = false;
        let mut hand_on = |found: Match| {
            let flow = sink(found);
            is_broken_off = flow.is_break();
            flow
        };
        let within = region.range.indices();
        if region.starts == region.range {
            pattern.search(text.bytes(), within, hand_on);
        } else {
            // What starts before the wanted starts is passed over, what starts behind them ends the search.
            pattern.search(text.bytes(), within, |found| match found.range.start {
                start if start < first => ControlFlow::Continue(()),
                start if start >= last => ControlFlow::Break(()),
                _ => hand_on(found),
            });
        }
        if is_broken_off {
            return;
        }
    }
}
