//! The tokens of a text in a language with braces: words, marks, strings, and brackets with their partners. Strings
//! are called texts in this module.

use locant_text::{Range, trimmed};
use locant_tree::{Attachable, Attached};

/// How comments and texts are written in a language with braces. All such languages have `//` and `/* */`.
#[derive(Debug)]
pub(crate) struct Lexicon {
    /// Whether `/* /* */ */` is one comment.
    pub(crate) nested_comments: bool,
    /// Whether `#` at the start of a line opens a directive. Directives are skipped, and all branches of a condition
    /// are read, as in `locant-lang`.
    pub(crate) has_directives: bool,
    /// Whether `#` opens a comment, unless `[` follows.
    pub(crate) has_hash_comments: bool,
    /// The mark before the word of a heredoc, such as `<<<`. A heredoc ends with a line that starts with its word.
    /// Empty if the language has no heredocs.
    pub(crate) heredoc: &'static str,
    /// Marks or letters before a quote that change how the text is read: `$@` in `$@"…"`, `br` in `br#"…"#`.
    pub(crate) prefixes: &'static [Prefix],
    /// The quotes of texts without a prefix. Longer ones come first.
    pub(crate) texts: &'static [Quotes],
    /// What a tick opens.
    pub(crate) tick: Tick,
    /// Marks that may be part of a word.
    pub(crate) word_marks: &'static [u8],
    /// Marks that a word may start with: `@class`.
    pub(crate) marked_words: &'static [u8],
}

/// What may come before the quote of a text, and how such a text is read.
#[derive(Debug)]
pub(crate) struct Prefix {
    pub(crate) marks: &'static str,
    pub(crate) form: Form,
}

/// How a text with a prefix is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Like a text without a prefix.
    Plain,
    /// The text ends with a quote that is followed by as many `#` as it started with: `r#"…"#`.
    Hashes,
    /// The text ends with a quote that is not doubled: `@"…""…"`.
    Doubled,
    /// The text contains expressions in braces: `$"{a}"`.
    Holes,
    /// `Doubled` and `Holes` together: `$@"{a}""…"`.
    DoubledWithHoles,
}

/// How a text without a prefix is written.
#[derive(Debug)]
pub(crate) struct Quotes {
    pub(crate) open: &'static str,
    pub(crate) close: &'static str,
    /// Whether a backslash escapes the next byte.
    pub(crate) escapes: bool,
    /// Whether the text may span several lines.
    pub(crate) is_long: bool,
}

/// What a tick opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tick {
    Character,
    /// A character, or a name with the tick before it: `'a`.
    Lifetime,
    /// A text, which may span several lines.
    Text,
}

/// A part of a text that is neither blank nor comment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// For a bracket, the index of the other bracket of the pair. For any other token, its own index.
    pub(crate) partner: u32,
    /// The byte of a mark. `a` for words and numbers, `"` for texts.
    pub(crate) mark: u8,
    /// Whether there is a line break between the previous token and this one.
    pub(crate) is_below: bool,
    /// Whether there is a conditional directive between the previous token and this one: `#if`, `#else`, `#endif`.
    pub(crate) is_conditional: bool,
    /// For an opening bracket of a script, whether nothing in it can declare anything.
    pub(crate) is_plain: bool,
}

/// The mark of words.
pub(crate) const WORD: u8 = b'a';

/// The mark of texts.
pub(crate) const TEXT: u8 = b'"';

/// The tokens and comments of a source. `None` if a text, comment or bracket in it is not closed.
pub(crate) fn tokens(text: &[u8], lexicon: &Lexicon) -> Option<(Vec<Token>, Vec<Attachable>)> {
    let mut lexer = Lexer {
        text,
        lexicon,
        at: 0,
        is_below: true,
        is_conditional: false,
        tokens: Vec::with_capacity(text.len() / 5),
        open: Vec::new(),
        comments: Vec::new(),
    };
    lexer.run()?;
    lexer.open.is_empty().then_some((lexer.tokens, lexer.comments))
}

struct Lexer<'a> {
    text: &'a [u8],
    lexicon: &'a Lexicon,
    at: usize,
    is_below: bool,
    is_conditional: bool,
    tokens: Vec<Token>,
    /// The indices of the tokens of open brackets, the innermost last.
    open: Vec<u32>,
    comments: Vec<Attachable>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    Break,
    Word,
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
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | 0x80..=0xff => Class::Word,
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
    fn run(&mut self) -> Option<()> {
        while let Some(&byte) = self.text.get(self.at) {
            match CLASSES[usize::from(byte)] {
                Class::Blank => self.at += 1,
                Class::Break => {
                    self.at += 1;
                    self.is_below = true;
                }
                Class::Word => self.word()?,
                Class::Quote => {
                    let end = self.quoted(self.at)?;
                    // The tick of a lifetime is a mark.
                    let is_mark = byte == b'\'' && end == self.at + 1;
                    self.push(if is_mark { byte } else { TEXT }, end);
                }
                Class::Slash => self.slash()?,
                Class::Open => {
                    self.open.push(u32::try_from(self.tokens.len()).ok()?);
                    self.push(byte, self.at + 1);
                }
                Class::Close => self.close(byte)?,
                Class::Mark => self.mark(byte)?,
            }
        }
        Some(())
    }

    fn push(&mut self, mark: u8, end: usize) {
        // A text is shorter than 4 GB; `readable` checks that.
        #[allow(clippy::cast_possible_truncation, reason = "a text that is read is shorter than 4 GB")]
        let (start, end_byte, partner) = (self.at as u32, end as u32, self.tokens.len() as u32);
        let (is_below, is_conditional) = (self.is_below, self.is_conditional);
        self.tokens.push(Token {
            start,
            end: end_byte,
            partner,
            mark,
            is_below,
            is_conditional,
            is_plain: false,
        });
        (self.is_below, self.is_conditional) = (false, false);
        self.at = end;
    }

    fn close(&mut self, byte: u8) -> Option<()> {
        let open = self.open.pop()?;
        let own = u32::try_from(self.tokens.len()).ok()?;
        let token = &mut self.tokens[open as usize];
        let is_pair = matches!((token.mark, byte), (b'(', b')') | (b'[', b']') | (b'{', b'}'));
        token.partner = own;
        self.push(byte, self.at + 1);
        self.tokens.last_mut()?.partner = open;
        is_pair.then_some(())
    }

    fn word(&mut self) -> Option<()> {
        let rest = &self.text[self.at..];
        let is_part =
            |byte: &u8| CLASSES[usize::from(*byte)] == Class::Word || self.lexicon.word_marks.contains(byte);
        let length = rest.iter().take_while(|byte| is_part(byte)).count();
        match rest.get(length) {
            Some(b'"' | b'\'' | b'#') if !self.lexicon.prefixes.is_empty() => self.prefixed(length),
            _ => {
                self.push(WORD, self.at + length);
                Some(())
            }
        }
    }

    /// Reads a word before a quote or `#`. It may be the prefix of a text.
    fn prefixed(&mut self, length: usize) -> Option<()> {
        let end = self.at + length;
        let letters = &self.text[self.at..end];
        let prefix = self.lexicon.prefixes.iter().find(|prefix| prefix.marks.as_bytes() == letters);
        // A keyword that is used as a name: `r#type`.
        if let (Some(_), [b'#', rest @ ..]) = (prefix, &self.text[end..])
            && let length @ 1.. = crate::bytes::word(rest)
        {
            self.push(WORD, end + 1 + length);
            return Some(());
        }
        let is_text = match (prefix.map(|prefix| prefix.form), &self.text[end..]) {
            (Some(Form::Hashes), rest) => {
                let n_hashes = rest.iter().take_while(|byte| **byte == b'#').count();
                rest.get(n_hashes) == Some(&b'"')
            }
            (Some(_), [b'#', ..]) | (None, _) => false,
            (Some(_), _) => true,
        };
        match prefix.filter(|_| is_text) {
            Some(prefix) => self.with_prefix(prefix, end),
            None => {
                self.push(WORD, end);
                Some(())
            }
        }
    }

    /// Reads a text with a prefix. `quote` is where the prefix ends.
    fn with_prefix(&mut self, prefix: &Prefix, quote: usize) -> Option<()> {
        let end = match prefix.form {
            Form::Plain => self.quoted(quote)?,
            Form::Hashes => {
                let n_hashes = self.text[quote..].iter().take_while(|byte| **byte == b'#').count();
                let close = [&b"\""[..], &b"#".repeat(n_hashes)].concat();
                let inside = quote + n_hashes + 1;
                inside + memchr::memmem::find(&self.text[inside..], &close)? + close.len()
            }
            Form::Doubled => {
                let mut at = quote + 1;
                loop {
                    at += memchr::memchr(b'"', &self.text[at..])? + 1;
                    if self.text.get(at) != Some(&b'"') {
                        break at;
                    }
                    at += 1;
                }
            }
            Form::Holes if self.text[quote..].starts_with(b"\"\"\"") => self.quoted(quote)?,
            Form::Holes => self.with_holes(quote, false, 0)?,
            Form::DoubledWithHoles => self.with_holes(quote, true, 0)?,
        };
        self.push(TEXT, end);
        Some(())
    }

    fn mark(&mut self, byte: u8) -> Option<()> {
        if self.lexicon.word_marks.contains(&byte) {
            return self.word();
        }
        if byte == b'#' && self.is_below && self.lexicon.has_directives {
            let rest = &self.text[self.at..];
            let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
            let word = line[1..].trim_ascii_start();
            self.is_conditional |= [&b"if"[..], b"el", b"endif"].iter().any(|start| word.starts_with(start));
            self.at += line.len();
            return Some(());
        }
        if byte == b'#' && self.lexicon.has_hash_comments && self.text.get(self.at + 1) != Some(&b'[') {
            let rest = &self.text[self.at..];
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let range = trimmed(self.text, self.at..self.at + end);
            self.comments.push(Attachable { range, attached: Attached::Comment });
            self.at += end;
            return Some(());
        }
        if !self.lexicon.heredoc.is_empty()
            && self.text[self.at..].starts_with(self.lexicon.heredoc.as_bytes())
        {
            let end = self.heredoc()?;
            self.push(TEXT, end);
            return Some(());
        }
        if matches!(byte, b'@' | b'$') {
            let marks = |prefix: &&Prefix| {
                let rest = &self.text[self.at..];
                rest.starts_with(prefix.marks.as_bytes()) && rest.get(prefix.marks.len()) == Some(&b'"')
            };
            if let Some(prefix) = self.lexicon.prefixes.iter().find(marks) {
                return self.with_prefix(prefix, self.at + prefix.marks.len());
            }
        }
        if self.lexicon.marked_words.contains(&byte) {
            let length = crate::bytes::word(&self.text[self.at + 1..]);
            self.push(if length > 0 { WORD } else { byte }, self.at + 1 + length);
            return Some(());
        }
        self.push(byte, self.at + 1);
        Some(())
    }

    /// The end of a text with expressions in it, given its opening quote.
    fn with_holes(&self, quote: usize, is_doubled: bool, depth: usize) -> Option<usize> {
        let mut at = quote + 1;
        loop {
            let byte = *self.text.get(at)?;
            let next = self.text.get(at + 1).copied();
            at = match byte {
                b'"' if is_doubled && next == Some(b'"') => at + 2,
                b'"' => return Some(at + 1),
                b'{' if next == Some(b'{') => at + 2,
                b'{' => self.hole(at + 1, depth)?,
                b'\\' if !is_doubled => at + 2,
                b'\n' if !is_doubled => return None,
                _ => at + 1,
            };
        }
    }

    /// The end of an expression inside a text, given the place after its `{`. Texts inside it may have expressions too.
    fn hole(&self, start: usize, depth: usize) -> Option<usize> {
        if depth >= MAX_DEPTH {
            return None;
        }
        let mut n_open = 0_usize;
        let mut at = start;
        loop {
            let rest = self.text.get(at..)?;
            at = match rest {
                [b'}', ..] if n_open == 0 => return Some(at + 1),
                [b'$', b'@', b'"', ..] | [b'@', b'$', b'"', ..] => {
                    self.with_holes(at + 2, true, depth + 1)?
                }
                [b'$', b'"', ..] => self.with_holes(at + 1, false, depth + 1)?,
                [b'"', ..] => self.quoted(at)?,
                [b'\'', ..] => self.tick(at)?,
                [b'(' | b'[' | b'{', ..] => {
                    n_open += 1;
                    at + 1
                }
                [b')' | b']' | b'}', ..] => {
                    n_open = n_open.checked_sub(1)?;
                    at + 1
                }
                // The format of the value follows: `{a:x2}`.
                [b':', ..] if n_open == 0 => {
                    let length = rest.iter().position(|byte| matches!(byte, b'}' | b'{' | b'"' | b'\n'))?;
                    return (rest[length] == b'}').then_some(at + length + 1);
                }
                [b'\n' | b'/' | b'@', ..] | [] => return None,
                _ => at + 1,
            };
        }
    }

    /// The end of the text with this opening quote.
    fn quoted(&self, quote: usize) -> Option<usize> {
        let rest = &self.text[quote..];
        if rest[0] == b'\'' {
            return self.tick(quote);
        }
        let quotes = self.lexicon.texts.iter().find(|quotes| rest.starts_with(quotes.open.as_bytes()))?;
        let mut at = quote + quotes.open.len();
        let close = quotes.close.as_bytes();
        loop {
            at += memchr::memchr3(close[0], b'\\', b'\n', &self.text[at..])?;
            match self.text[at] {
                b'\\' if quotes.escapes => at += 2,
                b'\n' if !quotes.is_long => return None,
                byte if byte == close[0] && self.text[at..].starts_with(close) => {
                    return Some(at + close.len());
                }
                _ => at += 1,
            }
            if at > self.text.len() {
                return None;
            }
        }
    }

    /// The end of the character or text that a tick opens. If it opens neither, the end of the tick itself.
    fn tick(&self, quote: usize) -> Option<usize> {
        let rest = &self.text[quote + 1..];
        if self.lexicon.tick == Tick::Text {
            return self.plain_end(quote + 1, b'\'');
        }
        let first = *rest.first()?;
        if first == b'\\' {
            let close =
                rest.iter().skip(2).take(MAX_ESCAPE).position(|byte| matches!(byte, b'\'' | b'\n'))?;
            return (rest[close + 2] == b'\'').then_some(quote + close + 4);
        }
        let width = match first {
            0..0x80 => 1,
            0x80..0xe0 => 2,
            0xe0..0xf0 => 3,
            _ => 4,
        };
        match (rest.get(width), self.lexicon.tick) {
            (Some(b'\''), _) if first != b'\n' => Some(quote + width + 2),
            (_, Tick::Lifetime) => Some(quote + 1),
            (_, Tick::Character | Tick::Text) => None,
        }
    }

    /// The end of a text that ends with the next quote that has no backslash before it.
    fn plain_end(&self, mut at: usize, quote: u8) -> Option<usize> {
        loop {
            at += memchr::memchr2(quote, b'\\', self.text.get(at..)?)?;
            if self.text[at] == quote {
                return Some(at + 1);
            }
            at += 2;
        }
    }

    /// The end of the heredoc that starts here.
    fn heredoc(&self) -> Option<usize> {
        let rest = &self.text[self.at + self.lexicon.heredoc.len()..];
        let first = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'"' | b'\''))?;
        let word = &rest[first..first + crate::bytes::word(&rest[first..])];
        let line = memchr::memchr(b'\n', rest)?;
        if word.is_empty() || line > first + word.len() + 2 {
            return None;
        }
        let is_end = |at: &usize| {
            let n_blanks = rest[..*at].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            let starts_line = rest[..at - n_blanks].ends_with(b"\n");
            let after = rest.get(at + word.len()).copied().unwrap_or(b'\n');
            starts_line && !crate::bytes::is_word(after)
        };
        let end = memchr::memmem::find_iter(&rest[line..], word).map(|at| line + at).find(is_end)?;
        Some(self.at + self.lexicon.heredoc.len() + end + word.len())
    }

    fn slash(&mut self) -> Option<()> {
        let rest = &self.text[self.at..];
        let end = match rest {
            [b'/', b'/', ..] => memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
            [b'/', b'*', ..] => self.block_comment(rest)?,
            _ => {
                self.push(b'/', self.at + 1);
                return Some(());
            }
        };
        let range = trimmed(self.text, self.at..self.at + end);
        self.comments.push(Attachable { range, attached: Attached::Comment });
        self.is_below |= memchr::memchr(b'\n', &rest[..end]).is_some();
        self.at += end;
        Some(())
    }

    fn block_comment(&self, rest: &[u8]) -> Option<usize> {
        let mut at = 2;
        let mut depth = 1;
        loop {
            at += memchr::memchr2(b'*', b'/', &rest[at..])?;
            match &rest[at..] {
                [b'*', b'/', ..] => {
                    at += 2;
                    depth -= 1;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                [b'/', b'*', ..] if self.lexicon.nested_comments => {
                    at += 2;
                    depth += 1;
                }
                _ => at += 1,
            }
        }
    }
}

/// How deep texts with expressions may be nested in each other.
const MAX_DEPTH: usize = 8;

/// How far the closing tick of an escaped character is searched for. The longest escape is `'\u{10FFFF}'`.
const MAX_ESCAPE: usize = 12;

impl Token {
    /// Where the token is.
    pub(crate) fn range(&self) -> Range {
        Range::of_indices(self.start as usize..self.end as usize)
    }
}
