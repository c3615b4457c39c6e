//! Compares position trees with the tokens and the table of a file.

use std::collections::HashSet;

use locant_proto::{File, nodes, tree};
use locant_text::Range;

/// How many nodes the position tree of a text has, and the first thing that is wrong with it.
pub(crate) fn difference(text: &[u8]) -> (usize, Option<String>) {
    let file = File::parse(text);
    let tree = tree(&file, text);
    let packed: Vec<_> = tree.nodes().iter().map(|node| (node.label, node.range)).collect();
    let parts = [
        packed_otherwise(&file, text, &packed),
        lost_token(&tree, text),
        lost_location(&file, &packed),
        error(&file, &tree),
    ];
    (packed.len(), parts.into_iter().flatten().next())
}

fn packed_otherwise(file: &File, text: &[u8], packed: &[(locant_tree::Label, Range)]) -> Option<String> {
    let read = nodes(file, text);
    let first = (0..read.len().max(packed.len())).find(|&index| read.get(index) != packed.get(index))?;
    Some(format!("node {first} is {:?} and packed as {:?}", read.get(first), packed.get(first)))
}

/// A token that no leaf covers as a whole. The tokens are found by the tests' own scanner, not by the lexer of the
/// crate.
fn lost_token(tree: &locant_tree::Tree, text: &[u8]) -> Option<String> {
    let mark = if text.starts_with("\u{feff}".as_bytes()) { 3 } else { 0 };
    let leaves: Vec<_> =
        tree.nodes().into_iter().filter(|node| node.is_leaf() && !node.range.is_empty()).collect();
    let mut leaves = leaves.iter().filter(|leaf| !leaf.label.is_extra()).peekable();
    for token in super::tokens(text).into_iter().filter(|token| token.start >= mark) {
        while leaves.next_if(|leaf| leaf.range.end().index() <= token.start).is_some() {}
        let is_in = |leaf: &&&locant_tree::Node| {
            leaf.range.indices().start <= token.start && token.end <= leaf.range.indices().end
        };
        if leaves.peek().filter(is_in).is_none() {
            return Some(format!("no leaf has the token at {token:?}"));
        }
    }
    None
}

/// A location that has no node, in a file without problems.
fn lost_location(file: &File, packed: &[(locant_tree::Label, Range)]) -> Option<String> {
    let ranges: HashSet<Range> = packed.iter().map(|(_, range)| *range).collect();
    let is_whole = file.problems.is_empty();
    let mut locations = file.table.iter().skip(1).filter(|location| location.start() < location.end());
    let lost = locations.find(|location| !ranges.contains(&Range::new(location.start(), location.end())));
    lost.filter(|_| is_whole).map(|location| format!("{:?} has no node", location.path()))
}

/// An error node in a file without problems.
fn error(file: &File, tree: &locant_tree::Tree) -> Option<String> {
    let is_error = |node: &locant_tree::Node| tree.vocabulary().kind(node.label).name == "ERROR";
    let error = tree.nodes().into_iter().find(is_error).filter(|_| file.problems.is_empty());
    error.map(|node| format!("an error at {:?}", node.range))
}
