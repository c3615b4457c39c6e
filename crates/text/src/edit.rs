//! Changes of a text, and where places of the old text are in the new one.

use crate::{Extent, Offset, Range};

/// One change: the bytes of `range` give way to `insert` new ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Edit {
    /// The bytes of the old text that are replaced; empty for a pure insertion.
    pub range: Range,
    /// The length of the new bytes.
    pub insert: Extent,
}

/// Changes that are made to a text at once: all ranges are ranges of the old text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Edits {
    /// Invariant: each range starts at or after the end of the one before it.
    edits: Vec<Edit>,
    /// Invariant: for each edit, where what it inserted ends in the new text.
    new_ends: Vec<Offset>,
}

/// On which side of new bytes a place stays when they are inserted exactly there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bias {
    /// Before them, with the byte to its left.
    Left,
    /// After them, with the byte to its right.
    Right,
}

impl Edits {
    /// The edits, if they are in order, do not overlap, and leave a text that is not too large.
    ///
    /// Ranges may touch, and several insertions may share one place: they are then made in the given order.
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

    /// The single edits, in order.
    pub fn as_slice(&self) -> &[Edit] {
        &self.edits
    }

    /// Where a place of the old text is in the new one; `None` when the bytes on both its sides are replaced
    /// by one edit.
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

    /// Where the bytes of a range are afterwards; `None` when an edit replaces bytes on both sides of one of
    /// its ends.
    ///
    /// What is inserted right at its start or its end stays outside; an empty range stays to the left.
    pub fn carry_range(&self, range: Range) -> Option<Range> {
        if range.is_empty() {
            return self.carry(range.start(), Bias::Left).map(Range::empty);
        }
        let start = self.carry(range.start(), Bias::Right)?;
        let end = self.carry(range.end(), Bias::Left)?;
        Some(Range::new(start, end))
    }

    /// The edits that lead back from the new text to the old one.
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

    /// The end of the first `n` edits in the old text and in the new one.
    fn ends_after(&self, n: usize) -> (Offset, Offset) {
        match n.checked_sub(1) {
            Some(last) => (self.edits[last].range.end(), self.new_ends[last]),
            None => (Offset::ZERO, Offset::ZERO),
        }
    }
}
