//! The position tree: every node of a syntax tree with its range, packed into a few bytes for each node.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use locant_text::{Offset, Range};

use crate::block::Steps;
use crate::blocks::{COUNTS, Entry};
use crate::label::Labels;
use crate::path::{Goal, Spot};
use crate::stream::{Shape, Step};
use crate::{Event, Label, Vocabulary};

/// Every node of a syntax tree, with its range.
///
/// A tree is a value. An edit makes a new tree that shares as much as possible with the old one, and the old tree
/// stays as it was. Cloning a tree is cheap.
#[derive(Clone)]
pub struct Tree {
    pub(crate) root: Entry,
    pub(crate) labels: Arc<Labels>,
    pub(crate) vocabulary: Arc<Vocabulary>,
}

/// The number of a node in its tree, counted from 0. A parent has a smaller number than its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

/// A node and its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The number of the node in its tree.
    pub id: NodeId,
    /// What the node is.
    pub label: Label,
    /// Where the node is.
    pub range: Range,
    /// The number of the first node after this one that is not inside it. The tree may have no node with that number.
    pub(crate) after: NodeId,
}

impl NodeId {
    /// The index of the node in [`Tree::nodes`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Node {
    /// Whether the node has no children.
    pub fn is_leaf(&self) -> bool {
        self.after.0 == self.id.0 + 1
    }

    /// How many nodes are inside this one, not counting itself.
    pub fn n_below(&self) -> u32 {
        self.after.0 - self.id.0 - 1
    }

    /// Whether `other` is inside this node.
    pub fn holds(&self, other: NodeId) -> bool {
        self.id < other && other < self.after
    }
}

impl Tree {
    /// How many nodes there are.
    pub fn n_nodes(&self) -> u32 {
        self.root.summary().nodes
    }

    /// Where the last node ends.
    pub fn end(&self) -> Offset {
        Offset::new(self.root.summary().extent)
    }

    /// How many bytes the tree takes in memory, without its vocabulary, which all trees of a language share.
    pub fn n_bytes(&self) -> usize {
        size_of::<Tree>() + self.root.n_bytes() + COUNTS + self.labels.n_bytes()
    }

    /// The greatest nesting depth of the nodes.
    pub fn depth(&self) -> u32 {
        let (mut open, mut depth) = (0, 0);
        for event in self.events() {
            match event {
                Event::Enter { .. } => open += 1,
                Event::Leaf { .. } => depth = depth.max(open + 1),
                Event::Leave { .. } => open -= 1,
            }
        }
        depth
    }

    /// The names of the kinds and fields.
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    /// The events that the tree was built from.
    pub fn events(&self) -> Events<'_> {
        Events {
            tree: self,
            n_blocks: 0,
            steps: None,
            end: Offset::ZERO,
            entered: Vec::new(),
            ready: VecDeque::new(),
        }
    }

    /// All nodes, parents before their children.
    pub fn nodes(&self) -> Vec<Node> {
        let mut nodes: Vec<Node> = Vec::with_capacity(self.n_nodes() as usize);
        let mut open = Vec::new();
        for event in self.events() {
            let id = NodeId(u32::try_from(nodes.len()).expect("fewer nodes than numbers"));
            match event {
                Event::Enter { label, start } => {
                    open.push(nodes.len());
                    nodes.push(Node { id, label, range: Range::empty(start), after: id });
                }
                Event::Leaf { label, range } => {
                    nodes.push(Node { id, label, range, after: NodeId(id.0 + 1) });
                }
                Event::Leave { end } => {
                    let node = &mut nodes[open.pop().expect("what is left was entered")];
                    (node.range, node.after) = (Range::new(node.range.start(), end), id);
                }
            }
        }
        nodes
    }
}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tree({} nodes)", self.n_nodes())
    }
}

/// Trees are equal if they have nodes with the same names in the same places. The division into blocks, and the
/// numbers of kinds and fields, may differ.
impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        if self.vocabulary == other.vocabulary {
            return self.events().eq(other.events());
        }
        other.with_vocabulary(&self.vocabulary).is_some_and(|other| self.events().eq(other.events()))
    }
}

impl Eq for Tree {}

/// The events of a tree, from front to back.
pub struct Events<'t> {
    tree: &'t Tree,
    /// How many blocks have been started.
    n_blocks: u32,
    steps: Option<Steps<'t>>,
    /// Where the last leaf ends.
    end: Offset,
    /// The label numbers of the nodes entered since the last leaf. These nodes start where the next leaf starts.
    entered: Vec<u32>,
    ready: VecDeque<Event>,
}

impl Iterator for Events<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            match self.steps.as_mut().and_then(Iterator::next) {
                Some(Step::Enter(code)) => self.entered.push(code),
                Some(Step::Leaf(code, shape)) => self.leaf(code, shape),
                None => {
                    let spot = Spot::find(&self.tree.root, Goal::Block(self.n_blocks))?;
                    self.n_blocks += 1;
                    self.steps = Some(spot.block.steps(&self.tree.labels));
                }
            }
        }
    }
}

impl Events<'_> {
    fn leaf(&mut self, code: u32, shape: Shape) {
        let labels = &self.tree.labels;
        let start = Offset::new(self.end.to_u32() + shape.gap);
        let end = Offset::new(start.to_u32() + shape.length);
        let enter = |code| Event::Enter { label: labels.get(code), start };
        self.ready.extend(self.entered.drain(..).map(enter));
        let label = labels.get(code);
        if !label.is_filler() {
            self.ready.push_back(Event::Leaf { label: label.plain(), range: Range::new(start, end) });
        }
        self.ready.extend((0..shape.closes).map(|_| Event::Leave { end }));
        self.end = end;
    }
}
