//! The symbols of texts of other languages, as members of the text around them.

use locant_text::Range;
use locant_tree::{Outline, Symbol};

use crate::bytes::{BYTE_ORDER_MARK, line_start};
use crate::embed::Embed;
use crate::item::Item;

/// The symbols of an inner text.
pub(crate) struct Embedded {
    /// Their ranges are those in the text around.
    pub(crate) symbols: Vec<Symbol>,
    /// The item that those without a parent belong to; it may be a scope.
    pub(crate) owner: Option<usize>,
    /// Where the parser stumbled over a text that is a part of the file, rather than a quotation.
    pub(crate) damage: Vec<Range>,
}

/// How many texts may be nested in each other. People do not go further; made up texts do.
pub(crate) const MAX_DEPTH: usize = 3;

/// Farther from the start of its line, an inner text counts as a line of its own.
const MAX_COLUMN: usize = 200;

impl Embed {
    /// Its symbols, the items around it being in the order of their starts.
    pub(crate) fn read(&self, text: &[u8], items: &[Item], depth: usize) -> Embedded {
        let (inner, start) = self.inner(text);
        let outline = self.language.outline_within(&inner, depth);
        Embedded {
            owner: if self.is_at_top { None } else { innermost(items, self.range) },
            damage: if self.is_at_top { moved_ranges(&outline.damage, start) } else { Vec::new() },
            symbols: if self.is_whole && outline.is_damaged { Vec::new() } else { moved(&outline, start) },
        }
    }

    /// The inner text and where it starts. It starts with its line, and what is no part of it is blank, so that
    /// all its lines are indented as in the text around.
    fn inner(&self, text: &[u8]) -> (Vec<u8>, usize) {
        let content = self.range.start().index();
        let near = content.saturating_sub(MAX_COLUMN);
        let start = match line_start(&text[near..], content - near) {
            0 if near > 0 => content,
            0 if text[..content] == *BYTE_ORDER_MARK => content,
            column => near + column,
        };
        let mut inner = text[start..self.range.end().index()].to_vec();
        inner[..content - start].fill(b' ');
        for hole in &self.holes {
            inner[hole.start().index() - start..hole.end().index() - start].fill(b' ');
        }
        (inner, start)
    }
}

/// The smallest item around a range. The items are in an order in which parents stand before what they hold.
fn innermost(items: &[Item], range: Range) -> Option<usize> {
    let n_before = items.partition_point(|item| item.range.start() <= range.start());
    let mut around = std::iter::successors(n_before.checked_sub(1), |&item| items[item].parent);
    // A text that nothing closes runs on over blanks that follow the item.
    around.find(|&item| items[item].range.contains(range.start()))
}

fn moved_ranges(ranges: &[Range], start: usize) -> Vec<Range> {
    ranges.iter().map(|range| moved_range(*range, start)).collect()
}

/// The symbols of an outline with their places in the text around.
fn moved(outline: &Outline, start: usize) -> Vec<Symbol> {
    let range = |range: Range| moved_range(range, start);
    let moved = |symbol: &Symbol| Symbol {
        name_range: range(symbol.name_range),
        extent: range(symbol.extent),
        declaration: range(symbol.declaration),
        header: range(symbol.header),
        docs: symbol.docs.map(range),
        within: symbol.within.map(range),
        ..symbol.clone()
    };
    outline.symbols().iter().map(moved).collect()
}

fn moved_range(range: Range, start: usize) -> Range {
    Range::of_indices(range.start().index() + start..range.end().index() + start)
}
