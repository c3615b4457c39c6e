//! Places and distances in a text, counted in bytes of the text as it is on disk.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

/// A place in a text, as the number of bytes before it: 0 is the place before the first byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Offset(u32);

/// A distance between two offsets. Extents add up; offsets do not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Extent(u32);

/// The bytes from `start` up to but not including `end`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Range {
    /// Invariant: `start <= end`.
    start: Offset,
    end: Offset,
}

impl Offset {
    /// The place before the first byte.
    pub const ZERO: Offset = Offset(0);

    /// The offset after `bytes` bytes.
    pub const fn new(bytes: u32) -> Offset {
        Offset(bytes)
    }

    /// The offset of an index into the bytes of a [`Text`](crate::Text).
    ///
    /// A text holds fewer than `u32::MAX` bytes, so every index into one fits.
    pub fn of_index(index: usize) -> Offset {
        Offset(u32::try_from(index).expect("a text holds at most u32::MAX bytes"))
    }

    /// This offset as a number of bytes.
    pub const fn to_u32(self) -> u32 {
        self.0
    }

    /// This offset as an index into the bytes of the text.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Extent {
    /// The distance of zero bytes.
    pub const ZERO: Extent = Extent(0);

    /// A distance of `bytes` bytes.
    pub const fn new(bytes: u32) -> Extent {
        Extent(bytes)
    }

    /// The distance that a slice of a [`Text`](crate::Text) spans, given the length of the slice.
    pub fn of_len(len: usize) -> Extent {
        Extent(u32::try_from(len).expect("a text holds at most u32::MAX bytes"))
    }

    /// This distance as a number of bytes.
    pub const fn to_u32(self) -> u32 {
        self.0
    }

    /// This distance as a length.
    pub const fn len(self) -> usize {
        self.0 as usize
    }

    /// Whether this distance is zero.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl Range {
    /// The range between two offsets.
    ///
    /// # Panics
    /// When `end` lies before `start`.
    pub fn new(start: Offset, end: Offset) -> Range {
        assert!(start <= end, "a range ends before it starts: {start:?}..{end:?}");
        Range { start, end }
    }

    /// The empty range at `offset`.
    pub const fn empty(offset: Offset) -> Range {
        Range { start: offset, end: offset }
    }

    /// The range between two indices into the bytes of a text.
    pub fn of_indices(indices: std::ops::Range<usize>) -> Range {
        Range::new(Offset::of_index(indices.start), Offset::of_index(indices.end))
    }

    /// The offset before the first byte.
    pub const fn start(self) -> Offset {
        self.start
    }

    /// The offset after the last byte.
    pub const fn end(self) -> Offset {
        self.end
    }

    /// How many bytes this range spans.
    pub fn extent(self) -> Extent {
        self.end - self.start
    }

    /// Whether this range spans no bytes.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// This range as indices into the bytes of the text.
    pub const fn indices(self) -> std::ops::Range<usize> {
        self.start.index()..self.end.index()
    }

    /// Whether the byte after `offset` lies in this range.
    pub fn contains(self, offset: Offset) -> bool {
        self.start <= offset && offset < self.end
    }

    /// Whether `offset` lies inside this range or at one of its ends.
    pub fn touches(self, offset: Offset) -> bool {
        self.start <= offset && offset <= self.end
    }

    /// Whether this range contains all bytes of `other`.
    pub fn covers(self, other: Range) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The smallest range that covers both this range and `other`.
    pub fn cover(self, other: Range) -> Range {
        Range { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

impl Add<Extent> for Offset {
    type Output = Offset;
    fn add(self, extent: Extent) -> Offset {
        Offset(self.0 + extent.0)
    }
}

impl AddAssign<Extent> for Offset {
    fn add_assign(&mut self, extent: Extent) {
        self.0 += extent.0;
    }
}

impl Sub for Offset {
    type Output = Extent;
    fn sub(self, earlier: Offset) -> Extent {
        Extent(self.0 - earlier.0)
    }
}

impl Add for Extent {
    type Output = Extent;
    fn add(self, other: Extent) -> Extent {
        Extent(self.0 + other.0)
    }
}

impl AddAssign for Extent {
    fn add_assign(&mut self, other: Extent) {
        self.0 += other.0;
    }
}

impl fmt::Debug for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Debug for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{}", self.0)
    }
}

impl fmt::Debug for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}..{:?}", self.start, self.end)
    }
}
