//! Finds places that are before or after everything that has changed between two texts.

use std::ops::Range as Indices;

use locant_text::{Offset, Text};
use memchr::memmem;

use super::similarity::run;
use crate::anchor::LINE;
use crate::tokens;

/// Where a place is in the new text, if no change has touched it.
pub(super) enum Outside {
    /// At this offset.
    At(Offset),
    /// At one of two offsets. The inserted text is a copy of the text beside it, so it may have been inserted above the
    /// place or below it.
    Doubled([Offset; 2]),
}

/// Where a place of the old text is in the new text. `None` if it is not clearly before or after everything that has
/// changed.
pub(super) fn outside_of_change(old: &Text, new: &Text, place: Offset) -> Option<Outside> {
    // An anchor is input from outside, so its place may not be a position in the text.
    let change = old.is_boundary(place).then(|| Change::beside(old, new, place))??;
    let shifted = (new.bytes().len() + place.index()).checked_sub(old.bytes().len());
    let at = |index: usize| Some(Offset::of_index(index)).filter(|&offset| new.is_boundary(offset));
    match (change.is_after(), change.is_before(new.start().index())) {
        (true, true) => Some(Outside::Doubled([at(place.index())?, at(shifted?)?])),
        (true, false) if !change.may_copy_above() => at(place.index()).map(Outside::At),
        (false, true) if !change.may_copy_below(shifted?) => at(shifted?).map(Outside::At),
        _ => None,
    }
}

/// The change between two texts, and a place of the old text. All numbers are byte offsets.
struct Change<'t> {
    before: &'t [u8],
    now: &'t [u8],
    /// Where the common start of both texts ends.
    front: usize,
    /// Where the common end of both texts starts, in the old text and in the new text.
    back: usize,
    back_now: usize,
    /// The range that covers the place and the word nearest to it, in the old text.
    place: Indices<usize>,
    /// The lines that contain this range, in the old text.
    lines: Indices<usize>,
}

impl<'t> Change<'t> {
    fn beside(old: &'t Text, new: &'t Text, place: Offset) -> Option<Change<'t>> {
        let (before, now) = (old.bytes(), new.bytes());
        let word = tokens::pivot(before, old.start().index(), place.index())?;
        let (from, to) = (word.start.min(place.index()), word.end.max(place.index()));
        let lines = line_start(&before[..from])..to + line_length(&before[to..]);
        let front = run(before.iter(), now.iter());
        let n_back = run(before.iter().rev(), now.iter().rev());
        let (back, back_now) = (before.len() - n_back, now.len() - n_back);
        Some(Change { before, now, front, back, back_now, place: from..to, lines })
    }

    /// Whether the change comes after the place. The whole line of the place must be unchanged, since an equal token in
    /// a changed line may be another token. Of a long line, only the part near the place must be unchanged.
    fn is_after(&self) -> bool {
        let end = self.lines.end;
        let ends = end == self.now.len() || self.now.get(end) == Some(&b'\n');
        self.place.end + LINE <= self.front || end <= self.front && ends
    }

    /// Whether the change comes before the place. `first` is where the new text starts, after a byte-order mark.
    fn is_before(&self, first: usize) -> bool {
        let starts = |start: usize| start == first || start > 0 && self.now.get(start - 1) == Some(&b'\n');
        let line = self.lines.start;
        self.back + LINE <= self.place.start || self.back <= line && starts(self.back_now + line - self.back)
    }

    /// Whether a place before the change may be a copy of the old place. That is possible if the inserted text contains
    /// its line again, or if the deleted text contained its line and the line above.
    fn may_copy_above(&self) -> bool {
        let above = line_start(self.before[..self.lines.start].trim_ascii_end());
        self.place.end > self.back_now
            || self.has_inserted(&self.before[self.lines.start.min(self.front)..self.front])
            || self.has_deleted(&self.before[above.min(self.front)..self.front])
    }

    /// Whether a place after the change, which is at `shifted` in the new text, may be a copy of the old place.
    fn may_copy_below(&self, shifted: usize) -> bool {
        let end = self.lines.end;
        let below = self.before.len() - self.before[end..].trim_ascii_start().len();
        let below = below + line_length(&self.before[below..]);
        shifted < self.front
            || self.has_inserted(&self.before[self.back..end.max(self.back)])
            || self.has_deleted(&self.before[self.back..below.max(self.back)])
    }

    fn has_inserted(&self, stretch: &[u8]) -> bool {
        let inserted = self.now.get(self.front..self.back_now).unwrap_or_default();
        memmem::find(inserted, stretch).is_some()
    }

    fn has_deleted(&self, stretch: &[u8]) -> bool {
        let deleted = self.before.get(self.front..self.back).unwrap_or_default();
        memmem::find(deleted, stretch).is_some()
    }
}

/// Where the last line of some bytes starts.
fn line_start(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)
}

/// The length of the first line of some bytes.
fn line_length(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len())
}
