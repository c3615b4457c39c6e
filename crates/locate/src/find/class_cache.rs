//! Caches the classes of characters that are not ASCII.
//!
//! Decoding a character and looking it up in the Unicode tables takes some eighty instructions. Most texts have few
//! different characters, so the class of each is kept. The cache grows if a text has many different characters.

use std::hash::{BuildHasher, RandomState};

use crate::tokens::{self, Class};

/// How many slots the cache has at first and at most. The bytes of a character determine the only slot that it can be
/// in.
const FEWEST_SLOTS: usize = 1 << 9;
const MOST_SLOTS: usize = 1 << 15;

pub(super) struct ClassCache {
    /// Invariant: the number of slots is a power of two.
    slots: Vec<Slot>,
    /// How many characters were not found in their slot since the cache last grew.
    n_missed: usize,
    /// A random odd number. Because it is random, nobody can construct a text whose characters all share one slot.
    factor: u64,
}

#[derive(Clone, Copy)]
struct Slot {
    /// The bytes of the character, as a little-endian number. If its first byte cannot start a character, that byte
    /// alone.
    bytes: u32,
    shape: Shape,
}

/// The classes of a character's bytes, with a bit for each byte.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// Bytes of a word character.
    pub(super) word: u8,
    /// Bytes of a blank.
    pub(super) blank: u8,
    /// All bytes of the character.
    pub(super) all: u8,
}

/// An empty slot. The bytes of a character that is not ASCII are never 0.
const EMPTY: Slot = Slot { bytes: 0, shape: Shape { word: 0, blank: 0, all: 1 } };

impl Shape {
    fn new(class: Class, len: usize) -> Shape {
        let all = (1 << len) - 1;
        let if_so = |is_so: bool| if is_so { all } else { 0 };
        Shape { word: if_so(class == Class::Word), blank: if_so(class == Class::Blank), all }
    }
}

/// Indexed by the first byte of a character: a mask that keeps, of four bytes, those that belong to the character.
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

impl ClassCache {
    pub(super) fn new() -> ClassCache {
        let factor = RandomState::new().hash_one(0) | 1;
        ClassCache { slots: vec![EMPTY; FEWEST_SLOTS], n_missed: 0, factor }
    }

    /// The shape of the character at the start of four bytes, which must not be ASCII.
    #[inline(always)]
    pub(super) fn get(&mut self, four: [u8; 4]) -> Shape {
        let bytes = u32::from_le_bytes(four) & DECIDING[usize::from(four[0])];
        let slot = self.slots[self.slot_of(bytes)];
        if slot.bytes == bytes { slot.shape } else { self.find_out(four, bytes) }
    }

    /// The slot for the bytes of a character. It is taken from the upper bits of the product, which depend on all bits
    /// of the bytes.
    #[inline(always)]
    fn slot_of(&self, bytes: u32) -> usize {
        (u64::from(bytes).wrapping_mul(self.factor) >> 48) as usize & (self.slots.len() - 1)
    }

    #[cold]
    #[inline(never)]
    fn find_out(&mut self, four: [u8; 4], bytes: u32) -> Shape {
        self.n_missed += 1;
        if self.n_missed > self.slots.len() && self.slots.len() < MOST_SLOTS {
            self.slots = vec![EMPTY; 4 * self.slots.len()];
            self.n_missed = 0;
        }
        let (class, len) = tokens::decoded_at(&four, 0);
        let shape = Shape::new(class, len);
        let slot = self.slot_of(bytes);
        self.slots[slot] = Slot { bytes, shape };
        shape
    }
}
