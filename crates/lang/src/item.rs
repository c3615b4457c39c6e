//! What is found in a text before it becomes an outline: declarations, what may belong to them, and damage.

use locant_text::{Offset, Range};
use locant_tree::SymbolKind;

use crate::embed::Embed;
use crate::table::{Attached, Frame};

/// What was found in a text, before it is put in order.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) package: Vec<String>,
    /// Declarations and scopes, in the order of the walk: parents before what they hold.
    pub(crate) items: Vec<Item>,
    /// Comments, decorators and the like, in source order.
    pub(crate) attachables: Vec<Attachable>,
    /// Texts of other languages, in source order.
    pub(crate) embeds: Vec<Embed>,
    /// Where the parser could not make sense of the text.
    pub(crate) damage: Vec<Range>,
    /// Tokens that take several lines, in source order; only looked for where there is damage.
    pub(crate) long_tokens: Vec<Range>,
}

/// A declaration, or a scope that only lends its name.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// What it declares; `None` is a scope, whose names are all in `qualifier`.
    pub(crate) kind: Option<SymbolKind>,
    pub(crate) name: Range,
    /// The name, where it is not the text of its range.
    pub(crate) spelled: Option<String>,
    pub(crate) qualifier: Vec<Range>,
    /// Whether the qualifier is a path from here, not a name known outside.
    pub(crate) is_path: bool,
    /// The declaration with its wrappers.
    pub(crate) range: Range,
    pub(crate) body: Option<Offset>,
    pub(crate) docs: Option<Range>,
    /// The item around it.
    pub(crate) parent: Option<usize>,
    pub(crate) frame: Frame,
    pub(crate) first_only: bool,
    pub(crate) gives_way: bool,
    pub(crate) joining: Joining,
    /// How deep a heading is: it holds what follows up to the next one that is not deeper.
    pub(crate) level: Option<u8>,
    /// Whether the parser stumbled inside.
    pub(crate) is_damaged: bool,
}

/// A comment, decorator or attribute, which may belong to the declaration after it.
pub(crate) struct Attachable {
    pub(crate) range: Range,
    pub(crate) attached: Attached,
}

/// Whether a declaration may be one with its neighbour of the same name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Joining {
    Never,
    /// With the one in front that has as many parameters: the equations of a function.
    Joins {
        /// Unknown where only a line could be read.
        arity: Option<usize>,
    },
    /// It is a part of the one after it: a signature.
    Announces,
}

/// What stands around the members of such a symbol.
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
