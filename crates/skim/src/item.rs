//! What is found in a text before it becomes an outline: declarations, comments and decorators.

use locant_text::{Offset, Range};
use locant_tree::{Attachable, Attached, SymbolKind};

/// What was found in a text, before it is nested and ordered.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) package: Vec<String>,
    /// Declarations and scopes. Invariant: parents come before their members.
    pub(crate) items: Vec<Item>,
    /// Comments and decorators. Invariant: in source order.
    pub(crate) attachables: Vec<Attachable>,
    /// Parts that are read as texts of their own, such as the arguments of a macro. Invariant: in source order.
    pub(crate) embeds: Vec<Range>,
}

/// A declaration, or a scope, which only adds its name to the names of its members.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// What is declared. `None` for a scope, whose names are all in `qualifier`.
    pub(crate) kind: Option<SymbolKind>,
    pub(crate) name: Range,
    /// The names before the name.
    pub(crate) qualifier: Vec<Range>,
    /// The declaration, without attached comments and decorators.
    pub(crate) range: Range,
    /// Where the body starts and the header ends.
    pub(crate) body: Option<Offset>,
    /// The doc string inside the declaration.
    pub(crate) docs: Option<Range>,
    /// The index of the item that contains this one.
    pub(crate) parent: Option<usize>,
    pub(crate) frame: Frame,
    /// Whether the item counts only if its parent has no symbol with this name yet.
    pub(crate) first_only: bool,
    /// Whether the item counts only if its parent has no other symbol with this name.
    pub(crate) gives_way: bool,
}

/// The kind of place that contains a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    File,
    Module,
    Type,
    Value,
    Function,
}

impl Item {
    /// A declaration that has only a kind, a name, a range and a parent.
    pub(crate) fn new(kind: SymbolKind, name: Range, range: Range, parent: Option<usize>) -> Item {
        Item {
            kind: Some(kind),
            name,
            qualifier: Vec::new(),
            range,
            body: None,
            docs: None,
            parent,
            frame: frame_of(kind),
            first_only: false,
            gives_way: false,
        }
    }
}

impl Findings {
    /// Sorts comments and decorators. Anything inside a decorator is removed, because it is part of the decorator.
    pub(crate) fn sort_attachables(&mut self) {
        self.attachables.sort_by_key(|attachable| attachable.range.start());
        let mut end = Offset::ZERO;
        self.attachables.retain(|attachable| {
            let is_outside = end <= attachable.range.start();
            if attachable.attached == Attached::Decorator && is_outside {
                end = attachable.range.end();
            }
            is_outside
        });
    }
}

/// The frame that members of a symbol of this kind are in.
pub(crate) fn frame_of(kind: SymbolKind) -> Frame {
    use SymbolKind::{Class, Enum, EnumMember, Interface, Module, Struct, Type};
    match kind {
        Module => Frame::Module,
        Class | Struct | Interface | Enum | EnumMember | Type => Frame::Type,
        kind if kind.is_callable() => Frame::Function,
        _ => Frame::Value,
    }
}
