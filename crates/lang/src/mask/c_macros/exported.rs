//! Macros between the word that opens a type and its name: `class LIB_API A : public B {`.

use std::ops::Range;

use super::reading::{LONGEST, call, is_capital};
use crate::bytes::word;

/// The macros before the name of a type. They are all words but the last, and must look like macros. What follows the
/// words must show that a type is declared: a body, bases, or a `;` after `class`. So there are no macros in
/// `struct POINT origin;` and `enum COLOR color : 3;`.
pub(super) fn exports(text: &[u8], keyword: usize) -> Option<Vec<Range<usize>>> {
    let text = &text[..text.len().min(LONGEST)];
    let mut words = Vec::new();
    let mut at = keyword;
    loop {
        at += blanks_and_comments(&text[at..]);
        let length = word(&text[at..]);
        if length == 0 {
            break;
        }
        if words.len() == MOST_WORDS {
            return None;
        }
        let end = call(&text[at..], length)?;
        words.push((at..at + length, at + end));
        at += end;
    }
    while words.len() > 2 && words.last().is_some_and(|(name, _)| follows_name(&text[name.clone()])) {
        words.pop();
    }
    let (name, end) = words.pop()?;
    if !declares(text, at) || name.end != end || follows_name(&text[name]) {
        return None;
    }
    words.into_iter().map(|(name, end)| masked(text, name, end)).collect()
}

/// Whether the header that ends at `at` declares a type.
fn declares(text: &[u8], at: usize) -> bool {
    match &text[at..] {
        [b'{', ..] => true,
        // `class A a;` is never written for a variable, unlike `struct A a;` in C.
        [b';', ..] => text.starts_with(b"class"),
        [b':', next, ..] if *next != b':' => {
            memchr::memchr2(b'{', b';', &text[at..]).is_some_and(|next| text[at + next] == b'{')
        }
        _ => false,
    }
}

/// Whether a word may come after the name of a type without being a name.
fn follows_name(word: &[u8]) -> bool {
    matches!(word, b"final" | b"sealed" | b"abstract")
}

/// The part to mask for a macro that has this name and ends at `end`. The part of a short macro includes blanks after
/// it, because a comment has at least four bytes. `None` if the word is not a macro.
fn masked(text: &[u8], name: Range<usize>, end: usize) -> Option<Range<usize>> {
    let short = 4_usize.saturating_sub(end - name.start);
    let n_blanks = text[end..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let word = &text[name.clone()];
    let is_macro = is_capital(word) || word.starts_with(b"__") || ends_in_capitals(word);
    (is_macro && short <= n_blanks).then_some(name.start..end + short)
}

/// Whether a word ends in capitals after an underscore, as macros named after a library do: `Foundation_API`.
fn ends_in_capitals(word: &[u8]) -> bool {
    let end = word.rsplit(|byte| *byte == b'_').next().unwrap_or_default();
    end.len() < word.len() && end.len() > 2 && end.iter().all(u8::is_ascii_uppercase)
}

/// The length of the blanks and comments that the text starts with. There may be comments between the name of a type
/// and its body.
fn blanks_and_comments(text: &[u8]) -> usize {
    let mut at = 0;
    loop {
        at += text[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let length = match &text[at..] {
            [b'/', b'/', ..] => memchr::memchr(b'\n', &text[at..]),
            [b'/', b'*', ..] => memchr::memmem::find(&text[at..], b"*/").map(|end| end + 2),
            _ => return at,
        };
        match length {
            Some(length) => at += length,
            None => return at,
        }
    }
}

/// How many words are read. No header has more words before its bases.
const MOST_WORDS: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_macro_may_be_called_after_its_library() {
        let text = b"class Foundation_API URI // What it is.\n{ };";
        assert_eq!(exports(text, 5).as_deref(), Some(&[Range { start: 6, end: 20 }][..]));
        assert_eq!(exports(b"class A FINAL_API { };", 5), None);
    }
}
