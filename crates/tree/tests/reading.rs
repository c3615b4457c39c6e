//! Reading a packed tree gives what the tree was built from, whatever its shape.

#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "a test may fail")]

mod drawn;

use drawn::{build, events, source, vocabulary};
use locant_text::{Offset, Range};
use locant_tree::{Event, Label, Node, Tree};
use proptest::prelude::*;

/// Where the last node ends.
fn end(nodes: &[Node]) -> u32 {
    nodes.iter().map(|node| node.range.end().to_u32()).max().unwrap_or(0)
}

fn containing(nodes: &[Node], offset: Offset) -> Vec<Node> {
    nodes.iter().filter(|node| node.range.contains(offset)).copied().collect()
}

/// Whether `last` is a token that closes its parent: by its name, or because it has the same kind as `first`. `leaves`
/// says which nodes are leaves, because some random nodes are entered and left with nothing in them.
fn closes(tree: &Tree, leaves: &[bool], first: &Node, last: &Node) -> bool {
    let kind = tree.vocabulary().kind(last.label);
    let is_token = leaves[last.id.index()] && !kind.is_named && !last.range.is_empty();
    is_token && (kind.name.starts_with("end") || first.label.kind() == last.label.kind())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn events_come_back(events in events()) {
        let tree = build(&events);
        prop_assert_eq!(tree.events().collect::<Vec<_>>(), events);
    }

    #[test]
    fn a_path_is_all_nodes_around_a_place(events in events()) {
        let tree = build(&events);
        let nodes = tree.nodes();
        let step = (end(&nodes) / 300).max(1);
        let offsets: Vec<Offset> = (0..=end(&nodes) + 1).step_by(step as usize).map(Offset::new).collect();
        for &offset in &offsets {
            prop_assert_eq!(tree.path(offset), containing(&nodes, offset), "{:?}", offset);
        }
        let innermost: Vec<_> = offsets.iter().map(|&offset| tree.path(offset).pop()).collect();
        prop_assert_eq!(tree.innermost(&offsets), innermost);
    }

    #[test]
    fn content_ends_with_the_child_before_the_one_that_closes(events in events()) {
        let tree = build(&events);
        let starts = events.iter().filter(|event| !matches!(event, Event::Leave { .. }));
        let leaves: Vec<bool> = starts.map(|event| matches!(event, Event::Leaf { .. })).collect();
        for node in tree.nodes().iter().filter(|node| !node.is_leaf()).take(300) {
            let children: Vec<Node> = tree.children(node).collect();
            let end = match children.as_slice() {
                [first, .., before, last] if closes(&tree, &leaves, first, last) => before.range.end(),
                [first, last] if closes(&tree, &leaves, first, last) => first.range.end(),
                _ => node.range.end(),
            };
            prop_assert_eq!(tree.content_range(node), Range::new(node.range.start(), end));
        }
    }

    #[test]
    fn neighbours_are_as_in_the_list_of_all_nodes(events in events(), seed in 0..7usize) {
        let tree = build(&events);
        let nodes = tree.nodes();
        for node in nodes.iter().skip(seed).step_by(1 + nodes.len() / 50) {
            prop_assert_eq!(tree.node(node.id), Some(*node));
            let above: Vec<Node> = nodes.iter().filter(|other| other.holds(node.id)).copied().collect();
            prop_assert_eq!(tree.parent(node.id), above.last().copied());
            let is_child = |other: &&Node| node.holds(other.id) && tree.parent(other.id) == Some(*node);
            let children: Vec<Node> = nodes[node.id.index()..].iter().take(200).filter(is_child).copied().collect();
            prop_assert_eq!(tree.children(node).take(children.len()).collect::<Vec<_>>(), children.clone());
            for pair in children.windows(2) {
                prop_assert_eq!(tree.next_sibling(&pair[0]), Some(pair[1]));
                prop_assert_eq!(tree.previous_sibling(&pair[1]), Some(pair[0]));
            }
            if let Some(first) = children.first() {
                prop_assert_eq!(tree.previous_sibling(first), None);
            }
            if let Some(last) = tree.children(node).last() {
                prop_assert_eq!(tree.next_sibling(&last), None);
            }
        }
    }
}

#[test]
fn events_that_are_no_tree_are_refused() {
    let bad = [
        vec![enter(0), leaf(0, 1)],
        vec![leaf(0, 1), leave(1)],
        vec![leaf(0, 2), leaf(1, 3)],
        vec![enter(2), leaf(1, 3), leave(3)],
        vec![enter(0), leaf(0, 3), leave(2)],
    ];
    for events in bad {
        assert!(Tree::build(vocabulary(), &mut source(&events)).is_none(), "{events:?}");
    }
}

fn enter(start: u32) -> Event {
    Event::Enter { label: Label::new(1, 0), start: Offset::new(start) }
}

fn leaf(start: u32, end: u32) -> Event {
    Event::Leaf { label: Label::new(1, 0), range: Range::new(Offset::new(start), Offset::new(end)) }
}

fn leave(end: u32) -> Event {
    Event::Leave { end: Offset::new(end) }
}

#[test]
fn a_tree_without_nodes_has_no_paths() {
    let tree = build(&[]);
    assert_eq!((tree.n_nodes(), tree.depth(), tree.path(Offset::ZERO)), (0, 0, vec![]));
    assert_eq!(tree.innermost(&[Offset::ZERO]), [None]);
}
