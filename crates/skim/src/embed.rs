//! Texts inside a text, such as the arguments of a macro. Their symbols become members of the item around them.

use locant_text::Range;
use locant_tree::{Item, Outline, Symbol};

/// The outline of an inner text.
pub(crate) struct Embedded {
    pub(crate) outline: Outline,
    /// Where the inner text starts in the outer text.
    pub(crate) start: usize,
    /// The item that the symbols belong to. It may be a scope.
    pub(crate) owner: Option<usize>,
}

/// How many texts may be nested in each other. `locant-lang` has the same limit.
pub(crate) const MAX_DEPTH: usize = 3;

/// How many inner texts a text may have. If there are more, the text is not skimmed, because the item around each of
/// them must be searched for.
pub(crate) const MAX_EMBEDS: usize = 1000;

/// An inner text that starts farther than this from the start of its line is treated as starting a line.
const MAX_COLUMN: usize = 200;

/// The inner text, and where it starts in the outer text. It is extended to the start of its line, with blanks in
/// place of what comes before it. So all its lines are indented as in the outer text.
pub(crate) fn inner(text: &[u8], range: Range) -> (Vec<u8>, usize) {
    let content = range.start().index();
    let near = content.saturating_sub(MAX_COLUMN);
    let line = memchr::memrchr(b'\n', &text[near..content]).map(|at| near + at + 1);
    let start = line.unwrap_or(if near > 0 { content } else { 0 });
    let mut inner = text[start..range.end().index()].to_vec();
    inner[..content - start].fill(b' ');
    (inner, start)
}

/// The smallest item around the start of a range. In `items`, parents come before their members.
pub(crate) fn innermost(items: &[Item], range: Range) -> Option<usize> {
    let n_before = items.partition_point(|item| item.range.start() <= range.start());
    let mut around = std::iter::successors(n_before.checked_sub(1), |&item| items[item].parent);
    around.find(|&item| items[item].range.contains(range.start()))
}

impl Embedded {
    /// The symbols of the inner text, with ranges in the outer text.
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
