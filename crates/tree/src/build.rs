//! Builds the blocks of a tree from the events of a parser.

use std::sync::Arc;

use locant_text::Offset;

use crate::block::{Draft, LONGEST};
use crate::blocks::Entry;
use crate::label::{Labels, Numbering};
use crate::stream::{Shape, Step};
use crate::{Event, Label, Source, Tree, Vocabulary};

impl Tree {
    /// The tree of a source. `None` when its events make no tree: a node ends before it starts, or is left without
    /// having been entered.
    pub fn build(vocabulary: Arc<Vocabulary>, source: &mut impl Source) -> Option<Tree> {
        let mut builder = Builder::new(Labels::default(), Offset::ZERO);
        let mut depth = 0u32;
        source.start();
        while let Some(event) = source.next_event() {
            depth = match event {
                Event::Enter { .. } => depth + 1,
                Event::Leaf { .. } => depth,
                Event::Leave { .. } => depth.checked_sub(1)?,
            };
            builder.push(event)?;
        }
        let (mut labels, blocks) = builder.finish();
        labels.shrink();
        (depth == 0).then(|| Tree { root: Entry::above(blocks), labels: Arc::new(labels), vocabulary })
    }
}

/// A block usually ends with the leaf that makes it as long as this, counted in steps.
pub(crate) const FULL: usize = 128;

/// Turns events, and steps of another tree with the same labels, into blocks.
pub(crate) struct Builder {
    numbering: Numbering,
    blocks: Vec<Entry>,
    draft: Draft,
    /// The nodes entered since the last leaf, by the numbers of their labels.
    entered: Vec<u32>,
    /// Where the last entered node starts, as long as it has no leaf.
    start: Option<u32>,
    /// The last leaf, not written yet, since more nodes may end with it.
    last: Option<(u32, Shape)>,
    /// Where the last leaf ends.
    end: u32,
    /// The current block ends with the leaf that makes it as long as this, counted in steps.
    full: usize,
}

impl Builder {
    /// A builder that starts after the leaf that ends at `end`.
    pub(crate) fn new(labels: Labels, end: Offset) -> Builder {
        Builder {
            numbering: Numbering::new(labels),
            blocks: Vec::new(),
            draft: Draft::default(),
            entered: Vec::new(),
            start: None,
            last: None,
            end: end.to_u32(),
            full: FULL,
        }
    }

    /// Takes in an event; `None` when it cannot follow the others.
    pub(crate) fn push(&mut self, event: Event) -> Option<()> {
        match event {
            Event::Enter { label, start } => {
                let start = start.to_u32();
                self.start_at(start)?;
                self.flush();
                let code = self.numbering.code(label);
                self.entered.push(code);
                self.start = Some(start);
            }
            Event::Leaf { label, range } => {
                self.start_at(range.start().to_u32())?;
                let code = self.numbering.code(label.leaf());
                self.leaf(code, range.start().to_u32(), range.extent().to_u32())?;
            }
            Event::Leave { end } => self.leave(end.to_u32())?,
        }
        Some(())
    }

    /// Takes in a step of a tree with the same labels.
    pub(crate) fn copy(&mut self, step: Step) {
        self.flush();
        match step {
            Step::Enter(code) => self.entered.push(code),
            Step::Leaf(code, shape) => {
                self.end += shape.gap + shape.length;
                self.write(code, shape);
            }
        }
    }

    /// The block that is being written.
    pub(crate) fn draft(&self) -> &Draft {
        &self.draft
    }

    /// From now on blocks end with the leaf that makes them as long as this.
    pub(crate) fn set_full(&mut self, full: usize) {
        self.full = full.min(LONGEST);
    }

    /// Writes the last leaf, once all nodes that end with it are known.
    pub(crate) fn flush(&mut self) {
        if let Some((code, shape)) = self.last.take() {
            self.write(code, shape);
        }
    }

    /// The labels and the blocks.
    pub(crate) fn finish(mut self) -> (Labels, Vec<Entry>) {
        self.flush();
        if self.draft.n_steps() > 0 {
            self.cut();
        }
        (self.numbering.labels, self.blocks)
    }

    /// Adds a filler where the nodes entered so far start, if the next leaf starts elsewhere: they would seem to start
    /// there.
    fn start_at(&mut self, start: u32) -> Option<()> {
        match self.start {
            Some(entered) if entered != start => self.fill(entered),
            _ => Some(()),
        }
    }

    fn leave(&mut self, end: u32) -> Option<()> {
        if let Some(start) = self.start {
            self.fill(start)?;
        }
        if end != self.end || self.last.is_none() {
            self.fill(end)?;
        }
        let (_, shape) = self.last.as_mut()?;
        shape.closes += 1;
        Some(())
    }

    fn fill(&mut self, at: u32) -> Option<()> {
        let code = self.numbering.code(Label::FILLER);
        self.leaf(code, at, 0)
    }

    fn leaf(&mut self, code: u32, start: u32, length: u32) -> Option<()> {
        self.flush();
        let gap = start.checked_sub(self.end)?;
        self.last = Some((code, Shape { gap, length, closes: 0 }));
        self.end = start + length;
        self.start = None;
        Some(())
    }

    /// Writes the nodes entered since the last leaf, and a leaf.
    fn write(&mut self, code: u32, mut shape: Shape) {
        let all = std::mem::take(&mut self.entered);
        let mut entered = all.as_slice();
        // There are more steps than the block can hold: it ends with a filler at the start of the leaf, and the rest
        // goes to the next block.
        while self.draft.n_steps() + entered.len() + 1 > LONGEST {
            let (first, rest) = entered.split_at(LONGEST - 1 - self.draft.n_steps());
            first.iter().for_each(|&code| self.draft.enter(code));
            let filler = self.numbering.code(Label::FILLER);
            self.draft.leaf(filler, Shape { gap: shape.gap, length: 0, closes: 0 }, true);
            self.cut();
            (shape.gap, entered) = (0, rest);
        }
        entered.iter().for_each(|&code| self.draft.enter(code));
        self.entered = all;
        self.entered.clear();
        self.draft.leaf(code, shape, self.numbering.labels.get(code).is_filler());
        if self.draft.n_steps() >= self.full {
            self.cut();
        }
    }

    fn cut(&mut self) {
        let (summary, bytes) = self.draft.finish();
        self.blocks.push(Entry::Block(summary, bytes));
    }
}
