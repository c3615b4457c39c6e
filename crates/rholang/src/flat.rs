//! From tree-sitter's tree to a list of nodes.
//!
//! After an edit, tree-sitter shares with the tree before whatever the edit did not touch. What is shared is copied
//! from the list before, which takes a small part of the time of walking it.

use std::collections::HashMap;

use locant_text::Offset;
use tree_sitter::{Tree, TreeCursor};

use crate::kinds::{Field, Kind};
use crate::syntax::{Node, NodeId};

/// The nodes of a tree, in the order of the text.
#[derive(Debug, Default)]
pub(crate) struct Flat {
    /// Invariant: not empty; parents stand before what they hold.
    pub(crate) nodes: Vec<Node>,
    /// What the parser misses where it put something in, by the number of the node.
    pub(crate) missing: Vec<(NodeId, String)>,
    /// The larger nodes in their order, with what tree-sitter knows them by as long as the tree is there.
    large: Vec<(NodeId, usize)>,
}

/// How many nodes must be in a node so that it is worth to look it up.
const LARGE: u32 = 24;

/// How many nodes there is room for besides those of the list before.
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

/// Lays a tree out flat. `before` is the list of a tree that is still there and from which this one was made.
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
    /// The list before, and its larger nodes by their keys.
    before: Option<(&'t Flat, HashMap<usize, NodeId>)>,
    /// The nodes around the current one.
    open: Vec<NodeId>,
    flat: Flat,
}

impl Flattening<'_> {
    /// Takes the node at the cursor and goes on; `false` when there is no more.
    fn step(&mut self) -> bool {
        let id = self.n_nodes();
        let key = self.cursor.node().id();
        let is_copied = self.copy(key);
        if !is_copied {
            let node = self.node(id);
            self.flat.nodes.push(node);
            if self.cursor.goto_first_child() {
                self.open.push(id);
                // Which of them are large is seen when all are there.
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

    /// Copies the node at the cursor and all that is in it from the list before, if it is there.
    fn copy(&mut self, key: usize) -> bool {
        let Some((before, known)) = &self.before else { return false };
        let Some(&from) = known.get(&key) else { return false };
        let (to, field) = (self.n_nodes(), self.field());
        let first = before.nodes[from as usize];
        let start = Offset::of_index(self.cursor.node().start_byte()).to_u32();
        // Wrapping, since what stands after an edit may move either way.
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

/// The part of a list in the order of numbers that has the numbers from one up to another.
fn within<T>(list: &[T], number: impl Fn(&T) -> NodeId, from: NodeId, end: NodeId) -> &[T] {
    let first = list.partition_point(|item| number(item) < from);
    let last = list.partition_point(|item| number(item) < end);
    &list[first..last]
}
