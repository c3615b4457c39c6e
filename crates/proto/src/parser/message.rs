//! Reads messages and the statements in them.

use super::hints::Look;
use super::{MOST_DEPTH, Parser, Scope, range};
use crate::file::{Declaration, DeclarationId, Form, Holder};
use crate::flaw::Flaw;
use crate::lexer::TokenKind;
use crate::number::{file, message as number, oneof};
use crate::table::{Layer, LocationId};

impl Parser<'_> {
    /// Reads a message. `start` is where the message starts, or the modifier before it if there is one.
    pub(super) fn message(&mut self, start: u32) {
        let tail = self.next_message();
        let location = self.open(&tail, Layer::Plain);
        self.scope().n_messages += 1;
        self.eat_word(b"message");
        let name = self.name(&[tail[0], tail[1], crate::number::NAME], "the name of the message");
        let id = self.declare(location, start, Form::Message { group: None });
        self.file.declarations[id.index()].name = name;
        self.message_block(id, tail);
        self.close(location);
    }

    /// The end of the path of the next message: the field number of the list, and the index in the list.
    pub(super) fn next_message(&mut self) -> [i32; 2] {
        let list = if self.is_in_file() { file::MESSAGE } else { number::NESTED };
        [list, self.scope().n_messages]
    }

    /// Reads the block of a message or a group.
    pub(super) fn message_block(&mut self, id: DeclarationId, tail: [i32; 2]) {
        let declaration = self.file.declarations[id.index()];
        let start = declaration.range.start().to_u32();
        self.end_header(id);
        if self.scopes.len() > MOST_DEPTH {
            self.report_here(Flaw::TooDeep);
            self.skip_block();
        } else if self.enter_block(declaration.location) {
            let block = self.block_at("message", start);
            let depth = self.path.len();
            self.path.extend(tail);
            let scope = Scope { message: Some(id), ..Scope::default() };
            self.in_scope(scope, |parser| parser.block(block, Self::message_statement));
            self.path.truncate(depth);
        }
        self.end_range(id);
    }

    pub(super) fn declare(&mut self, location: LocationId, start: u32, form: Form) -> DeclarationId {
        let parent = self.scope().message;
        let range = self.since(start);
        self.file.declare(Declaration { parent, location, name: None, range, header: range, form })
    }

    /// Sets the end of a declaration's header to the end of the last token.
    pub(super) fn end_header(&mut self, id: DeclarationId) {
        let end = self.last_end;
        let declaration = &mut self.file.declarations[id.index()];
        declaration.header = range(declaration.range.start().to_u32(), end);
    }

    /// Sets the end of a declaration to the end of the last token.
    pub(super) fn end_range(&mut self, id: DeclarationId) {
        let end = self.last_end;
        let declaration = &mut self.file.declarations[id.index()];
        declaration.range = range(declaration.range.start().to_u32(), end);
    }

    fn message_statement(&mut self) {
        let Some(message) = self.scope().message else { return };
        let holder = Holder::Declaration(message);
        if self.current.kind != TokenKind::Identifier {
            return self.message_symbol(holder);
        }
        match self.text(self.current) {
            // A keyword before `=` is the name of a field.
            b"message" | b"enum" | b"extensions" | b"reserved" | b"extend" | b"option" | b"oneof"
                if self.next_token().kind == TokenKind::Symbol(b'=') =>
            {
                self.message_word(holder);
            }
            b"message" => self.message(self.current.start),
            b"enum" => self.enumeration(self.current.start),
            b"extensions" => self.extension_ranges(true),
            b"reserved" => self.reserved(message),
            b"extend" => self.extend(true),
            b"option" => self.option_statement(holder, &[number::OPTIONS], None),
            b"oneof" => self.oneof(true),
            b"export" | b"local" if self.is_modifier() => self.modified(),
            _ => self.message_word(holder),
        }
    }

    /// Reads a field, or a statement whose keyword is missing.
    fn message_word(&mut self, holder: Holder) {
        let mut lexer = self.ahead();
        let next = lexer.next();
        match next.kind {
            // The common case: a type or a label, then a name.
            TokenKind::Identifier => self.field(None),
            TokenKind::Symbol(b'{') => self.lost_member(),
            TokenKind::Symbol(b'=') if !matches!(lexer.next().kind, TokenKind::Integer) => {
                self.lost_option(holder, &[number::OPTIONS]);
            }
            TokenKind::Symbol(b'.') if self.after_dotted().0 == TokenKind::Symbol(b'{') => self.extend(false),
            // If a number follows the `=`, this is a field whose name is missing.
            TokenKind::Symbol(b'.') => match self.after_dotted() {
                (TokenKind::Symbol(b')'), _) => self.lost_option(holder, &[number::OPTIONS]),
                (TokenKind::Symbol(b'='), kind) if kind != TokenKind::Integer => {
                    self.lost_option(holder, &[number::OPTIONS]);
                }
                _ => self.field(None),
            },
            _ => self.field(None),
        }
    }

    fn message_symbol(&mut self, holder: Holder) {
        let Holder::Declaration(message) = holder else { return };
        match self.current.kind {
            TokenKind::Symbol(b';') => self.end_declaration(None),
            TokenKind::Symbol(b'(') => self.lost_option(holder, &[number::OPTIONS]),
            TokenKind::Symbol(b'{') => self.lost_member(),
            TokenKind::Symbol(b'.' | b'<' | b'=') => self.field(None),
            TokenKind::Integer | TokenKind::String => self.lost_reserved(message),
            _ => {
                self.report_here(Flaw::NoStatement("a message"));
                self.skip_statement();
            }
        }
    }

    /// The two tokens after the dotted name that starts here.
    fn after_dotted(&self) -> (TokenKind, TokenKind) {
        let mut lexer = self.ahead();
        let mut token = lexer.next();
        while token.kind == TokenKind::Symbol(b'.') {
            let name = lexer.next();
            token = if name.kind == TokenKind::Identifier { lexer.next() } else { name };
        }
        (token.kind, lexer.next().kind)
    }

    /// Reads a block whose keyword is missing. Names of types start with a capital letter, names of oneofs do not.
    fn lost_member(&mut self) {
        if self.looks_extended() {
            return self.extend(false);
        }
        self.missing("`message`, `enum` or `oneof`");
        let is_type = self.text(self.current).first().is_none_or(|byte| !byte.is_ascii_lowercase());
        match self.look_into_block() {
            Look::Enum => self.enumeration(self.current.start),
            _ if is_type => self.message(self.current.start),
            _ => self.oneof(false),
        }
    }

    fn oneof(&mut self, has_keyword: bool) {
        let start = self.current.start;
        let index = self.scope().n_oneofs;
        self.scope().n_oneofs += 1;
        let location = self.open(&[number::ONEOF, index], Layer::Plain);
        if has_keyword {
            self.bump();
        }
        let name = self.name(&[number::ONEOF, index, crate::number::NAME], "the name of the oneof");
        let id = self.declare(location, start, Form::Oneof);
        self.file.declarations[id.index()].name = name;
        self.end_header(id);
        if self.enter_block(location) {
            let block = self.block_at("oneof", start);
            let mut n_options = 0;
            self.block(block, |parser| parser.oneof_statement(id, index, &mut n_options));
        }
        self.close(location);
        self.end_range(id);
    }

    fn oneof_statement(&mut self, id: DeclarationId, index: i32, n_options: &mut i32) {
        let tail = [number::ONEOF, index, oneof::OPTIONS];
        let next = self.next_token().kind;
        match self.current.kind {
            TokenKind::Symbol(b';') => self.end_declaration(None),
            TokenKind::Symbol(b'(') => self.lost_option(Holder::Declaration(id), &tail),
            _ if self.at_word(b"option") && (next != TokenKind::Symbol(b'=') || !self.is_numbered()) => {
                self.option_statement(Holder::Declaration(id), &tail, Some(n_options));
            }
            TokenKind::Identifier | TokenKind::Symbol(b'.' | b'<' | b'=') => self.field(Some(id)),
            _ => {
                self.report_here(Flaw::NoStatement("a oneof"));
                self.skip_statement();
            }
        }
    }

    /// Whether a number is assigned to the current word.
    fn is_numbered(&self) -> bool {
        let mut lexer = self.ahead();
        lexer.next().kind == TokenKind::Symbol(b'=') && lexer.next().kind == TokenKind::Integer
    }

    /// Reads an `extend` block. The path of its location is the list of extensions, without an index. Each of its
    /// fields has a location for the name of the extended message.
    pub(super) fn extend(&mut self, has_keyword: bool) {
        let start = self.current.start;
        let list = if self.is_in_file() { file::EXTENSION } else { number::EXTENSION };
        let location = self.open(&[list], Layer::Plain);
        if has_keyword {
            self.bump();
        } else {
            self.missing("`extend`")
        }
        let extendee = self.dotted("the name of a message").unwrap_or(range(self.last_end, self.last_end));
        if self.enter_block(location) {
            let block = self.block_at("extend block", start);
            self.block(block, |parser| match parser.current.kind {
                TokenKind::Identifier | TokenKind::Symbol(b'.' | b'<' | b'=') => parser.extension(extendee),
                TokenKind::Symbol(b';') => parser.end_declaration(None),
                _ => {
                    parser.report_here(Flaw::NoStatement("an extend block"));
                    parser.skip_statement();
                }
            });
        }
        self.close(location);
    }
}
