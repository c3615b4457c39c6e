//! Where two syntax trees differ: that of a text before an edit, and the one the parser made of it afterwards.
//!
//! Tree-sitter has an answer of its own, `changed_ranges`, that leaves out fields and, around errors, nodes. So the
//! trees themselves are compared. The parser takes over what it can from the old tree, and what it took over is
//! known by its address: only what is new is looked at, and its direct children.

use locant_text::{Edit, Offset, Range};
use locant_tree::Label;
use tree_sitter::{Node, Tree as Parsed, TreeCursor};

/// The stretch of the new text outside of which all nodes are the same. `old` has been told of the edit.
pub(crate) fn changed(old: &Parsed, new: &Parsed, edit: Edit) -> Range {
    let start = edit.range.start();
    let mut changed = Range::new(start, start + edit.insert);
    let (old, new) = (Child::root(old), Child::root(new));
    let mut cursors = (old.node.walk(), new.node.walk());
    let (mut old_children, mut new_children) = (Vec::new(), Vec::new());
    let mut pairs = Vec::new();
    changed = compared(changed, &[old], &[new], &mut pairs);
    while let Some((old, new)) = pairs.pop() {
        children(&mut old_children, &mut cursors.0, old);
        children(&mut new_children, &mut cursors.1, new);
        changed = compared(changed, &old_children, &new_children, &mut pairs);
    }
    changed
}

/// A node and what a comparison needs of it.
#[derive(Clone, Copy)]
struct Child<'t> {
    node: Node<'t>,
    /// By the ids of the grammar.
    label: Label,
    range: Range,
}

impl<'t> Child<'t> {
    fn new(node: Node<'t>, field: u16) -> Child<'t> {
        let label = Label::new(node.kind_id(), field).extra(node.is_extra()).missing(node.is_missing());
        Child { node, label, range: Range::of_indices(node.byte_range()) }
    }

    fn root(tree: &'t Parsed) -> Child<'t> {
        Child::new(tree.root_node(), 0)
    }

    fn is_leaf(&self) -> bool {
        self.node.child_count() == 0
    }

    fn is_like(&self, other: &Child<'_>) -> bool {
        self.label == other.label && self.range == other.range
    }
}

/// Nodes whose children are to be compared.
type Pairs<'o, 'n> = Vec<(Node<'o>, Node<'n>)>;

/// The stretch, widened to what differs between the children of two nodes.
fn compared<'o, 'n>(
    mut changed: Range,
    old: &[Child<'o>],
    new: &[Child<'n>],
    pairs: &mut Pairs<'o, 'n>,
) -> Range {
    let is_alike = |(old, new): &(&Child<'o>, &Child<'n>)| old.is_like(new);
    let n_front = old.iter().zip(new).take_while(is_alike).count();
    let (old_rest, new_rest) = (&old[n_front..], &new[n_front..]);
    let n_back = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(is_alike).count();
    let (old_between, old_back) = old_rest.split_at(old_rest.len() - n_back);
    let (new_between, new_back) = new_rest.split_at(new_rest.len() - n_back);
    let alike = old[..n_front].iter().zip(new).chain(old_back.iter().zip(new_back));
    let unlike = alike.filter(|(old, new)| !is_taken_over(old.node, new.node));
    pairs.extend(unlike.map(|(old, new)| (old.node, new.node)));
    match (old_between, new_between) {
        ([old], [new]) => matched(changed, *old, *new, pairs),
        _ => {
            for child in
                old_between.iter().map(|old| old.range).chain(new_between.iter().map(|new| new.range))
            {
                changed = changed.cover(child);
            }
            changed
        }
    }
}

/// Is a node, in the same place and of the same kind, what it was before the edit?
///
/// An address is that of a node's slot in its parent: what was taken over with its parent has the same one. What was
/// taken over without its parent has another one, but its children have theirs.
fn is_taken_over(old: Node<'_>, new: Node<'_>) -> bool {
    if old.id() == new.id() {
        return true;
    }
    match (old.child(0), new.child(0)) {
        (None, None) => true,
        (Some(old_child), Some(new_child)) => old_child.id() == new_child.id() && !old.has_changes(),
        _ => false,
    }
}

/// The stretch, widened to what differs between two nodes that stand in the same place of their parents.
fn matched<'o, 'n>(changed: Range, old: Child<'o>, new: Child<'n>, pairs: &mut Pairs<'o, 'n>) -> Range {
    if old.is_leaf() || new.is_leaf() || old.label != new.label {
        return changed.cover(old.range).cover(new.range);
    }
    pairs.push((old.node, new.node));
    let starts = between(old.range.start(), new.range.start());
    let ends = between(old.range.end(), new.range.end());
    [starts, ends].into_iter().flatten().fold(changed, Range::cover)
}

/// What lies between two places that are not the same.
fn between(one: Offset, other: Offset) -> Option<Range> {
    (one != other).then(|| Range::new(one.min(other), one.max(other)))
}

fn children<'t>(children: &mut Vec<Child<'t>>, cursor: &mut TreeCursor<'t>, node: Node<'t>) {
    children.clear();
    cursor.reset(node);
    let mut more = cursor.goto_first_child();
    while more {
        children.push(Child::new(cursor.node(), cursor.field_id().map_or(0, u16::from)));
        more = cursor.goto_next_sibling();
    }
}
