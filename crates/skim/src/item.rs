//! What is found in a text before it becomes an outline: declarations, and what may belong to them.

use locant_text::{Offset, Range};
use locant_tree::SymbolKind;

/// What was found in a text, before it is put in order.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) package: Vec<String>,
    /// Declarations and scopes. Invariant: parents before what they hold.
    pub(crate) items: Vec<Item>,
    /// Comments and decorators. Invariant: in source order.
    pub(crate) attachables: Vec<Attachable>,
    /// Parts that are texts for themselves: what a macro is given. Invariant: in source order.
    pub(crate) embeds: Vec<Range>,
}

/// A declaration, or a scope that only lends its name.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// What it declares; `None` is a scope, whose names are all in `qualifier`.
    pub(crate) kind: Option<SymbolKind>,
    pub(crate) name: Range,
    /// The names in front of it.
    pub(crate) qualifier: Vec<Range>,
    /// The declaration, without what is attached to it.
    pub(crate) range: Range,
    /// Where the header ends.
    pub(crate) body: Option<Offset>,
    /// The doc string inside.
    pub(crate) docs: Option<Range>,
    /// The item around it.
    pub(crate) parent: Option<usize>,
    pub(crate) frame: Frame,
    /// Whether it counts only if what is around has no symbol of its name yet.
    pub(crate) first_only: bool,
}

/// What stands around a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    File,
    Module,
    Type,
    Value,
    Function,
}

/// A comment, decorator or attribute, which may belong to the declaration after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attachable {
    pub(crate) range: Range,
    pub(crate) attached: Attached,
}

/// How something belongs to the declaration after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attached {
    /// If no empty line is between.
    Comment,
    /// However far it is.
    Decorator,
}

impl Item {
    /// A declaration that is no more than its range and its name.
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
        }
    }
}

impl Findings {
    /// Puts comments and decorators in order. What stands inside of a decorator is a part of it.
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

/// What stands around the members of such a symbol.
pub(crate) fn frame_of(kind: SymbolKind) -> Frame {
    use SymbolKind::{Class, Enum, EnumMember, Interface, Module, Struct, Type};
    match kind {
        Module => Frame::Module,
        Class | Struct | Interface | Enum | EnumMember | Type => Frame::Type,
        kind if kind.is_callable() => Frame::Function,
        _ => Frame::Value,
    }
}
