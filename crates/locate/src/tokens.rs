//! Words, punctuation and blanks: how patterns and sources are cut into tokens.
//!
//! The source is bytes, because a file need not be UTF-8. A byte that starts no character is a token of its
//! own that equals nothing a pattern can hold.

use unicode_ident::is_xid_continue;

/// What a character is to the matcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Part of a word: identifier characters of any script, and digits.
    Word,
    /// Unicode White_Space.
    Blank,
    /// Anything else.
    Punctuation,
    /// No character at all: a byte that is not UTF-8.
    Bad,
}

/// The class of every ASCII byte; bytes from 128 on are decoded instead.
const ASCII: [Class; 128] = {
    let mut classes = [Class::Punctuation; 128];
    let mut byte = 0u8;
    while byte < 128 {
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            classes[byte as usize] = Class::Word;
        } else if matches!(byte, b'\t'..=b'\r' | b' ') {
            classes[byte as usize] = Class::Blank;
        }
        byte += 1;
    }
    classes
};

/// The class of a character.
pub(crate) fn class_of(character: char) -> Class {
    match u8::try_from(character) {
        Ok(byte) if byte < 128 => ASCII[usize::from(byte)],
        _ if character.is_whitespace() => Class::Blank,
        _ if is_xid_continue(character) => Class::Word,
        _ => Class::Punctuation,
    }
}

/// The class and the length of the character that starts at `at`; `None` at the end.
#[inline]
pub(crate) fn class_at(source: &[u8], at: usize) -> Option<(Class, usize)> {
    let byte = *source.get(at)?;
    if byte < 128 {
        return Some((ASCII[usize::from(byte)], 1));
    }
    Some(match decode(&source[at..]) {
        Some(character) => (class_of(character), character.len_utf8()),
        None => (Class::Bad, 1),
    })
}

/// The class and the length of the character that ends at `at`; `None` at the start.
#[inline]
pub(crate) fn class_before(source: &[u8], at: usize) -> Option<(Class, usize)> {
    let byte = *source.get(at.checked_sub(1)?)?;
    if byte < 128 {
        return Some((ASCII[usize::from(byte)], 1));
    }
    // A character is at most four bytes: the first start from which one decodes and ends here is it.
    let found = (1..=at.min(4)).find_map(|len| {
        let character = decode(&source[at - len..at])?;
        (character.len_utf8() == len).then_some((class_of(character), len))
    });
    Some(found.unwrap_or((Class::Bad, 1)))
}

/// Does a word continue across `at`, so that an end there would cut it in two?
pub(crate) fn cuts_word(source: &[u8], at: usize) -> bool {
    let is_word = |side: Option<(Class, usize)>| matches!(side, Some((Class::Word, _)));
    is_word(class_at(source, at)) && is_word(class_before(source, at))
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
pub(crate) fn blanks_after_on_line(source: &[u8], mut at: usize) -> usize {
    while let Some((Class::Blank, len)) = class_at(source, at)
        && !is_line_end(source[at])
    {
        at += len;
    }
    at
}

/// Like [`blanks_before`], but stops at the start of the line.
pub(crate) fn blanks_before_on_line(source: &[u8], mut at: usize) -> usize {
    while let Some((Class::Blank, len)) = class_before(source, at)
        && !is_line_end(source[at - 1])
    {
        at -= len;
    }
    at
}

/// Where the token that starts at `at` ends. `at` is no blank and not the end.
pub(crate) fn token_end(source: &[u8], at: usize) -> usize {
    match class_at(source, at) {
        Some((Class::Word, len)) => word_end(source, at + len),
        Some((_, len)) => at + len,
        None => at,
    }
}

/// Where the token that ends at `at` starts. What stands before `at` is no blank and not the start.
pub(crate) fn token_start(source: &[u8], at: usize) -> usize {
    match class_before(source, at) {
        Some((Class::Word, len)) => word_start(source, at - len),
        Some((_, len)) => at - len,
        None => at,
    }
}

/// The first place from `at` on where no word character follows.
#[inline]
pub(crate) fn word_end(source: &[u8], mut at: usize) -> usize {
    while let Some((Class::Word, len)) = class_at(source, at) {
        at += len;
    }
    at
}

fn word_start(source: &[u8], mut at: usize) -> usize {
    while let Some((Class::Word, len)) = class_before(source, at) {
        at -= len;
    }
    at
}

/// Does this byte end a line, alone or as a part of `\r\n`?
pub(crate) fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The character at the start of `bytes`, if they start with one.
fn decode(bytes: &[u8]) -> Option<char> {
    let len = match bytes.first()? {
        0x00..0x80 => 1,
        0xc2..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0..0xf5 => 4,
        _ => return None,
    };
    std::str::from_utf8(bytes.get(..len)?).ok()?.chars().next()
}
