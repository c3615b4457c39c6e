//! What an edit at a location changes: a range of the text, and the new text for it.
//!
//! A location means a symbol, whole lines, or a matched text. Symbols and lines are changed as whole lines: the new
//! text gets their indentation and the line breaks of the file, and new symbols get the blank lines that their
//! neighbours have. A matched text is replaced as it is, inside of its line.

mod indentation;
mod layout;
mod removal;
mod symbol;
mod whole_lines;

use locant_text::{Offset, Range};
use locant_tree::SymbolId;

use crate::answer::Document;
use layout::Layout;

/// What a location means to an edit.
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
        /// The place in it that is marked; without one, text goes before or after the whole part.
        mark: Option<Offset>,
    },
}

/// What is done there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// This text takes its place.
    Replace(String),
    /// This text goes before it.
    Before(String),
    /// This text goes after it.
    After(String),
    /// It is removed.
    Delete,
}

/// A range of a text, and what takes its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewrite {
    /// The range.
    pub range: Range,
    /// The part of the range that must go. The rest are blank lines, which another edit may take as well.
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

/// What an edit changes. `None` when nothing changes. `filler` is what the language wants in a block that would be
/// left empty.
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
    /// A rewrite all of whose range must go.
    fn new(range: Range, text: String) -> Rewrite {
        Rewrite { range, core: range, text }
    }

    /// An insertion.
    fn insert(at: Offset, text: String) -> Rewrite {
        Rewrite::new(Range::empty(at), text)
    }
}

/// The text as it is given. Only its line breaks become those of the file.
fn in_line(layout: &Layout<'_>, range: Range, mark: Option<Offset>, change: &Change) -> Rewrite {
    let given = |text: &str| layout.with_breaks(text, range.start());
    match change {
        Change::Replace(text) => Rewrite::new(range, given(text)),
        Change::Before(text) => Rewrite::insert(mark.unwrap_or(range.start()), given(text)),
        Change::After(text) => Rewrite::insert(mark.unwrap_or(range.end()), given(text)),
        Change::Delete => Rewrite::new(range, String::new()),
    }
}
