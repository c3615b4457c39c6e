//! A program as the parser read it, laid out flat: all nodes in the order of the text, each with the number of the
//! first one behind it. Children are found without a pointer, and nothing recurses.

use std::ops::ControlFlow;

use locant_text::{Offset, Range};
use tree_sitter::{InputEdit, ParseOptions, ParseState, Parser, Point, Tree, TreeCursor};

use crate::kinds::{Field, Kind};

/// The number of a node.
pub(crate) type NodeId = u32;

/// A node of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// What it is to its parent.
    pub(crate) field: Field,
    /// Did the parser put it in where something is missing?
    pub(crate) is_missing: bool,
    start: u32,
    end: u32,
    /// Its parent; the root is its own.
    parent: NodeId,
    /// The first node that is not in it.
    next: NodeId,
}

/// The program, flat.
#[derive(Debug)]
pub(crate) struct Syntax {
    /// Invariant: not empty; parents stand before what they hold.
    nodes: Vec<Node>,
    /// What the parser misses where it put something in.
    missing: Vec<(NodeId, String)>,
    tree: Option<Tree>,
}

impl Node {
    /// The bytes it covers.
    pub(crate) fn range(&self) -> Range {
        Range::new(Offset::new(self.start), Offset::new(self.end))
    }
}

impl Syntax {
    /// Reads a text.
    pub(crate) fn new(text: &[u8]) -> Syntax {
        Syntax::flat(parse(text, None), text)
    }

    /// Reads a text that differs little from the one that was read before.
    pub(crate) fn reread(&self, old_text: &[u8], text: &[u8]) -> Syntax {
        let old = self.tree.as_ref().map(|tree| {
            let mut old = tree.clone();
            old.edit(&difference(old_text, text));
            old
        });
        // What the parser makes of errors depends on what it takes over, and the answer must not.
        let tree = parse(text, old.as_ref()).filter(|tree| !tree.root_node().has_error());
        Syntax::flat(tree.or_else(|| parse(text, None)), text)
    }

    fn flat(tree: Option<Tree>, text: &[u8]) -> Syntax {
        let mut missing = Vec::new();
        let nodes = match &tree {
            Some(tree) => flatten(&mut tree.walk(), &mut missing),
            // The parser gave up, so that all is one error.
            None => vec![Node {
                kind: Kind::Error,
                field: Field::Other,
                is_missing: false,
                start: 0,
                end: Offset::of_index(text.len()).to_u32(),
                parent: 0,
                next: 1,
            }],
        };
        Syntax { nodes, missing, tree }
    }

    /// The node that holds all others.
    pub(crate) const ROOT: NodeId = 0;

    /// A node by its number.
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub(crate) fn kind(&self, id: NodeId) -> Kind {
        self.node(id).kind
    }

    pub(crate) fn range(&self, id: NodeId) -> Range {
        self.node(id).range()
    }

    /// The node around one; `None` around the root.
    pub(crate) fn parent(&self, id: NodeId) -> Option<NodeId> {
        (id != Syntax::ROOT).then(|| self.node(id).parent)
    }

    /// The nodes around one, the innermost first, itself not included.
    pub(crate) fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.parent(id), |&id| self.parent(id))
    }

    /// The children of a node, comments and tokens included.
    pub(crate) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let end = self.node(id).next;
        let inside = move |child: NodeId| (child < end).then_some(child);
        std::iter::successors(inside(id + 1), move |&child| inside(self.node(child).next))
    }

    /// The node behind one in the same parent.
    pub(crate) fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        let (next, end) = (self.node(id).next, self.node(self.parent(id)?).next);
        (next < end).then_some(next)
    }

    /// The first child in a field.
    pub(crate) fn child(&self, id: NodeId, field: Field) -> Option<NodeId> {
        self.children(id).find(|&child| self.node(child).field == field)
    }

    /// The children that have a meaning: neither tokens nor comments.
    pub(crate) fn parts(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let is_part = |kind: Kind| !kind.is_comment() && !matches!(kind, Kind::Word | Kind::Mark);
        self.children(id).filter(move |&child| is_part(self.kind(child)))
    }

    /// All nodes, in the order of the text.
    pub(crate) fn all(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        (0..).zip(&self.nodes)
    }

    /// Did the parser stumble anywhere?
    pub(crate) fn is_broken(&self) -> bool {
        self.tree.as_ref().is_none_or(|tree| tree.root_node().has_error())
    }

    /// What is missing, and where the parser would have it.
    pub(crate) fn missing(&self) -> &[(NodeId, String)] {
        &self.missing
    }

    /// The innermost node that covers a place; of two that touch there, the one behind it.
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

/// How often a text may be looked at by the parser before it gives up: hostile ones make it try all there is.
const MOST_STEPS: usize = 64;
const FREE_STEPS: usize = 1 << 16;

fn parse(text: &[u8], old: Option<&Tree>) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&crate::LANGUAGE.into()).expect("the grammar is made for this library");
    let mut left = FREE_STEPS + MOST_STEPS * text.len();
    let mut give_up = |_: &ParseState| match left {
        0 => ControlFlow::Break(()),
        _ => {
            left = left.saturating_sub(STEPS_A_CALL);
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut give_up);
    // Blanks in place of a byte-order mark move nothing, and the grammar knows them.
    let n_mark = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let mut piece = |at: usize, _| if at < n_mark { &b"   "[at..] } else { &text[at.min(text.len())..] };
    parser.parse_with_options(&mut piece, old, Some(options))
}

const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// The parser tells of its progress once in about so many steps.
const STEPS_A_CALL: usize = 100;

fn flatten(cursor: &mut TreeCursor<'_>, missing: &mut Vec<(NodeId, String)>) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut open: Vec<NodeId> = Vec::new();
    loop {
        let id = number(&nodes);
        nodes.push(node(cursor, open.last().copied().unwrap_or(id)));
        if cursor.node().is_missing() {
            missing.push((id, cursor.node().kind().to_owned()));
        }
        if cursor.goto_first_child() {
            open.push(id);
            continue;
        }
        nodes[id as usize].next = id + 1;
        while !cursor.goto_next_sibling() {
            let Some(closed) = open.pop() else { return nodes };
            nodes[closed as usize].next = number(&nodes);
            cursor.goto_parent();
        }
    }
}

fn number(nodes: &[Node]) -> NodeId {
    NodeId::try_from(nodes.len()).expect("a program has fewer nodes than a text has bytes")
}

fn node(cursor: &TreeCursor<'_>, parent: NodeId) -> Node {
    let node = cursor.node();
    Node {
        kind: Kind::by_number(node.kind_id()),
        field: cursor.field_id().map_or(Field::Other, |id| Field::by_number(id.get())),
        is_missing: node.is_missing(),
        start: Offset::of_index(node.start_byte()).to_u32(),
        end: Offset::of_index(node.end_byte()).to_u32(),
        parent,
        next: 0,
    }
}

/// What stands between the equal starts and the equal ends of two texts.
fn difference(old: &[u8], new: &[u8]) -> InputEdit {
    let same =
        |pairs: &mut dyn Iterator<Item = (&u8, &u8)>| pairs.take_while(|(old, new)| old == new).count();
    let start = same(&mut old.iter().zip(new));
    let behind = same(&mut old[start..].iter().rev().zip(new[start..].iter().rev()));
    let (old_end, new_end) = (old.len() - behind, new.len() - behind);
    InputEdit {
        start_byte: start,
        old_end_byte: old_end,
        new_end_byte: new_end,
        start_position: point(old, start),
        old_end_position: point(old, old_end),
        new_end_position: point(new, new_end),
    }
}

fn point(text: &[u8], at: usize) -> Point {
    let before = &text[..at];
    let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    Point::new(before.iter().filter(|&&byte| byte == b'\n').count(), at - line_start)
}
