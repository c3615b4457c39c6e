//! Checks the position tree of a document against its parser.

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
