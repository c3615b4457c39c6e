//! The logical lines of an indented text. A line break inside a string or brackets does not end a logical line.

use std::cell::RefCell;

use locant_text::Range;

use super::Indented;
use crate::bytes::is_word;

/// A logical line: it goes up to the line break after its statement, which may be several lines below.
pub(crate) struct Line {
    /// Where the last token ends.
    pub(crate) end: usize,
    /// The comment after the last token.
    pub(crate) comment: Option<Range>,
    /// Where the next line starts.
    pub(crate) next: usize,
    /// Whether a block follows.
    pub(crate) opens_block: bool,
}

/// A text, read by logical lines.
pub(crate) struct Lines<'a> {
    text: &'a [u8],
    /// How the language is written.
    table: &'static Indented,
    /// The brackets that are open in the current line. The list is kept here so that its memory is used again.
    brackets: RefCell<Vec<u8>>,
}

/// The bytes that mean nothing here: all except quotes, brackets, `#`, line breaks, `\`, `:` and `;`.
static PLAIN: [bool; 256] = plain();

const fn plain() -> [bool; 256] {
    let mut plain = [true; 256];
    let special = b"'\"()[]{}#\n\\:;";
    let mut at = 0;
    while at < special.len() {
        plain[special[at] as usize] = false;
        at += 1;
    }
    plain
}

/// How deep strings may be nested in the expressions of other strings. If they are nested deeper, the reader is not
/// sure.
const MAX_DEPTH: usize = 8;

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a [u8], table: &'static Indented) -> Lines<'a> {
        Lines { text, table, brackets: RefCell::default() }
    }

    pub(crate) fn text(&self) -> &'a [u8] {
        self.text
    }

    /// Whether this is a word of expressions with a colon.
    pub(crate) fn has_colon(&self, word: &[u8]) -> bool {
        self.table.with_colon.iter().any(|known| known.as_bytes() == word)
    }

    /// Where a line starts after its blanks, and how far it is indented, counted as the grammar does.
    pub(crate) fn indent(&self, mut at: usize) -> (usize, usize) {
        let mut indent = 0;
        while let Some(byte) = self.text.get(at) {
            indent = match byte {
                b' ' => indent + 1,
                b'\t' => indent + 8,
                b'\r' | b'\x0c' => 0,
                _ => break,
            };
            at += 1;
        }
        (at, indent)
    }

    /// The end of the comment that starts here, without the line break.
    pub(crate) fn comment_end(&self, start: usize) -> usize {
        let rest = &self.text[start..];
        let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
        start + line.trim_ascii_end().len()
    }

    /// The logical line whose statement starts here.
    pub(crate) fn read(&self, start: usize) -> Option<Line> {
        let mut brackets = self.brackets.borrow_mut();
        brackets.clear();
        if self.text[start] == b'\\' {
            return None;
        }
        let mut at = start;
        let mut opens_block = false;
        loop {
            at = self.plain_end(at, &mut opens_block);
            let Some(&byte) = self.text.get(at) else {
                let is_closed = brackets.is_empty();
                return if is_closed { self.line(start, at, None, at, opens_block) } else { None };
            };
            match byte {
                b'\n' if brackets.is_empty() => return self.line(start, at, None, at + 1, opens_block),
                b'#' => {
                    let end = self.comment_end(at);
                    if brackets.is_empty() {
                        return self.line(start, at, Some(at..end), end, opens_block);
                    }
                    at = end;
                }
                b':' => {
                    opens_block = true;
                    at += 1;
                }
                b';' | b'\n' => at += 1,
                _ => {
                    opens_block = false;
                    at = self.token(at, &mut brackets)?;
                }
            }
        }
    }

    /// Where the byte `wanted` is, outside of brackets and strings.
    pub(crate) fn find(&self, start: usize, end: usize, wanted: u8) -> Option<usize> {
        let mut brackets = Vec::new();
        let mut at = start;
        while at < end {
            match self.text[at] {
                byte if byte == wanted && brackets.is_empty() => return Some(at),
                b'#' => at = self.comment_end(at),
                byte if PLAIN[usize::from(byte)] || matches!(byte, b':' | b';' | b'\n') => at += 1,
                _ => at = self.token(at, &mut brackets)?,
            }
        }
        None
    }

    /// The end of the string with this opening quote. If the string has a prefix, it is before the quote.
    pub(crate) fn string_end(&self, quote: usize) -> Option<usize> {
        self.string(quote, 0)
    }

    fn plain_end(&self, mut at: usize, opens_block: &mut bool) -> usize {
        let start = at;
        while at < self.text.len() && PLAIN[usize::from(self.text[at])] {
            at += 1;
        }
        if *opens_block && self.text[start..at].iter().any(|byte| !byte.is_ascii_whitespace()) {
            *opens_block = false;
        }
        at
    }

    /// The line up to `end`. `None` if its statement goes on in the next line: the grammar takes a missing operand from
    /// there, whatever the next line contains.
    fn line(
        &self,
        start: usize,
        end: usize,
        comment: Option<std::ops::Range<usize>>,
        next: usize,
        opens_block: bool,
    ) -> Option<Line> {
        let statement = self.text[start..end].trim_ascii_end();
        let end = start + statement.len();
        let comment = comment.map(Range::of_indices);
        (!self.is_unfinished(statement)).then_some(Line { end, comment, next, opens_block })
    }

    fn is_unfinished(&self, statement: &[u8]) -> bool {
        let is_whole = |last| match last {
            b'.' => statement.ends_with(b"..."),
            b'*' => statement.ends_with(b"import *"),
            last => !b"\\=+-/%&|^~<>@,!".contains(&last),
        };
        let n_letters = statement.iter().rev().take_while(|&&byte| is_word(byte)).take(MAX_WORD).count();
        let last_word = &statement[statement.len() - n_letters..];
        !statement.last().is_none_or(|&last| is_whole(last))
            || self.table.unfinished.iter().any(|word| word.as_bytes() == last_word)
    }

    /// The end of the string, the bracket or the escaped line break that starts here.
    fn token(&self, at: usize, brackets: &mut Vec<u8>) -> Option<usize> {
        match self.text[at] {
            b'"' | b'\'' => self.string(at, 0),
            b'\\' => match &self.text[at + 1..] {
                [b'\n', ..] => Some(at + 2),
                [b'\r', b'\n', ..] => Some(at + 3),
                _ => None,
            },
            open @ (b'(' | b'[' | b'{') => {
                brackets.push(open);
                Some(at + 1)
            }
            close => (brackets.pop()? == opening(close)).then_some(at + 1),
        }
    }

    fn string(&self, quote_at: usize, depth: usize) -> Option<usize> {
        let quote = self.text[quote_at];
        let is_triple = self.text[quote_at..].starts_with(&[quote; 3]);
        let is_format = self.is_format(quote_at);
        let mut at = quote_at + if is_triple { 3 } else { 1 };
        loop {
            let rest = &self.text[at..];
            let step = if is_format {
                rest.iter().position(|byte| *byte == quote || matches!(byte, b'\\' | b'\n' | b'{'))?
            } else if is_triple {
                memchr::memchr2(quote, b'\\', rest)?
            } else {
                memchr::memchr3(quote, b'\\', b'\n', rest)?
            };
            at += step;
            match self.text[at] {
                b'\n' if is_triple => at += 1,
                b'\n' => return None,
                b'{' if self.text.get(at + 1) == Some(&b'{') => at += 2,
                b'{' => at = self.hole(at + 1, is_triple, depth)?,
                b'\\' => at += self.escape(at, is_format),
                _ if !is_triple => return Some(at + 1),
                _ if self.text[at..].starts_with(&[quote; 3]) => return Some(at + 3),
                _ => at += 1,
            }
        }
    }

    /// The length of an escape.
    fn escape(&self, at: usize, is_format: bool) -> usize {
        match &self.text[at + 1..] {
            [b'{' | b'}', ..] if is_format => 1,
            // `\N{DASH}`
            [b'N', b'{', rest @ ..] if is_format => {
                3 + rest.iter().take(MAX_NAME).position(|byte| *byte == b'}').map_or(0, |close| close + 1)
            }
            [b'\r', b'\n', ..] => 3,
            [] => 1,
            _ => 2,
        }
    }

    /// The end of an expression in a string, given the place after its `{`.
    fn hole(&self, start: usize, is_triple: bool, depth: usize) -> Option<usize> {
        if depth >= MAX_DEPTH {
            return None;
        }
        let mut brackets = Vec::new();
        let mut at = start;
        loop {
            let byte = *self.text.get(at)?;
            match byte {
                b'}' if brackets.is_empty() => return Some(at + 1),
                b'"' | b'\'' => at = self.string(at, depth + 1)?,
                b':' if brackets.is_empty() => return self.format(at + 1, is_triple, depth),
                b'(' | b'[' | b'{' => {
                    brackets.push(byte);
                    at += 1;
                }
                b')' | b']' | b'}' => {
                    if brackets.pop()? != opening(byte) {
                        return None;
                    }
                    at += 1;
                }
                // Only a parser can read a comment or an escaped line break in here.
                b'#' | b'\\' => return None,
                b'\n' if !is_triple => return None,
                _ => at += 1,
            }
        }
    }

    /// The end of an expression in a string, given where its format starts: `>` in `{x:>{width}}`.
    fn format(&self, start: usize, is_triple: bool, depth: usize) -> Option<usize> {
        let mut at = start;
        loop {
            match *self.text.get(at)? {
                b'}' => return Some(at + 1),
                b'{' => at = self.hole(at + 1, is_triple, depth + 1)?,
                b'\n' if !is_triple => return None,
                b'\\' => return None,
                _ => at += 1,
            }
        }
    }

    /// Whether the letters before a quote open a string with expressions in it.
    fn is_format(&self, quote_at: usize) -> bool {
        let front = &self.text[quote_at.saturating_sub(3)..quote_at];
        let n_letters = front.iter().rev().take_while(|&&byte| is_word(byte)).count();
        let letters = &front[front.len() - n_letters..];
        letters.len() < 3 && letters.iter().any(|byte| matches!(byte, b'f' | b'F' | b't' | b'T'))
    }
}

/// The most letters of a last word that are compared with the words after which a statement goes on. All of these are
/// shorter.
const MAX_WORD: usize = 12;

/// How many bytes of a name are searched for its `}`. The names of all characters are shorter.
const MAX_NAME: usize = 100;

/// The bracket that this one closes.
fn opening(close: u8) -> u8 {
    match close {
        b')' => b'(',
        b']' => b'[',
        _ => b'{',
    }
}
