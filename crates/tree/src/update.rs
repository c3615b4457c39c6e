//! A tree after its text was edited, made from the tree before.

use std::sync::Arc;

use locant_text::{Edit, Offset, Range};

use crate::block::{Draft, FULL};
use crate::blocks::Entry;
use crate::build::Builder;
use crate::path::{Goal, Spot};
use crate::stream::{Shape, Step};
use crate::{Event, Label, Source, Tree};

impl Tree {
    /// The tree after an edit inside one leaf, when the parser has nothing new to say: all nodes are the same, and
    /// the leaf and what contains it are longer or shorter. `None` when the edit touches the ends of a leaf or is in
    /// none.
    pub fn edit(&self, edit: Edit) -> Option<Tree> {
        let (start, end) = (edit.range.start().to_u32(), edit.range.end().to_u32());
        let spot = Spot::find(&self.root, Goal::Offset(start))?;
        let mut draft = Draft::like(spot.block);
        let (mut at, mut is_done) = (spot.offset, false);
        for step in spot.block.steps(&self.labels) {
            let (code, mut shape) = match step {
                Step::Enter(code) => {
                    draft.enter(code);
                    continue;
                }
                Step::Leaf(code, shape) => (code, shape),
            };
            let first = at + shape.gap;
            at = first + shape.length;
            if first < start && end < at {
                shape.length = (shape.length - (end - start)).checked_add(edit.insert.to_u32())?;
                is_done = true;
            }
            draft.leaf(code, shape, self.labels.get(code).is_filler());
        }
        let root = is_done.then(|| spot.replaced(Entry::block(draft.finish())))?;
        Some(Tree { root, ..self.clone() })
    }

    /// The tree after an edit, from a source for the new text.
    ///
    /// `changed` is the stretch of the new text in which nodes may be others than before: it covers what was inserted
    /// and all places where kinds, fields or parents differ. Blocks outside of it are kept.
    ///
    /// `None` when the events of the source are no tree.
    pub fn update(&self, edit: Edit, changed: Range, source: &mut impl Source) -> Option<Tree> {
        let inserted_end = edit.range.start() + edit.insert;
        let changed = changed.cover(Range::new(edit.range.start(), inserted_end));
        let old_end = edit.range.end() + (changed.end() - inserted_end);
        if let Some(tree) = self.only_longer(edit, changed, source) {
            return Some(tree);
        }
        let (first, end, mut open) = self.start(changed.start(), source);
        let mut open: Vec<Label> = open.drain(..).map(|(label, _)| label).collect();
        let mut builder = Builder::new((*self.labels).clone(), end);
        let mut stop = self.stop(self.block_at(old_end).max(first), old_end, edit);
        let mut is_behind = false;
        while let Some(event) = source.next_event() {
            if let Some((number, leaf)) = stop
                && is_behind
                && event != (Event::Leave { end: leaf.end() })
            {
                if self.has_open(number + 1, &open) {
                    break;
                }
                is_behind = false;
                stop = self.stop(number + 1, old_end, edit);
            }
            match event {
                Event::Enter { label, .. } => open.push(label),
                Event::Leave { .. } => drop(open.pop()?),
                Event::Leaf { range, .. } => {
                    while let Some((number, leaf)) = stop
                        && leaf.start() < range.start()
                    {
                        stop = self.stop(number + 1, old_end, edit);
                    }
                    is_behind = stop.is_some_and(|(_, leaf)| leaf == range);
                }
            }
            builder.push(event)?;
        }
        let last = stop.filter(|_| is_behind).map_or(self.root.summary.blocks, |(number, _)| number + 1);
        let (labels, blocks) = builder.finish();
        let root = self.root.replace(first..last, blocks);
        let labels = match labels == *self.labels {
            true => Arc::clone(&self.labels),
            false => Arc::new(labels),
        };
        Some(Tree { root, labels, vocabulary: Arc::clone(&self.vocabulary) })
    }

    /// The tree when an edit inside a leaf changed nothing else, as the source sees it too.
    fn only_longer(&self, edit: Edit, changed: Range, source: &mut impl Source) -> Option<Tree> {
        if changed != Range::new(edit.range.start(), edit.range.start() + edit.insert) {
            return None;
        }
        let leaf = *self.path(edit.range.start()).last()?;
        let tree = self.edit(edit)?;
        let end = leaf.range.end().to_u32() - edit.range.extent().to_u32() + edit.insert.to_u32();
        let range = Range::new(leaf.range.start(), Offset::new(end));
        source.start_behind(range, &mut Vec::new()).then_some(tree)
    }

    /// Puts the source where a block starts, at or before the block of a place, such that the leaf before it and
    /// the nodes around it are the same as they were. The block, where that leaf ends, and the open nodes.
    fn start(&self, at: Offset, source: &mut impl Source) -> (u32, Offset, Vec<(Label, Offset)>) {
        let mut open = Vec::new();
        let mut first = self.block_at(at);
        let mut step = 1;
        while first > 0 {
            if let Some(leaf) = self.last_leaf(first - 1)
                && leaf.end() < at
                && source.start_behind(leaf, &mut open)
                && self.open_before(first) == open
            {
                return (first, leaf.end(), open);
            }
            first = first.saturating_sub(step);
            step *= 2;
        }
        source.start();
        (0, Offset::ZERO, Vec::new())
    }

    /// The first block, from the given one on, whose last leaf lies behind the edit, and that leaf in the new text.
    /// The last block is none: behind it nothing is left to keep.
    fn stop(&self, from: u32, old_end: Offset, edit: Edit) -> Option<(u32, Range)> {
        let n_blocks = self.root.summary.blocks;
        let mut number = from;
        while number + 1 < n_blocks {
            let leaf = self.last_leaf(number).filter(|leaf| old_end < leaf.start());
            // Short blocks are left over from edits: they are taken in again.
            match leaf.filter(|_| self.n_nodes_of(number + 1) >= FULL / 4) {
                Some(leaf) => return Some((number, moved(leaf, edit))),
                None => number += 1,
            }
        }
        None
    }

    /// The block of a place; the last one for places behind the tree.
    fn block_at(&self, offset: Offset) -> u32 {
        let spot = Spot::find(&self.root, Goal::Offset(offset.to_u32()));
        spot.map_or(self.root.summary.blocks.saturating_sub(1), |spot| spot.number)
    }

    fn n_nodes_of(&self, number: u32) -> usize {
        Spot::find(&self.root, Goal::Block(number)).map_or(0, |spot| spot.summary.nodes as usize)
    }

    /// Where a block ends with a leaf that is not empty.
    fn last_leaf(&self, number: u32) -> Option<Range> {
        let spot = Spot::find(&self.root, Goal::Block(number))?;
        let last = spot.block.steps(&self.labels).last()?;
        let end = spot.offset + spot.summary.extent;
        match last {
            Step::Leaf(_, Shape { length, .. }) if length > 0 => {
                Some(Range::new(Offset::new(end - length), Offset::new(end)))
            }
            _ => None,
        }
    }

    /// The nodes that are open where a block starts.
    fn open_before(&self, number: u32) -> Vec<(Label, Offset)> {
        let open = Spot::find(&self.root, Goal::Block(number)).map(|spot| spot.open(&self.labels));
        open.into_iter().flatten().map(|node| (node.label, node.range.start())).collect()
    }

    /// Are nodes with these labels open where a block starts?
    fn has_open(&self, number: u32, open: &[Label]) -> bool {
        self.open_before(number).iter().map(|(label, _)| *label).eq(open.iter().copied())
    }
}

/// A range behind an edit, in the new text.
fn moved(range: Range, edit: Edit) -> Range {
    let end = edit.range.end();
    let inserted_end = edit.range.start() + edit.insert;
    Range::new(inserted_end + (range.start() - end), inserted_end + (range.end() - end))
}
