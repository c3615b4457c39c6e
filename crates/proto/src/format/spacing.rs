//! Which tokens on a line have a space between them.

use locant_layout::Gap;

use super::Bracket;
use super::pieces::Word;
use crate::lexer::TokenKind;

/// Two tokens that follow each other: the first is `last`, the second is `next`.
pub(super) struct Neighbours {
    pub(super) last: Word,
    pub(super) next: Word,
    /// The bracket around the second token. For a closing bracket, it is the bracket that it closes.
    pub(super) bracket: Bracket,
    /// Whether there is a comment between the two tokens.
    pub(super) is_after_comment: bool,
    /// Whether the text has nothing between the second token and the token or comment before it.
    pub(super) touch: bool,
    /// Whether the first token is the name in the declaration of a method.
    pub(super) is_name_of_method: bool,
}

/// The gap between two tokens on one line.
pub(super) fn gap(between: &Neighbours) -> Gap {
    let Neighbours { last, next, bracket, .. } = *between;
    let is_tight = match next.kind {
        TokenKind::Symbol(b';' | b',' | b')' | b']') => true,
        TokenKind::Symbol(b':') => true,
        TokenKind::Symbol(b'}' | b'>') if bracket != Bracket::Block => true,
        _ if between.is_after_comment => false,
        _ if after(between) => true,
        TokenKind::Symbol(b'.') => last.is(b')') || last.kind == TokenKind::Identifier && between.touch,
        TokenKind::Symbol(b'/') => bracket == Bracket::Square && !last.is(b'/'),
        TokenKind::Symbol(b'(') => between.is_name_of_method,
        // In a statement, `<` is that of `map<`. Inside a value, it may open a message, as `{` does.
        TokenKind::Symbol(b'<') => bracket == Bracket::Block,
        _ => false,
    };
    if is_tight { Gap::Tight } else { Gap::Space }
}

/// Whether there is no space after the first of two tokens.
fn after(between: &Neighbours) -> bool {
    let Neighbours { last, next, bracket, .. } = *between;
    match last.kind {
        TokenKind::Symbol(b'(' | b'[') => true,
        TokenKind::Symbol(b'{' | b'<') => bracket != Bracket::Block,
        // Without the space, `. 5` would be a number.
        TokenKind::Symbol(b'.') => next.kind == TokenKind::Identifier || next.is(b'('),
        TokenKind::Symbol(b'-') => !next.is(b'-'),
        TokenKind::Symbol(b'/') => bracket == Bracket::Square && !next.is_any(b"/*"),
        _ => false,
    }
}
