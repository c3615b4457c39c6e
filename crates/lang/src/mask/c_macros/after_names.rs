//! Attributes after a name, as in Apple's headers: `typedef NSString *Name NS_TYPED_ENUM;`, and
//! `Red NS_SWIFT_NAME(red) = 1` in an enum. Also enums that a macro opens: `typedef NS_ENUM(NSInteger, Color) {`.

use super::reading::{LONGEST, call, directive, is_capital};
use crate::bytes::{is_in, is_word, token, word};
use crate::mask::masked_part::{As, MaskedPart};
use crate::table::Words;

/// The masks for attributes after the names of a typedef, up to its `;`. There are none if it is unclear which word is
/// the name, as in `typedef API Point POINT;`.
pub(super) fn of_typedef(text: &[u8], words: &Words) -> Vec<MaskedPart> {
    let keyword = b"typedef".len();
    let next = keyword + blanks(&text[keyword..]);
    let name = word(&text[next..]);
    if is_in(words.enums, &text[next..next + name]) {
        // The grammar is shown the enum with its name after `enum`, so `typedef` is masked. Otherwise the grammar
        // would expect one more name.
        let mut shown: Vec<MaskedPart> = enum_macro(&text[next..], name)
            .unwrap_or_default()
            .into_iter()
            .map(|one| one.moved(next))
            .collect();
        shown.extend((!shown.is_empty()).then_some(MaskedPart(0..keyword, As::Comment)));
        return shown;
    }
    let mut typedef = Typedef { at: keyword, ..Typedef::default() };
    match typedef.read(text) {
        Some(()) => typedef.shown,
        None => Vec::new(),
    }
}

/// A typedef that is being read.
#[derive(Default)]
struct Typedef {
    at: usize,
    /// Whether the type has been read. With `is_vague`, it is in capitals, so it may be a macro before the type.
    has_type: bool,
    is_vague: bool,
    /// Whether the type has a body.
    is_body: bool,
    /// Whether a `*` was read. A name must follow.
    is_pointer: bool,
    /// Whether the name has been read.
    is_declared: bool,
    shown: Vec<MaskedPart>,
}

impl Typedef {
    /// Reads up to the `;`. `None` if the typedef cannot be read.
    fn read(&mut self, text: &[u8]) -> Option<()> {
        while self.at < text.len() {
            let rest = &text[self.at..];
            self.at += match rest[0] {
                b';' => return Some(()),
                byte if is_word(byte) => self.word(rest)?,
                b'{' => {
                    (self.has_type, self.is_vague, self.is_body) = (true, false, true);
                    1 + block(&rest[1..])?
                }
                b'(' => self.brackets(rest)?,
                b'[' => memchr::memchr(b']', rest)? + 1,
                b'<' if self.has_type => angles(rest)?,
                b':' if rest.starts_with(b"::") => {
                    let next = 2 + blanks(&rest[2..]);
                    next + word(&rest[next..])
                }
                b'*' | b'^' | b'&' => {
                    self.is_pointer = true;
                    1
                }
                b',' => {
                    (self.is_pointer, self.is_declared) = (false, false);
                    1
                }
                b'/' if token(rest) > 1 => token(rest),
                byte if byte.is_ascii_whitespace() => 1,
                _ => return None,
            };
        }
        None
    }

    fn word(&mut self, rest: &[u8]) -> Option<usize> {
        let length = word(rest);
        let name = &rest[..length];
        match name {
            b"typedef" => return None,
            _ if self.is_declared => {
                let end = call(rest, length)?;
                self.shown.extend(is_capital(name).then_some(MaskedPart(self.at..self.at + end, As::Blank)));
                return Some(end);
            }
            _ if name.starts_with(b"_") || QUALIFIERS.contains(&name) => return call(rest, length),
            _ if PRIMITIVES.contains(&name) => self.has_type = true,
            _ if !self.has_type => {
                (self.has_type, self.is_vague) = (true, is_capital(name));
                return match rest[length..].trim_ascii_start() {
                    [b'(', b'*' | b'^', ..] => Some(length),
                    _ => call(rest, length),
                };
            }
            _ if self.is_body && is_capital(name) && is_name(&rest[length..]) => {
                self.shown.push(MaskedPart(self.at..self.at + length, As::Blank));
            }
            // In `void * POINTER_64 PVOID64`, it is unclear which word is the name.
            _ if is_capital(name) || (self.is_vague && !self.is_pointer) => return None,
            _ => self.is_declared = true,
        }
        Some(length)
    }

    /// Reads a group: `(*name)` declares a name, and `(int a)` has the parameters of the name before it.
    fn brackets(&mut self, rest: &[u8]) -> Option<usize> {
        let end = call(rest, 0)?;
        self.is_declared |= self.has_type && rest[..end].iter().any(|byte| matches!(byte, b'*' | b'^'));
        Some(end)
    }
}

/// Whether a name follows, rather than another macro.
fn is_name(text: &[u8]) -> bool {
    let rest = text.trim_ascii_start();
    let next = &rest[..word(rest)];
    !next.is_empty() && !is_capital(next) && !next.starts_with(b"_")
}

fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Words that may come before a type. After `struct`, a type or its body follows.
const QUALIFIERS: &[&[u8]] = &[
    b"const",
    b"volatile",
    b"struct",
    b"union",
    b"enum",
    b"class",
    b"typename",
    b"nonnull",
    b"nullable",
    b"restrict",
];

const PRIMITIVES: &[&[u8]] =
    &[b"void", b"bool", b"char", b"short", b"int", b"long", b"unsigned", b"signed", b"float", b"double"];

/// The place after the bracket that closes a block. The search ends at a typedef, because a typedef is never inside
/// another. This makes many unclosed blocks cheap.
fn block(text: &[u8]) -> Option<usize> {
    let (mut at, mut depth, mut starts_line) = (0, 1_usize, false);
    while at < text.len() {
        let rest = &text[at..];
        at += match rest[0] {
            b'#' if starts_line => directive(rest),
            byte if is_word(byte) => match word(rest) {
                7 if rest.starts_with(b"typedef") => return None,
                length => length,
            },
            b'}' if depth == 1 => return Some(at + 1),
            b'}' => {
                depth -= 1;
                1
            }
            b'{' => {
                depth += 1;
                1
            }
            _ => token(rest),
        };
        starts_line = matches!(rest[0], b'\n' | b'\r') || (starts_line && matches!(rest[0], b' ' | b'\t'));
    }
    None
}

/// The length of `<…>`.
fn angles(text: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.iter().enumerate().take(LONGEST) {
        match byte {
            b'<' => depth += 1,
            b'>' if depth == 1 => return Some(at + 1),
            b'>' => depth -= 1,
            b';' | b'{' => return None,
            _ => {}
        }
    }
    None
}

/// The masks for attributes of enum members, if the text starts with an enum that has a body.
pub(super) fn members_after(text: &[u8]) -> Vec<MaskedPart> {
    let is_header =
        |byte: &&u8| is_word(**byte) || byte.is_ascii_whitespace() || matches!(byte, b':' | b'/' | b'*');
    let body = text.iter().take(LONGEST).take_while(is_header).count();
    match text.get(body) {
        Some(b'{') => members(text, body + 1).map(|(shown, _)| shown).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// The masks for the attributes of enum members. These are all words in capitals after a name and on the same line.
/// Also returns where the body ends.
fn members(text: &[u8], body: usize) -> Option<(Vec<MaskedPart>, usize)> {
    let mut shown = Vec::new();
    let (mut at, mut starts_line) = (body, false);
    // Whether the name of a member was read on this line, and whether its value has started.
    let (mut is_named, mut is_value) = (false, false);
    while at < text.len() {
        let rest = &text[at..];
        let first = rest[0];
        at += match first {
            b'}' => return Some((shown, at)),
            b'{' | b';' => return None,
            b'#' if starts_line => directive(rest),
            b'(' => call(rest, 0)?,
            byte if is_word(byte) => {
                let length = word(rest);
                let is_attribute = is_named && !is_value && is_capital(&rest[..length]);
                is_named = true;
                let end = if is_attribute { call(rest, length)? } else { length };
                shown.extend(is_attribute.then_some(MaskedPart(at..at + end, As::Blank)));
                end
            }
            _ => token(rest),
        };
        match first {
            b',' => (is_named, is_value) = (false, false),
            b'=' => is_value = true,
            b'\n' | b'\r' => is_named = false,
            _ => {}
        }
        starts_line = matches!(first, b'\n' | b'\r') || (starts_line && matches!(first, b' ' | b'\t'));
    }
    None
}

/// Masks `NS_ENUM(NSInteger, Color) {` so that the grammar sees `enum Color {`. Attributes after the body are masked
/// too.
pub(super) fn enum_macro(text: &[u8], name: usize) -> Option<Vec<MaskedPart>> {
    let close = call(text, name).filter(|&end| end > name)? - 1;
    let inside = &text[name + 1..close];
    let comma = memchr::memrchr(b',', inside).map_or(inside.len(), |at| at + 1);
    let called = inside[comma..].trim_ascii();
    let body = close + 1 + blanks(&text[close + 1..]);
    if text.get(body) != Some(&b'{') || word(called) != called.len() {
        return None;
    }
    let (members, end) = members(text, body + 1)?;
    let mut shown = vec![
        MaskedPart(0..name, As::Word("enum")),
        MaskedPart(name..name + 1 + comma, As::Blank),
        MaskedPart(close..close + 1, As::Blank),
    ];
    shown.extend(members);
    let mut at = end + 1 + blanks(&text[end + 1..]);
    while is_capital(&text[at..at + word(&text[at..])]) {
        let length = call(&text[at..], word(&text[at..]))?;
        shown.push(MaskedPart(at..at + length, As::Blank));
        at += length + blanks(&text[at + length..]);
    }
    Some(shown)
}
