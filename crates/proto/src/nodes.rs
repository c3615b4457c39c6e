//! A .proto file as a tree of nodes: the locations of its table, down to the tokens.
//!
//! An inner node is a range of text that has a location in the table. Its kind is the name of the location's field in
//! descriptor.proto: `message_type`, `field`, `name`. If several locations have the same range, or one overlaps the end
//! of another, only the first of them becomes a node. The leaves are the tokens and comments.

use std::cmp::Reverse;
use std::sync::Arc;

use locant_text::{Offset, Range};
use locant_tree::{Event, Label, Source, Tree};

use crate::file::File;
use crate::kinds::Kinds;
use crate::lexer::{Lexer, Piece};

/// The position tree of a file.
pub fn tree(file: &File, text: &[u8]) -> Tree {
    let mut walk = NodeEvents { nodes: nodes(file, text), next: 0, open: Vec::new() };
    let vocabulary = Arc::clone(&Kinds::get().vocabulary);
    Tree::build(vocabulary, &mut walk).expect("nodes stand in order and inside of each other")
}

/// All nodes of a file with their labels and ranges, parents before their children. The tree is built from this list,
/// and tests compare the two.
pub fn nodes(file: &File, text: &[u8]) -> Vec<(Label, Range)> {
    let kinds = Kinds::get();
    let leaves = leaves(file, text);
    let all = leaves.iter().map(|leaf| leaf.range).reduce(Range::cover).unwrap_or(Range::empty(Offset::ZERO));
    let locations = file.table.iter().filter(|location| location.start() < location.end());
    let locations = locations.filter(|location| !location.path().is_empty()).map(|location| Part {
        label: kinds.of_path(location.path()),
        range: Range::new(location.start(), location.end()),
        is_word: false,
    });
    let mut parts: Vec<Part> = locations.chain(leaves).collect();
    // The sort is stable. Parts with the same range stay in the order of the table, the outer location first and the
    // token last.
    parts.sort_by_key(|part| (part.range.start(), Reverse(part.range.end())));
    let mut nodes = vec![(kinds.file(), all)];
    let mut above = Vec::new();
    for part in parts {
        while above.pop_if(|(_, node): &mut (Label, Range)| node.end() <= part.range.start()).is_some() {}
        let (parent, around) = above.last().copied().unwrap_or((kinds.file(), all));
        let is_doubled = !above.is_empty() && around == part.range;
        if is_doubled || !around.covers(part.range) {
            continue;
        }
        let label =
            if part.is_word { kinds.of_word(&text[part.range.indices()], parent) } else { part.label };
        nodes.push((label, part.range));
        above.push((label, part.range));
    }
    nodes
}

/// A range of text that may become a node.
struct Part {
    label: Label,
    range: Range,
    /// Whether the part is a word. The node around a word decides whether the word is a keyword.
    is_word: bool,
}

/// The tokens and comments of a file.
fn leaves(file: &File, text: &[u8]) -> Vec<Part> {
    let kinds = Kinds::get();
    let mut flawed: Vec<Range> = file.problems.iter().map(|problem| problem.range).collect();
    flawed.sort_by_key(|range| (range.start(), range.end()));
    let mut leaves = Vec::new();
    let mut lexer = Lexer::new(text);
    loop {
        let (label, start, end, is_word) = match lexer.piece() {
            Piece::Stray => continue,
            Piece::Comment { start, end } => {
                let written = text[start as usize..end as usize].trim_ascii_end().len();
                let end = start + u32::try_from(written).expect("a part of a text is no longer than it");
                (kinds.comment(), start, end, false)
            }
            Piece::Token(token) => match kinds.of_token(token.kind) {
                Some((label, is_word)) => (label, token.start, token.end, is_word),
                None => return leaves,
            },
        };
        let range = Range::new(Offset::new(start), Offset::new(end));
        let is_flawed =
            flawed.binary_search_by_key(&(range.start(), range.end()), |at| (at.start(), at.end()));
        match is_flawed {
            Ok(_) => leaves.push(Part { label: kinds.error(), range, is_word: false }),
            Err(_) => leaves.push(Part { label, range, is_word }),
        }
    }
}

/// The events of a walk through the nodes of a file.
struct NodeEvents {
    nodes: Vec<(Label, Range)>,
    /// The index of the node whose event comes next.
    next: usize,
    /// The ranges of the open nodes, the outermost first.
    open: Vec<Range>,
}

impl NodeEvents {
    fn is_leaf(&self, index: usize) -> bool {
        let (_, range) = self.nodes[index];
        self.nodes.get(index + 1).is_none_or(|(_, next)| !range.covers(*next))
    }
}

impl Source for NodeEvents {
    fn start(&mut self) {
        self.next = 0;
        self.open.clear();
    }

    fn start_after(&mut self, leaf: Range, open: &mut Vec<(Label, Offset)>) -> bool {
        let is_it = |index: &usize| self.nodes[*index].1 == leaf && self.is_leaf(*index);
        let Some(index) = (0..self.nodes.len()).find(is_it) else { return false };
        let around = |(_, range): &&(Label, Range)| range.covers(leaf) && leaf.end() < range.end();
        let around: Vec<_> = self.nodes[..index].iter().filter(around).collect();
        open.clear();
        open.extend(around.iter().map(|(label, range)| (*label, range.start())));
        self.open = around.iter().map(|(_, range)| *range).collect();
        self.next = index + 1;
        true
    }

    fn next_event(&mut self) -> Option<Event> {
        let next = self.nodes.get(self.next).copied();
        let is_inside = |open: &Range| next.is_some_and(|(_, range)| open.covers(range));
        if let Some(left) = self.open.pop_if(|open| !is_inside(open)) {
            return Some(Event::Leave { end: left.end() });
        }
        let (label, range) = next?;
        self.next += 1;
        if self.is_leaf(self.next - 1) {
            return Some(Event::Leaf { label, range });
        }
        self.open.push(range);
        Some(Event::Enter { label, start: range.start() })
    }
}
