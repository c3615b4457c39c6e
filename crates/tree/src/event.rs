//! A syntax tree as a parser hands it over: the names of its kinds and fields, and its nodes in text order.

use locant_text::{Offset, Range};

use crate::Label;

/// One step through a syntax tree. A node without children is one step, any other node is two.
///
/// Parents come before their children. Siblings do not overlap and come in text order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A node with children starts.
    Enter {
        /// What the node is.
        label: Label,
        /// Where the node starts.
        start: Offset,
    },
    /// A node without children.
    Leaf {
        /// What the node is.
        label: Label,
        /// Where the node is. The range is empty for a node that the parser inserted because the text lacks it.
        range: Range,
    },
    /// The innermost node that is still open ends.
    Leave {
        /// Where the node ends.
        end: Offset,
    },
}

/// A syntax tree that can be walked from its start or from any of its leaves. Any parser can implement this.
pub trait Source {
    /// Goes to the start of the whole tree.
    fn start(&mut self);

    /// Goes to the place after the leaf with exactly this range, and after all nodes that end with that leaf. The
    /// range is not empty. Writes the nodes that are still open there to `open`, the outermost first. Returns `false`
    /// if there is no such leaf; the source may then be at any place.
    fn start_after(&mut self, range: Range, open: &mut Vec<(Label, Offset)>) -> bool;

    /// The next step, or `None` at the end of the tree.
    fn next_event(&mut self) -> Option<Event>;
}

/// The names of the kinds and fields of a language. A [`Label`] holds only their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// The names of kinds. The index is the number of the kind.
    kinds: Vec<Kind>,
    /// The names of fields. The index is the number of the field minus 1, because fields are counted from 1.
    fields: Vec<String>,
}

/// A kind of node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name in the grammar: `binary_expression`, `+`.
    pub name: String,
    /// Whether it is a rule of the grammar, rather than a fixed piece of text such as a keyword or a bracket.
    pub is_named: bool,
}

impl Vocabulary {
    /// The names of a language. `None` if there are more kinds or fields than labels can number.
    pub fn new(kinds: Vec<Kind>, fields: Vec<String>) -> Option<Vocabulary> {
        let fits = kinds.len() <= Label::MOST_KINDS && fields.len() <= Label::MOST_FIELDS;
        fits.then_some(Vocabulary { kinds, fields })
    }

    /// All kinds. The index is the number of the kind.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// All fields. The index is the number of the field minus 1.
    pub fn fields(&self) -> &[String] {
        &self.fields
    }

    /// The kind of a node with this label.
    ///
    /// # Panics
    /// When the label belongs to another vocabulary.
    pub fn kind(&self, label: Label) -> &Kind {
        &self.kinds[usize::from(label.kind())]
    }

    /// The field that a node with this label has in its parent.
    ///
    /// # Panics
    /// When the label belongs to another vocabulary.
    pub fn field(&self, label: Label) -> Option<&str> {
        let index = usize::from(label.field()).checked_sub(1)?;
        Some(&self.fields[index])
    }
}
