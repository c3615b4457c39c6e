//! A tree-sitter tree as a source of events, and the words for its kinds and fields.

use std::collections::HashMap;
use std::sync::Arc;

use locant_text::{Offset, Range};
use locant_tree::{Event, Kind, Label, Source, Vocabulary};
use tree_sitter::{Language as Grammar, Node, Tree, TreeCursor};

/// The words of a grammar, and their numbers by the ids of the grammar.
///
/// A grammar may have several ids for one word; here each word has one number.
pub(crate) struct Words {
    pub(crate) vocabulary: Arc<Vocabulary>,
    numbers: Vec<u16>,
}

impl Words {
    pub(crate) fn new(grammar: &Grammar) -> Words {
        let mut kinds = Vec::new();
        let mut numbers = Vec::new();
        let mut known = HashMap::new();
        let mut add = |name: &'_ str, is_named| {
            let number = *known.entry((name.to_owned(), is_named)).or_insert_with(|| {
                kinds.push(Kind { name: name.to_owned(), is_named });
                kinds.len() - 1
            });
            u16::try_from(number).expect("grammars have some hundred kinds")
        };
        let n_kinds = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
        for id in 0..n_kinds {
            let name = grammar.node_kind_for_id(id).unwrap_or_default();
            numbers.push(add(name, grammar.node_kind_is_named(id)));
        }
        // What could not be read has an id beyond all of the grammar's.
        numbers.push(add("ERROR", true));
        let n_fields = u16::try_from(grammar.field_count()).unwrap_or(u16::MAX);
        let field = |id: u16| grammar.field_name_for_id(id).unwrap_or_default().to_owned();
        let fields = (1..=n_fields).map(field).collect();
        let vocabulary =
            Vocabulary::new(kinds, fields).expect("grammars have fewer words than labels can number");
        Words { vocabulary: Arc::new(vocabulary), numbers }
    }

    fn number(&self, kind_id: u16) -> u16 {
        let error = self.numbers.len() - 1;
        self.numbers[usize::from(kind_id).min(error)]
    }
}

/// A walk through a tree.
pub(crate) struct Walk<'t> {
    words: &'t Words,
    root: Node<'t>,
    cursor: TreeCursor<'t>,
    next: Next,
}

/// What the cursor's node is to the next step.
#[derive(Clone, Copy)]
enum Next {
    /// It has not been told.
    Tell,
    /// It and all in it have been told.
    Pass,
    /// All in it has been told, but not that it ends here.
    Leave(Offset),
    /// It was the root.
    Nothing,
}

impl<'t> Walk<'t> {
    pub(crate) fn new(tree: &'t Tree, words: &'t Words) -> Walk<'t> {
        let root = tree.root_node();
        Walk { words, root, cursor: root.walk(), next: Next::Tell }
    }

    fn label(&self, node: Node<'_>) -> Label {
        let field = self.cursor.field_id().map_or(0, u16::from);
        let kind = self.words.number(node.kind_id());
        Label::new(kind, field).extra(node.is_extra()).missing(node.is_missing())
    }

    fn tell(&mut self) -> Event {
        let node = self.cursor.node();
        let (label, range) = (self.label(node), Range::of_indices(node.byte_range()));
        if self.cursor.goto_first_child() {
            return Event::Enter { label, start: range.start() };
        }
        self.next = Next::Pass;
        Event::Leaf { label, range }
    }

    /// Goes to the parent, if the cursor's node is its last child.
    fn leave(&mut self) -> Option<Offset> {
        if self.cursor.goto_next_sibling() {
            self.next = Next::Tell;
            return None;
        }
        if self.cursor.goto_parent() {
            return Some(Offset::of_index(self.cursor.node().end_byte()));
        }
        self.next = Next::Nothing;
        None
    }
}

impl Source for Walk<'_> {
    fn start(&mut self) {
        self.cursor.reset(self.root);
        self.next = Next::Tell;
    }

    fn start_behind(&mut self, leaf: Range, open: &mut Vec<(Label, Offset)>) -> bool {
        open.clear();
        self.start();
        loop {
            let node = self.cursor.node();
            let here = (self.label(node), Offset::of_index(node.start_byte()));
            if self.cursor.goto_first_child_for_byte(leaf.start().index()).is_none() {
                break;
            }
            open.push(here);
        }
        let found = self.cursor.node();
        if Range::of_indices(found.byte_range()) != leaf || found.child_count() > 0 {
            return false;
        }
        self.next = Next::Pass;
        while let Some(end) = self.leave() {
            if end != leaf.end() {
                // It ends with text that is in no leaf, and that is still to be told.
                self.next = Next::Leave(end);
                break;
            }
            open.pop();
        }
        true
    }

    fn next_event(&mut self) -> Option<Event> {
        loop {
            match self.next {
                Next::Tell => return Some(self.tell()),
                Next::Nothing => return None,
                Next::Leave(end) => {
                    self.next = Next::Pass;
                    return Some(Event::Leave { end });
                }
                Next::Pass => {
                    if let Some(end) = self.leave() {
                        return Some(Event::Leave { end });
                    }
                }
            }
        }
    }
}
