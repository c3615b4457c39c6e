//! Checks that every node of the position tree is where the parser's tree has it.
//!
//! The parser's tree is walked directly, not through the events that the position tree was built from. Every node is
//! compared: its kind, its field, whether it has an error, and its ends. Each end is compared in bytes and as row and
//! column; for the position tree, the line index computes the row and column.

use locant_text::{Offset, Range, Text};
use locant_tree::{Node, Tree, Vocabulary};
use tree_sitter::{Node as ParserNode, Point};

use crate::Syntax;
use crate::bytes::BYTE_ORDER_MARK;
use crate::events::is_lacking;
use crate::node::{Node as RuledNode, Unpacked, UnpackedNode};

/// The result of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// The number of nodes in the parser's tree.
    pub n_nodes: usize,
    /// How many of them are errors or missing.
    pub n_errors: usize,
    /// How many nodes differ, or are in only one of the two trees.
    pub n_mismatches: usize,
    /// The first node that differs, and the nodes before it. The position tree stores gaps and lengths, not offsets, so
    /// the error may be in a node before the first that differs.
    pub trace: Vec<Compared>,
}

/// The same node in the parser's tree and in the position tree, each described in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The parser's node. Empty if there is none at this index.
    pub parser: String,
    /// The node of the position tree. Empty if there is none at this index.
    pub tree: String,
}

/// How many nodes before the first mismatch are shown.
const TRACED: usize = 8;

impl Syntax {
    /// Compares every node of `tree` with the parser's node. `text` is the text that was parsed.
    pub fn verify(&self, tree: &Tree, text: &[u8]) -> Verification {
        let lines = Lines::new(&self.language().readable(text));
        let Some(nodes) = Unpacked::new(tree, self.language().kinds().words()) else {
            let n_nodes = self.parsed().root_node().descendant_count();
            return Verification { n_nodes, n_mismatches: n_nodes, ..Verification::default() };
        };
        let vocabulary = &self.language().kinds().words().vocabulary;
        let sight = Sight { vocabulary, lines, n_bytes: text.len() };
        let mut verification = Verification::default();
        let mut walk = Preorder::new(self.parsed().root_node());
        while let Some((parser, field)) = walk.next() {
            verification.n_errors += usize::from(parser.is_error() || parser.is_missing());
            let index = verification.n_nodes;
            verification.n_nodes += 1;
            if nodes.get(index).is_some_and(|node| sight.agree(parser, field, node)) {
                continue;
            }
            verification.n_mismatches += 1;
            if verification.trace.is_empty() {
                verification.trace = self.trace(index, &nodes, &sight);
            }
        }
        verification.n_mismatches += nodes.len().saturating_sub(verification.n_nodes);
        if verification.trace.is_empty() && nodes.len() > verification.n_nodes {
            verification.trace = self.trace(verification.n_nodes, &nodes, &sight);
        }
        verification
    }

    /// The kind and the range of every node as the parser has them, parents before their children. A line break that
    /// the parser was given after the text is left out.
    pub fn parsed_nodes(&self) -> Vec<(&str, Range)> {
        let mut walk = Preorder::new(self.parsed().root_node());
        let in_text = |byte: usize| Offset::of_index(byte).min(self.end());
        let range = |node: ParserNode<'_>| Range::new(in_text(node.start_byte()), in_text(node.end_byte()));
        let mut nodes = Vec::new();
        while let Some((node, _)) = walk.next() {
            nodes.push((node.kind(), range(node)));
        }
        nodes
    }

    /// The last few nodes up to this index, as both trees have them.
    fn trace(&self, index: usize, nodes: &Unpacked<'_>, sight: &Sight<'_>) -> Vec<Compared> {
        let first = index.saturating_sub(TRACED);
        let mut walk = Preorder::new(self.parsed().root_node());
        let parser = std::iter::from_fn(|| walk.next()).map(Some).chain(std::iter::repeat(None));
        let tree = (0..).map(|index| nodes.get(index));
        let both = parser.zip(tree).take(index + 1).skip(first);
        both.map(|(parser, node)| Compared {
            parser: parser.map_or(String::new(), |(node, field)| sight.of_parser(node, field)),
            tree: node.map_or(String::new(), |node| sight.of_tree(node.packed)),
        })
        .collect()
    }
}

/// The lines of a text as tree-sitter counts them, found with the line index of `locant_text`.
struct Lines(Text);

impl Lines {
    fn new(text: &[u8]) -> Lines {
        let mut text = text.to_vec();
        if text.starts_with(BYTE_ORDER_MARK) {
            // For tree-sitter, a byte-order mark is ordinary text.
            text[..BYTE_ORDER_MARK.len()].fill(b' ');
        }
        // For tree-sitter, only `\n` is a line break. A lone `\r` is a blank.
        for index in 0..text.len() {
            if text[index] == b'\r' && text.get(index + 1) != Some(&b'\n') {
                text[index] = b' ';
            }
        }
        Lines(Text::new(text).expect("it was a text before"))
    }

    fn point(&self, offset: Offset) -> Point {
        let line = self.0.line_of(offset);
        let start = self.0.line_start(line).expect("a place has a line, and that has a start");
        Point::new(line as usize - 1, offset.index() - start.index())
    }
}

/// What is needed to compare and describe nodes of both trees.
struct Sight<'v> {
    vocabulary: &'v Vocabulary,
    lines: Lines,
    /// The length of the text. The parser may have been given a line break after it, which the position tree does not
    /// contain.
    n_bytes: usize,
}

impl Sight<'_> {
    fn agree(&self, parser: ParserNode<'_>, field: Option<&str>, node: UnpackedNode<'_>) -> bool {
        let Node { label, range, .. } = *node.packed;
        let kind = self.vocabulary.kind(label);
        parser.kind() == kind.name
            && parser.is_named() == kind.is_named
            && field == self.vocabulary.field(label)
            && parser.is_extra() == label.is_extra()
            && parser.is_missing() == label.is_missing()
            && RuledNode::has_error(parser) == RuledNode::has_error(node)
            && self.is_at(range.start(), parser.start_byte(), parser.start_position())
            && self.is_at(range.end(), parser.end_byte(), parser.end_position())
    }

    fn is_at(&self, offset: Offset, byte: usize, point: Point) -> bool {
        if byte <= self.n_bytes {
            offset.index() == byte && self.lines.point(offset) == point
        } else {
            offset.index() == self.n_bytes
        }
    }

    fn of_parser(&self, node: ParserNode<'_>, field: Option<&str>) -> String {
        let place = place(node.start_byte(), node.end_byte(), node.start_position(), node.end_position());
        let marks =
            [(" missing", node.is_missing()), (" lacking", is_lacking(node)), (" extra", node.is_extra())];
        words(field, node.kind(), &place, marks)
    }

    fn of_tree(&self, node: &Node) -> String {
        let (start, end) = (node.range.start(), node.range.end());
        let place = place(start.index(), end.index(), self.lines.point(start), self.lines.point(end));
        let label = node.label;
        let (field, kind) = (self.vocabulary.field(label), &self.vocabulary.kind(label).name);
        let marks = [
            (" missing", label.is_missing()),
            (" lacking", label.is_lacking()),
            (" extra", label.is_extra()),
        ];
        words(field, kind, &place, marks)
    }
}

fn place(start: usize, end: usize, from: Point, to: Point) -> String {
    format!("{start}..{end} [{}:{}-{}:{}]", from.row, from.column, to.row, to.column)
}

fn words(field: Option<&str>, kind: &str, place: &str, marks: [(&str, bool); 3]) -> String {
    let field = field.map_or(String::new(), |field| format!("{field}: "));
    let marks: String = marks.iter().filter(|(_, is_set)| *is_set).map(|(mark, _)| *mark).collect();
    format!("{field}{kind} {place}{marks}")
}

/// All nodes of the parser's tree with their fields, parents before their children.
struct Preorder<'t> {
    cursor: tree_sitter::TreeCursor<'t>,
    is_started: bool,
}

impl<'t> Preorder<'t> {
    fn new(root: ParserNode<'t>) -> Preorder<'t> {
        Preorder { cursor: root.walk(), is_started: false }
    }

    fn next(&mut self) -> Option<(ParserNode<'t>, Option<&'t str>)> {
        if self.is_started && !self.cursor.goto_first_child() {
            while !self.cursor.goto_next_sibling() {
                if !self.cursor.goto_parent() {
                    return None;
                }
            }
        }
        self.is_started = true;
        Some((self.cursor.node(), self.cursor.field_name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_name;

    fn syntax(text: &str) -> Syntax {
        Syntax::new(by_name("python").expect("python is read"), text.as_bytes())
            .expect("small texts are parsed")
    }

    #[test]
    fn a_wrong_tree_is_told_with_the_chain_that_led_there() {
        let text = "f(a, b)\n";
        let right = syntax(text);
        assert_eq!(right.verify(right.tree(), text.as_bytes()).n_mismatches, 0);
        let verification = right.verify(syntax("f(a,  b)\n").tree(), text.as_bytes());
        // The root, the statement, the call, its arguments, `b` and `)`: all nodes that end after the blank.
        assert_eq!((verification.n_nodes, verification.n_mismatches), (10, 6));
        let trace: Vec<(&str, &str)> =
            verification.trace.iter().map(|both| (both.parser.as_str(), both.tree.as_str())).collect();
        assert_eq!(trace, [("module 0..8 [0:0-1:0]", "module 0..9 [0:0-1:1]")]);
    }

    #[test]
    fn nodes_that_only_one_has_are_mismatches() {
        let (short, long) = (syntax("a\n"), syntax("a\nb\n"));
        assert!(short.verify(long.tree(), b"a\n").n_mismatches > 0);
        let verification = long.verify(short.tree(), b"a\nb\n");
        assert_eq!(verification.trace.first().map(|both| both.tree.as_str()), Some("module 0..2 [0:0-1:0]"));
    }

    #[test]
    fn a_missing_token_without_a_node_is_remembered_where_it_is_missing() {
        let text = b"package p\n\nf";
        let go = Syntax::new(by_name("go").expect("go is read"), text).expect("small texts are parsed");
        let lacking: Vec<bool> = go.tree().nodes().iter().map(|node| node.label.is_lacking()).collect();
        assert_eq!(lacking.iter().filter(|is_lacking| **is_lacking).count(), 1);
        assert!(lacking[0], "the file lacks the end of a statement");
        assert_eq!(go.verify(go.tree(), text).n_mismatches, 0);
        let read_back = Tree::from_bytes(&go.tree().to_bytes()).expect("it was written so");
        assert_eq!(go.verify(&read_back, text).n_mismatches, 0);
    }
}
