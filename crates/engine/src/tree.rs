//! The position tree of a document.

use locant_lang::{Syntax, Verification};

use crate::{Document, Reader};

/// What the parser makes of a document: its position tree, and a way to check it. `None` when the document is not
/// read by a grammar, or the parser gives up on it.
pub fn syntax(document: &Document) -> Option<Syntax> {
    match document.reader()? {
        Reader::Grammar(language) => Syntax::new(language, document.text().bytes()),
        Reader::Proto => None,
    }
}

/// Compares every node of a document's position tree with the parser's.
pub fn verify(document: &Document, syntax: &Syntax) -> Verification {
    syntax.verify(document.text().bytes())
}
