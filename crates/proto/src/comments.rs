//! Finds the declaration that a comment belongs to, and the text of a comment.
//!
//! Only comments after the end of a declaration, after the start of its block, or at the start of the file are kept.
//! There are three kinds: a trailing comment belongs to the declaration before it, a leading comment to the declaration
//! after it, and the comments between the two are detached. The rules are protoc's, quirks included, because tools rely
//! on them.

use crate::lexer::{Lexer, Token, TokenKind};

/// The range of a comment, or of several `//` lines that count as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Comment {
    pub(crate) start: u32,
    pub(crate) end: u32,
    is_block: bool,
}

/// The comments between two tokens.
#[derive(Default)]
pub(crate) struct Between {
    pub(crate) trailing: Option<Comment>,
    pub(crate) detached: Vec<Comment>,
    pub(crate) leading: Option<Comment>,
}

impl Comment {
    /// The text of the comment without `//`, `/*` and `*/`. In a block comment, all lines but the first also lose their
    /// leading blanks and one `*`.
    pub(crate) fn text(self, bytes: &[u8]) -> Vec<u8> {
        let written = &bytes[self.start as usize..self.end as usize];
        let mut text = Vec::with_capacity(written.len());
        if self.is_block {
            let body = written.strip_prefix(b"/*").unwrap_or(written);
            let body = body.strip_suffix(b"*/").unwrap_or(body);
            for (number, line) in body.split_inclusive(|&byte| byte == b'\n').enumerate() {
                let line = if number == 0 { line } else { trim_blanks(line) };
                let star = if number == 0 { None } else { line.strip_prefix(b"*") };
                text.extend_from_slice(star.unwrap_or(line));
            }
        } else {
            written.split_inclusive(|&byte| byte == b'\n').for_each(|line| {
                let line = trim_blanks(line);
                text.extend_from_slice(line.strip_prefix(b"//").unwrap_or(line));
            })
        }
        text
    }
}

fn trim_blanks(line: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c);
    &line[line.iter().take_while(|byte| is_blank(byte)).count()..]
}

/// Reads the next token and sorts the comments before it. The lexer must be after the end of a declaration. With
/// `is_start` it must be at the start of the file, where no comment is trailing.
pub(crate) fn next_with_comments(lexer: &mut Lexer<'_>, bytes: &[u8], is_start: bool) -> (Token, Between) {
    let start = lexer.at;
    let mut sorter = Sorter { may_trail: !is_start, ..Sorter::default() };
    let mut end_of_first_block = None;
    if !is_start {
        lexer.skip_blanks_of_line();
        match comment_start(lexer, bytes) {
            Some(false) => {
                sorter.add(lexer, false);
                sorter.flush();
            }
            Some(true) => {
                sorter.add(lexer, true);
                end_of_first_block = Some(lexer.at);
                lexer.skip_blanks_of_line();
                sorter.flush();
            }
            None if !lexer.eat(b'\n') => return (lexer.next(), Between::default()),
            None => {}
        }
    }
    loop {
        lexer.skip_blanks_of_line();
        match comment_start(lexer, bytes) {
            Some(false) => sorter.add(lexer, false),
            Some(true) => {
                sorter.add(lexer, true);
                // The line break right after a block comment does not make a blank line.
                lexer.skip_blanks_of_line();
                lexer.eat(b'\n');
            }
            None if lexer.eat(b'\n') => {
                sorter.flush();
                sorter.may_trail = false;
            }
            None => break,
        }
    }
    let token = lexer.next();
    let ends_scope = matches!(token.kind, TokenKind::End | TokenKind::Symbol(b'}' | b']' | b')'));
    if ends_scope {
        sorter.flush();
    }
    let is_alone = sorter.n_comments + usize::from(sorter.pending.is_some()) == 1;
    if is_alone && token.kind != TokenKind::End {
        let has_no_break = |from: usize| !bytes[from..token.end as usize].contains(&b'\n');
        if !is_start && has_no_break(start) || end_of_first_block.is_some_and(has_no_break) {
            sorter.detach();
        }
    }
    sorter.between.leading = sorter.pending;
    (token, sorter.between)
}

/// Whether the comment that starts here is a block; `None` when none starts here.
fn comment_start(lexer: &Lexer<'_>, bytes: &[u8]) -> Option<bool> {
    match bytes.get(lexer.at..lexer.at + 2) {
        Some(b"//") => Some(false),
        Some(b"/*") => Some(true),
        _ => None,
    }
}

#[derive(Default)]
struct Sorter {
    between: Between,
    /// The comment that was read last. What comes next decides whether it is leading.
    pending: Option<Comment>,
    /// How many comments were taken out of `pending`.
    n_comments: usize,
    /// Whether the next comment can be a trailing comment of the declaration that has ended.
    may_trail: bool,
}

impl Sorter {
    /// Reads the comment that starts here. A `//` line continues a pending `//` comment; any other comment starts a new
    /// one.
    fn add(&mut self, lexer: &mut Lexer<'_>, is_block: bool) {
        let start = offset(lexer.at);
        if is_block || self.pending.is_some_and(|pending| pending.is_block) {
            self.flush();
        }
        if is_block {
            lexer.block_comment()
        } else {
            lexer.line_comment()
        }
        let end = offset(lexer.at);
        self.pending = Some(match self.pending {
            Some(pending) => Comment { end, ..pending },
            None => Comment { start, end, is_block },
        });
    }

    /// Makes the pending comment trailing or detached. It is called when that comment cannot be leading.
    fn flush(&mut self) {
        let Some(comment) = self.pending.take() else { return };
        if self.may_trail {
            self.between.trailing = Some(comment);
        } else {
            self.between.detached.push(comment);
        }
        self.may_trail = false;
        self.n_comments += 1;
    }

    /// Makes the only comment detached: it is on one line with the declarations before and after it, and belongs to
    /// neither.
    fn detach(&mut self) {
        if let Some(trailing) = self.between.trailing.take() {
            self.between.detached.insert(0, trailing);
        }
        self.flush();
    }
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("a text holds at most u32::MAX bytes")
}
