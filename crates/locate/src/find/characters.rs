//! What characters that are not ASCII are to the matcher, remembered.
//!
//! To decode a character and to look it up in the tables of Unicode takes some eighty instructions. A text has few
//! different ones, so that what was found out for one is mostly there when it comes again.

use std::hash::{BuildHasher, RandomState};

use crate::tokens::{self, Class};

/// How many characters are remembered, each in the one slot that its bytes choose.
const N_SLOTS: usize = 512;

pub(super) struct Characters {
    slots: [Slot; N_SLOTS],
    /// Odd, and nobody's choice: no text can be made of characters that drive each other out.
    factor: u32,
}

#[derive(Clone, Copy)]
struct Slot {
    /// The bytes of the character, or the first byte alone where it starts none.
    bytes: u32,
    shape: Shape,
}

/// What the bytes of a character are. Each of the numbers has a bit for each byte.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// Bytes of a word character.
    pub(super) word: u8,
    /// Bytes of a blank.
    pub(super) blank: u8,
    /// Bytes of any character.
    pub(super) all: u8,
}

impl Shape {
    fn new(class: Class, len: usize) -> Shape {
        let all = (1 << len) - 1;
        let if_so = |is_so: bool| if is_so { all } else { 0 };
        Shape { word: if_so(class == Class::Word), blank: if_so(class == Class::Blank), all }
    }
}

/// Which of four bytes decide what stands there, by the first.
const DECIDING: [u32; 256] = {
    let mut deciding = [0xff; 256];
    let mut first = 0b1100_0000;
    while first < 0b1111_1000 {
        deciding[first] = match first {
            0b1100_0000..0b1110_0000 => 0xffff,
            0b1110_0000..0b1111_0000 => 0x00ff_ffff,
            _ => 0xffff_ffff,
        };
        first += 1;
    }
    deciding
};

impl Characters {
    pub(super) fn new() -> Characters {
        #[expect(clippy::cast_possible_truncation, reason = "any bits of a hash will do")]
        let factor = RandomState::new().hash_one(0) as u32 | 1;
        // No bytes that are not ASCII are 0.
        Characters { slots: [Slot { bytes: 0, shape: Shape { word: 0, blank: 0, all: 1 } }; N_SLOTS], factor }
    }

    /// The character that four bytes start with. It is not ASCII.
    #[inline(always)]
    pub(super) fn get(&mut self, four: [u8; 4]) -> Shape {
        let number = u32::from_le_bytes(four);
        let bytes = number & DECIDING[usize::from(four[0])];
        let slot = &mut self.slots[(bytes.wrapping_mul(self.factor) >> 23) as usize % N_SLOTS];
        if slot.bytes != bytes {
            *slot = Slot { bytes, shape: shape(four) };
        }
        slot.shape
    }
}

#[cold]
#[inline(never)]
fn shape(four: [u8; 4]) -> Shape {
    let (class, len) = tokens::decoded_at(&four, 0);
    Shape::new(class, len)
}
