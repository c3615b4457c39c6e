//! What is found in a text before it becomes an outline: declarations, what may belong to them, and damage.

use locant_text::{Offset, Range};
use locant_tree::SymbolKind;

use crate::embed::Embed;
use crate::table::{Attached, Frame};

/// What was found in a text, before it is ordered and nested.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) package: Vec<String>,
    /// Declarations and scopes, in the order of the walk: parents before their members.
    pub(crate) items: Vec<Item>,
    /// Comments, decorators and the like, in source order.
    pub(crate) attachables: Vec<Attachable>,
    /// Texts of other languages, in source order.
    pub(crate) embeds: Vec<Embed>,
    /// Where the parser met errors.
    pub(crate) damage: Vec<Range>,
    /// Tokens that span several lines, in source order. They are collected only if there is damage.
    pub(crate) long_tokens: Vec<Range>,
}

/// A declaration, or a scope that only lends its name.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// What it declares; `None` is a scope, whose names are all in `qualifier`.
    pub(crate) kind: Option<SymbolKind>,
    pub(crate) name: Range,
    /// The name, if it is not the text in the range `name`.
    pub(crate) spelled: Option<String>,
    pub(crate) qualifier: Vec<Range>,
    /// Whether the qualifier is a path from here, so that its first name is not looked up outside.
    pub(crate) is_path: bool,
    /// The declaration with its wrappers.
    pub(crate) range: Range,
    pub(crate) body: Option<Offset>,
    pub(crate) docs: Option<Range>,
    /// The index of the item around it.
    pub(crate) parent: Option<usize>,
    pub(crate) frame: Frame,
    pub(crate) first_only: bool,
    pub(crate) gives_way: bool,
    pub(crate) joining: Joining,
    /// The level of a heading, which holds all that follows up to the next heading that is not deeper.
    pub(crate) level: Option<u8>,
    /// Whether the parser met an error inside.
    pub(crate) is_damaged: bool,
}

/// A comment, decorator or attribute, which may belong to the declaration after it.
pub(crate) struct Attachable {
    pub(crate) range: Range,
    pub(crate) attached: Attached,
}

/// Whether a declaration may be merged with its neighbour of the same name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Joining {
    Never,
    /// Merged with the declaration before it that has the same number of parameters: the equations of a function.
    Joins {
        /// The number of parameters; `None` if only a line could be read.
        arity: Option<usize>,
    },
    /// A signature, merged into the declaration after it.
    Announces,
}

/// The frame for members of a symbol of this kind.
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
