//! Counts bytes in the units of an encoding, and finds where one character ends and the next one starts.
//!
//! A *part* is whatever counts as one character: either a character of valid UTF-8, or a maximal invalid piece, which
//! counts as one U+FFFD. Few bytes are needed to find where a part starts: a byte outside `80..=BF` always starts a
//! part, and a part has at most four bytes.

use crate::Encoding;
use std::str::Utf8Chunk;

/// The most bytes that a part can have.
const LONGEST_PART: usize = 4;

/// Whether `index` is between two parts rather than inside one. The end of the bytes counts as between.
pub(crate) fn is_part_start(bytes: &[u8], index: usize) -> bool {
    let continues = |at: usize| bytes.get(at).is_some_and(|byte| is_continuation(*byte));
    if !continues(index) {
        return true;
    }
    let earliest = index.saturating_sub(LONGEST_PART - 1);
    match (earliest..index).rev().find(|at| !continues(*at)) {
        Some(lead) => lead + first_part(&bytes[lead..]).1 <= index,
        None => true,
    }
}

/// The first place at or after `index` that is not inside a part. If `index` is past the end of the bytes, their end.
pub(crate) fn part_start_from(bytes: &[u8], index: usize) -> usize {
    let places = index.min(bytes.len())..=bytes.len();
    places.into_iter().find(|at| is_part_start(bytes, *at)).expect("the end is not inside a part")
}

/// The place `n` units after the start of `bytes`, which must be whole parts with more than `n` units in total. `None`
/// if that place is inside a part.
pub(crate) fn after(bytes: &[u8], n: u64, encoding: Encoding) -> Option<usize> {
    let (mut at, mut n) = (0, n);
    while n > 0 {
        let (character, len) = first_part(&bytes[at..]);
        n = n.checked_sub(units_of(character, encoding))?;
        at += len;
    }
    Some(at)
}

/// How many units `bytes` have. They must be whole parts, but need not be valid UTF-8.
pub(crate) fn count(bytes: &[u8], encoding: Encoding) -> u64 {
    let units = |chunk: Utf8Chunk<'_>| {
        let n_bad = u64::from(!chunk.invalid().is_empty());
        count_valid(chunk.valid().as_bytes(), encoding)
            + n_bad * units_of(char::REPLACEMENT_CHARACTER, encoding)
    };
    bytes.utf8_chunks().map(units).sum()
}

/// How many units a piece of valid UTF-8 has. A character that is cut off counts if its first byte is in the piece.
pub(crate) fn count_valid(bytes: &[u8], encoding: Encoding) -> u64 {
    match encoding {
        Encoding::Utf8 => bytes.len() as u64,
        Encoding::Utf16 => sum(bytes, |byte| u8::from(!is_continuation(byte)) + u8::from(byte >= 0xF0)),
        Encoding::Utf32 => sum(bytes, |byte| u8::from(!is_continuation(byte))),
    }
}

/// The part that `bytes` start with: the character that it counts as, and how many bytes it has.
fn first_part(bytes: &[u8]) -> (char, usize) {
    let head = &bytes[..bytes.len().min(LONGEST_PART)];
    let chunk = head.utf8_chunks().next().expect("a part is asked for only where there are bytes");
    match chunk.valid().chars().next() {
        Some(character) => (character, character.len_utf8()),
        None => (char::REPLACEMENT_CHARACTER, chunk.invalid().len()),
    }
}

fn units_of(character: char, encoding: Encoding) -> u64 {
    match encoding {
        Encoding::Utf8 => character.len_utf8() as u64,
        Encoding::Utf16 => character.len_utf16() as u64,
        Encoding::Utf32 => 1,
    }
}

/// The sum of `units` over all bytes. `units` must be at most 2.
///
/// So the sum over 64 bytes fits in a byte. The compiler can then add sixteen or more bytes at once.
fn sum(bytes: &[u8], units: impl Fn(u8) -> u8) -> u64 {
    bytes.chunks(64).map(|chunk| u64::from(chunk.iter().map(|byte| units(*byte)).sum::<u8>())).sum()
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}
