//! Small functions on the bytes of a text: blanks, words, lines, strings and comments.

use crate::packed::{List, Word};

pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Where the line that contains `offset` starts.
pub(crate) fn line_start(text: &[u8], offset: usize) -> usize {
    let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
    text[..offset].iter().rposition(is_break).map_or(0, |at| at + 1)
}

/// Whether a name spans several lines.
pub(crate) fn is_long(name: &[u8]) -> bool {
    memchr::memchr2(b'\n', b'\r', name).is_some()
}

/// Whether a name contains one of these texts.
pub(crate) fn has_any(name: &[u8], texts: List<Word>) -> bool {
    texts.iter().any(|text| memchr::memmem::find(name, text.as_bytes()).is_some())
}

/// Whether a list contains a word.
pub(crate) fn is_in(list: List<Word>, word: &[u8]) -> bool {
    list.iter().any(|one| one.is(word, false))
}

/// The length of the word that the text starts with.
pub(crate) fn word(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| is_word(byte)).count()
}

pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// The length of the string, comment or single byte that the text starts with. A string in single `"` that is not
/// closed ends at the end of its line. An unclosed `"""` string or block comment ends at the end of the text.
pub(crate) fn token(text: &[u8]) -> usize {
    let line = || memchr::memchr2(b'\n', b'\r', text).unwrap_or(text.len());
    let until =
        |close: &[u8]| memchr::memmem::find(&text[close.len()..], close).map(|at| at + 2 * close.len());
    match text {
        [b'"', b'"', b'"', ..] => until(b"\"\"\"").unwrap_or(text.len()),
        [b'"', ..] => string(&text[..line()], b'"'),
        [b'\'', b'"', b'\'', ..] => 3,
        [b'/', b'/', ..] => line(),
        [b'/', b'*', ..] => memchr::memmem::find(text, b"*/").map_or(text.len(), |at| at + 2),
        _ => 1,
    }
}

/// The length of the quoted string that the line starts with. A backslash escapes the next byte.
pub(crate) fn string(line: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < line.len() {
        match line[at] {
            byte if byte == quote => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    line.len()
}
