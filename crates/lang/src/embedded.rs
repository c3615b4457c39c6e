//! Reads the texts of other languages inside a text, and adds their symbols to the outline of the outer text.

use locant_text::Range;
use locant_tree::{Item, Outline, Symbol};

use crate::bytes::{BYTE_ORDER_MARK, line_start};
use crate::embed::Embed;
use crate::language::Language;

/// The symbols of an inner text.
pub(crate) struct Embedded {
    /// The symbols, with ranges in the outer text.
    pub(crate) symbols: Vec<Symbol>,
    /// The item that becomes the parent of the symbols without one. It may be a scope.
    pub(crate) owner: Option<usize>,
    /// Where the parser found errors. Empty if the inner text is only quoted rather than part of the file.
    pub(crate) damage: Vec<Range>,
}

/// How texts inside a text may be read faster than by a parse: the outline of a text in a language, or `None`.
pub type Inner<'i> = &'i dyn Fn(&'static Language, &[u8]) -> Option<Outline>;

/// How deep texts may be nested in each other. People do not nest deeper, but generated texts may.
pub(crate) const MAX_DEPTH: usize = 3;

/// An inner text that starts farther than this from the start of its line is treated as starting a line.
const MAX_COLUMN: usize = 200;

impl Embed {
    /// Reads the symbols of this inner text. The items of the outer text must be ordered by their starts.
    pub(crate) fn read(&self, text: &[u8], items: &[Item], depth: usize, reader: Inner<'_>) -> Embedded {
        let (inner, start) = self.inner(text);
        let outline = self.language.outline_within(&inner, depth, reader);
        Embedded {
            owner: if self.is_at_top { None } else { innermost(items, self.range) },
            damage: if self.is_at_top { moved_ranges(&outline.damage, start) } else { Vec::new() },
            symbols: if self.is_whole && outline.is_damaged { Vec::new() } else { moved(&outline, start) },
        }
    }

    /// The inner text, and where it starts in the outer text. It is extended to the start of its line, and everything
    /// that does not belong to it is replaced by blanks. So its lines are indented as in the outer text.
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

/// The smallest item around the start of a range. In `items`, parents come before their members.
fn innermost(items: &[Item], range: Range) -> Option<usize> {
    let n_before = items.partition_point(|item| item.range.start() <= range.start());
    let mut around = std::iter::successors(n_before.checked_sub(1), |&item| items[item].parent);
    // An unclosed text may continue over blanks after the end of the item, so only its start is compared.
    around.find(|&item| items[item].range.contains(range.start()))
}

fn moved_ranges(ranges: &[Range], start: usize) -> Vec<Range> {
    ranges.iter().map(|range| moved_range(*range, start)).collect()
}

/// The symbols of an outline, with their ranges in the outer text.
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
