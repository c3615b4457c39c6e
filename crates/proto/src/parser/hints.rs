//! Guesses the kind of a block whose keyword is missing.

use std::collections::HashSet;

use super::Parser;
use super::recovery::MOST_AHEAD;
use crate::file::{DeclarationId, Form};
use crate::lexer::{Lexer, TokenKind};
use crate::value;

/// A block whose fields have at least this number probably extends a message. The small numbers are used by the fields
/// of the message itself.
const LEAST_OF_EXTENSIONS: u64 = 1000;

/// The bound to use instead of `LEAST_OF_EXTENSIONS` when the block has the name of a message that the file extends
/// elsewhere.
const LEAST_OF_KNOWN: u64 = 100;

/// Keywords of statements that a message can have and an `extend` block cannot.
const NO_FIELDS: &[&[u8]] =
    &[b"message", b"enum", b"extend", b"extensions", b"reserved", b"oneof", b"option", b"export", b"local"];

/// The names of messages in a file. They are collected when the first block without a keyword is found.
#[derive(Default)]
pub(super) struct Hints<'t> {
    /// How many declarations have been looked at.
    n_declarations: usize,
    /// The names of messages, each with the declaration around it.
    messages: HashSet<(Option<DeclarationId>, &'t [u8])>,
    /// The names after `extend`, anywhere in the file.
    extended: Option<HashSet<&'t [u8]>>,
}

/// The kind of a block, judged by its first statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    Message,
    Enum,
    Service,
}

impl<'t> Parser<'t> {
    /// Whether the block that starts here looks like an `extend` block.
    pub(super) fn looks_extended(&mut self) -> bool {
        let least = if self.is_extended() { LEAST_OF_KNOWN } else { LEAST_OF_EXTENSIONS };
        self.at_identifier() && (self.is_declared() || self.has_fields_from(least))
    }

    /// Whether the current word is the name of an earlier message. A second block with that name must be an extension
    /// of it.
    fn is_declared(&mut self) -> bool {
        let hints = &mut self.hints;
        for declaration in &self.file.declarations[hints.n_declarations..] {
            if let (Form::Message { .. }, Some(name)) = (declaration.form, declaration.name) {
                hints.messages.insert((declaration.parent, &self.bytes[name.indices()]));
            }
        }
        hints.n_declarations = self.file.declarations.len();
        let word = self.text(self.current);
        self.scopes.iter().any(|scope| self.hints.messages.contains(&(scope.message, word)))
    }

    /// Whether the current word is the name of a message that is extended elsewhere in the file.
    fn is_extended(&mut self) -> bool {
        let bytes = self.bytes;
        let word = self.text(self.current);
        self.hints.extended.get_or_insert_with(|| extended(bytes)).contains(word)
    }

    /// Whether the block that starts here has only fields, and at least half of them have the number `least` or a
    /// larger one.
    fn has_fields_from(&self, least: u64) -> bool {
        if self.look_into_block() != Look::Message {
            return false;
        }
        let mut lexer = self.ahead();
        let (mut before, mut token) = (lexer.next(), lexer.next());
        let (mut n_fields, mut n_large, mut is_in_options) = (0, 0, false);
        for _ in 0..MOST_AHEAD {
            let next = lexer.next();
            let starts = matches!(before.kind, TokenKind::Symbol(b';' | b'{' | b'}'));
            if starts && next.kind != TokenKind::Symbol(b'=') && NO_FIELDS.contains(&self.text(token)) {
                return false;
            }
            match token.kind {
                TokenKind::Symbol(b'=') if next.kind == TokenKind::Integer && !is_in_options => {
                    n_fields += 1;
                    n_large +=
                        usize::from(value::integer(self.text(next)).is_some_and(|number| number >= least));
                }
                TokenKind::Symbol(b'[') => is_in_options = true,
                TokenKind::Symbol(b']') => is_in_options = false,
                _ => {}
            }
            if matches!(token.kind, TokenKind::Symbol(b'}') | TokenKind::End) {
                break;
            }
            (before, token) = (token, next);
        }
        n_large > 0 && 2 * n_large >= n_fields
    }

    /// The kind of the block after the current token, judged by its first statement.
    pub(super) fn look_into_block(&self) -> Look {
        let mut lexer = self.ahead();
        // The current token is the name of the block or its `{`.
        if !self.at(b'{') {
            lexer.next();
        }
        let mut is_skipping = false;
        for _ in 0..MOST_AHEAD {
            let first = lexer.next();
            if is_skipping {
                is_skipping = !matches!(first.kind, TokenKind::Symbol(b';') | TokenKind::End);
                continue;
            }
            if first.kind == TokenKind::Symbol(b'}') {
                let is_service = self.text(self.current).ends_with(b"Service");
                return if is_service { Look::Service } else { Look::Message };
            }
            match (self.text(first), lexer.next().kind) {
                // Options and reserved names do not tell the kind of a block.
                (b"option" | b"reserved", _) => is_skipping = true,
                (b"rpc", _) => return Look::Service,
                (_, TokenKind::Symbol(b'=')) => return Look::Enum,
                _ => return Look::Message,
            }
        }
        Look::Message
    }
}

/// The names right after `extend`.
fn extended(bytes: &[u8]) -> HashSet<&[u8]> {
    let mut lexer = Lexer::new(bytes);
    let mut names = HashSet::new();
    let mut is_after_extend = false;
    loop {
        let token = lexer.next();
        let text = &bytes[token.start as usize..token.end as usize];
        match token.kind {
            TokenKind::End => return names,
            TokenKind::Identifier if is_after_extend => drop(names.insert(text)),
            _ => {}
        }
        is_after_extend = token.kind == TokenKind::Identifier && text == b"extend";
    }
}
