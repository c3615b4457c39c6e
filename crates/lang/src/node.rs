//! A node of a syntax tree as rules see it. It comes either from the parser's tree or from a position tree.
//!
//! To read a position tree in this way, it is unpacked into a list with parents before their children. A walk passes
//! most nodes, and in a list that takes one step for each node.

use std::ops;

use locant_tree::{Node as Packed, Tree};
use tree_sitter::{Node as Parsed, TreeCursor};

use crate::events::{ERROR, GrammarWords};

/// A node of a syntax tree. Kinds and fields are the ids of the grammar.
pub(crate) trait Node: Copy {
    type Cursor: Cursor<Node = Self>;

    fn kind_id(self) -> u16;
    fn start_byte(self) -> usize;
    fn end_byte(self) -> usize;
    /// Whether the node is a named rule of the grammar, rather than a token.
    fn is_named(self) -> bool;
    /// Whether the node may occur anywhere, as a comment may.
    fn is_extra(self) -> bool;
    /// Whether the node is text that the parser could not read.
    fn is_error(self) -> bool;
    /// Whether the parser inserted the node because the text lacks it.
    fn is_missing(self) -> bool;
    /// Whether the node is an error or contains one.
    fn has_error(self) -> bool;
    /// The first child in a field.
    fn in_field(self, field_id: u16) -> Option<Self>;
    /// A cursor at this node. It does not leave the node.
    fn walk(self) -> Self::Cursor;

    fn byte_range(self) -> ops::Range<usize> {
        self.start_byte()..self.end_byte()
    }

    fn children(self) -> impl Iterator<Item = Self> {
        let mut cursor = self.walk();
        let mut is_at_child = cursor.goto_first_child();
        std::iter::from_fn(move || {
            let child = is_at_child.then(|| cursor.node())?;
            is_at_child = cursor.goto_next_sibling();
            Some(child)
        })
    }

    /// All children in a field.
    fn all_in_field(self, field_id: u16) -> impl Iterator<Item = Self> {
        let mut cursor = self.walk();
        let mut is_at_child = cursor.goto_first_child();
        std::iter::from_fn(move || {
            while is_at_child {
                let child = (cursor.field_id() == field_id).then(|| cursor.node());
                is_at_child = cursor.goto_next_sibling();
                if child.is_some() {
                    return child;
                }
            }
            None
        })
    }
}

/// A place in a walk through a syntax tree. If there is no node to go to, the cursor stays where it is and returns
/// `false`.
pub(crate) trait Cursor {
    type Node;

    fn node(&self) -> Self::Node;
    /// The id of the field of its parent that the node is in. 0 if it is in none.
    fn field_id(&self) -> u16;
    fn goto_first_child(&mut self) -> bool;
    fn goto_next_sibling(&mut self) -> bool;
    fn goto_parent(&mut self) -> bool;
}

impl<'t> Node for Parsed<'t> {
    type Cursor = TreeCursor<'t>;

    fn kind_id(self) -> u16 {
        Parsed::kind_id(&self)
    }

    fn start_byte(self) -> usize {
        Parsed::start_byte(&self)
    }

    fn end_byte(self) -> usize {
        Parsed::end_byte(&self)
    }

    fn is_named(self) -> bool {
        Parsed::is_named(&self)
    }

    fn is_extra(self) -> bool {
        Parsed::is_extra(&self)
    }

    fn is_error(self) -> bool {
        Parsed::is_error(&self)
    }

    fn is_missing(self) -> bool {
        Parsed::is_missing(&self)
    }

    fn has_error(self) -> bool {
        // For tree-sitter, an error node without children does not have an error.
        Parsed::has_error(&self) || Parsed::is_error(&self)
    }

    fn in_field(self, field_id: u16) -> Option<Self> {
        // In broken text, `child_by_field_id` may return a grandchild, even if the node itself has no error.
        let is_own = |child: &Self| self.child_with_descendant(*child).as_ref() == Some(child);
        let found = self.child_by_field_id(field_id);
        if Parsed::has_error(&self) || found.is_some_and(|child| !is_own(&child)) {
            self.all_in_field(field_id).next()
        } else {
            found
        }
    }

    fn walk(self) -> TreeCursor<'t> {
        Parsed::walk(&self)
    }
}

impl<'t> Cursor for TreeCursor<'t> {
    type Node = Parsed<'t>;

    fn node(&self) -> Parsed<'t> {
        TreeCursor::node(self)
    }

    fn field_id(&self) -> u16 {
        TreeCursor::field_id(self).map_or(0, u16::from)
    }

    fn goto_first_child(&mut self) -> bool {
        TreeCursor::goto_first_child(self)
    }

    fn goto_next_sibling(&mut self) -> bool {
        TreeCursor::goto_next_sibling(self)
    }

    fn goto_parent(&mut self) -> bool {
        TreeCursor::goto_parent(self)
    }
}

/// The nodes of a position tree.
pub(crate) struct Unpacked<'w> {
    words: &'w GrammarWords,
    /// Parents before their children.
    nodes: Vec<Packed>,
    /// The sorted indices of the nodes that are errors, are missing, or lack a token.
    stumbles: Vec<usize>,
}

impl<'w> Unpacked<'w> {
    /// Unpacks a tree. `None` if it has kinds or fields that are not in `words`.
    pub(crate) fn new(tree: &Tree, words: &'w GrammarWords) -> Option<Unpacked<'w>> {
        let nodes = if *tree.vocabulary() == words.vocabulary {
            tree.nodes()
        } else {
            tree.with_vocabulary(&words.vocabulary)?.nodes()
        };
        let stumbled = |packed: &Packed| {
            let label = packed.label;
            label.is_missing() || label.is_lacking() || words.kind_id(label) == ERROR
        };
        let stumbles = (0..nodes.len()).filter(|&index| stumbled(&nodes[index])).collect();
        Some(Unpacked { words, nodes, stumbles })
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A node by its index.
    pub(crate) fn get(&self, index: usize) -> Option<UnpackedNode<'_>> {
        self.nodes.get(index).map(|packed| UnpackedNode { tree: self, packed })
    }

    /// The outermost node. `None` if there are several or none.
    pub(crate) fn root(&self) -> Option<UnpackedNode<'_>> {
        self.get(0).filter(|root| after(root.packed) == self.nodes.len())
    }
}

/// A node of a position tree.
#[derive(Clone, Copy)]
pub(crate) struct UnpackedNode<'u> {
    tree: &'u Unpacked<'u>,
    pub(crate) packed: &'u Packed,
}

impl<'u> Node for UnpackedNode<'u> {
    type Cursor = UnpackedCursor<'u>;

    fn kind_id(self) -> u16 {
        self.tree.words.kind_id(self.packed.label)
    }

    fn start_byte(self) -> usize {
        self.packed.range.start().index()
    }

    fn end_byte(self) -> usize {
        self.packed.range.end().index()
    }

    fn is_named(self) -> bool {
        self.tree.words.vocabulary.kind(self.packed.label).is_named
    }

    fn is_extra(self) -> bool {
        self.packed.label.is_extra()
    }

    fn is_error(self) -> bool {
        self.kind_id() == ERROR
    }

    fn is_missing(self) -> bool {
        self.packed.label.is_missing()
    }

    fn has_error(self) -> bool {
        let stumbles = &self.tree.stumbles;
        let next = stumbles.partition_point(|&index| index < self.packed.id.index());
        stumbles.get(next).is_some_and(|&index| index < after(self.packed))
    }

    fn in_field(self, field_id: u16) -> Option<Self> {
        self.all_in_field(field_id).next()
    }

    fn walk(self) -> UnpackedCursor<'u> {
        UnpackedCursor { node: self, parents: Vec::new() }
    }
}

/// A walk through the nodes of a position tree.
pub(crate) struct UnpackedCursor<'u> {
    node: UnpackedNode<'u>,
    /// The nodes that the walk has entered, the outermost first.
    parents: Vec<&'u Packed>,
}

impl<'u> Cursor for UnpackedCursor<'u> {
    type Node = UnpackedNode<'u>;

    fn node(&self) -> UnpackedNode<'u> {
        self.node
    }

    fn field_id(&self) -> u16 {
        if self.parents.is_empty() { 0 } else { self.node.packed.label.field() }
    }

    fn goto_first_child(&mut self) -> bool {
        let packed = self.node.packed;
        if packed.is_leaf() {
            return false;
        }
        self.parents.push(packed);
        self.node.packed = &self.node.tree.nodes[packed.id.index() + 1];
        true
    }

    fn goto_next_sibling(&mut self) -> bool {
        let next = after(self.node.packed);
        let is_inside = self.parents.last().is_some_and(|parent| next < after(parent));
        if is_inside {
            self.node.packed = &self.node.tree.nodes[next];
        }
        is_inside
    }

    fn goto_parent(&mut self) -> bool {
        let parent = self.parents.pop();
        self.node.packed = parent.unwrap_or(self.node.packed);
        parent.is_some()
    }
}

/// The index of the first node that comes after a node and all its descendants.
fn after(node: &Packed) -> usize {
    node.id.index() + 1 + node.n_below() as usize
}
