//! Macros of the C family that the grammar cannot read: `Q_OBJECT` in a class, `JNIEXPORT` before a function.
//!
//! Such a macro and its arguments in parentheses are masked as a comment: `Q_OBJECT` as `/*OBJE*/`. Two more things
//! are masked as comments: words in capitals between `class` and the name, as in `class LIB_API A : public B {`, and
//! attributes of enum members that the grammar does not know, as in `A [[deprecated]]`. Other macros are masked as
//! blanks, or as a word that the grammar knows. The word lists of a language say which words are macros. Macros have
//! the same form in C, C++ and Objective-C.

use std::ops::Range;

use super::masked_part::{As, MaskedPart};
use crate::bytes::{is_in, word};
use crate::table::{Attached, Words};

mod after_names;
mod exported;
mod functions;
mod methods;
mod range_loops;
mod reading;
mod titled;

use self::after_names::{enum_macro, members_after, of_typedef};
use self::exported::exports;
use self::functions::{called_so, old_style, prototype};
use self::methods::method;
use self::range_loops::range_loop;
use self::reading::{LONGEST, call};
pub(crate) use self::reading::{directive, has_macros, is_capital, word_mark};
use self::titled::titled;

/// What comes before the current word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Before {
    /// The last two tokens, one byte each. A word counts as `a`, or as `p` if it is `public`, `protected` or
    /// `private`. Comments and blanks do not count.
    pub(crate) marks: [u8; 2],
    /// Whether there are only blanks between the start of the line and the word.
    pub(crate) starts_line: bool,
    /// Whether the last token is on an earlier line.
    pub(crate) is_below: bool,
}

impl Before {
    /// Moves on past a token.
    pub(crate) fn pass(&mut self, first: u8, mark: u8, is_comment: bool) {
        let is_break = matches!(first, b'\n' | b'\r');
        if !first.is_ascii_whitespace() && !is_comment {
            self.marks = [self.marks[1], mark];
            self.is_below = false;
        }
        self.is_below |= is_break;
        self.starts_line = is_break || (self.starts_line && matches!(first, b' ' | b'\t'));
    }
}

/// The masks for the word that the text starts with, if it is a macro, and for macros after it.
pub(crate) fn of_word(text: &[u8], before: Before, words: &Words) -> Vec<MaskedPart> {
    let length = word(text);
    let name = &text[..length];
    match text[0].is_ascii_uppercase() || name.starts_with(b"__") {
        _ if is_in(words.sections, name) => {
            Vec::from_iter(section(text, length, before.marks[1]).map(as_comment))
        }
        true if is_one(words, name) => Vec::from_iter(call(text, length).map(|end| as_comment(0..end))),
        true if is_in(words.titled, name) => titled(text, length).unwrap_or_default(),
        true if is_in(words.methods, name) => method(text, length).unwrap_or_default(),
        false if is_in(words.ranged, name) => range_loop(text, length).unwrap_or_default(),
        true if is_in(words.enums, name) => enum_macro(text, length).unwrap_or_default(),
        false if is_in(words.exported, name) || is_in(words.attributed, name) => {
            let mut shown = Vec::new();
            if is_in(words.exported, name) {
                shown.extend(exports(text, length).unwrap_or_default().into_iter().map(as_comment));
            }
            if is_in(words.attributed, name) {
                shown.extend(if name == b"enum" { members_after(text) } else { of_typedef(text, words) });
            }
            shown
        }
        // `struct s { … } __packed;`
        true if name.starts_with(b"__") && before.marks[1] == b'}' && !before.is_below => {
            let is_known = matches!(name, b"__attribute__" | b"__asm__" | b"__extension__");
            let end = call(text, length).filter(|_| !is_known);
            Vec::from_iter(end.map(|end| MaskedPart(0..end, As::Blank)))
        }
        _ if matches!(before.marks, [b'a' | b'*', b'a']) && prototype(text, length).is_some() => {
            prototype(text, length).unwrap_or_default()
        }
        true if before.starts_line && is_mark_of_section(text, length) => {
            vec![MaskedPart(0..length, As::Blank)]
        }
        true if before.starts_line && (is_capital(name) || name.starts_with(b"__")) => {
            let alone = || is_alone(text, length).map(|end| vec![MaskedPart(0..end, As::Blank)]);
            called_so(text).or_else(alone).or_else(|| old_style(text, before.marks[1])).unwrap_or_default()
        }
        _ => old_style(text, before.marks[1]).unwrap_or_default(),
    }
}

fn as_comment(range: Range<usize>) -> MaskedPart {
    MaskedPart(range, As::Comment)
}

/// Whether the word is alone on its line, opens or ends a section, and comes before an Objective-C class: `SpecEnd`,
/// `X_BEGIN`.
fn is_mark_of_section(text: &[u8], name: usize) -> bool {
    let rest = text[name..].trim_ascii_start();
    let is_below = text[name..text.len() - rest.len()].contains(&b'\n');
    let opens_class =
        || [&b"@interface"[..], b"@implementation", b"@protocol"].iter().any(|word| rest.starts_with(word));
    let is_end = || [&b"_BEGIN"[..], b"_END", b"End"].iter().any(|end| text[..name].ends_with(end));
    is_below && is_end() && opens_class()
}

/// The end of a macro call that is alone on its line, if the text after it cannot continue an expression:
/// `DECLARE_MESSAGE_MAP()` at the end of a class.
fn is_alone(text: &[u8], name: usize) -> Option<usize> {
    let end = call(text, name).filter(|&end| end > name)?;
    let rest = text[end..].trim_ascii_start();
    let breaks = &text[end..text.len() - rest.len()];
    let next = &rest[..word(rest)];
    let is_over = rest.starts_with(b"}") || (word_mark(next) == b'p' && rest[next.len()..].starts_with(b":"));
    (is_over && breaks.contains(&b'\n')).then_some(end)
}

/// The part to mask for a word before class members that C++ does not have: `signals:`, and `slots` in `public slots:`.
fn section(text: &[u8], name: usize, before: u8) -> Option<Range<usize>> {
    let colon = name + text[name..].iter().position(|byte| !matches!(byte, b' ' | b'\t'))?;
    match (&text[colon..], before) {
        ([b':', b':', ..], _) => None,
        ([b':', ..], b'p') => Some(0..name),
        ([b':', ..], b'{' | b'}' | b';' | b':') => Some(0..colon + 1),
        _ => None,
    }
}

/// The attribute after the name of an enum member: `A [[deprecated]],`.
pub(crate) fn attribute_of_member(text: &[u8]) -> Option<MaskedPart> {
    let text = &text[..text.len().min(LONGEST)];
    let end = memchr::memmem::find(text, b"]]").filter(|_| text.starts_with(b"[["))? + 2;
    (!text[..end].contains(&b'/')).then_some(as_comment(0..end))
}

/// Whether and how a comment belongs to the declaration after it. The comment may be a masked macro.
pub(crate) fn attached(comment: &[u8], words: &Words) -> Option<Attached> {
    if is_in(words.clauses, &comment[..word(comment)]) {
        return Some(Attached::Decorator);
    }
    if !has_macros(words) || comment.starts_with(b"/") {
        return Some(Attached::Comment);
    }
    let name = &comment[..word(comment)];
    let is_other = !(is_capital(name) || name.starts_with(b"__"))
        || is_in(words.markers, name)
        || is_in(words.sections, name);
    (is_in(words.attributes, name) || name == b"typedef" || !is_other).then_some(Attached::Decorator)
}

/// The length of the attributes after a body: ` __packed` in `} __packed;`. The text starts after the body.
pub(crate) fn after_body(text: &[u8], words: &Words) -> usize {
    let mut end = 0;
    while has_macros(words) {
        let next = end + text[end..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let length = word(&text[next..]);
        let name = &text[next..next + length];
        match call(&text[next..], length) {
            Some(length) if is_capital(name) || name.starts_with(b"__") => end = next + length,
            _ => break,
        }
    }
    end
}

fn is_one(words: &Words, word: &[u8]) -> bool {
    is_in(words.markers, word) || is_in(words.attributes, word)
}
