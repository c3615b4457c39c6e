//! Queries on a tree other than paths: neighbours, content ranges, what a cursor means, and many places at once.

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

    /// The node that directly contains a node.
    pub fn parent(&self, id: NodeId) -> Option<Node> {
        let mut path = self.path_to(id);
        path.pop();
        path.pop()
    }

    /// The children of a node, in order.
    pub fn children(&self, node: &Node) -> impl Iterator<Item = Node> {
        let end = node.after;
        let mut next = NodeId(node.id.0 + 1);
        std::iter::from_fn(move || {
            let child = if next < end { self.node(next) } else { None }?;
            next = child.after;
            Some(child)
        })
    }

    /// The next child of the same parent.
    pub fn next_sibling(&self, node: &Node) -> Option<Node> {
        let parent = self.parent(node.id);
        // The node after the last child is not in the parent.
        let is_inside = parent.is_none_or(|parent| parent.holds(node.after));
        if is_inside { self.node(node.after) } else { None }
    }

    /// The previous child of the same parent.
    pub fn previous_sibling(&self, node: &Node) -> Option<Node> {
        let depth = self.path_to(node.id).len();
        let path = self.path_to(NodeId(node.id.0.checked_sub(1)?));
        // The node with the previous number is either the parent, or the sibling, or a node inside the sibling. In its
        // path, the sibling is at the same depth as this node.
        path.get(depth - 1).copied()
    }

    /// The range of a node up to the end of its last child before the closing delimiter: `{ a` for `{ a }`. If the
    /// node has no closing delimiter, its whole range.
    ///
    /// The last child is a closing delimiter if it is a fixed piece of text rather than a rule of the grammar, and if
    /// one of these holds: it ends with a closing bracket, it is a word such as `end` or `done`, or it has the same
    /// kind as the first child, as quotes do.
    pub fn content_range(&self, node: &Node) -> Range {
        self.content_end(node).map_or(node.range, |end| Range::new(node.range.start(), end))
    }

    fn content_end(&self, node: &Node) -> Option<Offset> {
        // The last node inside. It must not be the only one.
        let last = NodeId(node.after.0.checked_sub(1)?);
        let first = NodeId(node.id.0 + 1);
        if last <= first {
            return None;
        }
        let (closing, content_end, parent) = self.last_child(last)?;
        (parent == node.id && self.is_closing(&closing, first)).then_some(content_end)
    }

    /// Whether `last`, the last child of a node, closes the node. `first` is the first child.
    fn is_closing(&self, last: &Node, first: NodeId) -> bool {
        let kind = self.vocabulary().kind(last.label);
        if kind.is_named || last.range.is_empty() {
            return false;
        }
        let name = kind.name.as_str();
        name.ends_with([')', ']', '}', '>'])
            || name.starts_with("end")
            || matches!(name, "done" | "esac" | "fi")
            || self.label(first).is_some_and(|first| first.kind() == last.label.kind())
    }

    /// The path to the node that a cursor refers to. Right after a word, that is the word. Between a name and
    /// punctuation, it is the name. Before the first node and after the last one, it is the outermost node.
    pub fn path_at_cursor(&self, offset: Offset, text: &[u8]) -> Vec<Node> {
        let path = self.path(offset);
        let before = offset.index().checked_sub(1);
        let left = before.map(|before| self.path(Offset::of_index(before))).unwrap_or_default();
        let ends_here = left.last().is_some_and(|node| node.is_leaf() && node.range.end() == offset);
        let byte = |index: Option<usize>| index.and_then(|index| text.get(index)).copied();
        let weights = (self.weight(&left, byte(before)), self.weight(&path, byte(Some(offset.index()))));
        let meant = if ends_here && weights.0 > weights.1 { left } else { path };
        match self.node(NodeId(0)) {
            Some(root) if meant.is_empty() && root.after.0 == self.n_nodes() => vec![root],
            _ => meant,
        }
    }

    /// How likely the last node of a path is meant, given the byte of that node next to the cursor. A name is most
    /// likely, then a keyword, then punctuation; a path without a leaf comes last. Grammars have named nodes for
    /// punctuation too, so the byte decides what counts as a word.
    fn weight(&self, path: &[Node], byte: Option<u8>) -> u8 {
        let Some(leaf) = path.last().filter(|node| node.is_leaf()) else { return 0 };
        let is_word =
            byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii());
        match self.vocabulary().kind(leaf.label).is_named {
            true if is_word => 3,
            false if is_word => 2,
            _ => 1,
        }
    }

    /// For each of many places, the innermost node that contains the byte after it. The places must be in ascending
    /// order.
    ///
    /// All nodes are found in one sweep, which skips the blocks between the places without reading them.
    pub fn innermost(&self, offsets: &[Offset]) -> Vec<Option<Node>> {
        debug_assert!(offsets.is_sorted(), "places are asked for in order");
        let mut sweep = Sweep { tree: self, labels: &self.labels, offset: 0, nodes: 0, found: Vec::new() };
        sweep.found.reserve(offsets.len());
        let rest = sweep.entry(&self.root, offsets);
        sweep.found.extend(rest.iter().map(|_| None));
        sweep.found
    }
}

/// A walk from front to back that finds the leaves at many places.
struct Sweep<'t> {
    tree: &'t Tree,
    labels: &'t Labels,
    offset: u32,
    nodes: u32,
    found: Vec<Option<Node>>,
}

impl Sweep<'_> {
    /// Finds the nodes for the places inside `entry`. Returns the places after it.
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
                let leaf = Node { id, label: label.plain(), range, after: NodeId(id.0 + 1) };
                let is_inside = start <= first.to_u32();
                // Between leaves, the innermost node has children, so its range is not known here.
                self.found.push(if is_inside { Some(leaf) } else { self.tree.path(first).pop() });
                offsets = rest;
            }
            self.offset = end;
            self.nodes += u32::from(!label.is_filler());
        }
        offsets
    }
}
