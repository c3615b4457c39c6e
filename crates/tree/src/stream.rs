//! How a stream of nodes is written as bytes.
//!
//! A node with children is written as the number of its label. A leaf is written as the number of its label and a
//! shape. The shape says how long the gap before the leaf is, how long the leaf is, and how many nodes end with it.
//! Nothing else is stored: a node starts where the next leaf starts, and ends where the leaf that closes it ends. If a
//! node starts or ends elsewhere, a filler marks the place. A filler is a leaf that is not a node.
//!
//! The number of a label takes one byte up to 223. Larger numbers take two bytes, and the first is from `e0` to
//! `fe`. Even larger numbers are `ff` and a varint. A shape is one byte that holds small values. A varint follows for
//! each value that is too large:
//!
//! ```text
//! shape = (gap * 16 + length) * 5 + closes    gap 0, 1, or 2: more;  length 0..=14 for 1..=15, or 15: other;
//!                                             closes 0..=3, or 4: more
//! ```
//!
//! Example: the leaves `f`, `(` and `x` have the labels 0, 1 and 2. There are no gaps between them, and two nodes end
//! with `x`. The bytes are `00 00`, `01 00` and `02 02`.

#![expect(clippy::cast_possible_truncation, reason = "values are cut into bytes here")]

use crate::label::Labels;

/// One step of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A node with children, by the number of its label.
    Enter(u32),
    /// A leaf or a filler, by the number of its label.
    Leaf(u32, Shape),
}

/// Where a leaf is, and how many nodes end with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    /// How many bytes there are between the end of the previous leaf and the start of this one.
    pub(crate) gap: u32,
    pub(crate) length: u32,
    /// How many nodes with children end with this leaf.
    pub(crate) closes: u32,
}

/// Label numbers below this take one byte.
const ONE_BYTE: u32 = 0xe0;
/// Label numbers below this, if they take more than one byte, take two.
const TWO_BYTES: u32 = ONE_BYTE + 0x1f * 0x100;

const MORE_GAP: u32 = 2;
const OTHER_LENGTH: u32 = 15;
const MORE_CLOSES: u32 = 4;

pub(crate) fn put_varint(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

pub(crate) fn put_code(bytes: &mut Vec<u8>, code: u32) {
    match code {
        _ if code < ONE_BYTE => bytes.push(code as u8),
        _ if code < TWO_BYTES => {
            let rest = code - ONE_BYTE;
            bytes.extend([0xe0 + (rest >> 8) as u8, rest as u8]);
        }
        _ => {
            bytes.push(0xff);
            put_varint(bytes, code - TWO_BYTES);
        }
    }
}

pub(crate) fn put_shape(bytes: &mut Vec<u8>, shape: Shape) {
    let gap = shape.gap.min(MORE_GAP);
    let length = match shape.length {
        1..=15 => shape.length - 1,
        _ => OTHER_LENGTH,
    };
    let closes = shape.closes.min(MORE_CLOSES);
    bytes.push(((gap * 16 + length) * 5 + closes) as u8);
    if gap == MORE_GAP {
        put_varint(bytes, shape.gap - MORE_GAP);
    }
    if length == OTHER_LENGTH {
        // 0 stays 0, 16 becomes 1.
        put_varint(bytes, shape.length.saturating_sub(OTHER_LENGTH));
    }
    if closes == MORE_CLOSES {
        put_varint(bytes, shape.closes - MORE_CLOSES);
    }
}

/// Overwrites a varint with another value, padded with zeros if it needs fewer bytes. `None` if it needs more.
pub(crate) fn overwrite_varint(bytes: &mut [u8], mut value: u32) -> Option<()> {
    let (last, others) = bytes.split_last_mut()?;
    for byte in others {
        *byte = (value & 0x7f) as u8 | 0x80;
        value >>= 7;
    }
    *last = value as u8;
    (value < 0x80).then_some(())
}

/// Overwrites the shape at the start of `bytes`. `None` if the new shape does not fit, or differs in more than the
/// length.
pub(crate) fn overwrite_shape(bytes: &mut [u8], old: Shape, new: Shape) -> Option<()> {
    let (first, rest) = bytes.split_first_mut()?;
    match (old.length, new.length) {
        (1..=15, 1..=15) => {
            *first = first.wrapping_add((new.length as u8).wrapping_sub(old.length as u8).wrapping_mul(5))
        }
        (16.., 16..) => {
            let mut reader = Reader::new(rest);
            if old.gap >= MORE_GAP {
                reader.varint()?;
            }
            let start = rest.len() - reader.n_left();
            reader.varint()?;
            let end = rest.len() - reader.n_left();
            overwrite_varint(&mut rest[start..end], new.length - OTHER_LENGTH)?;
        }
        _ => return None,
    }
    (Shape { length: new.length, ..old } == new).then_some(())
}

/// The parts of each shape byte, so that reading needs no division. From the lowest byte up, an entry has the gap, the
/// length and the closes. The highest byte is 1 if a varint follows, or if the byte is not a shape.
const SHAPES: [u32; 256] = {
    let mut shapes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (gap, length, closes) = (byte / 5 / 16, byte / 5 % 16, byte % 5);
        let is_rare = gap >= MORE_GAP || length == OTHER_LENGTH || closes == MORE_CLOSES;
        shapes[byte as usize] = gap | (length + 1) << 8 | closes << 16 | (is_rare as u32) << 24;
        byte += 1;
    }
    shapes
};

/// Reads bytes from front to back. Every read returns `None` if the bytes end too early or are invalid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'b> {
    rest: &'b [u8],
}

impl<'b> Reader<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Reader<'b> {
        Reader { rest: bytes }
    }

    /// How many bytes are left.
    pub(crate) fn n_left(&self) -> usize {
        self.rest.len()
    }

    #[inline(always)]
    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(byte)
    }

    pub(crate) fn take(&mut self, n: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.rest.split_at_checked(n)?;
        self.rest = rest;
        Some(taken)
    }

    #[inline(always)]
    pub(crate) fn varint(&mut self) -> Option<u32> {
        let first = self.byte()?;
        if first < 0x80 {
            return Some(u32::from(first));
        }
        let (value, n_more) = long_varint(first, self.rest)?;
        self.rest = self.rest.get(n_more as usize..)?;
        Some(value)
    }

    #[inline(always)]
    pub(crate) fn code(&mut self) -> Option<u32> {
        let first = u32::from(self.byte()?);
        if first < ONE_BYTE {
            return Some(first);
        }
        match first {
            0xff => self.varint()?.checked_add(TWO_BYTES),
            _ => Some(ONE_BYTE + ((first - ONE_BYTE) << 8 | u32::from(self.byte()?))),
        }
    }

    #[inline(always)]
    pub(crate) fn shape(&mut self) -> Option<Shape> {
        let packed = SHAPES[usize::from(self.byte()?)];
        let (mut gap, mut length, mut closes) = (packed & 0xff, packed >> 8 & 0xff, packed >> 16 & 0xff);
        if packed >> 24 != 0 {
            if gap >= MORE_GAP {
                // Bytes from 240 on are not shapes. The table has a gap of 3 for them.
                gap = if gap == MORE_GAP { self.varint()?.checked_add(MORE_GAP)? } else { return None };
            }
            if length == OTHER_LENGTH + 1 {
                length = match self.varint()? {
                    0 => 0,
                    more => more.checked_add(OTHER_LENGTH)?,
                };
            }
            if closes == MORE_CLOSES {
                closes = self.varint()?.checked_add(MORE_CLOSES)?;
            }
        }
        Some(Shape { gap, length, closes })
    }

    /// The next step of a stream with these labels.
    #[inline(always)]
    pub(crate) fn step(&mut self, labels: &Labels) -> Option<Step> {
        let code = self.code()?;
        if labels.find(code)?.is_leaf() {
            Some(Step::Leaf(code, self.shape()?))
        } else {
            Some(Step::Enter(code))
        }
    }
}

/// The value of a varint that is longer than one byte, and how many bytes follow the first. This is not a method of
/// [`Reader`], because a reader that is borrowed by a function cannot stay in registers.
#[inline(never)]
fn long_varint(first: u8, rest: &[u8]) -> Option<(u32, u32)> {
    let mut value = u64::from(first & 0x7f);
    for (n_more, &byte) in (1..=4).zip(rest) {
        value |= u64::from(byte & 0x7f) << (7 * n_more);
        if byte < 0x80 {
            return Some((u32::try_from(value).ok()?, n_more));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_shapes_come_back() {
        let values = [0, 1, 2, 3, 14, 15, 16, 17, 127, 128, 223, 224, 8159, 8160, 8161, 1 << 20, u32::MAX];
        let mut bytes = Vec::new();
        for code in values.map(|value| value.min(u32::MAX - 1)) {
            bytes.clear();
            put_code(&mut bytes, code);
            assert_eq!(Reader::new(&bytes).code(), Some(code));
        }
        for gap in values {
            for length in values {
                for closes in values {
                    bytes.clear();
                    let shape = Shape { gap, length, closes };
                    put_shape(&mut bytes, shape);
                    let mut reader = Reader::new(&bytes);
                    assert_eq!(reader.shape(), Some(shape));
                    assert_eq!(reader.n_left(), 0);
                    assert_eq!(Reader::new(&bytes[..bytes.len() - 1]).shape(), None);
                }
            }
        }
    }

    #[test]
    fn bytes_that_nobody_writes_are_nothing() {
        for bytes in [&[240u8, 0, 0, 0][..], &[255, 0, 0, 0], &[]] {
            assert_eq!(Reader::new(bytes).shape(), None);
        }
        assert_eq!(Reader::new(&[0xff, 0xff, 0xff, 0xff, 0x1f]).varint(), None);
        assert_eq!(Reader::new(&[0x80, 0x80, 0x80, 0x80, 0x80, 0]).varint(), None);
    }
}
