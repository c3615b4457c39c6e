//! Finds the names inside values in braces, such as `{ a: X }` in `option (o) = { a: X };`.
//!
//! Such a value is a message in the text format: fields with values, extensions in brackets, messages in braces. The
//! type of the message says what the names mean. Unknown fields are skipped, so that the names after them are still
//! found.

use locant_text::Range;

use super::mentions::Collector;
use crate::file::{FieldKind, Form};
use crate::flaw::Flaw;
use crate::lexer::{Lexer, Token, TokenKind};
use crate::pool::{SymbolRef, Wanted};
use crate::value;

/// Values nested more deeply than this are skipped.
const MOST_DEPTH: usize = 100;

/// Adds the mentions in a value of a field.
pub(super) fn collect(collector: &mut Collector<'_>, range: Range, field: SymbolRef) {
    let mut lexer = Lexer::new(&collector.unit.text[range.indices()]);
    let current = lexer.next();
    let mut reader = ValueReader { collector, range, lexer, current };
    reader.value(Shape::of_field(reader.collector, field), 0);
}

/// The type of a value, reduced to what matters for names.
#[derive(Clone, Copy)]
enum Shape {
    Message(SymbolRef),
    /// An entry of the map field.
    Entry(SymbolRef),
    Enum(SymbolRef),
    /// A string that holds the full name of a declaration.
    Name,
    /// A value without names in it.
    Plain,
    /// A value of unknown type.
    Unknown,
}

impl Shape {
    fn of_field(collector: &Collector<'_>, field: SymbolRef) -> Shape {
        let pool = collector.pool;
        match pool.declaration(field).field().map(|field| field.kind) {
            Some(FieldKind::Map { .. }) => Shape::Entry(field),
            Some(FieldKind::Type(_) | FieldKind::Group) => match pool.type_of(field) {
                Some(kind) => Shape::of_type(collector, kind),
                None if is_name(collector, field) => Shape::Name,
                None => Shape::Plain,
            },
            Some(FieldKind::Missing) | None => Shape::Unknown,
        }
    }

    fn of_type(collector: &Collector<'_>, kind: SymbolRef) -> Shape {
        match collector.pool.declaration(kind).form {
            Form::Enum => Shape::Enum(kind),
            _ => Shape::Message(kind),
        }
    }
}

/// Whether the strings in a field are names of declarations. Two fields of ExtensionRangeOptions have such strings.
fn is_name(collector: &Collector<'_>, field: SymbolRef) -> bool {
    const NAMING: [&str; 2] = [
        "google.protobuf.ExtensionRangeOptions.Declaration.full_name",
        "google.protobuf.ExtensionRangeOptions.Declaration.type",
    ];
    let unit = collector.pool.unit(field.unit);
    unit.package == "google.protobuf" && NAMING.contains(&unit.full_name(field.id).as_str())
}

struct ValueReader<'r, 'p> {
    collector: &'r mut Collector<'p>,
    /// The range of the value in its file.
    range: Range,
    lexer: Lexer<'p>,
    current: Token,
}

impl ValueReader<'_, '_> {
    fn at(&self, symbol: u8) -> bool {
        self.current.kind == TokenKind::Symbol(symbol)
    }

    fn at_end(&self) -> bool {
        // `#` starts a comment of the text format. protoc joins the lines of a value before it reads the value, so the
        // comment goes on to the end of the value.
        matches!(self.current.kind, TokenKind::End | TokenKind::Symbol(b'#'))
    }

    /// Steps over the current token, and returns its range in the file.
    fn bump(&mut self) -> Range {
        let start = self.range.start().index();
        let token = Range::of_indices(start + self.current.start as usize..start + self.current.end as usize);
        self.current = self.lexer.next();
        token
    }

    fn eat(&mut self, symbol: u8) -> bool {
        let comes = self.at(symbol);
        if comes {
            self.bump();
        }
        comes
    }

    fn text(&self, range: Range) -> String {
        value::dotted(&self.collector.unit.text[range.indices()])
    }

    fn value(&mut self, shape: Shape, depth: usize) {
        match (self.current.kind, shape) {
            (TokenKind::Symbol(b'{' | b'<'), _) => self.message(shape, depth),
            (TokenKind::Symbol(b'}' | b'>' | b']'), _) | (TokenKind::End, _) => {}
            (TokenKind::Identifier, Shape::Enum(kind)) => {
                let word = self.bump();
                self.collector.enum_value(word, kind);
            }
            (TokenKind::String, _) => {
                while self.current.kind == TokenKind::String {
                    let literal = self.bump();
                    if matches!(shape, Shape::Name) {
                        self.name(literal);
                    }
                }
            }
            (TokenKind::Symbol(b'-'), _) => {
                self.bump();
                self.bump();
            }
            _ => drop(self.bump()),
        }
    }

    /// Adds the mentions in a string such as ".my.extension".
    fn name(&mut self, literal: Range) {
        let range = super::mentions::unquoted(&self.collector.unit.text, literal);
        let name = self.text(range);
        let found = name.strip_prefix('.').and_then(|name| self.collector.pool.find_anywhere(name));
        if found.is_some() {
            self.collector.dotted(range, found, Flaw::UnknownOption);
        }
    }

    /// Reads `{ … }` or `< … >`.
    fn message(&mut self, shape: Shape, depth: usize) {
        let ending = if self.at(b'{') { b'}' } else { b'>' };
        self.bump();
        // Deeper values are skipped, which bounds the recursion.
        let shape = if depth > MOST_DEPTH { return self.skip_to(ending) } else { shape };
        while !self.eat(ending) && !self.at_end() {
            match self.current.kind {
                TokenKind::Identifier => {
                    let word = self.bump();
                    let inner = self.field(word, shape);
                    self.field_value(inner, depth);
                }
                TokenKind::Symbol(b'[') => {
                    let inner = self.bracketed(shape);
                    self.field_value(inner, depth);
                }
                _ => drop(self.bump()),
            }
        }
    }

    fn skip_to(&mut self, ending: u8) {
        let opening = if ending == b'}' { b'{' } else { b'<' };
        let mut depth = 1;
        while depth > 0 && !self.at_end() {
            depth += usize::from(self.at(opening));
            depth -= usize::from(self.at(ending));
            self.bump();
        }
    }

    /// Adds the mention of a field by its name, and returns the shape of its value.
    fn field(&mut self, word: Range, shape: Shape) -> Shape {
        let name = self.text(word);
        let pool = self.collector.pool;
        match shape {
            Shape::Message(message) => {
                // The field of a group may be written with the name of its message.
                let field = pool.field(message, &name).or_else(|| pool.field(message, &name.to_lowercase()));
                let Some(field) = field else {
                    self.collector.dotted(word, None, Flaw::UnknownOption);
                    return Shape::Unknown;
                };
                self.collector.symbol(word, field);
                Shape::of_field(self.collector, field)
            }
            Shape::Entry(map) if name == "value" => match pool.map_value(map) {
                Some(kind) => Shape::of_type(self.collector, kind),
                None => Shape::Plain,
            },
            _ => Shape::Unknown,
        }
    }

    fn field_value(&mut self, shape: Shape, depth: usize) {
        self.eat(b':');
        if self.eat(b'[') {
            while !self.eat(b']') && !self.at_end() && !self.at(b'}') {
                let before = self.current;
                self.value(shape, depth + 1);
                if self.current == before {
                    self.bump();
                }
                self.eat(b',');
            }
        } else {
            self.value(shape, depth + 1);
        }
    }

    /// Reads `[an.extension]` or `[host/a.Message]`, and returns the shape of its value.
    fn bracketed(&mut self, shape: Shape) -> Shape {
        self.bump();
        let mut start = self.current.start;
        let mut is_any = false;
        let mut end = start;
        while !self.at(b']') && !self.at_end() {
            is_any |= self.at(b'/');
            let is_slash = self.at(b'/');
            end = self.current.end;
            self.bump();
            start = if is_slash { self.current.start } else { start };
        }
        self.eat(b']');
        let from = self.range.start().index();
        let range = Range::of_indices(from + start as usize..from + end.max(start) as usize);
        let name = self.text(range);
        let (pool, id) = (self.collector.pool, self.collector.id);
        if is_any {
            let message = pool.find_anywhere(&name);
            self.collector.dotted(range, message, Flaw::UnknownType);
            return message.map_or(Shape::Unknown, Shape::Message);
        }
        let Shape::Message(within) = shape else { return Shape::Unknown };
        let field = pool.look_up(id, &name, &pool.full_name(within), Wanted::Any);
        let field = field.or_else(|| pool.find_anywhere(&name));
        let field = field.filter(|&symbol| pool.declaration(symbol).is_extension());
        self.collector.dotted(range, field, Flaw::UnknownOption);
        field.map_or(Shape::Unknown, |field| Shape::of_field(self.collector, field))
    }
}
