//! The tree of a text after an edit, made from the tree before the edit.
//!
//! The nodes of a tree are stored in blocks, which `block.rs` describes. An update starts after the last leaf before
//! the change. From there on it takes the events of the new tree, and stops after a leaf at which the same nodes are
//! open as in the old tree. The unchanged steps of the first and the last block are copied. All blocks outside the
//! update are shared.

use std::sync::Arc;

use locant_text::{Edit, Extent, Offset, Range};

use crate::block::{LONGEST, Lengthening, Steps};
use crate::build::{Builder, FULL};
use crate::label::Labels;
use crate::path::{Goal, Spot};
use crate::stream::{Shape, Step};
use crate::{Event, Label, Source, Tree};

impl Tree {
    /// The tree after an edit inside one leaf that changes only lengths: all nodes stay the same, and the leaf and the
    /// nodes around it get longer or shorter. `None` if the edit is not inside a leaf, or touches one of its ends.
    pub fn edit(&self, edit: Edit) -> Option<Tree> {
        // No place in the tree is beyond its end, so if the new end fits in `u32`, all places do.
        self.root.summary().extent.checked_add(edit.insert.to_u32())?;
        let lengthening = Lengthening {
            start: edit.range.start().to_u32(),
            end: edit.range.end().to_u32(),
            insert: edit.insert.to_u32(),
        };
        let root = self.root.lengthened(&self.labels, lengthening)?;
        Some(Tree { root, labels: Arc::clone(&self.labels), vocabulary: Arc::clone(&self.vocabulary) })
    }

    /// The tree after an edit, given a source for the new text.
    ///
    /// `changed` is the stretch of the new text in which nodes may differ from before. It must cover all places where
    /// kinds, fields or parents differ. The inserted text is always included. Blocks outside this stretch are kept.
    ///
    /// `None` if the events of the source do not form a tree.
    pub fn update(&self, edit: Edit, changed: Range, source: &mut impl Source) -> Option<Tree> {
        let inserted = Range::new(edit.range.start(), edit.range.start() + edit.insert);
        let changed = changed.cover(inserted);
        if changed == inserted
            && let Some(tree) = self.only_longer(edit, source)
        {
            return Some(tree);
        }
        if self.root.summary().blocks == 0 {
            return Tree::build(Arc::clone(&self.vocabulary), source);
        }
        let (mut builder, mut old, n_open) = self.start(changed.start(), source);
        let first = old.number;
        let mut nest = Nest::default();
        let (mut is_after, mut is_synced) = (false, false);
        while let Some(event) = source.next_event() {
            if is_after && event != (Event::Leave { end: moved(old.leaf, edit).end() }) {
                is_after = false;
                is_synced = nest == old.nest;
                if is_synced {
                    break;
                }
            }
            match event {
                Event::Enter { label, .. } => nest.enter(label),
                Event::Leave { .. } => nest.leave(),
                Event::Leaf { range, .. } => {
                    is_after = changed.end() < range.start() && old.has_leaf(range, edit);
                }
            }
            builder.push(event)?;
        }
        let is_whole = nest == Nest { n_left: n_open, entered: Vec::new() };
        let last = if is_synced {
            old.copy_rest(&mut builder)
        } else {
            is_whole.then_some(self.root.summary().blocks)?
        };
        let (labels, blocks) = builder.finish();
        let root = self.root.replace(first..last, blocks);
        let labels = if labels == *self.labels { Arc::clone(&self.labels) } else { Arc::new(labels) };
        Some(Tree { root, labels, vocabulary: Arc::clone(&self.vocabulary) })
    }

    /// The tree after an edit that changes only the length of a leaf. `None` if the edit changes more than that, or if
    /// the source does not have the leaf.
    fn only_longer(&self, edit: Edit, source: &mut impl Source) -> Option<Tree> {
        let tree = self.edit(edit)?;
        let leaf = tree.innermost(&[edit.range.start()]).pop()??;
        source.start_after(leaf.range, &mut Vec::new()).then_some(tree)
    }

    /// Finds the last leaf before `at` that the source and this tree both have, with the same nodes around it. The
    /// source and a walk through this tree are placed after that leaf. The builder gets the block of the leaf, up to
    /// the leaf. The last value is how many nodes are open after the leaf.
    fn start(&self, at: Offset, source: &mut impl Source) -> (Builder, Old<'_>, usize) {
        let mut number = self.block_at(at);
        let mut step = 1;
        let mut open = Vec::new();
        while let Some(spot) = Spot::find(&self.root, Goal::Block(number)) {
            if let Some((n_steps, leaf)) = last_leaf(&spot, &self.labels, at)
                && source.start_after(leaf, &mut open)
            {
                let mut builder = Builder::new((*self.labels).clone(), Offset::new(spot.before.offset));
                let mut old = Old::new(self, &spot);
                builder.set_full(LONGEST);
                old.steps.by_ref().take(n_steps).for_each(|step| builder.copy(step));
                if self.is_open(&spot, &builder, &open) {
                    builder.set_full(FULL);
                    old.leaf = leaf;
                    old.n_left = old.n_left.saturating_sub(n_steps);
                    return (builder, old, open.len());
                }
            }
            if number == 0 {
                break;
            }
            number = number.saturating_sub(step);
            step *= 2;
        }
        source.start();
        let spot = Spot::find(&self.root, Goal::Block(0)).expect("there are blocks");
        (Builder::new((*self.labels).clone(), Offset::ZERO), Old::new(self, &spot), 0)
    }

    /// Whether `open` lists exactly the nodes that are open after the steps that the builder has copied.
    fn is_open(&self, spot: &Spot<'_>, builder: &Builder, open: &[(Label, Offset)]) -> bool {
        let draft = builder.draft();
        let before = spot.open(&self.labels);
        let before = &before[..before.len() - draft.closes() as usize];
        let before = before.iter().map(|node| (node.label, node.range.start()));
        let own = draft.open().iter();
        let own = own.map(|node| (self.labels.get(node.code), Offset::new(spot.before.offset + node.start)));
        before.chain(own).eq(open.iter().copied())
    }

    /// The number of the block at a place. For places after the tree, the last block.
    fn block_at(&self, offset: Offset) -> u32 {
        let spot = Spot::find(&self.root, Goal::Offset(offset.to_u32()));
        spot.map_or(self.root.summary().blocks.saturating_sub(1), |spot| spot.before.blocks)
    }
}

/// Finds, in a block, the last leaf that is not empty and ends before `at`. Returns the number of steps up to and
/// including that leaf, and its range.
fn last_leaf(spot: &Spot<'_>, labels: &Labels, at: Offset) -> Option<(usize, Range)> {
    let (mut n_steps, mut end, mut last) = (0, spot.before.offset, None);
    for step in spot.block.steps(labels) {
        n_steps += 1;
        let Step::Leaf(_, Shape { gap, length, .. }) = step else { continue };
        end += gap + length;
        if end >= at.to_u32() {
            break;
        }
        if length > 0 {
            last = Some((n_steps, Range::new(Offset::new(end - length), Offset::new(end))));
        }
    }
    last
}

/// A walk through the old tree.
struct Old<'t> {
    tree: &'t Tree,
    /// The current block, its remaining steps, and about how many they are.
    number: u32,
    steps: Steps<'t>,
    n_left: usize,
    /// The last leaf that was walked past.
    leaf: Range,
    nest: Nest,
}

impl<'t> Old<'t> {
    /// A walk that starts at the start of a block.
    fn new(tree: &'t Tree, spot: &Spot<'t>) -> Old<'t> {
        Old {
            tree,
            number: spot.before.blocks,
            steps: spot.block.steps(&tree.labels),
            n_left: spot.summary.nodes as usize,
            leaf: Range::empty(Offset::new(spot.before.offset)),
            nest: Nest::default(),
        }
    }

    /// Walks past the old leaf that the edit moved to `range`. Returns whether there is such a leaf. Empty leaves do
    /// not count.
    fn has_leaf(&mut self, range: Range, edit: Edit) -> bool {
        let inserted_end = edit.range.start() + edit.insert;
        let unmoved = |offset: Offset| edit.range.end() + (offset - inserted_end);
        let range = Range::new(unmoved(range.start()), unmoved(range.end()));
        while self.leaf.start() < range.start() || self.leaf.is_empty() {
            match self.steps.next() {
                Some(Step::Enter(code)) => self.nest.enter(self.tree.labels.get(code)),
                Some(Step::Leaf(_, shape)) => {
                    let start = self.leaf.end() + Extent::new(shape.gap);
                    self.leaf = Range::new(start, start + Extent::new(shape.length));
                    (0..shape.closes).for_each(|_| self.nest.leave());
                }
                None if self.next_block() => continue,
                None => return false,
            }
            self.n_left = self.n_left.saturating_sub(1);
        }
        self.leaf == range
    }

    /// Goes to the next block, if there is one.
    fn next_block(&mut self) -> bool {
        let spot = Spot::find(&self.tree.root, Goal::Block(self.number + 1));
        if let Some(spot) = &spot {
            self.number = spot.before.blocks;
            self.steps = spot.block.steps(&self.tree.labels);
            self.n_left = spot.summary.nodes as usize;
        }
        spot.is_some()
    }

    /// Copies the rest of the current block. Copies more blocks as long as the last written block would be too short.
    /// Returns the number of the first block that is kept.
    fn copy_rest(mut self, builder: &mut Builder) -> u32 {
        const LONG: usize = FULL + FULL / 2;
        const SHORT: usize = FULL / 4;
        builder.flush();
        loop {
            let n_steps = builder.draft().n_steps() + self.n_left;
            builder.set_full(if n_steps <= LONG { LONGEST } else { n_steps / 2 });
            self.steps.by_ref().for_each(|step| builder.copy(step));
            let n_last = builder.draft().n_steps();
            if n_last == 0 || n_last >= SHORT || !self.next_block() {
                return self.number + 1;
            }
        }
    }
}

/// How the nodes that are open now differ from those that were open where a walk started.
#[derive(Debug, Default, PartialEq, Eq)]
struct Nest {
    /// How many nodes that were open where the walk started have ended.
    n_left: usize,
    /// The nodes that have started since then and are still open, the outermost first.
    entered: Vec<Label>,
}

impl Nest {
    fn enter(&mut self, label: Label) {
        self.entered.push(label);
    }

    fn leave(&mut self) {
        if self.entered.pop().is_none() {
            self.n_left += 1;
        }
    }
}

/// The range in the new text of a range of the old text. The old range must be after the edit.
fn moved(range: Range, edit: Edit) -> Range {
    let end = edit.range.end();
    let inserted_end = edit.range.start() + edit.insert;
    Range::new(inserted_end + (range.start() - end), inserted_end + (range.end() - end))
}
