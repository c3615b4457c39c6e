//! A declaration as a reader of a text found it, before it is nested and ordered.

use locant_text::{Offset, Range};

use crate::outline::SymbolKind;

/// A declaration, or a scope, which only adds its name to the names of its members.
#[derive(Clone, Debug)]
pub struct Item {
    /// What is declared. `None` for a scope, whose names are all in `qualifier`.
    pub kind: Option<SymbolKind>,
    /// Where the name is written.
    pub name: Range,
    /// The name, if it differs from the text in the range `name`.
    pub spelled: Option<String>,
    /// The names before the name.
    pub qualifier: Vec<Range>,
    /// Whether the qualifier is a complete path. If so, its first name is not looked up in the scopes around.
    pub is_path: bool,
    /// The declaration with its wrappers, without attached comments and decorators.
    pub range: Range,
    /// Where the body starts and the header ends.
    pub body: Option<Offset>,
    /// The doc string inside the declaration.
    pub docs: Option<Range>,
    /// The index of the item that contains this one.
    pub parent: Option<usize>,
    /// The kind of place that this item is for its members.
    pub frame: Frame,
    /// Whether the item counts only if its parent has no symbol with this name yet.
    pub first_only: bool,
    /// Whether the item counts only if its parent has no other symbol with this name.
    pub gives_way: bool,
    /// Whether and how the item is merged with a neighbour.
    pub joining: Joining,
    /// The level of a heading. A heading contains everything up to the next heading of the same or a higher rank.
    pub level: Option<u8>,
    /// Whether the parser found an error inside.
    pub is_damaged: bool,
}

/// The kind of place that contains a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Frame {
    /// The file itself.
    File = 1,
    /// A module or namespace.
    Module = 2,
    /// A class, struct, interface or enumeration.
    Type = 4,
    /// A variable, constant or key that has members.
    Value = 8,
    /// A function or method.
    Function = 16,
    /// A body without a name.
    Local = 32,
}

/// Whether and how a declaration is merged with a neighbour of the same name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Joining {
    /// It stays a symbol of its own.
    Never,
    /// Merged with the previous declaration if both have the same number of parameters. The equations of a function are
    /// merged in this way.
    Joins {
        /// The number of parameters. `None` if the declaration was read from its line only.
        arity: Option<usize>,
    },
    /// A signature, which is merged into the declaration after it.
    Announces,
}

impl Item {
    /// A declaration that has only a kind, a name, a range and a parent.
    pub fn new(kind: SymbolKind, name: Range, range: Range, parent: Option<usize>) -> Item {
        Item { kind: Some(kind), frame: Frame::of(kind), ..Item::scope(name, range, parent) }
    }

    /// A scope that adds no name yet.
    pub fn scope(name: Range, range: Range, parent: Option<usize>) -> Item {
        Item {
            kind: None,
            name,
            spelled: None,
            qualifier: Vec::new(),
            is_path: false,
            range,
            body: None,
            docs: None,
            parent,
            frame: Frame::Type,
            first_only: false,
            gives_way: false,
            joining: Joining::Never,
            level: None,
            is_damaged: false,
        }
    }
}

impl Frame {
    /// The frame that members of a symbol of this kind are in.
    pub fn of(kind: SymbolKind) -> Frame {
        use SymbolKind::{Class, Enum, EnumMember, Interface, Module, Struct, Type};
        match kind {
            Module => Frame::Module,
            Class | Struct | Interface | Enum | EnumMember | Type => Frame::Type,
            kind if kind.is_callable() => Frame::Function,
            _ => Frame::Value,
        }
    }
}
