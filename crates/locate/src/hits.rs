//! The matches of a find in a scope. All matches are counted, but only those that an answer shows are kept.

use std::ops::ControlFlow;

use locant_text::{Offset, Range, Text};

use crate::find::{Match, Pattern, Sink};
use crate::symbols::Region;

/// How many other places an answer lists.
pub(crate) const MOST_CANDIDATES: usize = 10;

/// How many matches are kept. It is one more than an answer lists, because one of the kept matches may be the answer
/// itself.
const MOST_KEPT: usize = MOST_CANDIDATES + 1;

/// The matches of a find. Whole matches come first, then partial ones, which start or end inside a word.
#[derive(Debug, Default)]
pub(crate) struct Hits {
    /// The match with the wanted index, if there are that many.
    pub(crate) picked: Option<Hit>,
    whole: Kept,
    partial: Kept,
}

/// One match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// The range that matched.
    pub(crate) range: Range,
    /// Where the marker is; without a marker, the start of the match.
    pub(crate) place: Offset,
    /// Whether the match starts or ends inside a word.
    pub(crate) partial: bool,
}

/// The first whole or partial matches, and the number of all. A file may have millions of matches, so not all are kept.
#[derive(Debug, Default)]
struct Kept {
    n_all: usize,
    first: Vec<Hit>,
    /// The wanted index and the match that has it, if it is not in `first`.
    later: Option<(usize, Hit)>,
}

impl Hits {
    /// Searches the regions in order and picks the match with this index.
    pub(crate) fn search(text: &Text, regions: &[Region], find: &str, index: usize) -> Hits {
        let pattern = Pattern::new(find);
        let regions = if pattern.is_empty() { start_of(regions) } else { regions.to_vec() };
        let mut counter = Counter { text, pattern: &pattern, index, hits: Hits::default() };
        each(text, &regions, &pattern, &mut counter);
        let mut hits = counter.hits;
        hits.picked = hits.kept(index).or_else(|| nth(text, &regions, &pattern, &hits, index));
        hits
    }

    /// How many whole matches there are.
    pub(crate) fn n_whole(&self) -> usize {
        self.whole.n_all
    }

    /// How many matches count. Partial matches count only if there are no whole ones.
    pub(crate) fn n_matches(&self) -> usize {
        match self.whole.n_all {
            0 => self.partial.n_all,
            n_whole => n_whole,
        }
    }

    /// How many matches there are, whole and partial. An index can pick any of them.
    pub(crate) fn n_all(&self) -> usize {
        self.whole.n_all + self.partial.n_all
    }

    /// The first matches that count, except for the picked one.
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

/// Counts the matches, and keeps the first ones and the one with the wanted index.
struct Counter<'c> {
    text: &'c Text,
    pattern: &'c Pattern,
    index: usize,
    hits: Hits,
}

impl Sink for Counter<'_> {
    #[inline(always)]
    fn take(&mut self, found: Match) -> ControlFlow<()> {
        let kept = if found.partial { &mut self.hits.partial } else { &mut self.hits.whole };
        kept.n_all += 1;
        if kept.wants(1, self.index) {
            kept.keep(Hit::new(self.text, self.pattern, found));
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn count(&mut self, n_whole: usize, n_partial: usize) -> bool {
        let Hits { whole, partial, .. } = &mut self.hits;
        whole.n_all += n_whole;
        partial.n_all += n_partial;
        let is_wanted = whole.wants(n_whole, self.index) || partial.wants(n_partial, self.index);
        if is_wanted {
            whole.n_all -= n_whole;
            partial.n_all -= n_partial;
        }
        !is_wanted
    }
}

impl Kept {
    /// Whether one of the last `n` matches, which have been counted already, is to be kept.
    #[inline(always)]
    fn wants(&self, n: usize, index: usize) -> bool {
        let before = self.n_all - n;
        n > 0 && (before < MOST_KEPT || (before <= index && index < self.n_all))
    }

    /// Keeps the match that was counted last.
    #[cold]
    #[inline(never)]
    fn keep(&mut self, hit: Hit) {
        match self.n_all - 1 {
            ..MOST_KEPT => self.first.push(hit),
            n_before => self.later = Some((n_before, hit)),
        }
    }

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

/// The region for a find that is only a marker. It matches once, at the start of the first region.
fn start_of(regions: &[Region]) -> Vec<Region> {
    let first = regions.first().map(|region| region.range);
    first.map(|range| Region { range, starts: range }).into_iter().collect()
}

/// Searches again for a partial match that was counted but not kept. Partial matches are numbered after all whole ones,
/// so its index was not known during the first search.
fn nth(text: &Text, regions: &[Region], pattern: &Pattern, hits: &Hits, index: usize) -> Option<Hit> {
    if index >= hits.n_all() {
        return None;
    }
    let mut left = index - hits.whole.n_all;
    let mut found = None;
    each(text, regions, pattern, &mut |hit: Match| {
        if hit.partial && left == 0 {
            found = Some(Hit::new(text, pattern, hit));
            return ControlFlow::Break(());
        }
        left -= usize::from(hit.partial);
        ControlFlow::Continue(())
    });
    found
}

/// Passes the matches of all regions to `sink`, in the order of the regions.
fn each(text: &Text, regions: &[Region], pattern: &Pattern, sink: &mut impl Sink) {
    for region in regions {
        locant_stop::check();
        let mut within = Within { starts: region.starts, is_broken_off: false, sink };
        let (bytes, range) = (text.bytes(), region.range.indices());
        if region.starts == region.range {
            pattern.search(bytes, range, &mut within);
        } else {
            pattern.search(bytes, range, &mut |found: Match| within.take_within(found));
        }
        if within.is_broken_off {
            return;
        }
    }
}

/// Passes on the matches of one region.
struct Within<'s, S> {
    /// Where the matches may start.
    starts: Range,
    is_broken_off: bool,
    sink: &'s mut S,
}

impl<S: Sink> Within<'_, S> {
    /// Skips matches that start before `starts`, and ends the search at a match that starts after it.
    fn take_within(&mut self, found: Match) -> ControlFlow<()> {
        match found.range.start {
            start if start < self.starts.start().index() => ControlFlow::Continue(()),
            start if start >= self.starts.end().index() => ControlFlow::Break(()),
            _ => self.take(found),
        }
    }
}

impl<S: Sink> Sink for Within<'_, S> {
    #[inline(always)]
    fn take(&mut self, found: Match) -> ControlFlow<()> {
        let flow = self.sink.take(found);
        self.is_broken_off = flow.is_break();
        flow
    }

    #[inline(always)]
    fn count(&mut self, n_whole: usize, n_partial: usize) -> bool {
        self.sink.count(n_whole, n_partial)
    }
}
