//! The tokens and comments of a text, as its layout sees them.

use super::Bracket;
use crate::lexer::{self, Lexer, TokenKind};

/// A token or a comment.
#[derive(Clone, Copy)]
pub(super) enum Piece {
    Word(Word),
    Comment { start: usize, end: usize },
}

/// A token.
#[derive(Clone, Copy)]
pub(super) struct Word {
    pub(super) kind: TokenKind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The tokens and comments of a text, in their order.
pub(super) fn pieces(text: &[u8]) -> Vec<Piece> {
    let mut lexer = Lexer::new(text);
    let mut pieces = Vec::new();
    loop {
        match lexer.piece() {
            lexer::Piece::Stray => {}
            lexer::Piece::Comment { start, end } => {
                pieces.push(Piece::Comment { start: start as usize, end: end as usize });
            }
            lexer::Piece::Token(token) if token.kind == TokenKind::End => return pieces,
            lexer::Piece::Token(lexer::Token { kind, start, end }) => {
                pieces.push(Piece::Word(Word { kind, start: start as usize, end: end as usize }));
            }
        }
    }
}

impl Word {
    pub(super) fn is(self, symbol: u8) -> bool {
        self.kind == TokenKind::Symbol(symbol)
    }

    /// Whether it is one of these symbols.
    pub(super) fn is_any(self, symbols: &[u8]) -> bool {
        matches!(self.kind, TokenKind::Symbol(symbol) if symbols.contains(&symbol))
    }

    pub(super) fn opens(self) -> bool {
        self.is_any(b"{([<")
    }

    /// Whether it closes a bracket.
    pub(super) fn closes(self, bracket: Bracket) -> bool {
        match bracket {
            Bracket::Block => self.is(b'}'),
            Bracket::Value => self.is_any(b"}>"),
            Bracket::Round => self.is(b')'),
            Bracket::Square => self.is(b']'),
            Bracket::Types => self.is(b'>'),
        }
    }

    pub(super) fn range(self) -> std::ops::Range<usize> {
        self.start..self.end
    }
}
