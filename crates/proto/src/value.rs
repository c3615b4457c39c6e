//! The values of literals, and the scalar types.

use crate::file::Syntax;

/// The value of an integer token in decimal, octal or hexadecimal; `None` when it does not fit 64 bits.
pub(crate) fn integer(text: &[u8]) -> Option<u64> {
    let (digits, radix) = match text {
        [b'0', b'x' | b'X', digits @ ..] => (digits, 16),
        [b'0', digits @ ..] if !digits.is_empty() => (digits, 8),
        digits => (digits, 10),
    };
    u64::from_str_radix(str::from_utf8(digits).ok()?, radix).ok()
}

/// The value of a number token as a floating-point number.
pub(crate) fn float(text: &[u8]) -> Option<f64> {
    match integer(text) {
        Some(whole) => Some(whole as f64),
        None => str::from_utf8(text).ok()?.parse().ok(),
    }
}

/// Whether a number has a minus, and the digits after it. Blanks and comments may be between the two.
pub(crate) fn signed(written: &[u8]) -> (bool, &[u8]) {
    match written.strip_prefix(b"-") {
        Some(rest) => (true, &rest[crate::lexer::Lexer::new(rest).next().start as usize..]),
        None => (false, written),
    }
}

/// The bytes that adjacent string literals stand for, joined: `"a" 'b'` gives `ab`.
pub(crate) fn strings(written: &[u8]) -> Vec<u8> {
    let mut lexer = crate::lexer::Lexer::new(written);
    let mut said = Vec::new();
    loop {
        let token = lexer.next();
        if token.kind != crate::lexer::TokenKind::String {
            return said;
        }
        string(&mut said, &written[token.start as usize..token.end as usize]);
    }
}

fn string(said: &mut Vec<u8>, literal: &[u8]) {
    let Some((&quote, inside)) = literal.split_first() else { return };
    let mut rest = inside.strip_suffix(&[quote]).unwrap_or(inside);
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            said.push(byte);
            continue;
        }
        rest = escape(said, rest);
    }
}

/// Reads the escape sequence after a backslash, and returns the rest of the text.
fn escape<'t>(said: &mut Vec<u8>, text: &'t [u8]) -> &'t [u8] {
    let Some((&letter, rest)) = text.split_first() else { return text };
    let plain = match letter {
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 11,
        b'x' | b'X' => return coded(said, rest, 16, 2),
        b'u' => return character(said, rest, 4),
        b'U' => return character(said, rest, 8),
        b'0'..=b'7' => return coded(said, text, 8, 3),
        other => other,
    };
    said.push(plain);
    rest
}

fn coded<'t>(said: &mut Vec<u8>, text: &'t [u8], radix: u32, most: usize) -> &'t [u8] {
    let (code, rest) = digits(text, radix, most);
    said.push(u8::try_from(code & 0xff).expect("masked to a byte"));
    rest
}

fn character<'t>(said: &mut Vec<u8>, text: &'t [u8], most: usize) -> &'t [u8] {
    let (code, rest) = digits(text, 16, most);
    let mut buffer = [0; 4];
    said.extend_from_slice(char::from_u32(code).unwrap_or('\u{FFFD}').encode_utf8(&mut buffer).as_bytes());
    rest
}

fn digits(text: &[u8], radix: u32, most: usize) -> (u32, &[u8]) {
    let is_digit = |byte: &&u8| char::from(**byte).is_digit(radix);
    let n = text.iter().take(most).take_while(is_digit).count();
    let value = text[..n]
        .iter()
        .fold(0u32, |value, &byte| value * radix + char::from(byte).to_digit(radix).unwrap_or_default());
    (value, &text[n..])
}

/// The dotted name in a piece of text, without the blanks and comments between its parts: `a . b` gives `a.b`.
pub(crate) fn dotted(written: &[u8]) -> String {
    let is_plain = written.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.');
    if is_plain {
        return String::from_utf8_lossy(written).into_owned();
    }
    let mut lexer = crate::lexer::Lexer::new(written);
    let mut name = String::new();
    loop {
        let token = lexer.next();
        match token.kind {
            crate::lexer::TokenKind::End => return name,
            _ => name.push_str(&String::from_utf8_lossy(&written[token.start as usize..token.end as usize])),
        }
    }
}

/// The scalar types, each with its number in descriptor.proto.
const SCALARS: &[(&str, i32)] = &[
    ("double", 1),
    ("float", 2),
    ("int64", 3),
    ("uint64", 4),
    ("int32", 5),
    ("fixed64", 6),
    ("fixed32", 7),
    ("bool", 8),
    ("string", 9),
    ("bytes", 12),
    ("uint32", 13),
    ("sfixed32", 15),
    ("sfixed64", 16),
    ("sint32", 17),
    ("sint64", 18),
];

/// The names of the scalar types.
pub(crate) fn scalars() -> impl Iterator<Item = &'static str> {
    SCALARS.iter().map(|(name, _)| *name)
}

/// The integer types of [`Syntax::UNSTABLE`], each with its name in all other dialects.
const UNSTABLE: &[(&str, &str)] = &[
    ("int32", "sfixed32"),
    ("int64", "sfixed64"),
    ("uint32", "fixed32"),
    ("uint64", "fixed64"),
    ("varint32", "int32"),
    ("varint64", "int64"),
    ("uvarint32", "uint32"),
    ("uvarint64", "uint64"),
    ("zigzag32", "sint32"),
    ("zigzag64", "sint64"),
];

/// Finds a scalar type by its name in one dialect. Returns its name in most dialects, and its number.
pub(crate) fn scalar(word: &str, syntax: Syntax) -> Option<(&'static str, i32)> {
    let other = UNSTABLE.iter().find(|(name, _)| syntax == Syntax::UNSTABLE && *name == word);
    let word = other.map_or(word, |(_, common)| common);
    SCALARS.iter().find(|(name, _)| *name == word).copied()
}

/// Whether a word is a scalar type, or `group`.
pub(crate) fn is_scalar(word: &[u8], syntax: Syntax) -> bool {
    let is_unstable = || UNSTABLE.iter().any(|(name, _)| name.as_bytes() == word);
    syntax == Syntax::UNSTABLE && is_unstable() || is_common_scalar(word)
}

fn is_common_scalar(word: &[u8]) -> bool {
    matches!(
        word,
        b"double"
            | b"float"
            | b"int64"
            | b"uint64"
            | b"int32"
            | b"fixed64"
            | b"fixed32"
            | b"bool"
            | b"string"
            | b"group"
            | b"bytes"
            | b"uint32"
            | b"sfixed32"
            | b"sfixed64"
            | b"sint32"
            | b"sint64"
    )
}
