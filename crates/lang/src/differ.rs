//! Finds where two syntax trees differ: the tree of a text before an edit, and the tree that the parser made after it.
//!
//! Tree-sitter has a function for this, `changed_ranges`, but it ignores fields and, around errors, some nodes. So the
//! trees are compared here. The parser reuses nodes of the old tree where it can, and a reused node is recognized by
//! its address. So only new nodes and their direct children need to be compared.
//!
//! If a node has many children, only those near the edit are compared. The others are *settled*: they must be the
//! same, for one of two reasons.
//! - Before the edit: the parser reuses a node only if the node was made when no other reading was possible. So all
//!   nodes before a reused node depend only on the text before it, which has not changed.
//! - After the edit: the parser reuses a node only while it is in the same state as when it made the node. From there
//!   on, the same text leads to the same nodes.

use locant_text::{Edit, Offset, Range};
use locant_tree::Label;
use tree_sitter::{Node, Tree as Parsed, TreeCursor};

use crate::events::is_lacking;

/// The range of the new text outside of which all nodes are the same. The edit must already be applied to `old`.
pub(crate) fn changed(old: &Parsed, new: &Parsed, edit: Edit) -> Range {
    let start = edit.range.start();
    let inserted = Range::new(start, start + edit.insert);
    // Nodes around errors may depend on more than the text before them.
    let may_settle = !old.root_node().has_error() && !new.root_node().has_error();
    let mut differ = Differ {
        inserted,
        changed: inserted,
        may_settle,
        before: Offset::ZERO,
        after: None,
        pairs: Vec::new(),
    };
    differ.run(Child::root(old), Child::root(new));
    differ.changed
}

/// A comparison of two trees.
struct Differ<'t> {
    inserted: Range,
    /// The range that differs, as far as it is known.
    changed: Range,
    /// Whether reused nodes settle the nodes before or after them. False if either tree has errors.
    may_settle: bool,
    /// Nodes that end here or earlier are settled.
    before: Offset,
    /// Nodes that start here or later are settled.
    after: Option<Offset>,
    /// Pairs of nodes whose children are still to be compared. Those nearest to the edit come last.
    pairs: Vec<(Node<'t>, Node<'t>)>,
}

impl<'t> Differ<'t> {
    fn run(&mut self, old: Child<'t>, new: Child<'t>) {
        let mut cursors = (old.node.walk(), new.node.walk());
        let (mut old_children, mut new_children) = (Vec::new(), Vec::new());
        self.compare(&[old], &[new]);
        while let Some((old, new)) = self.pairs.pop() {
            if self.is_settled(Range::of_indices(new.byte_range())) {
                continue;
            }
            let settled = if self.may_settle {
                Settled::find(&mut cursors, old, new, self.inserted)
            } else {
                Settled::default()
            };
            children(&mut old_children, &mut cursors.0, old, settled);
            children(&mut new_children, &mut cursors.1, new, settled);
            self.compare(&old_children, &new_children);
        }
    }

    fn is_settled(&self, range: Range) -> bool {
        range.end() <= self.before || self.after.is_some_and(|after| after <= range.start())
    }

    /// Compares the children of two nodes, and extends `changed` to where they differ.
    fn compare(&mut self, old: &[Child<'t>], new: &[Child<'t>]) {
        let is_alike = |(old, new): &(&Child<'t>, &Child<'t>)| old.is_like(new);
        let n_front = old.iter().zip(new).take_while(is_alike).count();
        let (old_rest, new_rest) = (&old[n_front..], &new[n_front..]);
        let n_back = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(is_alike).count();
        let (old_between, old_back) = old_rest.split_at(old_rest.len() - n_back);
        let (new_between, new_back) = new_rest.split_at(new_rest.len() - n_back);
        for (old, new) in old[..n_front].iter().zip(new).chain(old_back.iter().zip(new_back).rev()) {
            self.compare_alike(old, new);
        }
        match (old_between, new_between) {
            ([old], [new]) => self.compare_unlike(*old, *new),
            _ => {
                let all = old_between.iter().chain(new_between);
                self.changed = all.fold(self.changed, |changed, child| changed.cover(child.range));
            }
        }
    }

    /// Handles two nodes with the same kind and range. If the node is new, its children will be compared. If it was
    /// reused, it may settle other nodes.
    fn compare_alike(&mut self, old: &Child<'t>, new: &Child<'t>) {
        if self.is_settled(new.range) {
            return;
        }
        if !is_taken_over(old.node, new.node) {
            self.pairs.push((old.node, new.node));
        } else if self.may_settle && is_witness(old.node, new.node) {
            if new.range.end() <= self.inserted.start() {
                self.before = self.before.max(new.range.start());
            } else if self.inserted.end() <= new.range.start() {
                let after = new.range.end();
                self.after = Some(self.after.map_or(after, |other| other.min(after)));
            }
        }
    }

    /// Compares two nodes that have the same siblings around them, but differ in kind or range.
    fn compare_unlike(&mut self, old: Child<'t>, new: Child<'t>) {
        if old.is_leaf() || new.is_leaf() || old.label != new.label {
            self.changed = self.changed.cover(old.range).cover(new.range);
            return;
        }
        self.pairs.push((old.node, new.node));
        let starts = between(old.range.start(), new.range.start());
        let ends = between(old.range.end(), new.range.end());
        self.changed = [starts, ends].into_iter().flatten().fold(self.changed, Range::cover);
    }
}

/// How many children of two nodes are settled and need not be compared, from the front and from the back.
#[derive(Clone, Copy, Default)]
struct Settled {
    n_front: u32,
    n_back: u32,
}

impl Settled {
    /// If either node has fewer children than this, all children are compared.
    const MANY: u32 = 32;

    fn find<'t>(cursors: &mut Cursors<'t>, old: Node<'t>, new: Node<'t>, inserted: Range) -> Settled {
        let (n_old, n_new) = (old.child_count(), new.child_count());
        if n_old.min(n_new) < Settled::MANY {
            return Settled::default();
        }
        let (start, end) = (inserted.start(), inserted.end());
        let old_before = n_before(&mut cursors.0, old, start).unwrap_or(n_old);
        let new_before = n_before(&mut cursors.1, new, start).unwrap_or(n_new);
        let n_front = old_before.min(new_before);
        let old_upto = n_before(&mut cursors.0, old, end).unwrap_or(n_old);
        let new_upto = n_before(&mut cursors.1, new, end).unwrap_or(n_new);
        let n_back = n_old.saturating_sub(old_upto + 1).min(n_new.saturating_sub(new_upto + 1));
        let from_front = |n: u32| Pair::new((old, n - 1), (new, n - 1));
        let from_back = |n: u32| Pair::new((old, n_old - n), (new, n_new - n));
        match (nearest(n_front, from_front), nearest(n_back, from_back)) {
            (Some(n_front), Some(n_back)) => Settled { n_front, n_back },
            _ => Settled::default(),
        }
    }
}

/// How many children of a node end before a place. `None` if all of them do.
fn n_before<'t>(cursor: &mut TreeCursor<'t>, node: Node<'t>, at: Offset) -> Option<u32> {
    cursor.reset(node);
    cursor.goto_first_child_for_byte(at.index()).and_then(|index| u32::try_from(index).ok())
}

/// Tries numbers from `most` down, in growing steps. Returns the first one whose pair is a witness (see
/// [`is_witness`]), or 0 if there is none. Returns `None` if any pair tried is not alike.
fn nearest<'t>(most: u32, pair: impl Fn(u32) -> Option<Pair<'t>>) -> Option<u32> {
    let (mut n, mut step, mut found) = (most, 1, 0);
    while n > 0 {
        let pair = pair(n).filter(Pair::is_alike)?;
        if found == 0 && pair.is_witness() {
            found = n;
        }
        n = n.saturating_sub(step);
        step *= 2;
    }
    Some(found)
}

/// A child of the old node and a child of the new node, each with its field.
struct Pair<'t> {
    old: (Node<'t>, Option<&'t str>),
    new: (Node<'t>, Option<&'t str>),
}

impl<'t> Pair<'t> {
    fn new((old, old_index): (Node<'t>, u32), (new, new_index): (Node<'t>, u32)) -> Option<Pair<'t>> {
        let child = |node: Node<'t>, index| Some((node.child(index)?, node.field_name_for_child(index)));
        Some(Pair { old: child(old, old_index)?, new: child(new, new_index)? })
    }

    fn is_alike(&self) -> bool {
        let (old, new) = (Child::new(self.old.0, 0), Child::new(self.new.0, 0));
        old.is_like(&new) && self.old.1 == self.new.1
    }

    fn is_witness(&self) -> bool {
        is_taken_over(self.old.0, self.new.0) && is_witness(self.old.0, self.new.0)
    }
}

type Cursors<'t> = (TreeCursor<'t>, TreeCursor<'t>);

/// A node, with the label and range by which it is compared.
#[derive(Clone, Copy)]
struct Child<'t> {
    node: Node<'t>,
    /// Has the kind and field ids of the grammar.
    label: Label,
    range: Range,
}

impl<'t> Child<'t> {
    fn new(node: Node<'t>, field: u16) -> Child<'t> {
        let label = Label::new(node.kind_id(), field).extra(node.is_extra()).missing(node.is_missing());
        let label = label.lacking(is_lacking(node));
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

/// Whether the parser reused `old` as `new`. The two must have the same kind and range.
///
/// The address of a node is the address of its slot in its parent. So a node that was reused together with its parent
/// keeps its address. A node that was reused without its parent has a new address, but its children keep theirs.
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

/// Whether a reused node proves that the parser was in the same state as before. A leaf that was reused without its
/// parent does not.
fn is_witness(old: Node<'_>, new: Node<'_>) -> bool {
    old.id() == new.id() || old.child_count() > 0
}

/// The range between two offsets, if they differ.
fn between(one: Offset, other: Offset) -> Option<Range> {
    (one != other).then(|| Range::new(one.min(other), one.max(other)))
}

/// Collects the children of a node, except for those that are settled.
fn children<'t>(
    children: &mut Vec<Child<'t>>,
    cursor: &mut TreeCursor<'t>,
    node: Node<'t>,
    settled: Settled,
) {
    children.clear();
    let end = node.child_count() - settled.n_back;
    let Some(first) = goto_child(cursor, node, settled.n_front) else { return };
    for index in first..end {
        if index >= settled.n_front {
            children.push(Child::new(cursor.node(), cursor.field_id().map_or(0, u16::from)));
        }
        if !cursor.goto_next_sibling() {
            break;
        }
    }
}

/// Moves the cursor to the child with this index, or to an earlier child that can be found faster. Returns the index
/// of the child that was reached.
fn goto_child<'t>(cursor: &mut TreeCursor<'t>, node: Node<'t>, index: u32) -> Option<u32> {
    if index > 0
        && let Some(child) = node.child(index)
    {
        match n_before(cursor, node, Offset::of_index(child.start_byte())) {
            Some(found) if found <= index => return Some(found),
            // The child is empty, and the search found a later one.
            _ => {}
        }
    }
    cursor.reset(node);
    cursor.goto_first_child().then_some(0)
}
