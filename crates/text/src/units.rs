//! How many units of an encoding some bytes are, and where a character ends and the next starts.
//!
//! A *part* is what counts as one character: a character of valid UTF-8, or a maximal piece that is not, which
//! reads as one U+FFFD. Parts can be told apart locally: a byte outside `80..=BF` always starts one, and a part
//! has at most four bytes.

use crate::Encoding;
use std::str::Utf8Chunk;

/// The most bytes that a part can have.
const LONGEST_PART: usize = 4;

/// Whether the place before `bytes[index]`, or at the end of the bytes, is not inside a part.
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

/// The first place from `index` on that is not inside a part; the end of the bytes if `index` is after it.
pub(crate) fn part_start_from(bytes: &[u8], index: usize) -> usize {
    let places = index.min(bytes.len())..=bytes.len();
    places.into_iter().find(|at| is_part_start(bytes, *at)).expect("the end is not inside a part")
}

/// The place `n` units after the start of whole parts; `None` if it is inside a part. There must be more than `n`
/// units.
pub(crate) fn after(bytes: &[u8], n: u64, encoding: Encoding) -> Option<usize> {
    let (mut at, mut n) = (0, n);
    while n > 0 {
        let (character, len) = first_part(&bytes[at..]);
        n = n.checked_sub(units_of(character, encoding))?;
        at += len;
    }
    Some(at)
}

/// How many units whole parts count, valid UTF-8 or not.
pub(crate) fn count(bytes: &[u8], encoding: Encoding) -> u64 {
    let units = |chunk: Utf8Chunk<'_>| {
        let n_bad = u64::from(!chunk.invalid().is_empty());
        count_valid(chunk.valid().as_bytes(), encoding)
            + n_bad * units_of(char::REPLACEMENT_CHARACTER, encoding)
    };
    bytes.utf8_chunks().map(units).sum()
}

/// How many units a piece of valid UTF-8 counts. A character that is cut counts if its first byte is in the piece.
pub(crate) fn count_valid(bytes: &[u8], encoding: Encoding) -> u64 {
    match encoding {
        Encoding::Utf8 => bytes.len() as u64,
        Encoding::Utf16 => sum(bytes, |byte| u8::from(!is_continuation(byte)) + u8::from(byte >= 0xF0)),
        Encoding::Utf32 => sum(bytes, |byte| u8::from(!is_continuation(byte))),
    }
}

/// The part that `bytes` begin with: what it reads as, and how many bytes it has.
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

/// The sum of a number up to 2 per byte.
///
/// The sum over 64 bytes fits a byte, which lets the compiler add sixteen or more of them at once.
fn sum(bytes: &[u8], units: impl Fn(u8) -> u8) -> u64 {
    bytes.chunks(64).map(|chunk| u64::from(chunk.iter().map(|byte| units(*byte)).sum::<u8>())).sum()
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}
