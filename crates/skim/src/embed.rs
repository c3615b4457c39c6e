//! Texts inside of a text: their symbols are members of what stands around.

use locant_text::Range;
use locant_tree::{Outline, Symbol};

use crate::item::Item;

/// The outline of an inner text.
pub(crate) struct Embedded {
    pub(crate) outline: Outline,
    /// Where it starts in the text around.
    pub(crate) start: usize,
    /// The item that its symbols belong to; it may be a scope.
    pub(crate) owner: Option<usize>,
}

/// How many texts may be nested in each other, as the exact reading has it.
pub(crate) const MAX_DEPTH: usize = 3;

/// More of them are left to the exact reading: each is looked for among the symbols around.
pub(crate) const MAX_EMBEDS: usize = 1000;

/// Farther from the start of its line, an inner text counts as a line of its own.
const MAX_COLUMN: usize = 200;

/// An inner text and where it starts. It starts with its line, blank up to the text, so that all its lines are
/// indented as in the text around.
pub(crate) fn inner(text: &[u8], range: Range) -> (Vec<u8>, usize) {
    let content = range.start().index();
    let near = content.saturating_sub(MAX_COLUMN);
    let line = memchr::memrchr(b'\n', &text[near..content]).map(|at| near + at + 1);
    let start = line.unwrap_or(if near > 0 { content } else { 0 });
    let mut inner = text[start..range.end().index()].to_vec();
    inner[..content - start].fill(b' ');
    (inner, start)
}

/// The smallest item around a range. The items are in an order in which parents stand before what they hold.
pub(crate) fn innermost(items: &[Item], range: Range) -> Option<usize> {
    let n_before = items.partition_point(|item| item.range.start() <= range.start());
    let mut around = std::iter::successors(n_before.checked_sub(1), |&item| items[item].parent);
    around.find(|&item| items[item].range.contains(range.start()))
}

impl Embedded {
    /// Its symbols with their places in the text around.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = Symbol> {
        let moved = |range: Range| {
            Range::of_indices(range.start().index() + self.start..range.end().index() + self.start)
        };
        self.outline.symbols().iter().map(move |symbol| Symbol {
            name_range: moved(symbol.name_range),
            extent: moved(symbol.extent),
            declaration: moved(symbol.declaration),
            header: moved(symbol.header),
            docs: symbol.docs.map(moved),
            within: symbol.within.map(moved),
            ..symbol.clone()
        })
    }
}
