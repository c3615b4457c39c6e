//! Splits patterns and sources into tokens: words and punctuation characters, with blanks between them.
//!
//! The source is bytes, because a file need not be UTF-8. A byte that is not part of a valid character is a token of
//! its own, which matches nothing in a pattern.

use std::ops::Range;

use locant_text::{Range as TextRange, Text};
use unicode_ident::is_xid_continue;

/// The class of a character for the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Part of a word: identifier characters of any script, and digits.
    Word,
    /// White space, including line breaks: the Unicode property `White_Space`.
    Blank,
    /// Any other character.
    Punctuation,
    /// Not a character: a byte that is not valid UTF-8.
    Bad,
}

/// The class of each byte that is a whole character, which are the ASCII characters; `None` for all other bytes.
///
/// The table has 256 entries, so that the inner loops need no bounds check.
const ALONE: [Option<Class>; 256] = {
    let mut classes = [None; 256];
    let mut byte = 0u8;
    while byte < 128 {
        classes[byte as usize] = Some(match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' => Class::Word,
            b'\t'..=b'\r' | b' ' => Class::Blank,
            _ => Class::Punctuation,
        });
        byte += 1;
    }
    classes
};

/// The class of a byte that is a whole character; `None` if it is not ASCII.
#[inline]
pub(crate) fn alone(byte: u8) -> Option<Class> {
    ALONE[usize::from(byte)]
}

/// The class of a character.
pub(crate) fn class_of(character: char) -> Class {
    match u8::try_from(character).ok().and_then(|byte| ALONE[usize::from(byte)]) {
        Some(class) => class,
        None if is_xid_continue(character) => Class::Word,
        None if character.is_whitespace() => Class::Blank,
        None => Class::Punctuation,
    }
}

/// The class and the length of the character that starts at `at`; `None` at the end.
#[inline]
pub(crate) fn class_at(source: &[u8], at: usize) -> Option<(Class, usize)> {
    let byte = *source.get(at)?;
    match ALONE[usize::from(byte)] {
        Some(class) => Some((class, 1)),
        None => Some(decoded_at(source, at)),
    }
}

/// The class and the length of the character that ends at `at`; `None` at the start.
#[inline]
pub(crate) fn class_before(source: &[u8], at: usize) -> Option<(Class, usize)> {
    let byte = *source.get(at.checked_sub(1)?)?;
    match ALONE[usize::from(byte)] {
        Some(class) => Some((class, 1)),
        None => Some(decoded_before(source, at)),
    }
}

/// The result of [`class_at`] for a place where no ASCII character starts.
#[inline(never)]
pub(crate) fn decoded_at(source: &[u8], at: usize) -> (Class, usize) {
    match decode(&source[at..]) {
        Some(character) => (class_of(character), character.len_utf8()),
        None => (Class::Bad, 1),
    }
}

#[inline(never)]
fn decoded_before(source: &[u8], at: usize) -> (Class, usize) {
    // A character has at most four bytes. It starts at the place from which the bytes up to `at` decode as one
    // character.
    let found = (2..=at.min(4)).find_map(|len| {
        let character = decode(&source[at - len..at])?;
        (character.len_utf8() == len).then_some((class_of(character), len))
    });
    found.unwrap_or((Class::Bad, 1))
}

/// Whether `at` is inside a word, so that a match that starts or ends there would cut the word in two.
#[inline]
pub(crate) fn cuts_word(source: &[u8], at: usize) -> bool {
    is_word_before(source, at) && is_word_at(source, at)
}

/// Whether a word character ends at `at`.
#[inline(always)]
pub(crate) fn is_word_before(source: &[u8], at: usize) -> bool {
    matches!(class_before(source, at), Some((Class::Word, _)))
}

/// Whether a word character starts at `at`.
#[inline(always)]
pub(crate) fn is_word_at(source: &[u8], at: usize) -> bool {
    matches!(class_at(source, at), Some((Class::Word, _)))
}

/// Where the blanks that start at `at` end.
#[inline]
pub(crate) fn blanks_after(source: &[u8], mut at: usize) -> usize {
    while let Some((Class::Blank, len)) = class_at(source, at) {
        at += len;
    }
    at
}

/// Where the blanks that end at `at` start.
#[inline]
pub(crate) fn blanks_before(source: &[u8], mut at: usize) -> usize {
    while let Some((Class::Blank, len)) = class_before(source, at) {
        at -= len;
    }
    at
}

/// Like [`blanks_after`], but stops at the end of the line.
#[inline]
pub(crate) fn blanks_after_on_line(source: &[u8], mut at: usize) -> usize {
    while let Some((Class::Blank, len)) = class_at(source, at) {
        if is_line_end(source[at]) {
            break;
        }
        at += len;
    }
    at
}

/// Like [`blanks_before`], but stops at the start of the line.
#[inline]
pub(crate) fn blanks_before_on_line(source: &[u8], mut at: usize) -> usize {
    while let Some((Class::Blank, len)) = class_before(source, at) {
        if is_line_end(source[at - 1]) {
            break;
        }
        at -= len;
    }
    at
}

/// Where the token that starts at `at` ends. There must be no blank at `at`, and it must not be the end of the source.
pub(crate) fn token_end(source: &[u8], at: usize) -> usize {
    match class_at(source, at) {
        Some((Class::Word, len)) => word_end(source, at + len),
        Some((_, len)) => at + len,
        None => at,
    }
}

/// Where the token that ends at `at` starts. There must be a character before `at` that is not a blank.
pub(crate) fn token_start(source: &[u8], at: usize) -> usize {
    match class_before(source, at) {
        Some((Class::Word, len)) => word_start(source, at - len),
        Some((_, len)) => at - len,
        None => at,
    }
}

/// The tokens in a range of the source, in their order.
pub(crate) fn all_in(source: &[u8], stretch: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let source = &source[..stretch.end];
    let mut at = blanks_after(source, stretch.start);
    std::iter::from_fn(move || {
        let token = (at < source.len()).then(|| at..token_end(source, at))?;
        at = blanks_after(source, token.end);
        Some(token)
    })
}

/// All words and punctuation characters of a text, in their order.
pub fn tokens(text: &Text) -> impl Iterator<Item = TextRange> {
    all_in(text.bytes(), text.range().indices()).map(TextRange::of_indices)
}

/// The token nearest to the place `at`. That is the word that the place is in or touches, or else the punctuation mark
/// after it. If the place is between blanks, it is the last token before the blanks, or else the first token after
/// them. `None` if there are only blanks. `start` is where the text starts, after a byte-order mark.
pub(crate) fn pivot(source: &[u8], start: usize, at: usize) -> Option<Range<usize>> {
    let starting = |start: usize| start..token_end(source, start);
    if is_word_before(source, at) {
        return Some(starting(token_start(source, at)));
    }
    let after = blanks_after(source, at);
    if after == at && at < source.len() {
        return Some(starting(at));
    }
    let before = blanks_before(source, at);
    if before > start {
        return Some(token_start(source, before)..before);
    }
    (after < source.len()).then(|| starting(after))
}

/// The first place from `at` on where no word character starts.
#[inline(always)]
pub(crate) fn word_end(source: &[u8], mut at: usize) -> usize {
    loop {
        while source.get(at).is_some_and(|&byte| alone(byte) == Some(Class::Word)) {
            at += 1;
        }
        match source.get(at) {
            Some(&byte) if byte >= 128 => match decoded_at(source, at) {
                (Class::Word, len) => at += len,
                _ => return at,
            },
            _ => return at,
        }
    }
}

fn word_start(source: &[u8], mut at: usize) -> usize {
    while let Some((Class::Word, len)) = class_before(source, at) {
        at -= len;
    }
    at
}

/// Whether this byte ends a line, alone or as a part of `\r\n`.
pub(crate) fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The character at the start of `bytes`, if it is valid and has several bytes.
///
/// Characters of two, three and four bytes take the same steps. If there were a branch for each length, the processor
/// would often mispredict it in texts that mix them.
#[inline]
fn decode(bytes: &[u8]) -> Option<char> {
    let four = match bytes.first_chunk() {
        Some(four) => *four,
        None => {
            let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
            [byte(0), byte(1), byte(2), byte(3)]
        }
    };
    let shape = &SHAPES[usize::from(four[0] >> 3)];
    let all = u32::from_be_bytes(four);
    let payload = (all >> 24 & shape.lead) << 18 | (all >> 4 & 0x3f000 | all >> 2 & 0xfc0 | all & 0x3f);
    let code = payload >> shape.unused;
    let is_whole = all & shape.marks == shape.marks & 0x0080_8080;
    // `from_u32` rejects surrogates and numbers above the last character. `least` rejects characters that are encoded
    // with more bytes than needed.
    char::from_u32(code).filter(|_| is_whole & (code >= shape.least))
}

/// The form of a character of several bytes, which the upper five bits of its first byte decide.
///
/// For example, `é` is `11000011 10101001`. The bits `00011` and `101001` together are its number, 0xe9.
struct LeadByte {
    /// A mask for the bits of the first byte that are part of the number: `00011111` for two bytes.
    lead: u32,
    /// A mask for the upper two bits of each byte after the first. They must be `10`.
    marks: u32,
    /// How many of the 21 bits that four bytes can hold are unused, because the character has fewer bytes.
    unused: u32,
    /// The smallest number that needs this many bytes.
    least: u32,
}

const SHAPES: [LeadByte; 32] = {
    let mut shapes = [const { LeadByte { lead: 0, marks: 0, unused: 0, least: u32::MAX } }; 32];
    let mut upper = 0b11000;
    while upper < 0b11111 {
        shapes[upper] = match upper {
            0b11000..=0b11011 => LeadByte { lead: 0x1f, marks: 0x00c0_0000, unused: 12, least: 0x80 },
            0b11100..=0b11101 => LeadByte { lead: 0x0f, marks: 0x00c0_c000, unused: 6, least: 0x800 },
            _ => LeadByte { lead: 0x07, marks: 0x00c0_c0c0, unused: 0, least: 0x1_0000 },
        };
        upper += 1;
    }
    shapes
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn decoding_agrees_with_the_standard_library(bytes in prop::collection::vec(0x7fu8.., 1..5)) {
            let expected = (2..=bytes.len())
                .find_map(|len| std::str::from_utf8(&bytes[..len]).ok())
                .and_then(|text| text.chars().next())
                .filter(|character| character.len_utf8() > 1);
            prop_assert_eq!(decode(&bytes), expected);
        }
    }
}
