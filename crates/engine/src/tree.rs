//! The position tree of a document.

use locant_lang::{Compared, Syntax, Verification};
use locant_proto::File;
use locant_text::Range;
use locant_tree::{Label, Node, Tree};

use crate::{Document, Reader};

/// The position tree of a document, with what it can be held against.
pub enum Positions<'d> {
    /// Of what a grammar reads: the tree of its parser.
    Grammar(&'d Syntax),
    /// Of protocol buffers: a second reading.
    Proto(Tree),
}

/// The position tree of a document. `None` when the document is not read, or the parser gives up on it.
pub fn positions(document: &Document) -> Option<Positions<'_>> {
    match (document.reader()?, document.proto()) {
        (Reader::Proto, Some(file)) => {
            Some(Positions::Proto(locant_proto::tree(file, document.text().bytes())))
        }
        _ => document.syntax().map(Positions::Grammar),
    }
}

impl Positions<'_> {
    /// The tree.
    pub fn tree(&self) -> &Tree {
        match self {
            Positions::Grammar(syntax) => syntax.tree(),
            Positions::Proto(tree) => tree,
        }
    }

    /// Compares every node of the tree with the parser's; `text` is the text of the document.
    pub fn verify(&self, text: &[u8]) -> Verification {
        match self {
            Positions::Grammar(syntax) => syntax.verify(text),
            Positions::Proto(tree) => verify_proto(tree, text),
        }
    }
}

/// How many nodes before the first wrong one are shown.
const TRACED: usize = 8;

/// Reads the text again and compares its nodes with those of a tree.
fn verify_proto(tree: &Tree, text: &[u8]) -> Verification {
    let parser = locant_proto::nodes(&File::parse(text), text);
    let nodes: Vec<(Label, Range)> =
        tree.nodes().iter().map(|node: &Node| (node.label, node.range)).collect();
    let kind = |label: Label| tree.vocabulary().kind(label).name.as_str();
    let n_nodes = parser.len().max(nodes.len());
    let differs = |index: &usize| parser.get(*index) != nodes.get(*index);
    let first = (0..n_nodes).find(differs);
    let words = |node: Option<&(Label, Range)>| {
        node.map_or(String::new(), |(label, range)| format!("{} {range:?}", kind(*label)))
    };
    let compared =
        |index: usize| Compared { parser: words(parser.get(index)), tree: words(nodes.get(index)) };
    let traced = first.map_or(0..0, |first| first.saturating_sub(TRACED)..first + 1);
    Verification {
        n_nodes: parser.len(),
        n_errors: parser.iter().filter(|(label, _)| kind(*label) == "ERROR").count(),
        n_mismatches: (0..n_nodes).filter(differs).count(),
        trace: traced.map(compared).collect(),
    }
}
