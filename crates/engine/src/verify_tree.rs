//! Checks the position tree of a document against its parser, and lists the nodes of the parser.

use locant_lang::{Compared, Syntax, Verification};
use locant_proto::File;
use locant_text::Range;
use locant_tree::{Label, Node, Tree};

use crate::{Document, Reader};

/// Parses a document again and compares every node of its position tree with the nodes of the parser. `None` when the
/// document has no position tree.
pub fn verify(document: &Document) -> Option<Verification> {
    let text = document.text().bytes();
    let tree = document.tree_as_it_stands()?;
    match document.reader()? {
        Reader::Grammar(language) => Some(Syntax::as_it_stands(language, text)?.verify(&tree, text)),
        Reader::Proto => Some(verify_proto(&tree, text)),
    }
}

/// A node as the parser has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedNode {
    /// The name of its kind in the grammar.
    pub kind: String,
    /// Where the parser has it.
    pub range: Range,
}

/// The nodes of a document as its parser has them, parents before their children. They are read from the parser and
/// not from the position tree. `None` when the document has no position tree.
pub fn parsed_nodes(document: &Document) -> Option<Vec<ParsedNode>> {
    let text = document.text().bytes();
    match document.reader()? {
        Reader::Grammar(language) => {
            let syntax = Syntax::as_it_stands(language, text)?;
            Some(
                syntax
                    .parsed_nodes()
                    .into_iter()
                    .map(|(kind, range)| ParsedNode { kind: kind.to_owned(), range })
                    .collect(),
            )
        }
        Reader::Proto => {
            let tree = document.tree()?;
            let nodes = locant_proto::nodes(&File::parse(text), text).into_iter();
            let node = |(label, range)| ParsedNode { kind: kind(tree, label).to_owned(), range };
            Some(nodes.map(node).collect())
        }
    }
}

/// The number of nodes before the first difference that are shown.
const TRACED: usize = 8;

/// Parses the text of a .proto file again and compares its nodes with those of a tree.
fn verify_proto(tree: &Tree, text: &[u8]) -> Verification {
    let parser = locant_proto::nodes(&File::parse(text), text);
    let nodes: Vec<(Label, Range)> =
        tree.nodes().iter().map(|node: &Node| (node.label, node.range)).collect();
    let n_nodes = parser.len().max(nodes.len());
    let differs = |index: &usize| parser.get(*index) != nodes.get(*index);
    let first = (0..n_nodes).find(differs);
    let compared = |index: usize| Compared {
        parser: words(tree, parser.get(index)),
        tree: words(tree, nodes.get(index)),
    };
    let traced = first.map_or(0..0, |first| first.saturating_sub(TRACED)..first + 1);
    Verification {
        n_nodes: parser.len(),
        n_errors: parser.iter().filter(|(label, _)| kind(tree, *label) == "ERROR").count(),
        n_mismatches: (0..n_nodes).filter(differs).count(),
        trace: traced.map(compared).collect(),
    }
}

fn kind(tree: &Tree, label: Label) -> &str {
    &tree.vocabulary().kind(label).name
}

fn words(tree: &Tree, node: Option<&(Label, Range)>) -> String {
    node.map_or(String::new(), |(label, range)| format!("{} {range:?}", kind(tree, *label)))
}
