//! Reads services and their methods.

use locant_text::Range;

use super::Parser;
use crate::file::{Declaration, DeclarationId, Form, Holder, Method};
use crate::flaw::Flaw;
use crate::lexer::TokenKind;
use crate::number::{NAME, file, method as number, service};
use crate::table::Layer;

impl Parser<'_> {
    pub(super) fn service(&mut self, has_keyword: bool) {
        let start = self.current.start;
        let tail = [file::SERVICE, self.scope().n_services];
        self.scope().n_services += 1;
        let location = self.open(&tail, Layer::Plain);
        if has_keyword {
            self.bump();
        }
        let name = self.name(&[tail[0], tail[1], NAME], "the name of the service");
        let id = self.declare(location, start, Form::Service);
        self.file.declarations[id.index()].name = name;
        self.end_header(id);
        if self.enter_block(location) {
            let block = self.block_at("service", start);
            let depth = self.path.len();
            self.path.extend(tail);
            let (mut n_methods, mut n_options) = (0, 0);
            self.block(block, |parser| parser.service_statement(id, &mut n_methods, &mut n_options));
            self.path.truncate(depth);
        }
        self.close(location);
        self.end_range(id);
    }

    fn service_statement(&mut self, id: DeclarationId, n_methods: &mut i32, n_options: &mut i32) {
        let holder = Holder::Declaration(id);
        let next = self.next_token().kind;
        match (self.current.kind, self.text(self.current)) {
            (TokenKind::Symbol(b';'), _) => self.end_declaration(None),
            (TokenKind::Identifier, b"option") => {
                self.option_statement(holder, &[service::OPTIONS], Some(n_options));
            }
            (TokenKind::Identifier, b"rpc") => self.method(id, n_methods),
            // If the keyword is missing, a method is recognised by its `(`, and an option by its `=`.
            (TokenKind::Identifier, _) if matches!(next, TokenKind::Symbol(b'(')) => {
                self.missing("`rpc`");
                self.method(id, n_methods);
            }
            (TokenKind::Identifier | TokenKind::Symbol(b'('), _)
                if matches!(next, TokenKind::Symbol(b'=') | TokenKind::Identifier) =>
            {
                self.missing("`option`");
                self.option_statement(holder, &[service::OPTIONS], Some(n_options));
            }
            _ => {
                self.report_here(Flaw::NoStatement("a service"));
                self.skip_statement();
            }
        }
    }

    fn method(&mut self, parent: DeclarationId, n_methods: &mut i32) {
        let index = *n_methods;
        *n_methods += 1;
        let start = self.current.start;
        let of = |part: i32| [service::METHOD, index, part];
        let location = self.open(&[service::METHOD, index], Layer::Plain);
        self.eat_word(b"rpc");
        let name = self.name(&of(NAME), "the name of the method");
        let (input, is_client_streaming) = self.method_type(of(number::CLIENT_STREAMING), of(number::INPUT));
        if !self.eat_word(b"returns") {
            self.missing("`returns`");
        }
        let (output, is_server_streaming) =
            self.method_type(of(number::SERVER_STREAMING), of(number::OUTPUT));
        let form = Form::Method(Method { input, output, is_client_streaming, is_server_streaming });
        let range = self.since(start);
        let declaration = Declaration { parent: Some(parent), location, name, range, header: range, form };
        let id = self.file.declare(declaration);
        let has_block =
            self.at(b'{') || self.at_word(b"option") && !self.at(b';') || self.at(b'}') && self.balance() < 0;
        if !has_block {
            self.end_statement(Some(location));
        } else if self.enter_block(location) {
            let block = self.block_at("method", start);
            let mut n_options = 0;
            self.block(block, |parser| parser.method_statement(id, of(number::OPTIONS), &mut n_options));
        }
        self.close(location);
        self.end_range(id);
    }

    /// Reads `(stream T)`.
    fn method_type(&mut self, streaming: [i32; 3], path: [i32; 3]) -> (Option<Range>, bool) {
        self.expect(b'(', "`(`");
        let is_streaming = self.at_word(b"stream") && self.next_token().kind != TokenKind::Symbol(b')');
        if is_streaming {
            self.record_token(&streaming, Layer::Plain);
        }
        let mut written = None;
        if self.at(b'.') || self.at_identifier() && !self.at_word(b"returns") {
            let location = self.open(&path, Layer::Plain);
            written = self.dotted("a type");
            self.close(location);
        } else {
            self.missing("a type");
        }
        self.expect(b')', "`)`");
        (written, is_streaming)
    }

    fn method_statement(&mut self, id: DeclarationId, tail: [i32; 3], n_options: &mut i32) {
        match self.current.kind {
            TokenKind::Symbol(b';') => self.end_declaration(None),
            TokenKind::Identifier | TokenKind::Symbol(b'(') => {
                if !self.at_word(b"option") {
                    self.missing("`option`");
                }
                self.option_statement(Holder::Declaration(id), &tail, Some(n_options));
            }
            _ => {
                self.report_here(Flaw::NoStatement("a method"));
                self.skip_statement();
            }
        }
    }
}
