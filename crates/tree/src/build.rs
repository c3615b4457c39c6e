//! From the events of a parser to blocks.

use std::sync::Arc;

use locant_text::Offset;

use crate::block::Draft;
use crate::blocks::Entry;
use crate::label::{Labels, Numbering};
use crate::stream::Shape;
use crate::{Event, Label, Source, Tree, Vocabulary};

impl Tree {
    /// The tree of a source. `None` when its events are no tree: ends that lie before starts, nodes that are left
    /// and were not entered.
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

/// Turns events into blocks.
pub(crate) struct Builder {
    numbering: Numbering,
    blocks: Vec<Entry>,
    draft: Draft,
    /// The number of the filler's label, once it is needed.
    filler: Option<u32>,
    /// Where the last leaf ends.
    end: u32,
    /// The last leaf, until it is known how many nodes end with it.
    last: Option<(u32, Shape)>,
    /// Where the last node starts that was entered, as long as no leaf stands in it.
    entered: Option<u32>,
}

impl Builder {
    /// Starts behind the leaf that ends at `end`.
    pub(crate) fn new(labels: Labels, end: Offset) -> Builder {
        Builder {
            numbering: Numbering::new(labels),
            blocks: Vec::new(),
            draft: Draft::default(),
            filler: None,
            end: end.to_u32(),
            last: None,
            entered: None,
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
                self.draft.enter(code);
                self.entered = Some(start);
                if self.draft.is_bursting() {
                    self.fill(start)?;
                    self.flush();
                }
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

    /// The labels and the blocks.
    pub(crate) fn finish(mut self) -> (Labels, Vec<Entry>) {
        self.flush();
        if !self.draft.is_empty() {
            self.blocks.push(Entry::block(self.draft.finish()));
        }
        (self.numbering.labels, self.blocks)
    }

    /// Makes sure that the nodes entered so far start where they do when the next leaf starts elsewhere.
    fn start_at(&mut self, start: u32) -> Option<()> {
        match self.entered {
            Some(entered) if entered != start => self.fill(entered),
            _ => Some(()),
        }
    }

    fn leave(&mut self, end: u32) -> Option<()> {
        if let Some(start) = self.entered {
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
        let code = *self.filler.get_or_insert_with(|| self.numbering.code(Label::FILLER));
        self.leaf(code, at, 0)
    }

    fn leaf(&mut self, code: u32, start: u32, length: u32) -> Option<()> {
        self.flush();
        let gap = start.checked_sub(self.end)?;
        self.last = Some((code, Shape { gap, length, closes: 0 }));
        self.end = start + length;
        self.entered = None;
        Some(())
    }

    /// Writes the last leaf.
    fn flush(&mut self) {
        if let Some((code, shape)) = self.last.take() {
            self.draft.leaf(code, shape, Some(code) == self.filler);
            if self.draft.is_full() {
                self.blocks.push(Entry::block(self.draft.finish()));
            }
        }
    }
}
