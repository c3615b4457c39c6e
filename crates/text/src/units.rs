//! How many units of an encoding some bytes are, and where their characters part.
//!
//! A *part* is what counts as one character: a character of valid UTF-8, or a maximal piece that is not, which
//! reads as one U+FFFD. Parts can be told apart locally: a byte outside `80..=BF` always starts one, and a part
//! has at most four bytes.

use crate::Encoding;

/// The length of a part that has more than one character's worth of context: no part is longer.
const LONGEST_PART: usize = 4;

/// Is the place before `bytes[index]` not inside a part?
pub(crate) fn is_part_start(bytes: &[u8], index: usize) -> bool {
    let continues = |at: &usize| bytes.get(*at).is_some_and(|byte| is_continuation(*byte));
    if !continues(&index) {
        return true;
    }
    let earliest = index.saturating_sub(LONGEST_PART - 1);
    match (earliest..index).rev().find(|at| !continues(at)) {
        Some(lead) => lead + first_part(&bytes[lead..]).len <= index,
        None => true,
    }
}

/// A part at the start of some bytes.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    /// How many bytes it has: 0 when there are none left.
    pub(crate) len: usize,
    character: char,
}

impl Part {
    /// How many units it counts.
    pub(crate) fn units(self, encoding: Encoding) -> u64 {
        match encoding {
            Encoding::Utf8 => self.character.len_utf8() as u64,
            Encoding::Utf16 => self.character.len_utf16() as u64,
            Encoding::Utf32 => 1,
        }
    }
}

/// The part that `bytes` begins with.
pub(crate) fn first_part(bytes: &[u8]) -> Part {
    let head = &bytes[..bytes.len().min(LONGEST_PART)];
    let Some(chunk) = head.utf8_chunks().next() else {
        return Part { len: 0, character: char::REPLACEMENT_CHARACTER };
    };
    match chunk.valid().chars().next() {
        Some(character) => Part { len: character.len_utf8(), character },
        None => Part { len: chunk.invalid().len(), character: char::REPLACEMENT_CHARACTER },
    }
}

/// How many units whole parts count, whatever they are.
pub(crate) fn count(bytes: &[u8], encoding: Encoding) -> u64 {
    let of_bad = char::REPLACEMENT_CHARACTER;
    let bad_units = Part { len: 0, character: of_bad }.units(encoding);
    let units = |chunk: std::str::Utf8Chunk<'_>| {
        let bad = if chunk.invalid().is_empty() { 0 } else { bad_units };
        count_valid(chunk.valid().as_bytes(), encoding) + bad
    };
    bytes.utf8_chunks().map(units).sum()
}

/// How many units bytes count that are a piece of valid UTF-8, where a character counts at its first byte.
pub(crate) fn count_valid(bytes: &[u8], encoding: Encoding) -> u64 {
    match encoding {
        Encoding::Utf8 => bytes.len() as u64,
        Encoding::Utf16 => sum(bytes, |byte| u8::from(!is_continuation(byte)) + u8::from(byte >= 0xF0)),
        Encoding::Utf32 => sum(bytes, |byte| u8::from(!is_continuation(byte))),
    }
}

/// The sum of a number up to 2 per byte.
///
/// Sums of 64 bytes fit a byte, which lets the compiler add sixteen or thirty-two of them at once.
fn sum(bytes: &[u8], units: impl Fn(u8) -> u8) -> u64 {
    bytes.chunks(64).map(|chunk| u64::from(chunk.iter().map(|byte| units(*byte)).sum::<u8>())).sum()
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}
