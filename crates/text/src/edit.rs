//! Edits of a text, and where places of the old text are in the new one.

use crate::{Extent, Offset, Range};

/// One change: the bytes of `range` are replaced by `insert` new bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Edit {
    /// The bytes of the old text that are replaced; empty for a pure insertion.
    pub range: Range,
    /// How many new bytes there are.
    pub insert: Extent,
}

/// Edits that are made to a text all at once: every range is a range of the old text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Edits {
    /// Invariant: each range starts at or after the end of the previous one.
    edits: Vec<Edit>,
    /// Invariant: for each edit, where its inserted bytes end in the new text.
    new_ends: Vec<Offset>,
}

/// Which side of inserted bytes a place stays on when they are inserted exactly at the place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bias {
    /// Before the inserted bytes, next to the byte that was on its left.
    Left,
    /// After the inserted bytes, next to the byte that was on its right.
    Right,
}

impl Edits {
    /// The edits. `None` if they are out of order, overlap, or give a text that is too large.
    ///
    /// Ranges may touch, and several insertions may share one place. Such insertions are made in the given order.
    pub fn new(edits: Vec<Edit>) -> Option<Edits> {
        let mut new_ends = Vec::with_capacity(edits.len());
        let (mut old_end, mut new_end) = (0, 0u32);
        for edit in &edits {
            let kept = edit.range.start().to_u32().checked_sub(old_end)?;
            new_end = new_end.checked_add(kept)?.checked_add(edit.insert.to_u32())?;
            old_end = edit.range.end().to_u32();
            new_ends.push(Offset::new(new_end));
        }
        Some(Edits { edits, new_ends })
    }

    /// All edits, in order.
    pub fn as_slice(&self) -> &[Edit] {
        &self.edits
    }

    /// Where a place of the old text is in the new one. `None` if a single edit replaces the bytes on both sides of
    /// the place.
    pub fn carry(&self, offset: Offset, bias: Bias) -> Option<Offset> {
        let n_before = match bias {
            Bias::Left => self.edits.partition_point(|edit| edit.range.start() < offset),
            Bias::Right => self.edits.partition_point(|edit| edit.range.end() <= offset),
        };
        if self.edits.get(n_before).is_some_and(|next| next.range.start() < offset) {
            return None;
        }
        let (old_end, new_end) = self.ends_after(n_before);
        let kept = offset.to_u32().checked_sub(old_end.to_u32())?;
        new_end.to_u32().checked_add(kept).map(Offset::new)
    }

    /// Where a range of the old text is in the new one. `None` if a single edit replaces the bytes on both sides of
    /// one of its ends.
    ///
    /// Bytes that are inserted exactly at its start or end stay outside the range. An empty range stays to the left of
    /// bytes inserted there.
    pub fn carry_range(&self, range: Range) -> Option<Range> {
        if range.is_empty() {
            return self.carry(range.start(), Bias::Left).map(Range::empty);
        }
        let start = self.carry(range.start(), Bias::Right)?;
        let end = self.carry(range.end(), Bias::Left)?;
        Some(Range::new(start, end))
    }

    /// The edits that turn the new text back into the old one.
    pub fn inverse(&self) -> Edits {
        let back = |(edit, &new_end): (&Edit, &Offset)| Edit {
            range: Range::new(Offset::new(new_end.to_u32() - edit.insert.to_u32()), new_end),
            insert: edit.range.extent(),
        };
        Edits {
            edits: self.edits.iter().zip(&self.new_ends).map(back).collect(),
            new_ends: self.edits.iter().map(|edit| edit.range.end()).collect(),
        }
    }

    /// Where the first `n` edits end, in the old text and in the new text.
    fn ends_after(&self, n: usize) -> (Offset, Offset) {
        match n.checked_sub(1) {
            Some(last) => (self.edits[last].range.end(), self.new_ends[last]),
            None => (Offset::ZERO, Offset::ZERO),
        }
    }
}
