//! A block: a hundred or so steps of the stream, and two lists for finding nodes that extend beyond the block.
//!
//! Everything in a block counts from the start of the block. So all versions of a tree can share it, even if edits
//! move it. The bytes of a block are
//!
//! ```text
//! u16 u16 | closings | openings | stream
//! ```
//!
//! The two numbers, low byte first, say where the openings start and where the stream starts.
//!
//! A closing is a place where nodes end that were open before the block. It has three numbers: how many bytes of text
//! lie between the previous closing and this one, how many nodes end there, and how many nodes of the block start
//! before it.
//!
//! An opening is a node of the block that is still open at the end of the block. It has the node's label, its number
//! in the block, and where it starts. The innermost node comes first.
//!
//! With these lists, the path to a place is found without reading the streams of other blocks. Each node is in at most
//! one list of openings, so deep trees take no more memory than flat ones.

use std::ops::Range;
use std::sync::Arc;

use crate::label::Labels;
use crate::stream::{
    Reader, Shape, Step, overwrite_shape, overwrite_varint, put_code, put_shape, put_varint,
};

/// The most steps that a block can have. The number of a node in its block must fit in a byte.
pub(crate) const LONGEST: usize = 255;

/// The totals of a stretch of the stream. They are enough to skip the stretch without reading it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// How many bytes of text the stretch covers, counted from the end of the leaf before it.
    pub(crate) extent: u32,
    /// How many nodes start in the stretch.
    pub(crate) nodes: u32,
    /// How many nodes that were open before the stretch end in it.
    pub(crate) closes: u32,
    /// How many nodes start in the stretch and are still open after it.
    pub(crate) opens: u32,
    /// How many blocks the stretch has.
    pub(crate) blocks: u32,
}

impl Summary {
    /// The summary of this stretch and `next` together.
    pub(crate) fn then(self, next: Summary) -> Summary {
        Summary {
            extent: self.extent + next.extent,
            nodes: self.nodes + next.nodes,
            closes: self.closes + next.closes.saturating_sub(self.opens),
            opens: self.opens.saturating_sub(next.closes) + next.opens,
            blocks: self.blocks + next.blocks,
        }
    }
}

/// The bytes of a block, for reading.
#[derive(Clone, Copy)]
pub(crate) struct Block<'b> {
    bytes: &'b [u8],
}

/// The steps of a block, from front to back.
pub(crate) struct Steps<'b> {
    reader: Reader<'b>,
    labels: &'b Labels,
}

impl Iterator for Steps<'_> {
    type Item = Step;

    #[inline]
    fn next(&mut self) -> Option<Step> {
        self.reader.step(self.labels)
    }
}

/// A node that starts in a block and is still open at the end of the block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opening {
    pub(crate) code: u32,
    /// The number of the node in the block, counted from 0.
    pub(crate) index: u32,
    /// Where the node starts, counted from the start of the block.
    pub(crate) start: u32,
}

/// A place where nodes end that were open before a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closing {
    /// Where the nodes end, counted from the start of the block.
    pub(crate) end: u32,
    /// How many nodes end at this place.
    pub(crate) count: u32,
    /// How many nodes of the block start before this place.
    pub(crate) nodes: u32,
}

/// An edit inside a single leaf. Places count from the start of the stretch of the stream that is edited.
#[derive(Clone, Copy)]
pub(crate) struct Lengthening {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) insert: u32,
}

impl Lengthening {
    /// Where a place of the stretch is after the edit.
    #[inline]
    pub(crate) fn moved(&self, place: u32) -> u32 {
        if place <= self.start { place } else { place - (self.end - self.start) + self.insert }
    }
}

/// A number in the lists of a block that counts the bytes of text between two places.
struct Distance {
    /// Which bytes of the block hold the number.
    at: Range<usize>,
    from: u32,
    to: u32,
}

/// Why reading a block cannot fail: only [`Draft`] and [`Block::edited`] write blocks, so their bytes are always valid.
const WHOLE: &str = "a block is as its draft wrote it";

impl<'b> Block<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Block<'b> {
        Block { bytes }
    }

    /// The nodes that are open at the end of the block, the innermost first.
    pub(crate) fn openings(self) -> impl Iterator<Item = Opening> {
        let mut reader = Reader::new(&self.bytes[self.mark(0)..self.mark(2)]);
        std::iter::from_fn(move || {
            let code = reader.code()?;
            let index = reader.byte().expect(WHOLE).into();
            Some(Opening { code, index, start: reader.varint().expect(WHOLE) })
        })
    }

    /// The places where nodes end that were open before the block, in order.
    pub(crate) fn closings(self) -> impl Iterator<Item = Closing> {
        let mut reader = Reader::new(&self.bytes[4..self.mark(0)]);
        let mut end = 0;
        std::iter::from_fn(move || {
            end += reader.varint()?;
            let count = reader.varint().expect(WHOLE);
            Some(Closing { end, count, nodes: reader.byte().expect(WHOLE).into() })
        })
    }

    /// The steps of the block.
    pub(crate) fn steps(self, labels: &'b Labels) -> Steps<'b> {
        Steps { reader: Reader::new(&self.bytes[self.mark(2)..]), labels }
    }

    /// The block after an edit inside one of its leaves. `None` if the edit is not inside a leaf, or touches one of
    /// its ends.
    pub(crate) fn edited(self, labels: &Labels, edit: Lengthening) -> Option<Arc<[u8]>> {
        let stream = &self.bytes[self.mark(2)..];
        let from_shape = self.at_shape(labels, edit)?;
        let mut rest = from_shape;
        let shape = rest.shape()?;
        let length = shape.length - (edit.end - edit.start) + edit.insert;
        let longer = Shape { length, ..shape };
        let at_shape = self.bytes.len() - from_shape.n_left();
        let overwritten = self.overwritten(at_shape, shape, longer, edit);
        overwritten.or_else(|| {
            let closings = self.closings().map(|closing| Closing { end: edit.moved(closing.end), ..closing });
            let openings =
                self.openings().map(|opening| Opening { start: edit.moved(opening.start), ..opening });
            let mut written = stream[..stream.len() - from_shape.n_left()].to_vec();
            put_shape(&mut written, longer);
            Some(packed(closings, openings, &[&written, &stream[stream.len() - rest.n_left()..]]))
        })
    }

    /// A reader that is at the shape of the leaf that contains the edit.
    fn at_shape(self, labels: &Labels, edit: Lengthening) -> Option<Reader<'b>> {
        let mut reader = Reader::new(&self.bytes[self.mark(2)..]);
        let mut end = 0;
        loop {
            if !labels.get(reader.code()?).is_leaf() {
                continue;
            }
            let from_shape = reader;
            let shape = reader.shape()?;
            let start = end + shape.gap;
            end = start + shape.length;
            if edit.end < end {
                return (start < edit.start).then_some(from_shape);
            }
        }
    }

    /// A copy of the block in which the numbers that an edit changes are overwritten. This usually works, and is much
    /// faster than writing the whole block again. `None` if a new number does not fit in the bytes of the old one.
    fn overwritten(self, at_shape: usize, old: Shape, new: Shape, edit: Lengthening) -> Option<Arc<[u8]>> {
        let mut copy: Arc<[u8]> = Arc::from(self.bytes);
        let bytes = Arc::get_mut(&mut copy).expect("nobody else has it yet");
        overwrite_shape(&mut bytes[at_shape..], old, new)?;
        for Distance { at, from, to } in self.distances() {
            if edit.start < to {
                overwrite_varint(&mut bytes[at], edit.moved(to) - edit.moved(from))?;
            }
        }
        Some(copy)
    }

    /// The numbers in the lists of closings and openings that count bytes of text.
    fn distances(self) -> impl Iterator<Item = Distance> {
        let (openings, stream) = (self.mark(0), self.mark(2));
        let mut reader = Reader::new(&self.bytes[4..stream]);
        let mut last = 0;
        std::iter::from_fn(move || {
            let at = stream - reader.n_left();
            let is_closing = at < openings;
            if !is_closing {
                reader.code()?;
                reader.byte();
            }
            let start = stream - reader.n_left();
            let number = reader.varint()?;
            let at = start..stream - reader.n_left();
            let from = if is_closing { last } else { 0 };
            if is_closing {
                reader.varint();
                reader.byte();
                last += number;
            }
            Some(Distance { at, from, to: from + number })
        })
    }

    fn mark(self, at: usize) -> usize {
        usize::from(u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]]))
    }
}

/// A block that is being written. Its fields describe what has been written so far.
#[derive(Default)]
pub(crate) struct Draft {
    stream: Vec<u8>,
    n_steps: usize,
    extent: u32,
    nodes: u32,
    /// The nodes of this block that are open, the outermost first.
    open: Vec<Opening>,
    /// How many of the open nodes have a known start. A node gets its start from the first leaf after it is entered.
    n_started: usize,
    closings: Vec<Closing>,
    closes: u32,
}

impl Draft {
    pub(crate) fn n_steps(&self) -> usize {
        self.n_steps
    }

    /// The nodes that start in the block and are still open, the outermost first.
    pub(crate) fn open(&self) -> &[Opening] {
        &self.open
    }

    /// How many nodes that were open before the block have ended.
    pub(crate) fn closes(&self) -> u32 {
        self.closes
    }

    pub(crate) fn enter(&mut self, code: u32) {
        put_code(&mut self.stream, code);
        self.open.push(Opening { code, index: self.nodes, start: 0 });
        self.nodes += 1;
        self.n_steps += 1;
    }

    pub(crate) fn leaf(&mut self, code: u32, shape: Shape, is_filler: bool) {
        put_code(&mut self.stream, code);
        put_shape(&mut self.stream, shape);
        let start = self.extent + shape.gap;
        for opening in &mut self.open[self.n_started..] {
            opening.start = start;
        }
        self.extent = start + shape.length;
        self.nodes += u32::from(!is_filler);
        self.n_steps += 1;
        self.close(shape.closes);
    }

    fn close(&mut self, n: u32) {
        let n_own = self.open.len().min(n as usize);
        self.open.truncate(self.open.len() - n_own);
        self.n_started = self.open.len();
        let count = n - u32::try_from(n_own).expect("at most n");
        if count > 0 {
            self.closings.push(Closing { end: self.extent, count, nodes: self.nodes });
            self.closes += count;
        }
    }

    /// Returns the finished block and clears the draft.
    pub(crate) fn finish(&mut self) -> (Summary, Arc<[u8]>) {
        let bytes = packed(self.closings.iter().copied(), self.open.iter().rev().copied(), &[&self.stream]);
        let summary = Summary {
            extent: self.extent,
            nodes: self.nodes,
            closes: self.closes,
            opens: u32::try_from(self.open.len()).expect("a block has at most 255 steps"),
            blocks: 1,
        };
        self.clear();
        (summary, bytes)
    }

    fn clear(&mut self) {
        self.stream.clear();
        self.open.clear();
        self.closings.clear();
        (self.n_steps, self.extent, self.nodes, self.n_started, self.closes) = (0, 0, 0, 0, 0);
    }
}

/// The bytes of a block. `stream` is given in several parts.
fn packed(
    closings: impl Iterator<Item = Closing>,
    openings: impl Iterator<Item = Opening>,
    stream: &[&[u8]],
) -> Arc<[u8]> {
    const LIKELY_LISTS: usize = 200;
    let n_stream: usize = stream.iter().map(|part| part.len()).sum();
    let mut bytes = Vec::with_capacity(LIKELY_LISTS + n_stream);
    bytes.extend([0; 4]);
    let mut last = 0;
    for closing in closings {
        put_varint(&mut bytes, closing.end - last);
        put_varint(&mut bytes, closing.count);
        bytes.push(u8::try_from(closing.nodes).expect("a block has at most 255 steps"));
        last = closing.end;
    }
    set_mark(&mut bytes, 0);
    for opening in openings {
        put_code(&mut bytes, opening.code);
        bytes.push(u8::try_from(opening.index).expect("a block has at most 255 steps"));
        put_varint(&mut bytes, opening.start);
    }
    set_mark(&mut bytes, 2);
    for part in stream {
        bytes.extend(*part);
    }
    bytes.into()
}

fn set_mark(bytes: &mut [u8], at: usize) {
    // The lists before the mark have at most 255 entries of about twenty bytes each.
    let mark = u16::try_from(bytes.len()).expect("a block is short");
    bytes[at..at + 2].copy_from_slice(&mark.to_le_bytes());
}
