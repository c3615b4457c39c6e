//! Replaces annotations by blanks where the grammar does not allow them: `Object @Nullable ... args`.

use std::borrow::Cow;
use std::ops::Range;

/// A text without the annotations that come before one of these marks.
pub(crate) fn without_annotations<'t>(text: &'t [u8], marks: &[impl AsRef<str>]) -> Cow<'t, [u8]> {
    let mut masked = Cow::Borrowed(text);
    for mark in marks.iter().map(AsRef::as_ref) {
        for at in memchr::memmem::find_iter(text, mark) {
            let mut end = at;
            while let Some(annotation) = annotation(&text[..end]) {
                end = annotation.start;
                let part = &mut masked.to_mut()[annotation];
                part.iter_mut().filter(|byte| !byte.is_ascii_whitespace()).for_each(|byte| *byte = b' ');
            }
        }
    }
    masked
}

/// The annotation at the end of a text: `@a.B`, `@B(c)`. Blanks after it are ignored.
fn annotation(text: &[u8]) -> Option<Range<usize>> {
    let text = text.trim_ascii_end();
    let name = if text.ends_with(b")") { opening(text)? } else { text.len() };
    let is_name =
        |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.') || !byte.is_ascii();
    let length = text[..name].iter().rev().take(LONGEST).take_while(is_name).count();
    let at = (name - length).checked_sub(1)?;
    (length > 0 && text[at] == b'@').then_some(at..text.len())
}

/// Where the parenthesis that the last byte of the text closes is opened.
fn opening(text: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    for (back, byte) in text.iter().rev().take(LONGEST).enumerate() {
        match byte {
            b')' => depth += 1,
            b'(' if depth == 1 => return Some(text.len() - back - 1),
            b'(' => depth -= 1,
            b';' | b'{' | b'}' => return None,
            _ => {}
        }
    }
    None
}

/// How many bytes are searched for the start of an annotation. The limit makes many marks cheap.
const LONGEST: usize = 1 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let seen = without_annotations(text.as_bytes(), &["..."]);
        assert_eq!(String::from_utf8_lossy(&seen), expected);
    }

    #[test]
    fn annotations_in_front_of_a_mark_are_blank() {
        check("f(@A Object @B ... x)", "f(@A Object    ... x)");
        check("f(Object @a.B(\"c\") @D\n... x)", "f(Object             \n... x)");
    }

    #[test]
    fn all_else_stays() {
        for text in ["f(Object... x)", "@A ) ...", "b@ ...", "@...", "@A(", "(@A; x) ...", "..."] {
            check(text, text);
        }
    }
}
