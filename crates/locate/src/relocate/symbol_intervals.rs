//! Finds the innermost symbols around many places.

use locant_text::{Offset, Range};
use locant_tree::{Outline, Symbol, SymbolId};

/// Where the symbols of a text are.
pub(crate) struct SymbolIntervals {
    /// Invariant: sorted by start.
    symbols: Vec<Interval>,
}

struct Interval {
    range: Range,
    /// The highest end of this symbol and all symbols before it in the list. A place after it is in none of them.
    farthest: Offset,
    id: SymbolId,
}

impl SymbolIntervals {
    pub(crate) fn new(outline: Option<&Outline>) -> SymbolIntervals {
        let held = |(id, symbol): (SymbolId, &Symbol)| {
            let range = symbol.extent;
            Interval { range, farthest: range.end(), id }
        };
        let mut symbols: Vec<Interval> = outline.into_iter().flat_map(Outline::iter).map(held).collect();
        symbols.sort_by_key(|symbol| symbol.range.start());
        let mut farthest = Offset::ZERO;
        for symbol in &mut symbols {
            farthest = farthest.max(symbol.farthest);
            symbol.farthest = farthest;
        }
        SymbolIntervals { symbols }
    }

    /// The innermost symbol around a place. This gives the same symbol as [`innermost`](crate::symbols::innermost), but
    /// does not look at all symbols.
    pub(crate) fn innermost(&self, place: Offset) -> Option<SymbolId> {
        let started = &self.symbols[..self.symbols.partition_point(|symbol| symbol.range.start() <= place)];
        let near = started.iter().rev().take_while(|symbol| place <= symbol.farthest);
        let around = near.filter(|symbol| place <= symbol.range.end());
        // A symbol that ends at the place counts only if no other symbol continues after the place.
        let order = |symbol: &&Interval| (symbol.range.end() == place, symbol.range.extent(), symbol.id);
        around.min_by_key(order).map(|symbol| symbol.id)
    }
}

#[cfg(test)]
mod tests {
    use locant_tree::SymbolKind;
    use proptest::prelude::*;

    use super::*;
    use crate::symbols;

    fn symbol(extent: Range) -> Symbol {
        Symbol {
            name: "a".to_owned(),
            kind: SymbolKind::Function,
            name_range: Range::empty(extent.start()),
            extent,
            declaration: extent,
            header: extent,
            docs: None,
            parent: None,
            qualifier: Vec::new(),
            within: None,
        }
    }

    proptest! {
        #[test]
        fn the_innermost_symbol_is_the_one_that_all_are_asked_for(
            extents in prop::collection::vec((0usize..20, 0usize..20), 0..8),
        ) {
            let mut outline = Outline::new(Vec::new());
            for (start, length) in extents {
                outline.push(symbol(Range::of_indices(start..start + length)));
            }
            let intervals = SymbolIntervals::new(Some(&outline));
            for place in (0..45).map(Offset::of_index) {
                prop_assert_eq!(
                    intervals.innermost(place),
                    symbols::innermost(&outline, Range::empty(place)),
                    "at {:?}", place
                );
            }
        }
    }
}
