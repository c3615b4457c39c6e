//! What can be folded in any language, by the nodes of its syntax tree.
//!
//! At most one fold starts on each line. If a bracket opens there, the text up to its closing bracket is folded.
//! Otherwise, of the nodes that start there, the largest one that is not merely a list of other nodes is folded.
//! Comments on consecutive lines fold together, and so do imports. Where the syntax is broken, the symbols that the
//! outline still has can be folded.

use std::collections::BTreeMap;

use locant_engine::names::{Fold, FoldKind};
use locant_engine::{Document, Node, Offset, Outline, PositionTree, Range, Text};

/// What can be folded in a document, in the order of places.
pub(super) fn folds(document: &Document) -> Vec<Fold> {
    let text = document.text();
    let Some(tree) = document.tree() else { return of_symbols(document) };
    let nodes = tree.nodes();
    let mut by_line: BTreeMap<u32, Found> = BTreeMap::new();
    for node in nodes.iter().skip(1).filter(|node| node.range.extent().len() > 1) {
        let kind = tree.vocabulary().kind(node.label);
        let range = content(text, node.range);
        let (first, last) = (text.line_of(range.start()), text.line_of(range.end()));
        if !kind.is_named || kind.name == "ERROR" || last <= first {
            continue;
        }
        if is_list(tree, &nodes, node) {
            continue;
        }
        let found = Found { range, is_comment: is_comment(&kind.name), is_bracket: is_bracket(text, range) };
        let old = by_line.entry(first).or_insert(found);
        if found.is_bracket && !old.is_bracket && !old.is_comment {
            *old = found;
        }
    }
    for fold in of_symbols(document) {
        let found = Found { range: fold.range, is_comment: false, is_bracket: false };
        by_line.entry(text.line_of(fold.range.start())).or_insert(found);
    }
    let mut folds: Vec<Fold> = by_line.into_values().map(Found::fold).collect();
    folds.extend(runs(tree, &nodes, text, is_comment, FoldKind::Comment));
    folds.extend(runs(tree, &nodes, text, is_import, FoldKind::Imports));
    folds.sort_by_key(|fold| (fold.range.start(), std::cmp::Reverse(fold.range.end())));
    folds
}

/// A range that may be folded.
#[derive(Clone, Copy)]
struct Found {
    range: Range,
    is_comment: bool,
    is_bracket: bool,
}

impl Found {
    fn fold(self) -> Fold {
        let kind = if self.is_comment { FoldKind::Comment } else { FoldKind::Block };
        Fold { range: self.range, kind }
    }
}

/// Whether a node is nothing but several named nodes, as the body of a block without brackets is.
fn is_list(tree: &PositionTree, nodes: &[Node], node: &Node) -> bool {
    let last = node.id.index() + node.n_below() as usize;
    let (mut at, mut n_children) = (node.id.index() + 1, 0);
    while let Some(child) = nodes.get(at).filter(|_| at <= last) {
        if !tree.vocabulary().kind(child.label).is_named {
            return false;
        }
        n_children += 1;
        at += 1 + child.n_below() as usize;
    }
    n_children > 1
}

/// A range without the blanks at its end: some nodes hold the line break after them.
fn content(text: &Text, range: Range) -> Range {
    let bytes = text.slice(range);
    let n_blank = bytes.iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
    Range::of_indices(range.start().index()..range.end().index() - n_blank)
}

fn is_comment(kind: &str) -> bool {
    kind.contains("comment")
}

fn is_import(kind: &str) -> bool {
    kind.contains("import")
        || kind.contains("include")
        || matches!(kind, "use_declaration" | "using_directive")
}

fn is_bracket(text: &Text, range: Range) -> bool {
    let bytes = text.slice(range);
    matches!(
        (bytes.first(), bytes.last()),
        (Some(b'{'), Some(b'}')) | (Some(b'['), Some(b']')) | (Some(b'('), Some(b')'))
    )
}

/// The folds over several consecutive lines that each hold one node of a kind, such as a comment.
fn runs(
    tree: &PositionTree,
    nodes: &[Node],
    text: &Text,
    is_it: fn(&str) -> bool,
    kind: FoldKind,
) -> Vec<Fold> {
    let mut runs: Vec<(Range, u32)> = Vec::new();
    let mut end = Offset::ZERO;
    for node in nodes.iter().skip(1).filter(|node| is_it(&tree.vocabulary().kind(node.label).name)) {
        let range = content(text, node.range);
        let (first, last) = (text.line_of(range.start()), text.line_of(range.end()));
        let starts_line = text.line_content(first).is_some_and(|line| {
            text.slice(Range::new(line.start(), range.start())).iter().all(u8::is_ascii_whitespace)
        });
        // A node is left out if it is inside of another, takes several lines, or does not start its line.
        if range.start() < end || first != last || !starts_line {
            end = end.max(range.end());
            continue;
        }
        end = range.end();
        match runs.last_mut().filter(|(_, line)| line + 1 == first) {
            Some((run, line)) => (*run, *line) = (run.cover(range), first),
            None => runs.push((range, first)),
        }
    }
    let is_long = |(range, last): &(Range, u32)| text.line_of(range.start()) < *last;
    runs.into_iter().filter(is_long).map(|(range, _)| Fold { range, kind }).collect()
}

/// The declarations that take more than one line.
fn of_symbols(document: &Document) -> Vec<Fold> {
    let symbols = document.outline().map(Outline::symbols).unwrap_or_default();
    let folds = symbols.iter().map(|symbol| Fold { range: symbol.declaration, kind: FoldKind::Block });
    let text = document.text();
    let is_long = |fold: &Fold| text.line_of(fold.range.start()) < text.line_of(fold.range.end());
    folds.filter(is_long).collect()
}
