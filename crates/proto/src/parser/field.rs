//! Reads fields of messages, oneofs and `extend` blocks.

use locant_text::Range;

use super::recovery::MOST_AHEAD;
use super::{Parser, range};
use crate::file::{DeclarationId, Field, FieldKind, Form, Holder, Label};
use crate::flaw::Flaw;
use crate::lexer::TokenKind;
use crate::number::{field as number, file, message};
use crate::table::Layer;
use crate::value::is_scalar;

impl Parser<'_> {
    /// Reads a field of a message, which may be in a oneof.
    pub(super) fn field(&mut self, oneof: Option<DeclarationId>) {
        let tail = [message::FIELD, self.scope().n_fields];
        if self.any_field(tail, None, oneof) {
            self.scope().n_fields += 1;
        }
    }

    /// Reads a field of an extend block.
    pub(super) fn extension(&mut self, extendee: Range) {
        let list = if self.is_in_file() { file::EXTENSION } else { message::EXTENSION };
        let tail = [list, self.scope().n_extensions];
        if self.any_field(tail, Some(extendee), None) {
            self.scope().n_extensions += 1;
        }
    }

    /// Reads a field; `false` when there is too little of it to count as one.
    fn any_field(&mut self, tail: [i32; 2], extendee: Option<Range>, oneof: Option<DeclarationId>) -> bool {
        let start = self.current.start;
        let location = self.open(&tail, Layer::Plain);
        if let Some(extendee) = extendee {
            self.record(&[tail[0], tail[1], number::EXTENDEE], extendee);
        }
        let label = self.label(tail);
        let kind = self.field_kind(tail);
        let is_lost_map = !self.at_identifier() && self.skip_to_name();
        let name = self.field_name(tail, kind);
        let has_number = self.at(b'=') || self.at_integer();
        let is_field = match kind {
            FieldKind::Missing => name.is_some() && has_number,
            _ => name.is_some() || has_number || label.is_some(),
        };
        if !is_field {
            self.file.table.take_from(location);
            self.missing("a field");
            self.skip_statement();
            return false;
        }
        self.expect(b'=', "`=`");
        let number = self.field_number(tail);
        let (default, json_name) = (None, None);
        let field = Field { label, kind, number, extendee, oneof, default, json_name };
        let id = self.declare(location, start, Form::Field(field));
        self.file.declarations[id.index()].name = name;
        self.field_options(id, tail);
        match kind {
            FieldKind::Group => self.group(id, tail, name),
            _ => self.end_statement(Some(location)),
        }
        if is_lost_map || matches!(kind, FieldKind::Map { .. }) {
            // The message that a map makes for its entries is not in the text, but takes an index in the list of
            // messages.
            self.scope().n_messages += 1;
        }
        self.close(location);
        let end = self.last_end;
        let declaration = &mut self.file.declarations[id.index()];
        declaration.range = range(start, end);
        if kind != FieldKind::Group {
            declaration.header = declaration.range;
        }
        true
    }

    fn label(&mut self, tail: [i32; 2]) -> Option<Label> {
        if !self.at_identifier() {
            return None;
        }
        let label = match self.text(self.current) {
            b"optional" => Label::Optional,
            b"required" => Label::Required,
            b"repeated" => Label::Repeated,
            _ => return None,
        };
        self.record_token(&[tail[0], tail[1], number::LABEL], Layer::Plain);
        Some(label)
    }

    fn field_kind(&mut self, tail: [i32; 2]) -> FieldKind {
        let start = self.current.start;
        let of = |part: i32| [tail[0], tail[1], part];
        if let Some(kind) = self.map() {
            self.record(&of(number::TYPE_NAME), range(start, self.last_end));
            return kind;
        }
        if !self.at_identifier() && !self.at(b'.') {
            self.missing("a type");
            return FieldKind::Missing;
        }
        let is_scalar = self.at_identifier() && is_scalar(self.text(self.current), self.file.syntax);
        if !is_scalar && self.next_token().kind == TokenKind::Symbol(b'=') {
            // A single word before `=` is the name, not the type.
            self.missing("a type");
            return FieldKind::Missing;
        }
        if is_scalar {
            let is_group = self.at_word(b"group");
            let written = self.record_token(&of(number::TYPE), Layer::Plain);
            return if is_group { FieldKind::Group } else { FieldKind::Type(written) };
        }
        let location = self.open(&of(number::TYPE_NAME), Layer::Plain);
        let written = self.dotted("a type").unwrap_or(range(start, start));
        self.close(location);
        FieldKind::Type(written)
    }

    /// Reads `map<K, V>`; `None` when there is no map, for example when `map` is the name of a type.
    fn map(&mut self) -> Option<FieldKind> {
        if !self.at(b'<') && !self.at_word(b"map") {
            return None;
        }
        if self.at_identifier() {
            let next = self.next_token();
            let is_map = next.kind == TokenKind::Symbol(b'<') || is_scalar(self.text(next), self.file.syntax);
            if !is_map {
                return None;
            }
            self.bump();
        } else {
            self.missing("`map`");
        }
        self.expect(b'<', "`<`");
        let key = self.dotted("the type of the keys").unwrap_or(range(self.last_end, self.last_end));
        self.expect(b',', "`,`");
        let value = self.dotted("the type of the values").unwrap_or(range(self.last_end, self.last_end));
        self.expect(b'>', "`>`");
        Some(FieldKind::Map { key, value })
    }

    /// Steps to the name of a field whose type cannot be read. Returns whether the type looks like a map.
    fn skip_to_name(&mut self) -> bool {
        if self.at(b'=') || self.at_integer() {
            return false;
        }
        let (mut lexer, mut token, mut n_tokens, mut is_map) = (self.ahead(), self.current, 0, false);
        while n_tokens < MOST_AHEAD
            && !matches!(token.kind, TokenKind::Symbol(b';' | b'{' | b'}') | TokenKind::End)
        {
            let next = lexer.next();
            is_map |= token.kind == TokenKind::Symbol(b'>');
            if token.kind == TokenKind::Identifier && next.kind == TokenKind::Symbol(b'=') {
                self.missing("a type");
                (0..n_tokens).for_each(|_| self.bump());
                return is_map;
            }
            token = next;
            n_tokens += 1;
        }
        false
    }

    fn field_name(&mut self, tail: [i32; 2], kind: FieldKind) -> Option<Range> {
        let next = if self.at_identifier() { self.next_token().kind } else { TokenKind::End };
        if next == TokenKind::Identifier && matches!(kind, FieldKind::Type(_)) && !self.is_first_of_line() {
            let mut lexer = self.ahead();
            lexer.next();
            if lexer.next().kind == TokenKind::Symbol(b'=') {
                // Three words in a row: the dot in the type is missing.
                self.missing("`.`");
                self.bump();
            }
        }
        self.name(&[tail[0], tail[1], crate::number::NAME], "the name of the field")
    }

    fn field_number(&mut self, tail: [i32; 2]) -> Option<i32> {
        if !self.at_integer() {
            self.missing("a number");
            return None;
        }
        let location = self.open(&[tail[0], tail[1], number::NUMBER], Layer::Plain);
        let number = self.integer(false);
        self.close(location);
        number
    }

    fn field_options(&mut self, id: DeclarationId, tail: [i32; 2]) {
        if !self.at(b'[') && !self.has_lost_bracket() {
            return;
        }
        let location = self.open(&[tail[0], tail[1], number::OPTIONS], Layer::Plain);
        self.expect(b'[', "`[`");
        let mut n_options = 0;
        loop {
            match self.text(self.current) {
                b"default" => self.default(id, tail),
                b"json_name" => self.json_name(id, tail),
                _ => {
                    let holder = Holder::Declaration(id);
                    let path = [tail[0], tail[1], number::OPTIONS];
                    self.option(holder, &path, &mut n_options, false);
                }
            }
            if !self.another_option() {
                break;
            }
        }
        self.expect(b']', "`]`");
        self.close(location);
    }

    /// Steps over the comma to the next option of a list; `false` when there is none.
    pub(super) fn another_option(&mut self) -> bool {
        if self.eat(b',') {
            let is_last = self.at(b']');
            if is_last {
                self.missing("an option");
            }
            return !is_last;
        }
        let is_option = (self.at_identifier() || self.at(b'(')) && !self.is_first_of_line();
        let is_option = is_option || self.at_identifier() && self.has_option_ahead();
        if is_option {
            self.missing("`,`");
        }
        is_option
    }

    /// Whether the current word is the name of one more option, with the comma before it missing.
    fn has_option_ahead(&self) -> bool {
        let mut lexer = self.ahead();
        let is_assigned = lexer.next().kind == TokenKind::Symbol(b'=');
        // The value of an option is followed by `,` or `]`. The number of a field or an enum value is followed by `;`
        // or `[`.
        let mut token = lexer.next();
        while token.kind == TokenKind::String {
            token = lexer.next();
        }
        is_assigned && matches!(lexer.next().kind, TokenKind::Symbol(b',' | b']'))
    }

    /// Reads the default value, which the descriptor keeps in the field and not in its options. Only the value itself
    /// has a location.
    fn default(&mut self, id: DeclarationId, tail: [i32; 2]) {
        if self.file.get(id).field().is_some_and(|field| field.default.is_some()) {
            self.report_here(Flaw::SetTwice);
        }
        self.bump();
        self.expect(b'=', "`=`");
        if self.at(b',') || self.at(b']') || self.at(b';') || self.at_end() {
            return self.missing("a value");
        }
        let start = self.current.start;
        let location = self.open(&[tail[0], tail[1], number::DEFAULT], Layer::Plain);
        let _has_sign = self.eat(b'-');
        let is_string = self.at_string();
        self.bump();
        while is_string && self.at_string() {
            self.bump();
        }
        self.close(location);
        let written = range(start, self.last_end);
        if let Form::Field(field) = &mut self.file.declarations[id.index()].form {
            field.default = Some(written);
        }
    }

    /// Reads the JSON name. It has two locations with the same path: the assignment, and its value.
    fn json_name(&mut self, id: DeclarationId, tail: [i32; 2]) {
        if self.file.get(id).field().is_some_and(|field| field.json_name.is_some()) {
            self.report_here(Flaw::SetTwice);
        }
        let path = [tail[0], tail[1], number::JSON_NAME];
        let location = self.open(&path, Layer::Plain);
        self.bump();
        self.expect(b'=', "`=`");
        if self.at_string() {
            let value = self.open(&path, Layer::Plain);
            let written = self.strings();
            self.close(value);
            if let Form::Field(field) = &mut self.file.declarations[id.index()].form {
                field.json_name = written;
            }
        } else {
            self.missing("a string");
        }
        self.close(location);
    }

    /// Reads the block of a group. A group is both a field and a message. Their locations overlap, and both have the
    /// same name.
    fn group(&mut self, field: DeclarationId, tail: [i32; 2], name: Option<Range>) {
        let declaration = self.file.declarations[field.index()];
        let start = declaration.range.start().to_u32();
        let nested = self.next_message();
        self.scope().n_messages += 1;
        let location = self.open_at(&nested, start, Layer::Plain);
        if let Some(name) = name {
            self.record(&[nested[0], nested[1], crate::number::NAME], name);
            self.record(&[tail[0], tail[1], number::TYPE_NAME], name);
        }
        let id = self.declare(location, start, Form::Message { group: Some(field) });
        self.file.declarations[id.index()].name = name;
        self.end_header(field);
        self.message_block(id, nested);
        self.close(location);
    }
}
