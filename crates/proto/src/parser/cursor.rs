//! Steps over tokens, and records locations on the way.

use locant_text::Range;

use super::{Parser, range};
use crate::comments::{Between, next_with_comments};
use crate::flaw::{Flaw, Problem};
use crate::lexer::{Lexer, Token, TokenKind};
use crate::table::{Layer, LocationId};

/// A block that is being read. `what` names it in the message for a missing `}`; `indent` is how far it is indented.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) what: &'static str,
    pub(super) indent: usize,
}

impl<'t> Parser<'t> {
    /// Reads the first token.
    pub(super) fn start(&mut self) {
        let (token, between) = next_with_comments(&mut self.lexer, self.bytes, true);
        self.arrive(token);
        self.last_end = 0;
        self.leading = between.leading;
        self.detached = between.detached;
    }

    /// Steps over the current token.
    pub(super) fn bump(&mut self) {
        self.last_end = self.current.end;
        let token = self.lexer.next();
        self.arrive(token);
    }

    fn arrive(&mut self, token: Token) {
        self.current = token;
        if let Some((flaw, start, end)) = self.lexer.flaw.take() {
            self.file.problems.push(Problem { range: range(start, end), flaw });
        }
    }

    /// Ends a declaration at its `;` or `}`, or the header of a declaration at its `{`. One of these must be the
    /// current token. The comments after the token are sorted into trailing, detached and leading ones.
    pub(super) fn end_declaration(&mut self, location: Option<LocationId>) {
        let closes = self.at(b'}');
        self.last_end = self.current.end;
        self.sort_comments(location, closes);
    }

    /// Ends a declaration whose last token is missing. The comments before the current token have been dropped as
    /// comments inside the declaration. They are read again, now as comments after it.
    pub(super) fn end_without_token(&mut self, location: Option<LocationId>) {
        self.lexer.at = self.last_end as usize;
        self.lexer.flaw = None;
        let n_problems = self.file.problems.len();
        self.sort_comments(location, false);
        // The flaws of the current token were reported when it was first read.
        self.file.problems.truncate(n_problems);
    }

    fn sort_comments(&mut self, location: Option<LocationId>, closes: bool) {
        let (token, between) = next_with_comments(&mut self.lexer, self.bytes, false);
        self.arrive(token);
        let Between { trailing, detached, leading } = between;
        let leading = std::mem::replace(&mut self.leading, leading);
        match location {
            Some(location) => {
                let detached = std::mem::replace(&mut self.detached, detached);
                self.file.table.attach(location, leading, trailing, &detached);
            }
            None if closes => self.detached = detached,
            None => self.detached.extend(detached),
        }
    }

    pub(super) fn at_end(&self) -> bool {
        self.current.kind == TokenKind::End
    }

    pub(super) fn at(&self, symbol: u8) -> bool {
        self.current.kind == TokenKind::Symbol(symbol)
    }

    pub(super) fn at_word(&self, word: &[u8]) -> bool {
        self.current.kind == TokenKind::Identifier && self.text(self.current) == word
    }

    pub(super) fn at_identifier(&self) -> bool {
        self.current.kind == TokenKind::Identifier
    }

    pub(super) fn at_integer(&self) -> bool {
        self.current.kind == TokenKind::Integer
    }

    pub(super) fn at_string(&self) -> bool {
        self.current.kind == TokenKind::String
    }

    pub(super) fn text(&self, token: Token) -> &'t [u8] {
        &self.bytes[token.start as usize..token.end as usize]
    }

    /// A lexer for looking at the tokens after the current one.
    pub(super) fn ahead(&self) -> Lexer<'t> {
        self.lexer
    }

    /// The token after the current one.
    pub(super) fn next_token(&self) -> Token {
        self.ahead().next()
    }

    /// Steps over the current token if it is this symbol.
    pub(super) fn eat(&mut self, symbol: u8) -> bool {
        let comes = self.at(symbol);
        if comes {
            self.bump();
        }
        comes
    }

    /// Steps over the current token if it is this word.
    pub(super) fn eat_word(&mut self, word: &[u8]) -> bool {
        let comes = self.at_word(word);
        if comes {
            self.bump();
        }
        comes
    }

    /// Steps over a symbol, or reports that it is missing.
    pub(super) fn expect(&mut self, symbol: u8, what: &'static str) {
        if !self.eat(symbol) {
            self.missing(what);
        }
    }

    /// Reports that something is missing before the current token.
    pub(super) fn missing(&mut self, what: &'static str) {
        let at = self.last_end;
        self.report(range(at, at), Flaw::Expected(what));
    }

    pub(super) fn report(&mut self, range: Range, flaw: Flaw) {
        self.file.problems.push(Problem { range, flaw });
    }

    pub(super) fn report_here(&mut self, flaw: Flaw) {
        self.report(range(self.current.start, self.current.end), flaw);
    }

    /// Records a location that starts with the current token. Its path is the parser's current path followed by `tail`.
    pub(super) fn open(&mut self, tail: &[i32], layer: Layer) -> LocationId {
        self.open_at(tail, self.current.start, layer)
    }

    pub(super) fn open_at(&mut self, tail: &[i32], start: u32, layer: Layer) -> LocationId {
        self.file.table.open(&self.path, tail, start, layer)
    }

    /// Sets the end of a location to the end of the last token, unless it already has an end.
    pub(super) fn close(&mut self, location: LocationId) {
        self.file.table.close(location, self.last_end);
    }

    /// Records a location with this range.
    pub(super) fn record(&mut self, tail: &[i32], range: Range) {
        let location = self.open_at(tail, range.start().to_u32(), Layer::Plain);
        self.file.table.close(location, range.end().to_u32());
    }

    /// Steps over the current token, and records it as a location.
    pub(super) fn record_token(&mut self, tail: &[i32], layer: Layer) -> Range {
        let token = range(self.current.start, self.current.end);
        let location = self.open(tail, layer);
        self.bump();
        self.close(location);
        token
    }

    /// Reads a name, and records it as a location; `None` when it is missing.
    pub(super) fn name(&mut self, tail: &[i32], what: &'static str) -> Option<Range> {
        if self.at_identifier() {
            return Some(self.record_token(tail, Layer::Plain));
        }
        self.missing(what);
        None
    }

    /// Steps over adjacent string literals; `None` when there are none.
    pub(super) fn strings(&mut self) -> Option<Range> {
        let start = self.current.start;
        if !self.at_string() {
            self.missing("a string");
            return None;
        }
        while self.at_string() {
            self.bump();
        }
        Some(range(start, self.last_end))
    }

    /// Steps over a dotted name that may start with a dot; `None` when there is none.
    pub(super) fn dotted(&mut self, what: &'static str) -> Option<Range> {
        let start = self.current.start;
        if !self.at(b'.') && !self.at_identifier() {
            self.missing(what);
            return None;
        }
        if self.at_identifier() {
            self.bump();
        }
        while self.eat(b'.') {
            if self.at_identifier() { self.bump() } else { self.missing("a name") }
        }
        Some(range(start, self.last_end))
    }

    /// Reads the number of a field or an enum value.
    pub(super) fn integer(&mut self, is_negative: bool) -> Option<i32> {
        if !self.at_integer() {
            self.missing("a number");
            return None;
        }
        let value = crate::value::integer(self.text(self.current)).and_then(|value| {
            let value = i64::try_from(value).ok()?;
            i32::try_from(if is_negative { -value } else { value }).ok()
        });
        if value.is_none() {
            self.report_here(Flaw::OutOfRange);
        }
        self.bump();
        value
    }
}
