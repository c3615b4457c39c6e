//! How macros are written: their names, and what they have in brackets.

use crate::bytes::token;
use crate::table::Words;

/// Whether a language has macros that its grammar stumbles over.
pub(crate) fn has_macros(words: &Words) -> bool {
    !(words.markers.is_empty() && words.attributes.is_empty() && words.exported.is_empty())
}

/// A word as one byte: `p` for `public` and the like, `a` for others.
pub(crate) fn word_mark(word: &[u8]) -> u8 {
    if matches!(word, b"public" | b"protected" | b"private") { b'p' } else { b'a' }
}

/// How long a directive is, with the lines that a backslash adds.
pub(crate) fn directive(text: &[u8]) -> usize {
    let mut from = 0;
    while let Some(at) = memchr::memchr(b'\n', &text[from..]) {
        from += at + 1;
        if !text[..from].trim_ascii_end().ends_with(b"\\") {
            return from - 1;
        }
    }
    text.len()
}

/// How long a macro is whose name is that long, with what it has in brackets. Brackets that do not close, or that
/// stand apart and may be of what follows, leave open where it ends.
pub(super) fn call(text: &[u8], name: usize) -> Option<usize> {
    let rest = &text[name..text.len().min(name + LONGEST)];
    if !rest.starts_with(b"(") {
        let next = rest.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
        return (next != Some(&b'(')).then_some(name);
    }
    let (mut at, mut depth) = (0_usize, 0_usize);
    while at < rest.len() {
        let length = token(&rest[at..]);
        match rest[at] {
            // A comment in there would end the one it is read as.
            b'/' if length > 1 => return None,
            b'(' => depth += 1,
            b')' if depth == 1 => {
                let end = name + at + 1;
                // Nor must a text in there.
                return memchr::memmem::find(&text[..end], b"*/").is_none().then_some(end);
            }
            b')' => depth -= 1,
            _ => {}
        }
        at += length;
    }
    None
}

pub(crate) fn is_capital(word: &[u8]) -> bool {
    word.iter().any(u8::is_ascii_uppercase) && !word.iter().any(u8::is_ascii_lowercase)
}

/// Longer calls are left alone, so that many that never close take no time.
pub(super) const LONGEST: usize = 1 << 12;
