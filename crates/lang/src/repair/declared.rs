//! What a statement with syntax errors declares, judging by its words and brackets.

use std::ops::Range;

use locant_tree::SymbolKind;

use crate::bytes::is_in;
use crate::header::{Part, is_attribute, is_capital, name_at, qualifier};
use crate::packed::Word;
use crate::table::Words;

/// A function or field that a statement declares.
pub(super) struct Declared {
    pub(super) kind: SymbolKind,
    pub(super) name: Range<usize>,
    pub(super) qualifier: Vec<Range<usize>>,
}

/// The function that a statement declares, given the parts before its body. A pointer to a function counts as a field.
pub(super) fn function(text: &[u8], parts: &[Part], has_body: bool, words: &Words) -> Option<Declared> {
    if starts_otherwise(text, parts, has_body) {
        return None;
    }
    let mut depth = 0_usize;
    for (index, part) in parts.iter().enumerate() {
        match part {
            Part::Mark(b'<', _) => depth += 1,
            Part::Mark(b'>', _) => depth = depth.saturating_sub(1),
            Part::Mark(b'=', _) if depth == 0 => return None,
            Part::Group(group) if depth == 0 && index > 0 => {
                if let Some(Part::Group(_)) = parts.get(index + 1)
                    && let Some(name) = pointer(text, group)
                {
                    return Some(Declared { kind: SymbolKind::Field, name, qualifier: Vec::new() });
                }
                let Some((at, name)) = name_at(parts, index - 1) else { continue };
                let is_last = index + 1 == parts.len() || matches!(parts[index + 1], Part::Mark(b':', _));
                if is_skipped(text, &parts[at]) && !is_last {
                    continue;
                }
                let is_pointer =
                    matches!(text[group.start + 1..].trim_ascii_start().first(), Some(b'*' | b'&' | b'^'));
                let bytes = &text[name.clone()];
                let is_name =
                    !is_in(words.reserved, bytes) && !is_in(words.keywords, bytes) || is_operator(bytes);
                let has_type = parts[..at].iter().any(|part| !is_skipped(text, part));
                let is_call = is_capital(bytes) && !has_type;
                let is_function = is_name && !is_pointer && !is_call && !bytes[0].is_ascii_digit();
                // The name of a destructor has a `~` before it.
                let front = at - usize::from(at > 0 && name_has_tilde(text, name));
                let name = with_tilde(text, name);
                let function =
                    Declared { kind: SymbolKind::Function, name, qualifier: qualifier(parts, front) };
                return is_function.then_some(function);
            }
            _ => {}
        }
    }
    None
}

/// The field that a statement inside a type declares.
pub(super) fn field(text: &[u8], parts: &[Part], words: &Words) -> Option<Declared> {
    if starts_otherwise(text, parts, false) || is_typed_only(text, parts, words) {
        return None;
    }
    let ends = |part: &Part| matches!(part, Part::Mark(b'=' | b':' | b',', _));
    let end = parts.iter().position(ends).unwrap_or(parts.len());
    let (last, front) = parts[..end].split_last()?;
    let Part::Word(name) = last else { return None };
    let bytes = &text[name.clone()];
    let has_type = front.iter().any(|part| !is_skipped(text, part));
    let is_plain = !front.iter().any(|part| matches!(part, Part::Group(_) | Part::Text));
    let is_name =
        !is_in(words.reserved, bytes) && !is_in(words.keywords, bytes) && !bytes[0].is_ascii_digit();
    (has_type && is_plain && is_name).then(|| Declared {
        kind: SymbolKind::Field,
        name: name.clone(),
        qualifier: Vec::new(),
    })
}

/// The name of a function pointer in these parentheses: `(CALL *name)`, `(MACRO name)`.
fn pointer(text: &[u8], group: &Range<usize>) -> Option<Range<usize>> {
    let inside = text[group.start + 1..group.end - 1].trim_ascii_end();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let length = inside.iter().rev().take_while(|byte| is_word(byte)).count();
    let front = inside[..inside.len() - length].trim_ascii();
    let is_front =
        |byte: &u8| is_word(byte) || byte.is_ascii_whitespace() || matches!(byte, b'*' | b'&' | b'^' | b':');
    let end = group.start + 1 + inside.len();
    (length > 0 && !front.is_empty() && front.iter().all(is_front)).then(|| end - length..end)
}

/// Whether a statement without a body declares nothing: `friend class A;`, `LIB_DISABLE_COPY(A)`.
pub(super) fn is_mention(text: &[u8], parts: &[Part]) -> bool {
    let is_call = matches!(parts, [Part::Word(word), Part::Group(_)] if is_capital(&text[word.clone()]));
    is_call || parts.iter().any(|part| matches!(part, Part::Word(word) if &text[word.clone()] == b"friend"))
}

/// Whether a statement only names a type: `struct A;`.
fn is_typed_only(text: &[u8], parts: &[Part], words: &Words) -> bool {
    let is_word = |word: &Range<usize>| {
        let opens =
            |pair: &Word| pair.split(' ').next().is_some_and(|known| known.as_bytes() == &text[word.clone()]);
        words.blocks.iter().any(opens)
    };
    matches!(parts, [Part::Word(first), Part::Word(_)] if is_word(first))
}

/// Whether a word of the statement, or the body of a type in it, shows that it is neither a function nor a field.
fn starts_otherwise(text: &[u8], parts: &[Part], has_body: bool) -> bool {
    let is_other = |word: &[u8]| match word {
        b"typedef" | b"using" | b"static_assert" | b"return" | b"if" | b"for" | b"while" | b"switch"
        | b"asm" => true,
        b"friend" => !has_body,
        _ => false,
    };
    parts.iter().any(|part| match part {
        Part::Word(word) => is_other(&text[word.clone()]),
        Part::Body => true,
        _ => false,
    })
}

/// Whether a part says nothing about what is declared: a macro, attribute, modifier, sign or group.
fn is_skipped(text: &[u8], part: &Part) -> bool {
    let Part::Word(word) = part else { return matches!(part, Part::Group(_) | Part::Mark(..)) };
    let is_plain = matches!(
        &text[word.clone()],
        b"noexcept" | b"explicit" | b"requires" | b"throw" | b"sizeof" | b"template" | b"inline" | b"virtual"
    );
    is_plain || is_attribute(text, part)
}

fn is_operator(name: &[u8]) -> bool {
    name.starts_with(b"operator")
}

fn name_has_tilde(text: &[u8], name: &Range<usize>) -> bool {
    text[..name.start].ends_with(b"~")
}

/// The name of a destructor includes its `~`.
fn with_tilde(text: &[u8], name: &Range<usize>) -> Range<usize> {
    name.start - usize::from(name_has_tilde(text, name))..name.end
}
