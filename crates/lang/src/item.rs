//! What is found in a text before it becomes an outline: declarations, comments and decorators, and damage.

use locant_text::{Offset, Range};
use locant_tree::{Attachable, SymbolKind};

use crate::embed::Embed;
use crate::table::Frame;

/// What was found in a text, before it is nested and ordered.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) package: Vec<String>,
    /// Declarations and scopes, in the order of the walk. Parents come before their members.
    pub(crate) items: Vec<Item>,
    /// Comments and decorators, in source order.
    pub(crate) attachables: Vec<Attachable>,
    /// Texts of other languages, in source order.
    pub(crate) embeds: Vec<Embed>,
    /// Where the parser found errors.
    pub(crate) damage: Vec<Range>,
    /// Tokens that span several lines, in source order. They are collected only if there is damage.
    pub(crate) long_tokens: Vec<Range>,
}

/// A declaration, or a scope, which only adds its name to the names of its members.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// What is declared. `None` for a scope, whose names are all in `qualifier`.
    pub(crate) kind: Option<SymbolKind>,
    pub(crate) name: Range,
    /// The name, if it differs from the text in the range `name`.
    pub(crate) spelled: Option<String>,
    pub(crate) qualifier: Vec<Range>,
    /// Whether the qualifier is a complete path. If so, its first name is not looked up in the scopes around.
    pub(crate) is_path: bool,
    /// The declaration with its wrappers.
    pub(crate) range: Range,
    pub(crate) body: Option<Offset>,
    pub(crate) docs: Option<Range>,
    /// The index of the item that contains this one.
    pub(crate) parent: Option<usize>,
    pub(crate) frame: Frame,
    pub(crate) first_only: bool,
    pub(crate) gives_way: bool,
    pub(crate) joining: Joining,
    /// The level of a heading. A heading contains everything up to the next heading of the same or a higher rank.
    pub(crate) level: Option<u8>,
    /// Whether the parser found an error inside.
    pub(crate) is_damaged: bool,
}

/// Whether and how a declaration is merged with a neighbour of the same name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Joining {
    Never,
    /// Merged with the previous declaration if that has the same number of parameters, as the equations of a function
    /// are.
    Joins {
        /// The number of parameters. `None` if the declaration was read from its line only.
        arity: Option<usize>,
    },
    /// A signature, which is merged into the declaration after it.
    Announces,
}

/// The frame that members of a symbol of this kind are in.
pub(crate) fn frame_of(kind: SymbolKind) -> Frame {
    match kind {
        SymbolKind::Module => Frame::Module,
        SymbolKind::Class
        | SymbolKind::Struct
        | SymbolKind::Interface
        | SymbolKind::Enum
        | SymbolKind::EnumMember
        | SymbolKind::Type => Frame::Type,
        kind if kind.is_callable() => Frame::Function,
        _ => Frame::Value,
    }
}
