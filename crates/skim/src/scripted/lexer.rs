//! The tokens of a script in JavaScript, TypeScript, or one of their dialects with elements.
//!
//! What a slash or a `<` means depends on the token before it: `a / b`, `return /b/`. A whole template is one token. An
//! element becomes a pair of brackets around the expressions in it.

use locant_tree::{Attachable, Attached};

use crate::tokens::{TEXT, Token, WORD};
use locant_text::trimmed;

use super::Scripted;
use super::marks::{
    ARROW, AUGMENTED, BINARY, CHAIN, ELEMENT, ELEMENT_END, NUMBER, REGEX, SPREAD, TEMPLATE, UPDATE,
};

/// The tokens and comments of a script. `None` if something in the script is not closed, or may be read in two ways.
pub(super) fn tokens(text: &[u8], dialect: &Scripted) -> Option<(Vec<Token>, Vec<Attachable>)> {
    let mut lexer = Lexer {
        text,
        dialect,
        at: 0,
        is_below: true,
        tokens: Vec::with_capacity(text.len() / 5),
        open: Vec::new(),
        comments: Vec::new(),
        n_declaring: 0,
        n_vain: 0,
    };
    // A line separator ends a line, but it is not an ASCII blank.
    if memchr::memmem::find(text, "\u{2028}".as_bytes()).is_some() {
        return None;
    }
    lexer.shebang();
    lexer.code(usize::MAX, 0)?;
    lexer.open.is_empty().then_some((lexer.tokens, lexer.comments))
}

/// How deep templates and elements may be nested in each other.
const MAX_DEPTH: usize = 32;

/// How often a text may be read in vain as an element: the bytes read in vain are at most this many times its length.
const MAX_VAIN: usize = 4;

/// An open bracket.
#[derive(Clone, Copy)]
struct Open {
    token: u32,
    /// The number of tokens before the bracket that may be a part of a declaration.
    n_declaring: u32,
}

struct Lexer<'a> {
    text: &'a [u8],
    dialect: &'a Scripted,
    at: usize,
    is_below: bool,
    tokens: Vec<Token>,
    /// The brackets that are open, the innermost last.
    open: Vec<Open>,
    comments: Vec<Attachable>,
    /// The number of tokens so far that may be a part of a declaration: `{`, `=`, `=>`.
    n_declaring: u32,
    /// The number of bytes that were read as elements, but turned out to be something else.
    n_vain: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    Break,
    Word,
    Digit,
    Quote,
    Slash,
    Open,
    Close,
    Mark,
}

static CLASSES: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    let mut classes = [Class::Mark; 256];
    let mut byte: u8 = 0;
    loop {
        classes[byte as usize] = match byte {
            b' ' | b'\t' | b'\r' | b'\x0c' | b'\x0b' => Class::Blank,
            b'\n' => Class::Break,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80..=0xff => Class::Word,
            b'0'..=b'9' => Class::Digit,
            b'"' | b'\'' | b'`' => Class::Quote,
            b'/' => Class::Slash,
            b'(' | b'[' | b'{' => Class::Open,
            b')' | b']' | b'}' => Class::Close,
            _ => Class::Mark,
        };
        if byte == u8::MAX {
            break;
        }
        byte += 1;
    }
    classes
}

impl Lexer<'_> {
    /// Reads code until a bracket closes and only `depth` brackets are still open. If that never happens, reads up to
    /// the end of the text.
    fn code(&mut self, depth: usize, level: usize) -> Option<()> {
        if level > MAX_DEPTH {
            return None;
        }
        while let Some(&byte) = self.text.get(self.at) {
            match CLASSES[usize::from(byte)] {
                Class::Blank => self.at += 1,
                Class::Break => {
                    self.at += 1;
                    self.is_below = true;
                }
                Class::Word => self.word(0)?,
                Class::Digit => self.number(),
                Class::Quote if byte == b'`' => self.template(level)?,
                Class::Quote => {
                    let end = self.quoted(byte)?;
                    self.push(TEXT, end);
                }
                Class::Slash => self.slash()?,
                Class::Open => {
                    self.n_declaring += u32::from(byte == b'{');
                    self.open(byte)?;
                }
                Class::Close => {
                    self.close(byte)?;
                    if self.open.len() == depth {
                        return Some(());
                    }
                }
                Class::Mark => self.mark(byte, level)?,
            }
        }
        (depth == usize::MAX).then_some(())
    }

    fn push(&mut self, mark: u8, end: usize) {
        #[allow(clippy::cast_possible_truncation, reason = "a text that is read is shorter than 4 GB")]
        let (start, end_byte, partner) = (self.at as u32, end as u32, self.tokens.len() as u32);
        let is_below = self.is_below;
        self.tokens.push(Token {
            start,
            end: end_byte,
            partner,
            mark,
            is_below,
            is_conditional: false,
            is_plain: false,
        });
        self.is_below = false;
        self.at = end;
    }

    fn open(&mut self, mark: u8) -> Option<()> {
        let token = u32::try_from(self.tokens.len()).ok()?;
        self.open.push(Open { token, n_declaring: self.n_declaring });
        self.push(mark, self.at + 1);
        Some(())
    }

    fn close(&mut self, mark: u8) -> Option<()> {
        let open = self.open.pop()?;
        let own = u32::try_from(self.tokens.len()).ok()?;
        let token = &mut self.tokens[open.token as usize];
        let is_pair =
            matches!((token.mark, mark), (b'(', b')') | (b'[', b']') | (b'{', b'}') | (ELEMENT, ELEMENT_END));
        token.partner = own;
        token.is_plain = open.n_declaring == self.n_declaring;
        let end = if mark == ELEMENT_END { self.at } else { self.at + 1 };
        self.push(mark, end);
        self.tokens.last_mut()?.partner = open.token;
        is_pair.then_some(())
    }

    fn shebang(&mut self) {
        let first = self.text.iter().take_while(|byte| **byte == b'\n').count();
        if self.text[first..].starts_with(b"#!") {
            self.at = first;
            let line = memchr::memchr(b'\n', &self.text[first..]).unwrap_or(self.text.len() - first);
            self.comment(line);
        }
    }

    /// Reads a word, after `n_marks` marks that belong to it.
    fn word(&mut self, n_marks: usize) -> Option<()> {
        let rest = &self.text[self.at + n_marks..];
        let is_part = |byte: &u8| matches!(CLASSES[usize::from(*byte)], Class::Word | Class::Digit);
        let length = rest.iter().take_while(|byte| is_part(byte)).count();
        let word = &rest[..length];
        // All non-ASCII bytes count as letters here, even those of blanks.
        if length == 0 || rest.get(length) == Some(&b'\\') || !word.is_ascii() && has_blank(word) {
            return None;
        }
        self.push(WORD, self.at + n_marks + length);
        Some(())
    }

    fn number(&mut self) {
        let rest = &self.text[self.at..];
        let is_hex = matches!(rest, [b'0', b'x' | b'X', ..]);
        let mut length = 0;
        let mut has_point = false;
        while let Some(byte) = rest.get(length) {
            let is_part = match byte {
                b'.' => !std::mem::replace(&mut has_point, true),
                b'+' | b'-' => !is_hex && matches!(rest[..length].last(), Some(b'e' | b'E')),
                byte => byte.is_ascii_alphanumeric() || *byte == b'_',
            };
            if !is_part {
                break;
            }
            length += 1;
        }
        self.push(NUMBER, self.at + length);
    }

    /// The end of the string that opens with this quote.
    fn quoted(&self, quote: u8) -> Option<usize> {
        let mut at = self.at + 1;
        loop {
            at += memchr::memchr3(quote, b'\\', b'\n', self.text.get(at..)?)?;
            match self.text[at] {
                b'\\' => at += if self.text.get(at + 1) == Some(&b'\r') { 3 } else { 2 },
                b'\n' => return None,
                _ => return Some(at + 1),
            }
        }
    }

    fn template(&mut self, level: usize) -> Option<()> {
        let (start, is_below, n_declaring) = (self.at, self.is_below, self.n_declaring);
        let (n_tokens, n_comments) = (self.tokens.len(), self.comments.len());
        self.at += 1;
        loop {
            self.at += memchr::memchr3(b'`', b'\\', b'$', self.text.get(self.at..)?)?;
            match &self.text[self.at..] {
                [b'`', ..] => break,
                [b'\\', ..] => self.at += 2,
                [b'$', b'{', ..] => {
                    self.at += 1;
                    let depth = self.open.len();
                    self.open(b'{')?;
                    self.code(depth, level + 1)?;
                }
                _ => self.at += 1,
            }
        }
        let end = self.at + 1;
        self.tokens.truncate(n_tokens);
        self.comments.truncate(n_comments);
        (self.at, self.is_below, self.n_declaring) = (start, is_below, n_declaring);
        self.push(TEMPLATE, end);
        Some(())
    }

    fn comment(&mut self, length: usize) {
        let range = trimmed(self.text, self.at..self.at + length);
        self.comments.push(Attachable { range, attached: Attached::Comment });
        self.is_below |= memchr::memchr(b'\n', &self.text[self.at..self.at + length]).is_some();
        self.at += length;
    }

    /// Reads a comment, if one starts here. Returns whether one does.
    fn comments(&mut self) -> Option<bool> {
        let rest = &self.text[self.at..];
        let length = match rest {
            [b'/', b'/', ..] => memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
            [b'/', b'*', rest @ ..] => memchr::memmem::find(rest, b"*/")? + 4,
            _ => return Some(false),
        };
        self.comment(length);
        Some(true)
    }

    fn slash(&mut self) -> Option<()> {
        if self.comments()? {
            return Some(());
        }
        if self.expects_operand()? {
            let end = self.regex()?;
            self.push(REGEX, end);
            return Some(());
        }
        let is_augmented = self.text.get(self.at + 1) == Some(&b'=');
        let mark = if is_augmented { AUGMENTED } else { BINARY };
        self.push(mark, self.at + 1 + usize::from(is_augmented));
        Some(())
    }

    fn regex(&self) -> Option<usize> {
        let mut at = self.at + 1;
        let mut is_class = false;
        loop {
            match self.text.get(at)? {
                b'\n' => return None,
                b'\\' => at += 1,
                b'[' => is_class = true,
                b']' => is_class = false,
                b'/' if !is_class => break,
                _ => {}
            }
            at += 1;
        }
        let flags = self.text[at + 1..].iter().take_while(|byte| byte.is_ascii_lowercase());
        Some(at + 1 + flags.count())
    }

    /// Whether an operand may start here. `None` if only a parser can tell.
    fn expects_operand(&self) -> Option<bool> {
        let Some(last) = self.tokens.last() else { return Some(true) };
        let n_tokens = self.tokens.len();
        let before = n_tokens.checked_sub(2).map(|before| &self.tokens[before]);
        Some(match last.mark {
            WORD => {
                let is_member = before.is_some_and(|before| matches!(before.mark, b'.' | CHAIN));
                let word = &self.text[last.start as usize..last.end as usize];
                if !is_member && matches!(word, b"of" | b"await" | b"yield") {
                    return None;
                }
                !is_member && is_before_operand(word)
            }
            b')' => {
                let head = (last.partner as usize).checked_sub(1).map(|head| &self.tokens[head]);
                let word = head.map_or(&[][..], |head| &self.text[head.start as usize..head.end as usize]);
                let front = (last.partner as usize).checked_sub(2).map(|front| self.tokens[front].mark);
                matches!(word, b"if" | b"while" | b"for" | b"with") && !matches!(front, Some(b'.' | CHAIN))
            }
            b'}' | ELEMENT_END => return None,
            b']' | NUMBER | TEXT | TEMPLATE | REGEX | UPDATE => false,
            // In TypeScript's `a! / b`, the `!` belongs to `a`, and a division follows. In `!/b/`, the `!` means "not".
            b'!' if self.dialect.has_types => {
                let is_glued = before.is_some_and(|before| before.end == last.start);
                !(is_glued && before.is_some_and(|before| matches!(before.mark, WORD | b')' | b']')))
            }
            _ => true,
        })
    }

    fn mark(&mut self, byte: u8, level: usize) -> Option<()> {
        if byte == b'<' && self.dialect.has_elements && self.may_be_element() {
            return self.element_or_less(level);
        }
        let rest = &self.text[self.at..];
        if rest.starts_with(b"<!--") || rest.starts_with(b"-->") {
            return None;
        }
        let (mark, length) = match rest {
            [b'#', ..] => return self.word(1),
            [b'.', b'0'..=b'9', ..] => {
                let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
                (NUMBER, 1 + rest[1..].iter().take_while(is_part).count())
            }
            // `>>` may close two lists of types.
            [b'>', ..] if self.dialect.has_types => (b'>', 1),
            _ => operator(rest)?,
        };
        self.n_declaring += u32::from(matches!(mark, ARROW | b'='));
        self.push(mark, self.at + length);
        Some(())
    }

    fn may_be_element(&self) -> bool {
        let next = self.text.get(self.at + 1).copied().unwrap_or(0);
        let is_start = matches!(CLASSES[usize::from(next)], Class::Word) || next == b'>';
        let last = self.tokens.last();
        let word = last.filter(|last| last.mark == WORD);
        let word = word.map_or(&[][..], |last| &self.text[last.start as usize..last.end as usize]);
        let may_yield = matches!(word, b"yield" | b"await" | b"of");
        is_start && (may_yield || self.expects_operand() == Some(true))
    }

    /// Reads an element. In a dialect with types, `<` may open type parameters too.
    fn element_or_less(&mut self, level: usize) -> Option<()> {
        let saved = (self.at, self.is_below, self.n_declaring);
        let (n_tokens, n_comments, n_open) = (self.tokens.len(), self.comments.len(), self.open.len());
        if self.element(level).is_some() {
            return Some(());
        }
        // This may be a list of types. But the text must not be read in vain many times.
        self.n_vain += self.at.saturating_sub(saved.0);
        if !self.dialect.has_types || self.n_vain > MAX_VAIN * self.text.len() {
            return None;
        }
        self.tokens.truncate(n_tokens);
        self.comments.truncate(n_comments);
        self.open.truncate(n_open);
        (self.at, self.is_below, self.n_declaring) = saved;
        self.push(b'<', self.at + 1);
        Some(())
    }

    /// Reads an element with all elements inside it.
    fn element(&mut self, level: usize) -> Option<()> {
        if level > MAX_DEPTH {
            return None;
        }
        let mut n_open = 0_usize;
        self.open(ELEMENT)?;
        loop {
            self.blanks()?;
            match self.text.get(self.at)? {
                b'/' => {
                    self.at += 1;
                    self.blanks()?;
                    self.at += self.tag_name();
                    self.blanks()?;
                    self.expect(b'>')?;
                    n_open = n_open.checked_sub(1)?;
                }
                b'>' => {
                    self.at += 1;
                    n_open += 1;
                }
                _ => n_open += usize::from(self.tag(level)?),
            }
            if n_open == 0 {
                break;
            }
            self.children(level)?;
        }
        self.close(ELEMENT_END)
    }

    /// Reads the name and attributes of a tag, up to the end of the tag. Returns whether the element goes on after it.
    fn tag(&mut self, level: usize) -> Option<bool> {
        let length = self.tag_name();
        if length == 0 {
            return None;
        }
        self.at += length;
        if self.dialect.has_types && self.text.get(self.at) == Some(&b'<') {
            self.at += angled(&self.text[self.at..])?;
        }
        loop {
            self.blanks()?;
            match self.text.get(self.at)? {
                b'>' => {
                    self.at += 1;
                    return Some(true);
                }
                b'/' => {
                    self.at += 1;
                    self.expect(b'>')?;
                    return Some(false);
                }
                b'{' => self.hole(level)?,
                _ => self.attribute(level)?,
            }
        }
    }

    fn attribute(&mut self, level: usize) -> Option<()> {
        let length = self.tag_name();
        if length == 0 {
            return None;
        }
        self.at += length;
        self.blanks()?;
        if self.text.get(self.at) != Some(&b'=') {
            return Some(());
        }
        self.at += 1;
        self.blanks()?;
        match *self.text.get(self.at)? {
            quote @ (b'"' | b'\'') => {
                self.at += memchr::memchr(quote, &self.text[self.at + 1..])? + 2;
                Some(())
            }
            b'{' => self.hole(level),
            b'<' => self.element(level + 1),
            _ => None,
        }
    }

    /// Skips the text of an element up to the next tag. Reads the expressions in this text.
    fn children(&mut self, level: usize) -> Option<()> {
        loop {
            let text = self.text[self.at..].iter();
            self.at += text.take_while(|byte| !matches!(byte, b'<' | b'{' | b'>' | b'}')).count();
            match self.text.get(self.at)? {
                b'<' => {
                    self.at += 1;
                    return Some(());
                }
                b'{' => self.hole(level)?,
                _ => return None,
            }
        }
    }

    /// Reads an expression in braces.
    fn hole(&mut self, level: usize) -> Option<()> {
        let depth = self.open.len();
        self.open(b'{')?;
        self.code(depth, level + 1)
    }

    fn tag_name(&self) -> usize {
        let is_part = |byte: &&u8| {
            matches!(CLASSES[usize::from(**byte)], Class::Word | Class::Digit)
                || matches!(byte, b'-' | b':' | b'.')
        };
        self.text[self.at..].iter().take_while(is_part).count()
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        let is_it = self.text.get(self.at) == Some(&byte);
        self.at += 1;
        is_it.then_some(())
    }

    fn blanks(&mut self) -> Option<()> {
        loop {
            let rest = &self.text[self.at..];
            self.at += rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            if !self.comments()? {
                return Some(());
            }
        }
    }
}

/// The mark and length of the operator that a text starts with.
fn operator(rest: &[u8]) -> Option<(u8, usize)> {
    Some(match rest {
        [b'.', b'.', b'.', ..] => (SPREAD, 3),
        [b'=', b'>', ..] => (ARROW, 2),
        [b'?', b'.', next, ..] if !next.is_ascii_digit() => (CHAIN, 2),
        [b'=' | b'!', b'=', b'=', ..] | [b'>', b'>', b'>', ..] if rest.get(3) != Some(&b'=') => (BINARY, 3),
        [b'=' | b'!', b'=', ..] => (BINARY, 2),
        [b'+', b'+', ..] | [b'-', b'-', ..] => (UPDATE, 2),
        [b'>', b'>', b'>', b'=', ..] => (AUGMENTED, 4),
        [one @ (b'*' | b'<' | b'>' | b'&' | b'|' | b'?'), two, b'=', ..] if one == two => (AUGMENTED, 3),
        [one @ (b'*' | b'<' | b'>' | b'&' | b'|' | b'?'), two, ..] if one == two => (BINARY, 2),
        [b'<' | b'>', b'=', ..] => (BINARY, 2),
        [b'+' | b'-' | b'*' | b'%' | b'&' | b'|' | b'^', b'=', ..] => (AUGMENTED, 2),
        [
            mark @ (b'=' | b'!' | b'<' | b'>' | b'+' | b'-' | b'*' | b'%' | b'&' | b'|' | b'^' | b'~' | b'?'
            | b':' | b',' | b';' | b'.' | b'@'),
            ..,
        ] => (*mark, 1),
        _ => return None,
    })
}

/// Whether an operand follows this word.
fn is_before_operand(word: &[u8]) -> bool {
    matches!(
        word,
        b"return"
            | b"typeof"
            | b"case"
            | b"in"
            | b"delete"
            | b"void"
            | b"do"
            | b"else"
            | b"instanceof"
            | b"new"
            | b"throw"
            | b"default"
            | b"extends"
    )
}

/// Whether a word contains a character that is a blank, though it is not ASCII.
fn has_blank(word: &[u8]) -> bool {
    let is_blank = |c: char| c.is_whitespace() || matches!(c, '\u{200b}' | '\u{2060}' | '\u{feff}');
    std::str::from_utf8(word).is_ok_and(|word| word.contains(is_blank))
}

/// The length of the types in angle brackets that a text starts with.
fn angled(text: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' if depth == 1 => return Some(at + 1),
            b'>' => depth -= 1,
            b' ' | b',' | b'.' | b'|' | b'&' | b'[' | b']' | b'"' | b'_' | b'$' => {}
            byte if byte.is_ascii_alphanumeric() => {}
            _ => return None,
        }
    }
    None
}
