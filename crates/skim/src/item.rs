//! What is found in a text before it becomes an outline: declarations, comments and decorators.

use locant_text::{Offset, Range};
use locant_tree::{Attachable, Attached, Item};

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
