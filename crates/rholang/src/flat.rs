//! Turns tree-sitter's tree into a list of nodes.
//!
//! After an edit, the new tree shares with the old one every node that the edit did not touch. The shared nodes are
//! copied from the old list, which is much faster than walking them.

use std::collections::HashMap;

use locant_text::Offset;
use tree_sitter::{Tree, TreeCursor};

use crate::kinds::{Field, Kind};
use crate::syntax::{Node, NodeId};

/// The nodes of a tree, in the order of the text.
#[derive(Debug, Default)]
pub(crate) struct Flat {
    /// Invariant: not empty; parents come before their children.
    pub(crate) nodes: Vec<Node>,
    /// The nodes that the parser inserted where something is missing, each with the grammar's word for what is missing.
    pub(crate) missing: Vec<(NodeId, String)>,
    /// The larger nodes in the order of the text, each with its key. The key is tree-sitter's id for the node, which is
    /// unique as long as the tree is alive.
    large: Vec<(NodeId, usize)>,
}

/// How many nodes a node must contain, including itself, to be worth looking up in the old list.
const LARGE: u32 = 24;

/// Memory is reserved for this many more nodes than the old list has.
const MORE: usize = 1 << 10;

impl Flat {
    /// A text that the parser gave up on: all of it is one error.
    pub(crate) fn unread(text: &[u8]) -> Flat {
        let end = Offset::of_index(text.len()).to_u32();
        let all = Node {
            kind: Kind::Error,
            field: Field::Other,
            is_missing: false,
            start: 0,
            end,
            parent: 0,
            next: 1,
        };
        Flat { nodes: vec![all], ..Flat::default() }
    }
}

/// The nodes of a tree as a list. `before` is the list of the old tree. The old tree must still be alive, because the
/// new tree shares nodes with it.
pub(crate) fn flatten(tree: &Tree, before: Option<&Flat>) -> Flat {
    let known = before.map(|before| before.large.iter().map(|&(node, key)| (key, node)).collect());
    let mut flattening = Flattening {
        cursor: tree.walk(),
        before: before.zip(known),
        open: Vec::new(),
        flat: Flat::default(),
    };
    flattening.flat.nodes.reserve(before.map_or(0, |before| before.nodes.len() + MORE));
    while flattening.step() {}
    let Flat { nodes, missing, mut large } = flattening.flat;
    large.retain(|&(id, _)| nodes[id as usize].next - id >= LARGE);
    Flat { nodes, missing, large }
}

struct Flattening<'t> {
    cursor: TreeCursor<'t>,
    /// The old list, and its larger nodes by their keys.
    before: Option<(&'t Flat, HashMap<usize, NodeId>)>,
    /// The nodes around the one at the cursor, the innermost last.
    open: Vec<NodeId>,
    flat: Flat,
}

impl Flattening<'_> {
    /// Adds the node at the cursor and moves on; `false` at the end of the tree.
    fn step(&mut self) -> bool {
        let id = self.n_nodes();
        let key = self.cursor.node().id();
        let is_copied = self.copy(key);
        if !is_copied {
            let node = self.node(id);
            self.flat.nodes.push(node);
            if self.cursor.goto_first_child() {
                self.open.push(id);
                // The number of nodes inside it is not known yet. Small nodes are dropped at the end.
                self.flat.large.push((id, key));
                return true;
            }
        }
        while !self.cursor.goto_next_sibling() {
            let Some(closed) = self.open.pop() else { return false };
            self.flat.nodes[closed as usize].next = self.n_nodes();
            self.cursor.goto_parent();
        }
        true
    }

    fn n_nodes(&self) -> NodeId {
        NodeId::try_from(self.flat.nodes.len()).expect("a program has fewer nodes than a text has bytes")
    }

    fn node(&mut self, id: NodeId) -> Node {
        let node = self.cursor.node();
        if node.is_missing() {
            self.flat.missing.push((id, node.kind().to_owned()));
        }
        Node {
            kind: Kind::by_number(node.kind_id()),
            field: self.field(),
            is_missing: node.is_missing(),
            start: Offset::of_index(node.start_byte()).to_u32(),
            end: Offset::of_index(node.end_byte()).to_u32(),
            parent: self.open.last().copied().unwrap_or(id),
            next: id + 1,
        }
    }

    fn field(&self) -> Field {
        self.cursor.field_id().map_or(Field::Other, |id| Field::by_number(id.get()))
    }

    /// Copies the node at the cursor and everything inside it from the old list. Returns whether the old list has it.
    fn copy(&mut self, key: usize) -> bool {
        let Some((before, known)) = &self.before else { return false };
        let Some(&from) = known.get(&key) else { return false };
        let (to, field) = (self.n_nodes(), self.field());
        let first = before.nodes[from as usize];
        let start = Offset::of_index(self.cursor.node().start_byte()).to_u32();
        // An edit may move the nodes after it forward or backward. So the differences may be negative, and the
        // arithmetic wraps.
        let number = |id: NodeId| id.wrapping_sub(from).wrapping_add(to);
        let place = |at: u32| at.wrapping_sub(first.start).wrapping_add(start);
        let inside = &before.nodes[from as usize..first.next as usize];
        self.flat.nodes.extend(inside.iter().map(|node| Node {
            start: place(node.start),
            end: place(node.end),
            parent: number(node.parent),
            next: number(node.next),
            ..*node
        }));
        let copied = &mut self.flat.nodes[to as usize];
        copied.field = field;
        copied.parent = self.open.last().copied().unwrap_or(to);
        let missing = within(&before.missing, |(id, _)| *id, from, first.next);
        self.flat.missing.extend(missing.iter().map(|(id, word)| (number(*id), word.clone())));
        let large = within(&before.large, |(id, _)| *id, from, first.next);
        self.flat.large.extend(large.iter().map(|&(id, key)| (number(id), key)));
        true
    }
}

/// The items of a list, sorted by number, whose numbers are in `from..end`.
fn within<T>(list: &[T], number: impl Fn(&T) -> NodeId, from: NodeId, end: NodeId) -> &[T] {
    let first = list.partition_point(|item| number(item) < from);
    let last = list.partition_point(|item| number(item) < end);
    &list[first..last]
}
