//! What kind of block a statement opens: a namespace, a type, a function or a value.

use std::ops::Range;

use locant_tree::SymbolKind;

use crate::bytes::word;
use crate::table::Words;

/// What a block is, judging by the statement before its bracket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Header {
    /// A namespace or type.
    Named {
        kind: SymbolKind,
        name: Range<usize>,
        /// The names before it: `a` in `namespace a::b`.
        qualifier: Vec<Range<usize>>,
        /// Where the declaration starts, not counting macros before it.
        start: usize,
    },
    /// A type whose name may come after it: `struct { … } a;`.
    Nameless,
    /// A block that is not a symbol: `extern "C" {`, `namespace {`.
    Clear,
    Function,
    /// A value.
    Other,
}

/// A part of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Word(Range<usize>),
    /// Parentheses and everything inside them.
    Group(Range<usize>),
    Text,
    /// A sign and its offset. `q` is used for `::`.
    Mark(u8, usize),
    /// The body of a type.
    Body,
}

/// The block that opens after these parts of a statement.
pub(crate) fn header(text: &[u8], parts: &[Part], words: &Words) -> Header {
    let first_word = |part: &Part| matches!(part, Part::Word(range) if kind_of(text, range, words).is_some());
    match (parts, parts.iter().position(first_word)) {
        ([Part::Word(word), Part::Text], None) if &text[word.clone()] == b"extern" => Header::Clear,
        (_, Some(at)) => named(text, parts, at, words),
        (_, None) => plain(parts),
    }
}

/// The block that opens after a statement without a word such as `class` or `namespace`.
fn plain(parts: &[Part]) -> Header {
    let is_value = |part: &Part| matches!(part, Part::Mark(b'=', _));
    let is_group = |part: &Part| matches!(part, Part::Group(_));
    match (parts.iter().position(is_value), parts.iter().position(is_group)) {
        (None, Some(_)) => Header::Function,
        (Some(value), Some(group)) if group < value => Header::Function,
        _ => Header::Other,
    }
}

fn kind_of(text: &[u8], word: &Range<usize>, words: &Words) -> Option<SymbolKind> {
    let pairs = words.blocks.iter().filter_map(|pair| pair.split_once(' '));
    let (_, kind) = pairs.into_iter().find(|(known, _)| known.as_bytes() == &text[word.clone()])?;
    SymbolKind::of_word(kind)
}

/// The header of a type or namespace whose opening word (`class`, `namespace`) is `parts[at]`.
fn named(text: &[u8], parts: &[Part], at: usize, words: &Words) -> Header {
    let Part::Word(opening) = &parts[at] else { return Header::Other };
    let Some(kind) = kind_of(text, opening, words) else { return Header::Other };
    let mut candidates: Vec<usize> = Vec::new();
    let mut depth = 0_usize;
    for (index, part) in parts.iter().enumerate().skip(at + 1) {
        match part {
            Part::Word(word) if depth == 0 && !is_no_name(text, word, words) => candidates.push(index),
            Part::Group(_) if depth == 0 => {
                // If the word before is a macro or attribute, the parentheses are its arguments. Otherwise this is a
                // function that returns the type.
                let called =
                    candidates.pop_if(|last| *last + 1 == index && is_attribute(text, &parts[*last]));
                let follows_name = matches!(parts[index - 1], Part::Word(_));
                if called.is_none() && follows_name && !candidates.is_empty() {
                    return plain(parts);
                }
            }
            Part::Mark(b'<', _) => depth += 1,
            Part::Mark(b'>', _) => depth = depth.saturating_sub(1),
            Part::Mark(b':', _) if depth == 0 => break,
            Part::Mark(b'=', _) if depth == 0 => return plain(parts),
            Part::Mark(b'*' | b'&', _) if depth == 0 => return plain(parts),
            _ => {}
        }
    }
    let is_macro =
        |index: &&usize| matches!(&parts[**index], Part::Word(word) if is_capital(&text[word.clone()]));
    let Some(&last) = candidates.iter().rev().find(|index| !is_macro(index)).or(candidates.last()) else {
        return if kind == SymbolKind::Module { Header::Clear } else { Header::Nameless };
    };
    let Part::Word(name) = &parts[last] else { return Header::Other };
    let start = start_of(text, parts, at).unwrap_or(opening.start);
    Header::Named { kind, name: name.clone(), qualifier: qualifier(parts, last), start }
}

/// The names joined by `::` before a name. Their arguments in angle brackets are left out.
pub(crate) fn qualifier(parts: &[Part], mut at: usize) -> Vec<Range<usize>> {
    let mut names = Vec::new();
    while let Some(front) = at.checked_sub(2).filter(|front| matches!(parts[front + 1], Part::Mark(b'q', _)))
    {
        let Some((index, name)) = name_at(parts, front) else { break };
        names.insert(0, name.clone());
        at = index;
    }
    names
}

/// The word that ends with `parts[at]`, and its index. `parts[at]` may be the end of the word's arguments in angle
/// brackets.
pub(crate) fn name_at(parts: &[Part], mut at: usize) -> Option<(usize, &Range<usize>)> {
    let mut depth = 0_usize;
    loop {
        match &parts[at] {
            Part::Mark(b'>', _) => depth += 1,
            Part::Mark(b'<', _) => depth = depth.checked_sub(1)?,
            Part::Word(name) if depth == 0 => return Some((at, name)),
            _ if depth == 0 => return None,
            _ => {}
        }
        at = at.checked_sub(1)?;
    }
}

/// Where the declaration starts, if `template`, `typedef`, `inline` or `static` comes before the word that opens a
/// block. It starts at the first of these words.
fn start_of(text: &[u8], parts: &[Part], at: usize) -> Option<usize> {
    let fronts = parts[..at].iter().filter_map(|part| match part {
        Part::Word(word)
            if matches!(&text[word.clone()], b"template" | b"typedef" | b"inline" | b"static") =>
        {
            Some(word.start)
        }
        _ => None,
    });
    fronts.into_iter().next()
}

/// Whether a word is not the name of a type, though it is where a name is expected.
fn is_no_name(text: &[u8], word: &Range<usize>, words: &Words) -> bool {
    let bytes = &text[word.clone()];
    matches!(bytes, b"final" | b"sealed" | b"abstract") || kind_of(text, word, words).is_some()
}

/// Whether the word is an attribute or macro. Parentheses after it are its arguments: `alignas(8)`, `EXPORT(x)`.
pub(crate) fn is_attribute(text: &[u8], part: &Part) -> bool {
    let Part::Word(word) = part else { return false };
    let bytes = &text[word.clone()];
    is_capital(bytes) || bytes.starts_with(b"__") || matches!(bytes, b"alignas" | b"decltype")
}

pub(crate) fn is_capital(bytes: &[u8]) -> bool {
    word(bytes) == bytes.len()
        && bytes.iter().any(u8::is_ascii_uppercase)
        && !bytes.iter().any(u8::is_ascii_lowercase)
}
