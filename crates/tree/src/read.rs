//! What can be asked of a tree besides paths: neighbours, contents, what a cursor means, many places at once.

use locant_text::{Offset, Range};

use crate::block::Block;
use crate::blocks::Entry;
use crate::label::Labels;
use crate::stream::Step;
use crate::tree::{Node, NodeId, Tree};

impl Tree {
    /// The node with this number.
    pub fn node(&self, id: NodeId) -> Option<Node> {
        self.path_to(id).pop()
    }

    /// The node that contains it.
    pub fn parent(&self, id: NodeId) -> Option<Node> {
        let mut path = self.path_to(id);
        path.pop();
        path.pop()
    }

    /// The nodes directly in a node, in order.
    pub fn children(&self, node: &Node) -> impl Iterator<Item = Node> {
        let behind = node.behind;
        let mut next = NodeId(node.id.0 + 1);
        std::iter::from_fn(move || {
            let child = if next < behind { self.node(next) } else { None }?;
            next = child.behind;
            Some(child)
        })
    }

    /// The next node in the same parent.
    pub fn next_sibling(&self, node: &Node) -> Option<Node> {
        let parent = self.parent(node.id);
        // Behind the last child stands a node that is not in the parent.
        let is_inside = parent.is_none_or(|parent| parent.holds(node.behind));
        if is_inside { self.node(node.behind) } else { None }
    }

    /// The node before it in the same parent.
    pub fn previous_sibling(&self, node: &Node) -> Option<Node> {
        let depth = self.path_to(node.id).len();
        let path = self.path_to(NodeId(node.id.0.checked_sub(1)?));
        // The node numbered one less is the parent, or lies in the sibling, which is as deep as this node.
        path.get(depth - 1).copied()
    }

    /// A node without the delimiter that closes it: `{ a` of `{ a }`, up to the end of its last child before that.
    /// Without such a delimiter, all of it.
    ///
    /// A closing delimiter is a last child that is a piece of text, not a rule of the grammar, and ends in a closing
    /// bracket, is the same as the first child (quotes), or is a word for an end.
    pub fn content_range(&self, node: &Node) -> Range {
        self.content_end(node).map_or(node.range, |end| Range::new(node.range.start(), end))
    }

    fn content_end(&self, node: &Node) -> Option<Offset> {
        // The last node in it, and the one before that, which must be in it too.
        let last = NodeId(node.behind.0.checked_sub(1)?);
        let before = NodeId(last.0.checked_sub(1)?);
        if !node.holds(last) || !node.holds(before) {
            return None;
        }
        let mut path = self.path_to(last);
        let closing = path.pop()?;
        let is_child = path.last().is_some_and(|parent| parent.id == node.id);
        if !is_child || !self.is_closing(&closing, node) {
            return None;
        }
        self.path_to(before).get(path.len()).map(|child| child.range.end())
    }

    fn is_closing(&self, last: &Node, parent: &Node) -> bool {
        let kind = self.vocabulary().kind(last.label);
        if kind.is_named || last.range.is_empty() {
            return false;
        }
        let name = kind.name.as_str();
        let is_first = || {
            self.node(NodeId(parent.id.0 + 1)).is_some_and(|first| first.label.kind() == last.label.kind())
        };
        name.ends_with([')', ']', '}', '>'])
            || name.starts_with("end")
            || matches!(name, "done" | "esac" | "fi")
            || is_first()
    }

    /// The path that a cursor at an offset means: right behind a word it still means that word, and beside
    /// punctuation the name.
    pub fn path_at_cursor(&self, offset: Offset) -> Vec<Node> {
        let path = self.path(offset);
        let Some(before) = offset.to_u32().checked_sub(1) else { return path };
        let left = self.path(Offset::new(before));
        let ends_here = left.last().is_some_and(|node| node.is_leaf() && node.range.end() == offset);
        if ends_here && self.weight(&left) > self.weight(&path) { left } else { path }
    }

    /// How likely people mean the end of a path: a name, a keyword, punctuation, a blank.
    fn weight(&self, path: &[Node]) -> u8 {
        let Some(leaf) = path.last().filter(|node| node.is_leaf()) else { return 0 };
        let kind = self.vocabulary().kind(leaf.label);
        match kind.name.starts_with(|first: char| first.is_alphanumeric() || first == '_') {
            _ if kind.is_named => 3,
            true => 2,
            false => 1,
        }
    }

    /// For each of many places in ascending order, the innermost node that contains the byte behind it.
    ///
    /// One sweep: what is between the places is passed by block for block.
    pub fn innermost(&self, offsets: &[Offset]) -> Vec<Option<Node>> {
        debug_assert!(offsets.is_sorted(), "places are asked for in order");
        let mut sweep = Sweep { tree: self, labels: &self.labels, offset: 0, nodes: 0, found: Vec::new() };
        sweep.found.reserve(offsets.len());
        let rest = sweep.entry(&self.root, offsets);
        sweep.found.extend(rest.iter().map(|_| None));
        sweep.found
    }
}

/// A walk from front to back for the leaves at many places.
struct Sweep<'t> {
    tree: &'t Tree,
    labels: &'t Labels,
    offset: u32,
    nodes: u32,
    found: Vec<Option<Node>>,
}

impl Sweep<'_> {
    /// Answers the places in an entry; those behind it are left.
    fn entry<'o>(&mut self, entry: &Entry, mut offsets: &'o [Offset]) -> &'o [Offset] {
        let end = self.offset + entry.summary().extent;
        if offsets.first().is_none_or(|first| first.to_u32() >= end) {
            self.offset = end;
            self.nodes += entry.summary().nodes;
            return offsets;
        }
        match entry {
            Entry::Block(_, bytes) => self.block(Block::new(bytes), offsets),
            Entry::Branch(_, entries) => {
                for entry in entries.iter() {
                    offsets = self.entry(entry, offsets);
                }
                offsets
            }
        }
    }

    fn block<'o>(&mut self, block: Block<'_>, mut offsets: &'o [Offset]) -> &'o [Offset] {
        for step in block.steps(self.labels) {
            let (code, shape) = match step {
                Step::Enter(_) => {
                    self.nodes += 1;
                    continue;
                }
                Step::Leaf(code, shape) => (code, shape),
            };
            let (start, end) = (self.offset + shape.gap, self.offset + shape.gap + shape.length);
            let label = self.labels.get(code);
            let id = NodeId(self.nodes);
            let range = Range::new(Offset::new(start), Offset::new(end));
            while let Some((&first, rest)) = offsets.split_first()
                && first.to_u32() < end
            {
                let leaf = Node { id, label: label.plain(), range, behind: NodeId(id.0 + 1) };
                let is_inside = start <= first.to_u32();
                // Between leaves the innermost node is one with children, whose ends lie elsewhere.
                self.found.push(if is_inside { Some(leaf) } else { self.tree.path(first).pop() });
                offsets = rest;
            }
            self.offset = end;
            self.nodes += u32::from(!label.is_filler());
        }
        offsets
    }
}
