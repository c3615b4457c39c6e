//! Builds the blocks of a tree from the events of a parser.

use std::sync::Arc;

use locant_text::Offset;

use crate::block::{Draft, LONGEST};
use crate::blocks::Entry;
use crate::label::{Labels, Numbering};
use crate::stream::{Shape, Step};
use crate::{Event, Label, Source, Tree, Vocabulary};

impl Tree {
    /// Builds a tree from a source. `None` if the events of the source do not form a tree: a node ends before it
    /// starts, a `Leave` has no `Enter`, or an `Enter` has no `Leave`.
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

/// A block usually ends with the leaf that brings its number of steps to this.
pub(crate) const FULL: usize = 128;

/// Turns events into blocks. Also accepts steps of another tree that has the same labels.
pub(crate) struct Builder {
    numbering: Numbering,
    blocks: Vec<Entry>,
    draft: Draft,
    /// The label numbers of the nodes entered since the last leaf.
    entered: Vec<u32>,
    /// Where the last entered node starts. `None` once a leaf follows.
    start: Option<u32>,
    /// The last leaf. It is not written yet, because more nodes may end with it.
    last: Option<(u32, Shape)>,
    /// Where the last leaf ends.
    end: u32,
    /// The current block ends with the leaf that brings its number of steps to this.
    full: usize,
}

impl Builder {
    /// A builder that starts after a leaf that ends at `end`.
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

    /// Adds an event. `None` if the event cannot follow the earlier ones.
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

    /// Adds a step of a tree that has the same labels.
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

    /// Sets the number of steps at which blocks end from now on.
    pub(crate) fn set_full(&mut self, full: usize) {
        self.full = full.min(LONGEST);
    }

    /// Writes the last leaf. Called once all nodes that end with it are known.
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

    /// Adds a filler if the next node or leaf starts elsewhere than the nodes entered before it. Without the filler,
    /// those nodes would seem to start there too.
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

    /// Writes the nodes entered since the last leaf, and then a leaf.
    fn write(&mut self, code: u32, mut shape: Shape) {
        let all = std::mem::take(&mut self.entered);
        let mut entered = all.as_slice();
        // If there are more steps than the block can hold, the block ends with a filler at the start of the leaf, and
        // the remaining steps go to the next block.
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
