//! What an edit at a location changes: a range of the text, and the new text for it.
//!
//! A location means a symbol, whole lines, or a matched text. Symbols and lines are changed as whole lines: the new
//! text gets their indentation and the line breaks of the file, and there are as many blank lines around a new symbol
//! as around its neighbours. A matched text is a part of a line, so its new text gets only the line breaks of the file.

mod indentation;
mod layout;
mod removal;
mod symbol;
mod whole_lines;

use locant_text::{Offset, Range};
use locant_tree::SymbolId;

use crate::answer::Document;
use layout::Layout;

/// The part of a text that an edit is made at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stretch {
    /// A symbol, with its comments and decorators.
    Symbol(SymbolId),
    /// Whole lines, counted from 1, both included.
    Lines {
        /// The first line.
        first: u32,
        /// The last line.
        last: u32,
    },
    /// A part of the text.
    Text {
        /// The part.
        range: Range,
        /// The marked place in it. If there is none, new text goes before or after the whole part.
        mark: Option<Offset>,
    },
}

/// What an edit does at its [`Stretch`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Replaces the stretch by this text.
    Replace(String),
    /// Inserts this text before the stretch.
    Before(String),
    /// Inserts this text after the stretch.
    After(String),
    /// Removes the stretch.
    Delete,
}

/// A range of a text, and the text that replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewrite {
    /// The range.
    pub range: Range,
    /// The part of the range that must be replaced. The rest is blank lines, which the range of another edit may
    /// include too.
    pub core: Range,
    /// The new text.
    pub text: String,
}

/// Why an edit cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unchangeable {
    /// The declaration of the symbol also declares this other symbol, which would be lost.
    DeclaredTogether(String),
}

/// What an edit changes. `None` when nothing changes. `filler` is the statement for a block that would be left empty,
/// such as `pass` in Python; `None` if the language allows empty blocks.
pub fn change(
    document: &dyn Document,
    stretch: Stretch,
    change: &Change,
    filler: Option<&str>,
) -> Result<Option<Rewrite>, Unchangeable> {
    let layout = Layout::new(document.text());
    let rewrite = match stretch {
        Stretch::Text { range, mark } => Some(in_line(&layout, range, mark, change)),
        Stretch::Lines { first, last } => whole_lines::change(&layout, first, last, change),
        Stretch::Symbol(id) => match document.outline() {
            Some(outline) => symbol::change(&layout, outline, id, change, filler)?,
            None => None,
        },
    };
    let is_change = |rewrite: &Rewrite| document.text().slice(rewrite.range) != rewrite.text.as_bytes();
    Ok(rewrite.filter(is_change))
}

impl Rewrite {
    /// A rewrite whose whole range must be replaced.
    fn new(range: Range, text: String) -> Rewrite {
        Rewrite { range, core: range, text }
    }

    /// An insertion.
    fn insert(at: Offset, text: String) -> Rewrite {
        Rewrite::new(Range::empty(at), text)
    }
}

/// The rewrite for a part of the text. In the new text, only the line breaks are changed: to those of the file.
fn in_line(layout: &Layout<'_>, range: Range, mark: Option<Offset>, change: &Change) -> Rewrite {
    let given = |text: &str| layout.with_breaks(text, range.start());
    match change {
        Change::Replace(text) => Rewrite::new(range, given(text)),
        Change::Before(text) => Rewrite::insert(mark.unwrap_or(range.start()), given(text)),
        Change::After(text) => Rewrite::insert(mark.unwrap_or(range.end()), given(text)),
        Change::Delete => Rewrite::new(range, String::new()),
    }
}
