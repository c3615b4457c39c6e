//! Functions with macros around their names, and functions in the old style of C.

use std::ops::Range;

use super::reading::{LONGEST, call, is_capital};
use crate::bytes::{is_word, word};
use crate::mask::masked_part::{As, MaskedPart};

/// The masks for macros before a function and before its name: `API int CALL f(int a);` and `API int A::f() {`.
pub(super) fn called_so(text: &[u8]) -> Option<Vec<MaskedPart>> {
    let text = &text[..text.len().min(LONGEST)];
    let (mut words, at) = words_in_front(text);
    let is_macro = |range: &Range<usize>| is_capital(&text[range.clone()]);
    // A macro around the parameters, `f OF((int a))`, is masked by `prototype`.
    if text[at..].starts_with(b"((") && words.last().is_some_and(is_macro) {
        words.pop();
    }
    let is_call = text.get(at) == Some(&b'(');
    let (name, front) = words.split_last().filter(|_| is_call)?;
    let (first, types) = front.split_first()?;
    let is_member = memchr::memmem::find(&text[name.clone()], b"::").is_some();
    let attribute = || MaskedPart(first.clone(), As::Comment);
    let convention =
        types.last().filter(|last| is_macro(last)).map(|last| MaskedPart(last.clone(), As::Blank));
    match convention {
        // A comment has at least four bytes.
        Some(convention) if types.len() > 1 && first.len() >= 4 => Some(vec![attribute(), convention]),
        Some(convention) if is_member => Some(vec![convention]),
        None if is_member && first.len() >= 4 && (!types.is_empty() || !is_macro(first)) => {
            Some(vec![attribute()])
        }
        _ => None,
    }
}

/// The words before a parenthesis, and where they end. A qualified name counts as one word.
fn words_in_front(text: &[u8]) -> (Vec<Range<usize>>, usize) {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < text.len() && words.len() <= MOST_WORDS {
        at += match text[at] {
            byte if is_word(byte) => {
                let length = word(&text[at..]);
                match words.last_mut().filter(|last| &text[last.end..at] == b"::") {
                    Some(last) => last.end = at + length,
                    None => words.push(at..at + length),
                }
                length
            }
            b':' if text[at..].starts_with(b"::") => 2,
            byte if byte.is_ascii_whitespace() || matches!(byte, b'*' | b'&') => 1,
            _ => break,
        };
    }
    (words, at)
}

/// How many words are read. No header has more words before its parentheses.
const MOST_WORDS: usize = 8;

/// The masks for a macro around the parameters of a prototype, if the text starts with it. In `f P_((int a));`, the
/// macro is `P_`, and the grammar sees `f    (int a) ;`.
pub(super) fn prototype(text: &[u8], name: usize) -> Option<Vec<MaskedPart>> {
    let is_one = is_capital(&text[..name]) || matches!(&text[..name], b"_" | b"__P");
    let gap = text[name..].iter().take_while(|byte| **byte == b' ').count();
    let open = name + gap;
    if !is_one || !text[open..].starts_with(b"((") {
        return None;
    }
    let end = open + call(&text[open..], 0)?;
    let inner = open + 1 + call(&text[open + 1..], 0)?;
    let is_last = text[inner..end - 1].trim_ascii().is_empty();
    (is_last && text[end..].trim_ascii_start().starts_with(b";"))
        .then(|| vec![MaskedPart(0..open + 1, As::Blank), MaskedPart(end - 1..end, As::Blank)])
}

/// The masks for the parameter declarations in `f(a, b) int a; char *b; {`. If there is no type before `f`, the
/// parameters are masked too, because the grammar would take `f` for the type.
pub(super) fn old_style(text: &[u8], before: u8) -> Option<Vec<MaskedPart>> {
    let text = &text[..text.len().min(LONGEST)];
    let name = word(text);
    let gap = text[name..].iter().take_while(|byte| **byte == b' ').count();
    let inside = text[name + gap..].strip_prefix(b"(")?;
    let close =
        inside.iter().position(|byte| !is_word(*byte) && !matches!(byte, b',' | b' ' | b'\n' | b'\t'))?;
    let parameters: Vec<&[u8]> =
        inside[..close].split(|byte| !is_word(*byte)).filter(|one| !one.is_empty()).collect();
    let is_keyword = matches!(&text[..name], b"if" | b"for" | b"while" | b"switch");
    if inside[close] != b')' || parameters.is_empty() || is_keyword {
        return None;
    }
    let start = name + gap + 1 + close + 1;
    let mut at = start;
    loop {
        let rest = text[at..].trim_ascii_start();
        if rest.starts_with(b"{") {
            let has_type = matches!(before, b'a' | b'*');
            let parameters = (!has_type).then_some(MaskedPart(name + gap + 1..start - 1, As::Blank));
            let declarations = (at > start).then_some(MaskedPart(start..at, As::Blank))?;
            return Some(Vec::from_iter([declarations].into_iter().chain(parameters)));
        }
        let end =
            rest.iter().position(|byte| matches!(byte, b';' | b'{' | b'}' | b'=' | b'"' | b'#' | b'/'))?;
        let mut words = rest[..end].split(|byte| !is_word(*byte)).filter(|one| !one.is_empty());
        let is_type = words
            .next()
            .is_some_and(|first| !matches!(first, b"if" | b"else" | b"for" | b"while" | b"return"));
        if rest[end] != b';' || !is_type || !words.any(|word| parameters.contains(&word)) {
            return None;
        }
        at = text.len() - rest.len() + end + 1;
    }
}
