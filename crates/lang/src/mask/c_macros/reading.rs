//! How macros are written: their names, and their arguments in parentheses.

use crate::bytes::token;
use crate::table::Words;

/// Whether a language has macros that its grammar cannot read.
pub(crate) fn has_macros(words: &Words) -> bool {
    !(words.markers.is_empty() && words.attributes.is_empty() && words.exported.is_empty())
}

/// The byte that represents a word: `p` for `public`, `protected` and `private`, `a` for all others.
pub(crate) fn word_mark(word: &[u8]) -> u8 {
    if matches!(word, b"public" | b"protected" | b"private") { b'p' } else { b'a' }
}

/// The length of a directive, including lines that are continued with a backslash.
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

/// The length of a macro with its arguments, given the length of its name. `None` if the parentheses do not close, or
/// if there are blanks between them and the name, because then they may belong to what follows.
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
            // The macro may be masked as a comment, and a comment inside it would end the mask.
            b'/' if length > 1 => return None,
            b'(' => depth += 1,
            b')' if depth == 1 => {
                let end = name + at + 1;
                // A string that contains `*/` would end the mask too.
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

/// How many bytes of a call are read. The limit makes many unclosed calls cheap.
pub(super) const LONGEST: usize = 1 << 12;
