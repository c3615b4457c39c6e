//! A syntax tree as a parser hands it over: the names of its kinds and fields, and its nodes in the order of the text.

use locant_text::{Offset, Range};

use crate::Label;

/// One step through a syntax tree. A node without children is one step, any other node is two.
///
/// A node that starts earlier comes earlier, and a parent before its children. Siblings do not overlap and come in the
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
        /// Where it is; empty for a node that the parser put in because the text lacks it.
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
    /// Goes to the start of the whole tree.
    fn start(&mut self);

    /// Goes to the place after the leaf that has exactly this range, which is not empty, and after all nodes that end
    /// with it. Writes the nodes that are still open there into `open`, the outermost first. `false` when there is no
    /// such leaf; then the source may be at any place.
    fn start_after(&mut self, range: Range, open: &mut Vec<(Label, Offset)>) -> bool;

    /// The next step; `None` when the whole tree has been walked.
    fn next_event(&mut self) -> Option<Event>;
}

/// The names of the kinds and fields of a language. Labels hold numbers; here are the names for them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// The kinds by number.
    kinds: Vec<Kind>,
    /// The fields by number less one: fields count from 1.
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
    /// The names of a language; `None` when there are more than labels can number.
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

    /// The field of its parent that a node is in.
    ///
    /// # Panics
    /// When the label belongs to another vocabulary.
    pub fn field(&self, label: Label) -> Option<&str> {
        let index = usize::from(label.field()).checked_sub(1)?;
        Some(&self.fields[index])
    }
}
