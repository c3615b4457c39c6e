//! What a parser says of a syntax tree: its words, and its nodes in the order of the text.

use locant_text::{Offset, Range};

use crate::Label;

/// One step through a syntax tree. A node without children is one step, any other node is two.
///
/// What starts first comes first, a parent before its children; nodes do not overlap, and siblings stand in the
/// order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A node with children starts.
    Enter {
        /// What it is.
        label: Label,
        /// Where it starts.
        start: Offset,
    },
    /// A node without children.
    Leaf {
        /// What it is.
        label: Label,
        /// Where it stands; empty for what the parser missed.
        range: Range,
    },
    /// The last node that was entered and not left yet ends.
    Leave {
        /// Where it ends.
        end: Offset,
    },
}

/// A syntax tree that can be walked from its start or from after one of its leaves. Any parser can be one.
pub trait Source {
    /// Goes in front of the whole tree.
    fn start(&mut self);

    /// Goes to the place after the leaf that stands exactly at `range`, which is not empty, and after all nodes that
    /// end with it. Writes the nodes that are still open there into `open`, the outermost first. `false` when there is
    /// no such leaf; then the source may be at any place.
    fn start_after(&mut self, range: Range, open: &mut Vec<(Label, Offset)>) -> bool;

    /// The next step; `None` when the whole tree has been walked.
    fn next_event(&mut self) -> Option<Event>;
}

/// What the kinds and fields of a language are called. Labels hold numbers; here are the words for them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// By number.
    kinds: Vec<Kind>,
    /// By number; fields count from 1.
    fields: Vec<String>,
}

/// What a node can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name in the grammar: `binary_expression`, `+`.
    pub name: String,
    /// Whether it is a rule of the grammar, not just a piece of text such as a keyword or a bracket.
    pub is_named: bool,
}

impl Vocabulary {
    /// The words of a language; `None` when there are more than labels can number.
    pub fn new(kinds: Vec<Kind>, fields: Vec<String>) -> Option<Vocabulary> {
        let fits = kinds.len() <= Label::MOST_KINDS && fields.len() <= Label::MOST_FIELDS;
        fits.then_some(Vocabulary { kinds, fields })
    }

    /// All kinds, by number.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// All fields, by number less one.
    pub fn fields(&self) -> &[String] {
        &self.fields
    }

    /// What a node is.
    ///
    /// # Panics
    /// When the label belongs to another vocabulary.
    pub fn kind(&self, label: Label) -> &Kind {
        &self.kinds[usize::from(label.kind())]
    }

    /// The field of its parent that a node stands in.
    ///
    /// # Panics
    /// When the label belongs to another vocabulary.
    pub fn field(&self, label: Label) -> Option<&str> {
        let index = usize::from(label.field()).checked_sub(1)?;
        Some(&self.fields[index])
    }
}
