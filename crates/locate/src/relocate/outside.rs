//! Places that stand before all that has changed between two texts, or after it.

use locant_text::{Offset, Text};
use memchr::memmem;

use super::similarity::run;
use crate::anchor::LINE;
use crate::tokens;

/// Where a place is that no change touched.
pub(super) enum Outside {
    /// Here.
    At(Offset),
    /// At one of both: the inserted text is a copy of the text beside it, so it may be above the place or below.
    Doubled([Offset; 2]),
}

/// Where a place is that stands before all that has changed, or after it.
pub(super) fn outside_of_change(old: &Text, new: &Text, place: Offset) -> Option<Outside> {
    if !old.is_boundary(place) {
        return None;
    }
    let change = Change::between(old, new);
    let spot = Spot::of(old, place)?;
    let shifted = (new.bytes().len() + place.index()).checked_sub(old.bytes().len());
    let at = |index: usize| Some(Offset::of_index(index)).filter(|&offset| new.is_boundary(offset));
    match (change.is_after(&spot), change.is_before(&spot)) {
        (true, true) => Some(Outside::Doubled([at(place.index())?, at(shifted?)?])),
        (true, false) if !change.may_copy_above(&spot) => at(place.index()).map(Outside::At),
        (false, true) if !change.may_copy_below(&spot, shifted?) => at(shifted?).map(Outside::At),
        _ => None,
    }
}

/// A place of the old text, as indices of bytes.
struct Spot {
    /// The place and its word together.
    from: usize,
    to: usize,
    /// The lines in which they stand.
    start: usize,
    end: usize,
}

impl Spot {
    fn of(old: &Text, place: Offset) -> Option<Spot> {
        let bytes = old.bytes();
        let word = tokens::pivot(bytes, old.start().index(), place.index())?;
        let (from, to) = (word.start.min(place.index()), word.end.max(place.index()));
        Some(Spot { from, to, start: line_start(&bytes[..from]), end: to + line_length(&bytes[to..]) })
    }
}

/// Two texts, and what they have in common at their start and at their end.
struct Change<'t> {
    before: &'t [u8],
    now: &'t [u8],
    /// Where the new text starts, after a byte-order mark.
    start: usize,
    /// How many bytes are the same at the start.
    n_front: usize,
    /// Where what is the same at the end starts in the old text and in the new one.
    back: usize,
    back_now: usize,
}

impl<'t> Change<'t> {
    fn between(old: &'t Text, new: &'t Text) -> Change<'t> {
        let (before, now) = (old.bytes(), new.bytes());
        let n_front = run(before.iter(), now.iter());
        let n_back = run(before.iter().rev(), now.iter().rev());
        let (back, back_now) = (before.len() - n_back, now.len() - n_back);
        Change { before, now, start: new.start().index(), n_front, back, back_now }
    }

    /// Whether the change comes after a place. The line of the place must be the same: an equal token in a changed line
    /// is another token. Of a long line, what is near must be the same.
    fn is_after(&self, &Spot { to, end, .. }: &Spot) -> bool {
        let ends = end == self.now.len() || self.now.get(end) == Some(&b'\n');
        to + LINE <= self.n_front || end <= self.n_front && ends
    }

    /// Whether the change comes before a place.
    fn is_before(&self, &Spot { from, start, .. }: &Spot) -> bool {
        let starts =
            |start: usize| start == self.start || start > 0 && self.now.get(start - 1) == Some(&b'\n');
        self.back + LINE <= from || self.back <= start && starts(self.back_now + start - self.back)
    }

    /// Whether a place before the change may be a copy: what was inserted has its line again, or what was deleted had
    /// its line and the one above.
    fn may_copy_above(&self, &Spot { to, start, .. }: &Spot) -> bool {
        let above = line_start(self.before[..start].trim_ascii_end());
        to > self.back_now
            || self.has_inserted(&self.before[start.min(self.n_front)..self.n_front])
            || self.has_deleted(&self.before[above.min(self.n_front)..self.n_front])
    }

    /// The same for a place after the change, which is at `shifted` now.
    fn may_copy_below(&self, &Spot { end, .. }: &Spot, shifted: usize) -> bool {
        let rest = &self.before[end..];
        let below = self.before.len() - rest.trim_ascii_start().len();
        let below = below + line_length(&self.before[below..]);
        shifted < self.n_front
            || self.has_inserted(&self.before[self.back..end.max(self.back)])
            || self.has_deleted(&self.before[self.back..below.max(self.back)])
    }

    fn has_inserted(&self, stretch: &[u8]) -> bool {
        let inserted = self.now.get(self.n_front..self.back_now).unwrap_or_default();
        memmem::find(inserted, stretch).is_some()
    }

    fn has_deleted(&self, stretch: &[u8]) -> bool {
        let deleted = self.before.get(self.n_front..self.back).unwrap_or_default();
        memmem::find(deleted, stretch).is_some()
    }
}

/// Where the last line of some bytes starts.
fn line_start(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)
}

/// How long the first line of some bytes is.
fn line_length(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len())
}
