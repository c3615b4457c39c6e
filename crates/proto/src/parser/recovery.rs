//! Finds the next statement or the end of a block in broken text.

use super::cursor::Block;
use super::{Parser, Scope};
use crate::flaw::Flaw;
use crate::lexer::{Lexer, Token, TokenKind};
use crate::table::LocationId;

/// Keywords that start a statement. The statement before such a keyword must have ended.
const STARTERS: &[&[u8]] = &[
    b"message",
    b"enum",
    b"service",
    b"extend",
    b"import",
    b"package",
    b"option",
    b"rpc",
    b"oneof",
    b"reserved",
    b"extensions",
    b"optional",
    b"repeated",
    b"required",
];

/// How many tokens to look ahead at most. Without a bound, hostile text would be read over and over.
pub(super) const MOST_AHEAD: usize = 200;

/// A line of the text.
#[derive(Clone, Copy, Default)]
pub(super) struct Line {
    start: usize,
    /// The text from `start` to here has no line break. It is 0 when no line has been looked up yet.
    seen: usize,
    /// How many blanks the line starts with.
    indent: usize,
}

impl Parser<'_> {
    /// Ends a statement at its `;`. If that is missing, the statement ends before the next line, or where the next
    /// statement starts.
    pub(super) fn end_statement(&mut self, location: Option<LocationId>) {
        if self.at(b';') {
            return self.end_declaration(location);
        }
        self.missing("`;`");
        if self.at_identifier()
            && matches!(self.next_token().kind, TokenKind::Symbol(b'=') | TokenKind::Identifier)
        {
            // The next statement is on the same line.
            return self.end_without_token(location);
        }
        let ends =
            |parser: &Self| matches!(parser.current.kind, TokenKind::Symbol(b';' | b'}') | TokenKind::End);
        while !ends(self) && !self.is_first_of_line() {
            if self.at(b'{') {
                return self.skip_block();
            }
            self.bump();
        }
        if self.at(b';') { self.end_declaration(location) } else { self.end_without_token(location) }
    }

    /// Steps over a statement that cannot be read.
    pub(super) fn skip_statement(&mut self) {
        let first = self.current.start;
        while !self.at_end() {
            let starts_other = self.current.start != first && self.is_first_of_line() && self.at_starter();
            match self.current.kind {
                TokenKind::Symbol(b';') => return self.end_declaration(None),
                TokenKind::Symbol(b'{') => return self.skip_block(),
                TokenKind::Symbol(b'}') => return,
                _ if starts_other => return,
                _ => self.bump(),
            }
        }
    }

    /// Steps over a block, from `{` to its `}`.
    pub(super) fn skip_block(&mut self) {
        let mut depth = 0;
        while !self.at_end() {
            match self.current.kind {
                TokenKind::Symbol(b'{') => depth += 1,
                TokenKind::Symbol(b'}') if depth == 1 => return self.end_declaration(None),
                TokenKind::Symbol(b'}') => depth -= 1,
                _ => {}
            }
            self.bump();
        }
    }

    /// Whether a new statement starts here, on a line of its own.
    pub(super) fn starts_statement(&self) -> bool {
        self.is_first_of_line()
            && self.at_starter()
            && matches!(self.next_token().kind, TokenKind::Identifier | TokenKind::Symbol(b'('))
    }

    fn at_starter(&self) -> bool {
        self.at_identifier() && STARTERS.contains(&self.text(self.current))
    }

    /// Enters a block; `false` when there is no block.
    ///
    /// If the `{` is missing, what follows is read as the block only if the file has more `}` than `{`.
    pub(super) fn enter_block(&mut self, location: LocationId) -> bool {
        if self.at(b'{') {
            self.end_declaration(Some(location));
            return true;
        }
        self.missing("`{`");
        if self.at(b';') {
            self.end_declaration(Some(location));
            return false;
        }
        let lost = self.balance() < 0;
        if lost {
            self.balance = Some(self.balance() + 1);
        }
        self.end_without_token(Some(location));
        lost
    }

    /// Reads the statements of a block and its end.
    pub(super) fn block(&mut self, block: Block, mut statement: impl FnMut(&mut Self)) {
        loop {
            if self.at_end() {
                return self.report_here(Flaw::Unclosed(block.what));
            }
            if self.n_to_close > 0 && self.is_outside(block) {
                self.n_to_close -= 1;
                self.missing("`}`");
                return self.end_without_token(None);
            }
            if self.at(b'}') {
                return self.end_declaration(None);
            }
            self.with_progress(&mut statement);
        }
    }

    /// Runs `read` in a new scope.
    pub(super) fn in_scope(&mut self, scope: Scope, read: impl FnOnce(&mut Self)) -> Scope {
        self.scopes.push(scope);
        read(self);
        self.scopes.pop().expect("a scope that was entered is left once")
    }

    /// The block of a declaration that starts at `start`.
    pub(super) fn block_at(&self, what: &'static str, start: u32) -> Block {
        Block { what, indent: self.indent(start) }
    }

    /// Whether the current token is outside of a block, judged by its indentation. The `}` of a block is indented at
    /// least as far as the line where the declaration starts, and everything inside the block is indented farther.
    pub(super) fn is_outside(&self, block: Block) -> bool {
        if !self.is_first_of_line() {
            return false;
        }
        let indent = self.indent(self.current.start);
        if self.at(b'}') { indent < block.indent } else { indent <= block.indent }
    }

    /// Whether the current token is the first of its line.
    pub(super) fn is_first_of_line(&self) -> bool {
        self.bytes[self.last_end as usize..self.current.start as usize].contains(&b'\n')
    }

    /// How far a token is indented; `usize::MAX` for a token that is not the first of its line.
    pub(super) fn column_of(&self, token: Token) -> usize {
        let Line { start, indent, .. } = self.line(token.start);
        if token.start as usize == start + indent { indent } else { usize::MAX }
    }

    /// How far the line that contains a place is indented.
    fn indent(&self, start: u32) -> usize {
        self.line(start).indent
    }

    /// The line that contains a place. The search starts from the line that was looked up last. In a file with one long
    /// line, going back to the start of the line each time would take too long.
    fn line(&self, at: u32) -> Line {
        let at = at as usize;
        let last = self.line.get();
        let seen = if last.start <= at { last.seen.min(at) } else { 0 };
        let start = match self.bytes[seen..at].iter().rposition(|&byte| byte == b'\n') {
            Some(line_break) => seen + line_break + 1,
            None if last.start <= at => last.start,
            None => 0,
        };
        let is_same = start == last.start && last.seen > 0;
        let blanks = || self.bytes[start..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let indent = if is_same { last.indent } else { blanks() };
        let line = Line { start, seen: at.max(if is_same { last.seen } else { 0 }), indent };
        self.line.set(line);
        line
    }

    /// How many more `{` than `}` the file has.
    pub(super) fn balance(&mut self) -> isize {
        *self.balance.get_or_insert_with(|| balance(self.bytes))
    }

    /// Whether the options of a list start here, with the `[` missing: a `]` follows before the end of the statement.
    pub(super) fn has_lost_bracket(&self) -> bool {
        if !self.at_identifier() && !self.at(b'(') {
            return false;
        }
        let mut lexer = self.ahead();
        let mut depth = 0;
        for _ in 0..MOST_AHEAD {
            match lexer.next().kind {
                TokenKind::Symbol(b']') if depth == 0 => return true,
                TokenKind::Symbol(b'}') if depth == 0 => return false,
                TokenKind::Symbol(b'[' | b'{') => depth += 1,
                TokenKind::Symbol(b']' | b'}') => depth -= 1,
                TokenKind::Symbol(b';') | TokenKind::End => return false,
                _ => {}
            }
        }
        false
    }
}

/// How many more `{` than `}` a text has.
pub(super) fn balance(bytes: &[u8]) -> isize {
    let mut lexer = Lexer::new(bytes);
    let mut balance = 0;
    loop {
        match lexer.next().kind {
            TokenKind::Symbol(b'{') => balance += 1,
            TokenKind::Symbol(b'}') => balance -= 1,
            TokenKind::End => return balance,
            _ => {}
        }
    }
}
