//! Cuts a .proto file into tokens and comments.
//!
//! A lexer is little more than an offset into the bytes, so the parser looks ahead by copying it. Any bytes are
//! accepted: control characters are skipped, and any other byte that starts no token becomes a symbol. What is wrong is
//! kept in [`Lexer::flaw`], for the parser to report.

use crate::flaw::Flaw;

/// One token and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A letter or `_`, then letters, digits and `_`. Keywords are identifiers too.
    Identifier,
    Integer,
    Float,
    /// A string in single or double quotes. It has no closing quote if the line ends before one.
    String,
    /// One byte that is none of the above. A run of non-ASCII bytes is one symbol, which holds only the first byte.
    Symbol(u8),
    End,
}

/// A piece of a text. The blanks between pieces are skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Token(Token),
    /// A comment; a `//` comment includes its line break.
    Comment {
        start: u32,
        end: u32,
    },
    /// A run of control characters.
    Stray,
}

/// A position in a text, between two pieces.
#[derive(Clone, Copy)]
pub(crate) struct Lexer<'t> {
    bytes: &'t [u8],
    pub(crate) at: usize,
    /// The flaw that was found last, with the start and the end of its range.
    pub(crate) flaw: Option<(Flaw, u32, u32)>,
}

/// The byte-order mark in UTF-8.
const MARK: &[u8] = "\u{FEFF}".as_bytes();

impl<'t> Lexer<'t> {
    /// A lexer at the start of a text, after the byte-order mark if there is one.
    pub(crate) fn new(bytes: &'t [u8]) -> Lexer<'t> {
        let at = if bytes.starts_with(MARK) { MARK.len() } else { 0 };
        Lexer { bytes, at, flaw: None }
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn second(&self) -> Option<u8> {
        self.bytes.get(self.at + 1).copied()
    }

    /// Steps over `byte` if it comes next, and returns whether it did.
    pub(crate) fn eat(&mut self, byte: u8) -> bool {
        let comes = self.peek() == Some(byte);
        self.at += usize::from(comes);
        comes
    }

    /// Reads the next token; comments before it are dropped.
    pub(crate) fn next(&mut self) -> Token {
        loop {
            if let Piece::Token(token) = self.piece() {
                return token;
            }
        }
    }

    /// Reads the next token, comment, or run of control characters.
    #[inline]
    pub(crate) fn piece(&mut self) -> Piece {
        self.skip_while(|byte| class(byte) == Class::Blank);
        let start = self.at;
        match self.peek() {
            Some(b'/') if self.second() == Some(b'/') => self.line_comment(),
            Some(b'/') if self.second() == Some(b'*') => self.block_comment(),
            Some(byte) if class(byte) == Class::Control => {
                self.control_characters();
                return Piece::Stray;
            }
            Some(byte) => return Piece::Token(self.token(byte)),
            None => return Piece::Token(self.made(TokenKind::End, self.at)),
        }
        Piece::Comment { start: to_u32(start), end: to_u32(self.at) }
    }

    pub(crate) fn skip_while(&mut self, is_skipped: impl Fn(u8) -> bool) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|&byte| !is_skipped(byte)).unwrap_or(rest.len());
    }

    /// Steps over blanks, but not over a line break.
    pub(crate) fn skip_blanks_of_line(&mut self) {
        self.skip_while(|byte| byte != b'\n' && class(byte) == Class::Blank);
    }

    /// Steps over a comment from `//` to the line break, which is included.
    pub(crate) fn line_comment(&mut self) {
        self.skip_while(|byte| byte != b'\n');
        self.eat(b'\n');
    }

    /// Steps over a comment from `/*` to `*/`.
    pub(crate) fn block_comment(&mut self) {
        let start = self.at;
        let body = &self.bytes[start + 2..];
        let len = body.windows(2).position(|pair| pair == b"*/");
        self.at = len.map_or(self.bytes.len(), |len| start + 2 + len + 2);
        let inside = &body[..len.unwrap_or(body.len())];
        if len.is_none() {
            self.note(Flaw::OpenComment, start);
        } else if inside.windows(2).any(|pair| pair == b"/*") {
            self.note(Flaw::NestedComment, start);
        }
    }

    fn control_characters(&mut self) {
        let start = self.at;
        self.skip_while(|byte| class(byte) == Class::Control);
        self.note(Flaw::ControlCharacter, start);
    }

    fn token(&mut self, first: u8) -> Token {
        let start = self.at;
        self.at += 1;
        let kind = match class(first) {
            Class::Letter => {
                self.skip_while(is_word);
                TokenKind::Identifier
            }
            Class::Digit => self.number(first == b'0', false),
            Class::Quote => self.string(first, start),
            _ if first == b'.' && self.peek().is_some_and(|byte| byte.is_ascii_digit()) => {
                self.number(false, true)
            }
            Class::Foreign => {
                self.skip_while(|byte| class(byte) == Class::Foreign);
                self.note(Flaw::NotAscii, start);
                TokenKind::Symbol(first)
            }
            _ => TokenKind::Symbol(first),
        };
        self.made(kind, start)
    }

    /// Reads the rest of a number: hexadecimal, octal, decimal, or with a fraction or an exponent.
    fn number(&mut self, starts_with_zero: bool, starts_with_dot: bool) -> TokenKind {
        let mut is_float = starts_with_dot;
        if starts_with_zero && (self.eat(b'x') || self.eat(b'X')) {
            self.skip_while(|byte| byte.is_ascii_hexdigit());
        } else if starts_with_zero && self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.skip_while(|byte| byte.is_ascii_digit());
        } else {
            self.skip_while(|byte| byte.is_ascii_digit());
            if !starts_with_dot && self.eat(b'.') {
                is_float = true;
                self.skip_while(|byte| byte.is_ascii_digit());
            }
            if self.eat(b'e') || self.eat(b'E') {
                is_float = true;
                let _has_sign = self.eat(b'-') || self.eat(b'+');
                self.skip_while(|byte| byte.is_ascii_digit());
            }
        }
        if self.peek().is_some_and(|byte| class(byte) == Class::Letter) {
            self.note(Flaw::WordInNumber, self.at);
        }
        if is_float { TokenKind::Float } else { TokenKind::Integer }
    }

    /// Reads the rest of a string. A line break ends the string. Otherwise one missing quote would turn all code after
    /// it into strings.
    fn string(&mut self, quote: u8, start: usize) -> TokenKind {
        loop {
            self.skip_while(|byte| byte != quote && byte != b'\\' && byte != b'\n');
            match self.peek() {
                Some(b'\\') => {
                    self.at += 1;
                    if self.peek().is_some_and(|byte| byte != b'\n') {
                        self.at += 1;
                    }
                }
                Some(b'\n') | None => {
                    self.note(Flaw::OpenString, start);
                    return TokenKind::String;
                }
                Some(_) => {
                    self.at += 1;
                    return TokenKind::String;
                }
            }
        }
    }

    fn made(&self, kind: TokenKind, start: usize) -> Token {
        Token { kind, start: to_u32(start), end: to_u32(self.at) }
    }

    fn note(&mut self, flaw: Flaw, start: usize) {
        self.flaw = Some((flaw, to_u32(start), to_u32(self.at.max(start))));
    }
}

/// The kind of piece that a byte can start.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    Control,
    Letter,
    Digit,
    Quote,
    Foreign,
    Symbol,
}

/// The class of every byte. It is a table because nearly every byte of a file is looked up.
static CLASSES: [Class; 256] = {
    let mut classes = [Class::Symbol; 256];
    let mut byte: u8 = 0;
    loop {
        classes[byte as usize] = match byte {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => Class::Blank,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b'"' | b'\'' => Class::Quote,
            0..=0x1f | 0x7f => Class::Control,
            0x80.. => Class::Foreign,
            _ => Class::Symbol,
        };
        if byte == u8::MAX {
            break classes;
        }
        byte += 1;
    }
};

fn class(byte: u8) -> Class {
    CLASSES[usize::from(byte)]
}

fn is_word(byte: u8) -> bool {
    matches!(class(byte), Class::Letter | Class::Digit)
}

fn to_u32(index: usize) -> u32 {
    u32::try_from(index).expect("a text holds at most u32::MAX bytes")
}
