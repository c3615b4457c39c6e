//! Macros that a grammar stumbles over: `Q_OBJECT` in a class, `JNIEXPORT` in front of a function.
//!
//! Such a macro is read as a comment, with what it has in brackets. No place moves: `Q_OBJECT` is seen as `/*OBJE*/`.

use std::borrow::Cow;

use crate::breaks::token;
use crate::table::{Attached, Words};

/// A text with a comment for each of these macros. Strings, comments and directives stay.
pub(crate) fn with_comments<'t>(text: &'t [u8], words: &Words) -> Cow<'t, [u8]> {
    let mut seen = Cow::Borrowed(text);
    if words.markers.is_empty() && words.attributes.is_empty() {
        return seen;
    }
    let (mut at, mut starts_line) = (0, true);
    while at < text.len() {
        let rest = &text[at..];
        let length = match rest[0] {
            b'#' if starts_line => directive(rest),
            byte if is_word(byte) => {
                let length = rest.iter().take_while(|&&byte| is_word(byte)).count();
                let is_macro = byte.is_ascii_uppercase() && is_one(words, &rest[..length]);
                let call = if is_macro { call(rest, length) } else { None };
                if let Some(call) = call {
                    let seen = seen.to_mut();
                    seen[at..at + 2].copy_from_slice(b"/*");
                    seen[at + call - 2..at + call].copy_from_slice(b"*/");
                }
                call.unwrap_or(length)
            }
            _ => token(rest),
        };
        starts_line = matches!(rest[0], b'\n' | b'\r') || (starts_line && matches!(rest[0], b' ' | b'\t'));
        at += length;
    }
    seen
}

/// Whether a comment is one of these macros, and how it belongs to what follows, if it does.
pub(crate) fn attached(comment: &[u8], words: &Words) -> Option<Attached> {
    if comment.first().is_none_or(|first| !first.is_ascii_uppercase()) {
        return Some(Attached::Comment);
    }
    let length = comment.iter().take_while(|&&byte| is_word(byte)).count();
    let is_in = |list: &[&str]| list.iter().any(|word| word.as_bytes() == &comment[..length]);
    match (is_in(words.attributes), is_in(words.markers)) {
        (true, _) => Some(Attached::Decorator),
        (false, true) => None,
        (false, false) => Some(Attached::Comment),
    }
}

fn is_one(words: &Words, word: &[u8]) -> bool {
    words.markers.iter().chain(words.attributes).any(|one| one.as_bytes() == word)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// How long a directive is, with the lines that a backslash adds.
fn directive(text: &[u8]) -> usize {
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
fn call(text: &[u8], name: usize) -> Option<usize> {
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
            b')' if depth == 1 => return Some(name + at + 1),
            b')' => depth -= 1,
            _ => {}
        }
        at += length;
    }
    None
}

/// Longer calls are left alone, so that many that never close take no time.
const LONGEST: usize = 1 << 12;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let language = crate::by_name("cpp").expect("C++ is a language");
        let seen = with_comments(text.as_bytes(), &language.tables.words);
        assert_eq!(String::from_utf8_lossy(&seen), expected);
    }

    #[test]
    fn macros_are_comments() {
        check("Q_OBJECT\npublic:", "/*OBJE*/\npublic:");
        check("Q_PROPERTY(int x READ x(\")\"))\n", "/*PROPERTY(int x READ x(\")\"*/\n");
        check("JNIEXPORT void JNICALL f()", "/*IEXPO*/ void /*ICA*/ f()");
    }

    #[test]
    fn what_only_looks_so_stays() {
        for text in [
            "MY_Q_OBJECT Q_OBJECTS",
            "#define Q_OBJECT \\\n  Q_GADGET\n",
            "// Q_OBJECT\n\"Q_OBJECT\" /* Q_OBJECT */",
            "Q_PROPERTY(int",
            "Q_PROPERTY(int /* x */)",
            "jint (JNICALL (*f))",
        ] {
            check(text, text);
        }
    }
}
