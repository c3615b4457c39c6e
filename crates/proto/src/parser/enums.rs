//! Reads enums and their values.

use super::Parser;
use crate::file::{Declaration, DeclarationId, Form, Holder};
use crate::flaw::Flaw;
use crate::lexer::TokenKind;
use crate::number::{NAME, enumeration as number, file, message, value};
use crate::table::Layer;

/// The current lengths of the lists of an enum.
#[derive(Default)]
struct Counts {
    n_values: i32,
    n_options: i32,
    n_reserved_ranges: i32,
    n_reserved_names: i32,
}

impl Parser<'_> {
    /// Reads an enum. `start` is where the enum starts, or the modifier before it if there is one.
    pub(super) fn enumeration(&mut self, start: u32) {
        let list = if self.is_in_file() { file::ENUM } else { message::ENUM };
        let tail = [list, self.scope().n_enums];
        let location = self.open(&tail, Layer::Plain);
        self.scope().n_enums += 1;
        self.eat_word(b"enum");
        let name = self.name(&[tail[0], tail[1], NAME], "the name of the enum");
        let id = self.declare(location, start, Form::Enum);
        self.file.declarations[id.index()].name = name;
        self.end_header(id);
        if self.enter_block(location) {
            let block = self.block_at("enum", start);
            let depth = self.path.len();
            self.path.extend(tail);
            let mut counts = Counts::default();
            self.block(block, |parser| parser.enum_statement(id, &mut counts));
            self.path.truncate(depth);
        }
        self.close(location);
        self.end_range(id);
    }

    fn enum_statement(&mut self, id: DeclarationId, counts: &mut Counts) {
        let holder = Holder::Declaration(id);
        let next = self.next_token().kind;
        let is_value = next == TokenKind::Symbol(b'=');
        match (self.current.kind, self.text(self.current)) {
            (TokenKind::Symbol(b';'), _) => self.end_declaration(None),
            (TokenKind::Symbol(b'('), _) => {
                self.missing("`option`");
                self.option_statement(holder, &[number::OPTIONS], Some(&mut counts.n_options));
            }
            (TokenKind::Identifier, b"option") if !is_value => {
                self.option_statement(holder, &[number::OPTIONS], Some(&mut counts.n_options));
            }
            (TokenKind::Identifier, b"reserved") if !is_value => {
                let ranges = (number::RESERVED_RANGE, &mut counts.n_reserved_ranges);
                let names = (number::RESERVED_NAME, &mut counts.n_reserved_names);
                self.reserved_in(id, ranges, names);
            }
            (TokenKind::Identifier, _) if is_value && self.is_lost_option() => {
                self.missing("`option`");
                self.option_statement(holder, &[number::OPTIONS], Some(&mut counts.n_options));
            }
            (TokenKind::Identifier | TokenKind::Symbol(b'='), _) => self.value(id, counts),
            (TokenKind::Integer | TokenKind::String, _) => {
                let ranges = (number::RESERVED_RANGE, &mut counts.n_reserved_ranges);
                let names = (number::RESERVED_NAME, &mut counts.n_reserved_names);
                self.reserved_in(id, ranges, names);
            }
            _ => {
                self.report_here(Flaw::NoStatement("an enum"));
                self.skip_statement();
            }
        }
    }

    /// Whether a word, a string or a block is assigned here. In an enum, only options have such values.
    fn is_lost_option(&self) -> bool {
        let mut lexer = self.ahead();
        lexer.next();
        matches!(lexer.next().kind, TokenKind::Identifier | TokenKind::String | TokenKind::Symbol(b'{'))
    }

    fn value(&mut self, parent: DeclarationId, counts: &mut Counts) {
        let index = counts.n_values;
        let start = self.current.start;
        let location = self.open(&[number::VALUE, index], Layer::Plain);
        let name = self.name(&[number::VALUE, index, NAME], "the name of the value");
        if name.is_some() && !self.at(b'=') && !self.at(b'-') && !self.at_integer() {
            // A word alone is not a value yet. It must not change the indices of the values after it.
            self.file.table.take_from(location);
            self.missing("`=`");
            return self.skip_rest_of_line();
        }
        counts.n_values += 1;
        self.expect(b'=', "`=`");
        let mut number = None;
        if self.at(b'-') || self.at_integer() {
            let location = self.open(&[number::VALUE, index, value::NUMBER], Layer::Plain);
            let is_negative = self.eat(b'-');
            number = self.integer(is_negative);
            self.close(location);
        } else {
            self.missing("a number");
        }
        let form = Form::Value { number };
        let range = self.since(start);
        let declaration = Declaration { parent: Some(parent), location, name, range, header: range, form };
        let id = self.file.declare(declaration);
        if self.at(b'[') || self.has_lost_bracket() {
            let tail = [number::VALUE, index, value::OPTIONS];
            let options = self.open(&tail, Layer::Plain);
            self.option_list(Holder::Declaration(id), &tail);
            self.close(options);
        }
        self.end_statement(Some(location));
        self.close(location);
        self.end_range(id);
        self.end_header(id);
    }

    fn skip_rest_of_line(&mut self) {
        while !self.at_end() && !self.at(b'}') && !self.is_first_of_line() {
            if self.at(b';') {
                return self.end_declaration(None);
            }
            self.bump();
        }
    }
}
