//! A tree-sitter tree as a source of events for a position tree, and the names of its kinds and fields.

use std::collections::HashMap;
use std::sync::Arc;

use locant_text::{Offset, Range};
use locant_tree::{Event, Kind, Label, Source, Vocabulary};
use tree_sitter::{Language as Grammar, Node, Tree, TreeCursor};

/// The names of a grammar's kinds and fields, and how the ids of the grammar map to them.
///
/// A grammar may have several ids for one name. Here, each name has one number.
pub(crate) struct GrammarWords {
    pub(crate) vocabulary: Arc<Vocabulary>,
    numbers: Vec<u16>,
    /// For each number, the first id with that name.
    kind_ids: Vec<u16>,
}

/// The kind id that tree-sitter gives to error nodes, in all grammars.
pub(crate) const ERROR: u16 = u16::MAX;

impl GrammarWords {
    pub(crate) fn new(grammar: &Grammar) -> GrammarWords {
        let (mut kinds, mut kind_ids) = (Vec::new(), Vec::new());
        let mut numbers = Vec::new();
        let mut known = HashMap::new();
        let mut add = |id: u16, name: &'_ str, is_named| {
            let number = *known.entry((name.to_owned(), is_named)).or_insert_with(|| {
                kinds.push(Kind { name: name.to_owned(), is_named });
                kind_ids.push(id);
                kinds.len() - 1
            });
            u16::try_from(number).expect("grammars have some hundred kinds")
        };
        let n_kinds = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
        for id in 0..n_kinds {
            let name = grammar.node_kind_for_id(id).unwrap_or_default();
            numbers.push(add(id, name, grammar.node_kind_is_named(id)));
        }
        numbers.push(add(ERROR, "ERROR", true));
        let n_fields = u16::try_from(grammar.field_count()).unwrap_or(u16::MAX);
        let field = |id: u16| grammar.field_name_for_id(id).unwrap_or_default().to_owned();
        let fields = (1..=n_fields).map(field).collect();
        let vocabulary =
            Vocabulary::new(kinds, fields).expect("grammars have fewer words than labels can number");
        GrammarWords { vocabulary: Arc::new(vocabulary), numbers, kind_ids }
    }

    /// The grammar's id for a label's kind.
    pub(crate) fn kind_id(&self, label: Label) -> u16 {
        self.kind_ids[usize::from(label.kind())]
    }

    fn number(&self, kind_id: u16) -> u16 {
        // The id of errors is larger than all others, and their number is the last.
        let error = self.numbers.len() - 1;
        self.numbers[usize::from(kind_id).min(error)]
    }
}

/// The events of a walk through a tree.
pub(crate) struct NodeEvents<'t> {
    words: &'t GrammarWords,
    /// Whether the parser found any errors.
    has_error: bool,
    root: Node<'t>,
    /// Where the text ends. The parser may have been given an extra line break after this.
    end: Offset,
    cursor: TreeCursor<'t>,
    next: Next,
}

/// What the next step does with the node at the cursor.
#[derive(Clone, Copy)]
enum Next {
    /// Give the event for the node.
    Tell,
    /// Move on to the next node: all events of this one have been given.
    Pass,
    /// Give the last event of the node: it ends at this offset.
    Leave(Offset),
    /// The root has been left, and there are no more events.
    Nothing,
}

impl<'t> NodeEvents<'t> {
    /// A walk through the tree of a text that ends at `end`.
    pub(crate) fn new(tree: &'t Tree, end: Offset, words: &'t GrammarWords) -> NodeEvents<'t> {
        let root = tree.root_node();
        NodeEvents { words, has_error: root.has_error(), root, end, cursor: root.walk(), next: Next::Tell }
    }

    fn label(&self, node: Node<'_>) -> Label {
        let field = self.cursor.field_id().map_or(0, u16::from);
        let kind = self.words.number(node.kind_id());
        let label = Label::new(kind, field).extra(node.is_extra()).missing(node.is_missing());
        label.lacking(self.has_error && is_lacking(node))
    }

    fn range(&self, node: Node<'_>) -> Range {
        let range = Range::of_indices(node.byte_range());
        Range::new(range.start().min(self.end), range.end().min(self.end))
    }

    fn tell(&mut self) -> Event {
        let node = self.cursor.node();
        let (label, range) = (self.label(node), self.range(node));
        if self.cursor.goto_first_child() {
            return Event::Enter { label, start: range.start() };
        }
        self.next = Next::Pass;
        Event::Leaf { label, range }
    }

    /// Moves to the next sibling. After the last one, moves to the parent and returns where the parent ends.
    fn leave(&mut self) -> Option<Offset> {
        if self.cursor.goto_next_sibling() {
            self.next = Next::Tell;
            return None;
        }
        if self.cursor.goto_parent() {
            return Some(self.range(self.cursor.node()).end());
        }
        self.next = Next::Nothing;
        None
    }
}

/// Whether the parser inserted a missing token into a node, without a tree node for the token. In that case the node
/// has an error, but neither the node itself nor any of its children is an error or has one.
pub(crate) fn is_lacking(node: Node<'_>) -> bool {
    let is_told = |node: Node<'_>| node.is_error() || node.is_missing();
    let is_in =
        |node: Node<'_>| node.children(&mut node.walk()).any(|child| child.has_error() || is_told(child));
    node.has_error() && !is_told(node) && !is_in(node)
}

impl Source for NodeEvents<'_> {
    fn start(&mut self) {
        self.cursor.reset(self.root);
        self.next = Next::Tell;
    }

    fn start_after(&mut self, leaf: Range, open: &mut Vec<(Label, Offset)>) -> bool {
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
        if self.range(found) != leaf || found.child_count() > 0 {
            return false;
        }
        self.next = Next::Pass;
        while let Some(end) = self.leave() {
            if end != leaf.end() {
                // The node ends with text that is in no leaf, so the event for its end has not been given yet.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// If a rule of a grammar had the name of error nodes, its nodes would look like errors.
    #[test]
    fn no_grammar_has_a_rule_called_as_errors_are() {
        for language in crate::all() {
            let words = language.kinds().words();
            assert_eq!(words.kind_ids.last(), Some(&ERROR), "{language:?}");
        }
    }
}
