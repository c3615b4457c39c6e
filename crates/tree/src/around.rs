//! Finds the symbols of an outline that are around a place, without looking at every symbol.

use std::sync::OnceLock;

use locant_text::Range;

use crate::outline::{Symbol, SymbolId};

/// The symbols of an outline ordered by where they start. Computed on first use from the symbols alone, so it is
/// ignored when outlines are compared, and a clone starts empty.
#[derive(Debug, Default)]
pub(crate) struct Around(OnceLock<Vec<Held>>);

/// One entry of the order.
#[derive(Debug)]
struct Held {
    extent: Range,
    id: SymbolId,
    /// The index of the last earlier entry whose extent reaches the start of this one.
    ///
    /// Invariant: following these links visits every earlier entry whose extent reaches the start of this one.
    outer: Option<usize>,
}

impl Around {
    /// The symbols whose extents cover a range, the latest start first.
    pub(crate) fn covering(
        &self,
        symbols: &[Symbol],
        ids: impl Iterator<Item = SymbolId>,
        range: Range,
    ) -> impl Iterator<Item = SymbolId> {
        let held = self.0.get_or_init(|| in_order(symbols, ids));
        let n_started = held.partition_point(|held| held.extent.start() <= range.start());
        let last = n_started.checked_sub(1);
        let outward = std::iter::successors(last.map(|at| &held[at]), |inner| Some(&held[inner.outer?]));
        outward.filter(move |held| held.extent.covers(range)).map(|held| held.id)
    }
}

fn in_order(symbols: &[Symbol], ids: impl Iterator<Item = SymbolId>) -> Vec<Held> {
    let held = |(symbol, id): (&Symbol, SymbolId)| Held { extent: symbol.extent, id, outer: None };
    let mut order: Vec<Held> = symbols.iter().zip(ids).map(held).collect();
    order.sort_by_key(|held| held.extent.start());
    let mut outer: Option<usize> = None;
    for at in 0..order.len() {
        let start = order[at].extent.start();
        while let Some(ended) = outer.filter(|&outer| order[outer].extent.end() < start) {
            outer = order[ended].outer;
        }
        order[at].outer = outer;
        outer = Some(at);
    }
    order
}

impl Clone for Around {
    fn clone(&self) -> Around {
        Around::default()
    }
}

impl PartialEq for Around {
    fn eq(&self, _: &Around) -> bool {
        true
    }
}

impl Eq for Around {}
