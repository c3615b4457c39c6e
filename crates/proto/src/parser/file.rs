//! Reads the statements at the top of a file.

use super::hints::Look;
use super::{Parser, range};
use crate::file::{Holder, Import, Manner, Syntax};
use crate::flaw::Flaw;
use crate::lexer::TokenKind;
use crate::number::file as number;
use crate::table::Layer;
use crate::value;

impl Parser<'_> {
    pub(super) fn file_statement(&mut self) {
        if self.current.kind != TokenKind::Identifier {
            return self.file_symbol();
        }
        match self.text(self.current) {
            b"message" => self.message(self.current.start),
            b"enum" => self.enumeration(self.current.start),
            b"service" => self.service(true),
            b"extend" => self.extend(true),
            b"import" => self.import(true),
            b"package" => self.package(true),
            b"option" => self.option_statement(Holder::File, &[number::OPTIONS], None),
            b"syntax" | b"edition" => self.syntax(),
            b"export" | b"local" if self.is_modifier() => self.modified(),
            _ => self.file_word(),
        }
    }

    /// Reads a declaration that starts with `export` or `local`. These modifiers have no location, and the location of
    /// the declaration starts after them.
    pub(super) fn modified(&mut self) {
        let start = self.current.start;
        self.bump();
        if self.at_word(b"enum") { self.enumeration(start) } else { self.message(start) }
    }

    /// Whether the current word is a modifier before a declaration, and not the type of a field.
    pub(super) fn is_modifier(&self) -> bool {
        let mut lexer = self.ahead();
        let next = lexer.next();
        let is_declared = matches!(self.text(next), b"message" | b"enum");
        is_declared && lexer.next().kind != TokenKind::Symbol(b'=')
    }

    fn file_symbol(&mut self) {
        match self.current.kind {
            TokenKind::Symbol(b';') => self.end_declaration(None),
            TokenKind::Symbol(b'}') => {
                self.report_here(Flaw::Unopened);
                self.detached.clear();
                self.end_declaration(None);
            }
            TokenKind::Symbol(b'=') if self.is_first_statement() => self.syntax(),
            TokenKind::Symbol(b'(') => self.lost_option(Holder::File, &[number::OPTIONS]),
            TokenKind::Symbol(b'{') => self.lost_block(),
            TokenKind::Symbol(b'.') => self.lost_dotted(),
            TokenKind::String if self.is_first_statement() && self.at_dialect() => self.syntax(),
            TokenKind::String => self.import(false),
            _ => {
                self.report_here(Flaw::NoStatement("a file"));
                self.skip_statement();
            }
        }
    }

    /// Reads a statement at the top of the file whose keyword is missing, or skips something that is not a statement.
    fn file_word(&mut self) {
        let mut lexer = self.ahead();
        let next = lexer.next();
        match (self.text(self.current), next.kind) {
            (b"public" | b"weak" | b"option", TokenKind::String) => self.import(false),
            (_, TokenKind::Symbol(b'{')) => self.lost_block(),
            (_, TokenKind::Symbol(b';')) if self.file.package.is_none() => self.package(false),
            (_, TokenKind::Symbol(b'=')) => self.lost_option(Holder::File, &[number::OPTIONS]),
            (_, TokenKind::Symbol(b'.')) => self.lost_dotted(),
            _ => {
                self.report_here(Flaw::NoStatement("a file"));
                self.skip_statement();
            }
        }
    }

    /// Reads a statement that lacks its keyword and starts with a dotted name: of an option, an extended message or the
    /// package.
    fn lost_dotted(&mut self) {
        let mut lexer = self.ahead();
        let after = loop {
            let token = lexer.next();
            if !matches!(token.kind, TokenKind::Symbol(b'.') | TokenKind::Identifier) {
                break token;
            }
        };
        match after.kind {
            TokenKind::Symbol(b'=') => self.lost_option(Holder::File, &[number::OPTIONS]),
            TokenKind::Symbol(b'{') => self.extend(false),
            TokenKind::Symbol(b';') if self.file.package.is_none() => self.package(false),
            _ => {
                self.report_here(Flaw::NoStatement("a file"));
                self.skip_statement();
            }
        }
    }

    /// Reads a block whose keyword is missing.
    fn lost_block(&mut self) {
        if self.looks_extended() {
            return self.extend(false);
        }
        self.missing("`message`, `enum` or `service`");
        match self.look_into_block() {
            Look::Service => self.service(false),
            Look::Enum => self.enumeration(self.current.start),
            Look::Message => self.message(self.current.start),
        }
    }

    fn is_first_statement(&self) -> bool {
        self.file.table.len() == 1
    }

    /// Whether the current string names a dialect, such as "proto3" or "2023".
    fn at_dialect(&self) -> bool {
        let word = value::strings(self.text(self.current));
        word.starts_with(b"proto") && word.len() == 6 || word.len() == 4 && word.starts_with(b"20")
    }

    fn syntax(&mut self) {
        let is_first = self.is_first_statement();
        if !is_first {
            self.report_here(Flaw::NoStatement("a file here: the syntax comes first"));
        }
        let location = self.open(&[number::SYNTAX], Layer::Plain);
        let is_edition = self.at_word(b"edition");
        if self.at_identifier() {
            self.bump();
        } else {
            self.missing("`syntax`")
        }
        self.expect(b'=', "`=`");
        if let Some(literals) = self.strings().filter(|_| is_first) {
            let word = value::strings(&self.bytes[literals.indices()]);
            self.file.syntax = match (is_edition, word.as_slice()) {
                (false, b"proto2") => Syntax::Proto2,
                (false, b"proto3") => Syntax::Proto3,
                (_, word) => match str::from_utf8(word).ok().and_then(|word| word.parse().ok()) {
                    Some(year) => Syntax::Edition(year),
                    None if is_edition && word == b"UNSTABLE" => Syntax::UNSTABLE,
                    None => {
                        self.report(literals, Flaw::UnknownSyntax);
                        Syntax::Proto2
                    }
                },
            };
        }
        self.end_statement(Some(location));
        self.close(location);
    }

    fn package(&mut self, has_keyword: bool) {
        let location = self.open(&[number::PACKAGE], Layer::Plain);
        if has_keyword {
            self.bump();
        } else {
            self.missing("`package`")
        }
        let name = self.dotted("a name");
        self.file.package = name.or(self.file.package);
        self.end_statement(Some(location));
        self.close(location);
    }

    fn import(&mut self, has_keyword: bool) {
        let start = self.current.start;
        let is_for_options =
            if has_keyword { self.text(self.next_token()) == b"option" } else { self.at_word(b"option") };
        let tail = if is_for_options {
            [number::OPTION_DEPENDENCY, self.scope().n_option_dependencies]
        } else {
            [number::DEPENDENCY, self.scope().n_dependencies]
        };
        let location = self.open_at(&tail, start, Layer::Plain);
        if has_keyword {
            self.bump();
        } else {
            self.missing("`import`")
        }
        let manner = self.import_manner();
        let path = self.strings();
        match manner {
            Manner::Option => self.scope().n_option_dependencies += 1,
            _ => self.scope().n_dependencies += 1,
        }
        self.file.imports.push(Import { path, manner, location });
        self.end_statement(Some(location));
        self.close(location);
    }

    fn import_manner(&mut self) -> Manner {
        let manner = match (self.current.kind, self.text(self.current)) {
            (TokenKind::Identifier, b"public") => Manner::Public,
            (TokenKind::Identifier, b"weak") => Manner::Weak,
            (TokenKind::Identifier, b"option") => Manner::Option,
            _ => return Manner::Plain,
        };
        match manner {
            Manner::Public => {
                let index = self.scope().n_public;
                self.scope().n_public += 1;
                self.record_token(&[number::PUBLIC_DEPENDENCY, index], Layer::Plain);
            }
            Manner::Weak => {
                let index = self.scope().n_weak;
                self.scope().n_weak += 1;
                self.record_token(&[number::WEAK_DEPENDENCY, index], Layer::Plain);
            }
            Manner::Option | Manner::Plain => self.bump(),
        }
        manner
    }

    /// The range from `start` to the end of the last token.
    pub(super) fn since(&self, start: u32) -> locant_text::Range {
        range(start, self.last_end)
    }
}
