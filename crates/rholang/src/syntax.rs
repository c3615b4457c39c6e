//! The syntax tree of a program as a flat list: all nodes in the order of the text, parents before their children. Each
//! node has the index of the first node after it that is not inside it. That is enough to go from child to child,
//! without recursion.

use locant_text::{Offset, Range};
use tree_sitter::Tree;

use crate::flat::{Flat, flatten};
use crate::kinds::{Field, Kind};
use crate::parse::{parse, reparse};

/// The index of a node in the list.
pub(crate) type NodeId = u32;

/// A node of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// Its role in its parent.
    pub(crate) field: Field,
    /// Whether the node is not in the text. The parser inserts such a node where something is missing.
    pub(crate) is_missing: bool,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Its parent; the root is its own parent.
    pub(crate) parent: NodeId,
    /// The first node after this one that is not inside it.
    pub(crate) next: NodeId,
}

/// The syntax tree of a program.
#[derive(Debug)]
pub(crate) struct Syntax {
    flat: Flat,
    tree: Option<Tree>,
}

impl Node {
    /// The bytes it covers.
    pub(crate) fn range(&self) -> Range {
        Range::new(Offset::new(self.start), Offset::new(self.end))
    }
}

impl Syntax {
    /// Parses a text.
    pub(crate) fn new(text: &[u8]) -> Syntax {
        Syntax::of(parse(text), text, None)
    }

    /// Parses a text that differs little from `old_text`, the text of this tree.
    pub(crate) fn reread(&self, old_text: &[u8], text: &[u8]) -> Syntax {
        match &self.tree {
            Some(old) => Syntax::of(reparse(text, old_text, old), text, Some(&self.flat)),
            None => Syntax::new(text),
        }
    }

    fn of(tree: Option<Tree>, text: &[u8], before: Option<&Flat>) -> Syntax {
        let flat = match &tree {
            Some(tree) => flatten(tree, before),
            None => Flat::unread(text),
        };
        Syntax { flat, tree }
    }

    /// The node that contains all others.
    pub(crate) const ROOT: NodeId = 0;

    pub(crate) fn n_nodes(&self) -> usize {
        self.flat.nodes.len()
    }

    /// A node by its index.
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.flat.nodes[id as usize]
    }

    pub(crate) fn kind(&self, id: NodeId) -> Kind {
        self.node(id).kind
    }

    pub(crate) fn range(&self, id: NodeId) -> Range {
        self.node(id).range()
    }

    /// The parent of a node; `None` for the root.
    pub(crate) fn parent(&self, id: NodeId) -> Option<NodeId> {
        (id != Syntax::ROOT).then(|| self.node(id).parent)
    }

    /// The nodes around a node, the innermost first, without the node itself.
    pub(crate) fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.parent(id), |&id| self.parent(id))
    }

    /// The children of a node, including comments and tokens.
    pub(crate) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + Clone {
        let end = self.node(id).next;
        let inside = move |child: NodeId| (child < end).then_some(child);
        std::iter::successors(inside(id + 1), move |&child| inside(self.node(child).next))
    }

    /// The next child of the same parent.
    pub(crate) fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        let (next, end) = (self.node(id).next, self.node(self.parent(id)?).next);
        (next < end).then_some(next)
    }

    /// The first token after a node. Comments are skipped.
    pub(crate) fn leaf_after(&self, id: NodeId) -> Option<NodeId> {
        let after = self.flat.nodes.get(self.node(id).next as usize..)?;
        let is_token = |(id, node): &(NodeId, &Node)| node.next == id + 1 && !node.kind.is_comment();
        (self.node(id).next..).zip(after).find(is_token).map(|(id, _)| id)
    }

    /// The first child in a field.
    pub(crate) fn child(&self, id: NodeId, field: Field) -> Option<NodeId> {
        self.children(id).find(|&child| self.node(child).field == field)
    }

    /// The children except for words of the language, marks and comments.
    pub(crate) fn parts(&self, id: NodeId) -> impl Iterator<Item = NodeId> + Clone {
        let is_part = |kind: Kind| !kind.is_comment() && !matches!(kind, Kind::Word | Kind::Mark);
        self.children(id).filter(move |&child| is_part(self.kind(child)))
    }

    /// The process in a quote, without braces and parentheses around it: `"a"` for `@{"a"}`, which is the same name as
    /// `@"a"`.
    pub(crate) fn quoted(&self, quote: NodeId) -> Option<NodeId> {
        let mut quoted = self.child(quote, Field::Process)?;
        while matches!(self.kind(quoted), Kind::Block | Kind::Parenthesized) {
            quoted = self.parts(quoted).next()?;
        }
        Some(quoted)
    }

    /// The quote that quotes a node: the reverse of `quoted`.
    pub(crate) fn quote_around(&self, quoted: NodeId) -> Option<NodeId> {
        let is_between = |&id: &NodeId| matches!(self.kind(id), Kind::Block | Kind::Parenthesized);
        let quote = self.ancestors(quoted).find(|id| !is_between(id))?;
        (self.kind(quote) == Kind::Quote).then_some(quote)
    }

    /// All nodes, in the order of the text.
    pub(crate) fn all(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        (0..).zip(&self.flat.nodes)
    }

    /// Whether the parser found an error anywhere, or gave up.
    pub(crate) fn is_broken(&self) -> bool {
        self.tree.as_ref().is_none_or(|tree| tree.root_node().has_error())
    }

    /// The nodes that the parser inserted where something is missing, each with the grammar's word for what is missing.
    pub(crate) fn missing(&self) -> &[(NodeId, String)] {
        &self.flat.missing
    }

    /// The innermost node that contains a place. Of two nodes that meet there, it is the one that starts there.
    pub(crate) fn innermost(&self, at: Offset) -> NodeId {
        let mut found = Syntax::ROOT;
        loop {
            let inner = self.children(found).take_while(|&child| self.range(child).start() <= at);
            let inner = inner.filter(|&child| self.range(child).contains(at)).last();
            match inner {
                Some(inner) => found = inner,
                None => return found,
            }
        }
    }
}
