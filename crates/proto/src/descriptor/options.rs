//! The options of a file as the options messages of descriptor.proto.

use std::collections::HashMap;

use crate::file::{FieldKind, Form, OptionUse, OptionValue};
use crate::interpret::{Interpretation, TableKind};
use crate::lexer::{Lexer, Token, TokenKind};
use crate::number::{UNINTERPRETED, option as number};
use crate::pool::{Pool, SymbolRef, Unit, UnitId, Wanted};
use crate::value;
use crate::wire::{Message, Value};

/// An option is not interpreted if its value has braces nested more deeply than this.
const MOST_DEPTH: usize = 100;

/// All options messages, by their paths. An option that cannot be interpreted is kept as written, in
/// `uninterpreted_option`.
pub(super) fn all(
    pool: &Pool,
    interpretation: &Interpretation,
    kind: TableKind,
) -> HashMap<Vec<i32>, Message> {
    let unit = pool.unit(UnitId::MAIN);
    let mut all: HashMap<Vec<i32>, Message> = HashMap::new();
    for option in &unit.file.options {
        let raw = unit.file.table.get(option.location).path();
        let message = all.entry(raw[..raw.len() - 2].to_vec()).or_default();
        let meaning = interpretation.meaning(option.location).and_then(|meaning| meaning.as_ref().ok());
        let is_set = match meaning {
            Some(_) if kind == TableKind::Raw => false,
            Some(meaning) if kind == TableKind::Default && meaning.is_source_only => {
                drop_inner(pool, message, &meaning.fields);
                true
            }
            Some(meaning) => set(pool, unit, message, (&meaning.fields, kind), option).is_some(),
            None => false,
        };
        if !is_set {
            message.add_message(UNINTERPRETED, uninterpreted(unit, option));
        }
    }
    all
}

/// Adds the messages around a field that is not kept at run time. These messages stay, even if they are empty.
fn drop_inner(pool: &Pool, message: &mut Message, fields: &[SymbolRef]) {
    let mut within = Some(message);
    for &field in fields.iter().take_while(|&&field| !pool.is_source_only(field)) {
        let number = pool.declaration(field).field().and_then(|field| field.number);
        within = within.zip(number).and_then(|(within, number)| within.inner(number));
    }
}

/// Sets the field that an option means.
fn set(
    pool: &Pool,
    unit: &Unit,
    message: &mut Message,
    (fields, kind): (&[SymbolRef], TableKind),
    option: &OptionUse,
) -> Option<()> {
    let (&last, outer) = fields.split_last()?;
    let number = |field| pool.declaration(field).field()?.number;
    let range = match option.value {
        OptionValue::Missing => return None,
        OptionValue::Identifier(range)
        | OptionValue::Integer(range)
        | OptionValue::Float(range)
        | OptionValue::String(range)
        | OptionValue::Aggregate(range) => range,
    };
    let mut reader = OptionReader::new(pool, &unit.text[range.indices()], kind);
    let value = reader.value(Kind::of(pool, last)?, 0)?;
    let mut within = message;
    for &field in outer {
        let is_group = pool.declaration(field).field()?.kind == FieldKind::Group;
        let number = number(field)?;
        within = if is_group { within.inner_group(number)? } else { within.inner(number)? };
    }
    // protoc drops fields that are zero: it rewrites the whole message to remove the options that are not kept at run
    // time.
    if kind == TableKind::Default && value.is_zero() && !pool.has_presence(last) {
        return Some(());
    }
    add(pool, within, last, value)
}

/// Adds a value to a field. A number of a packed list is added to the list.
fn add(pool: &Pool, message: &mut Message, field: SymbolRef, value: Value) -> Option<()> {
    let number = pool.declaration(field).field()?.number?;
    let is_number = matches!(value, Value::Varint(_) | Value::Fixed32(_) | Value::Fixed64(_));
    match value {
        value if is_number && pool.is_packed(field) => message.add_packed(number, &value),
        Value::Message(inner) if is_in_message_set(pool, field) => {
            // In a message set, each extension is a group that holds the extension's number and content.
            let mut item = Message::default();
            item.add_number(2, number);
            item.add_message(3, inner);
            message.add(1, Value::Group(item));
        }
        value => message.add(number, value),
    }
    Some(())
}

/// Whether a field extends a message that sets the option `message_set_wire_format`.
fn is_in_message_set(pool: &Pool, field: SymbolRef) -> bool {
    let Some(extendee) = pool.declaration(field).field().and_then(|field| field.extendee) else {
        return false;
    };
    let name = value::dotted(&pool.unit(field.unit).text[extendee.indices()]);
    let message = pool.look_up(field.unit, &name, &pool.full_name(field), Wanted::Type);
    message.is_some_and(|message| pool.unit(message.unit).says(message.id, b"message_set_wire_format"))
}

/// An option as written, as an `UninterpretedOption`.
fn uninterpreted(unit: &Unit, option: &OptionUse) -> Message {
    let mut out = Message::default();
    for part in unit.file.name_of(option) {
        let mut name = Message::default();
        name.add_text(number::NAME_PART, value::dotted(&unit.text[part.name.indices()]));
        name.add_number(2, i32::from(part.is_extension));
        out.add_message(number::NAME, name);
    }
    let text = |range: locant_text::Range| &unit.text[range.indices()];
    match option.value {
        OptionValue::Missing => {}
        OptionValue::Identifier(range) => out.add_text(number::IDENTIFIER, text(range)),
        OptionValue::String(range) => out.add_text(number::STRING, value::strings(text(range))),
        OptionValue::Integer(range) | OptionValue::Float(range) => {
            let (sign, digits) = value::signed(text(range));
            match (sign, value::integer(digits), option.value) {
                (false, Some(whole), OptionValue::Integer(_)) => {
                    out.add(number::POSITIVE, Value::Varint(whole))
                }
                (true, Some(whole), OptionValue::Integer(_)) => {
                    out.add(number::NEGATIVE, Value::Varint(whole.wrapping_neg()));
                }
                (sign, ..) => {
                    let number = value::float(digits).unwrap_or(f64::NAN);
                    out.add(number::DOUBLE, Value::Fixed64((if sign { -number } else { number }).to_bits()));
                }
            }
        }
        OptionValue::Aggregate(range) => out.add_text(number::AGGREGATE, inside(text(range))),
    }
    out
}

/// The tokens of an aggregate without its braces, separated by single blanks.
fn inside(text: &[u8]) -> Vec<u8> {
    let mut lexer = Lexer::new(text);
    let mut tokens: Vec<&[u8]> = Vec::new();
    loop {
        let token = lexer.next();
        if token.kind == TokenKind::End {
            break;
        }
        tokens.push(&text[token.start as usize..token.end as usize]);
    }
    let inner = tokens.get(1..tokens.len().saturating_sub(1)).unwrap_or_default();
    inner.join(&b' ')
}

/// The type that a value must have.
#[derive(Clone, Copy)]
enum Kind {
    Scalar(&'static str),
    Enum(SymbolRef),
    Message(SymbolRef),
    Group(SymbolRef),
    /// An entry of the map field.
    Entry(SymbolRef),
}

impl Kind {
    fn of(pool: &Pool, field: SymbolRef) -> Option<Kind> {
        match pool.declaration(field).field()?.kind {
            FieldKind::Type(range) => Kind::named(pool, field, range),
            FieldKind::Map { .. } => Some(Kind::Entry(field)),
            FieldKind::Group => pool.type_of(field).map(Kind::Group),
            FieldKind::Missing => None,
        }
    }

    /// The type that is named at `range` in the declaration of a field.
    fn named(pool: &Pool, field: SymbolRef, range: locant_text::Range) -> Option<Kind> {
        let name = value::dotted(&pool.unit(field.unit).text[range.indices()]);
        if let Some((name, _)) = value::scalar(&name, pool.unit(field.unit).file.syntax) {
            return Some(Kind::Scalar(name));
        }
        let symbol = pool.look_up(field.unit, &name, &pool.full_name(field), Wanted::Type)?;
        match pool.declaration(symbol).form {
            Form::Enum => Some(Kind::Enum(symbol)),
            Form::Message { .. } => Some(Kind::Message(symbol)),
            _ => None,
        }
    }
}

/// Reads values as option statements and aggregates write them.
struct OptionReader<'t> {
    pool: &'t Pool,
    text: &'t [u8],
    lexer: Lexer<'t>,
    current: Token,
    /// Whether to include fields that are not kept at run time.
    keeps_all: bool,
}

impl<'t> OptionReader<'t> {
    fn new(pool: &'t Pool, text: &'t [u8], kind: TableKind) -> OptionReader<'t> {
        let mut lexer = Lexer::new(text);
        let current = lexer.next();
        OptionReader { pool, text, lexer, current, keeps_all: kind != TableKind::Default }
    }

    fn bump(&mut self) -> &'t [u8] {
        let text = &self.text[self.current.start as usize..self.current.end as usize];
        self.current = self.lexer.next();
        text
    }

    fn eat(&mut self, symbol: u8) -> bool {
        let comes = self.current.kind == TokenKind::Symbol(symbol);
        if comes {
            self.bump();
        }
        comes
    }

    fn value(&mut self, kind: Kind, depth: usize) -> Option<Value> {
        match kind {
            Kind::Scalar(name) => self.scalar(name),
            Kind::Enum(symbol) => self.enum_value(symbol),
            Kind::Message(message) => self.message(Some(message), None, depth).map(Value::Message),
            Kind::Group(message) => self.message(Some(message), None, depth).map(Value::Group),
            Kind::Entry(field) => self.message(None, Some(field), depth).map(Value::Message),
        }
    }

    fn is_in_braces(&self) -> bool {
        self.text.starts_with(b"{")
    }

    fn scalar(&mut self, name: &str) -> Option<Value> {
        let is_negative = self.eat(b'-');
        let kind = self.current.kind;
        if kind == TokenKind::String {
            let mut said = Vec::new();
            while self.current.kind == TokenKind::String {
                said.extend(value::strings(self.bump()));
            }
            return matches!(name, "string" | "bytes").then_some(Value::Bytes(said));
        }
        let word = self.bump();
        if matches!(name, "double" | "float") {
            let number = match word {
                b"inf" | b"infinity" => f64::INFINITY,
                b"nan" => f64::NAN,
                word => value::float(word.strip_suffix(b"f").unwrap_or(word))?,
            };
            // A nan keeps its sign only in braces.
            let is_plain_nan = number.is_nan() && !self.is_in_braces();
            let number = if is_negative && !is_plain_nan { -number } else { number };
            #[expect(clippy::cast_possible_truncation, reason = "a float has fewer digits")]
            let short = number as f32;
            let is_short = name == "float";
            return Some(if is_short {
                Value::Fixed32(short.to_bits())
            } else {
                Value::Fixed64(number.to_bits())
            });
        }
        if name == "bool" {
            return match word {
                b"true" | b"t" | b"True" | b"1" => Some(Value::Varint(1)),
                b"false" | b"f" | b"False" | b"0" => Some(Value::Varint(0)),
                _ => None,
            };
        }
        let whole = value::integer(word).filter(|_| kind == TokenKind::Integer)?;
        let whole = if is_negative { whole.wrapping_neg() } else { whole };
        Some(match name {
            "sint32" | "sint64" => Value::Varint(whole << 1 ^ (whole.cast_signed() >> 63).cast_unsigned()),
            "fixed32" | "sfixed32" => Value::Fixed32(u32::try_from(whole & 0xffff_ffff).expect("masked")),
            "fixed64" | "sfixed64" => Value::Fixed64(whole),
            "string" | "bytes" => return None,
            _ => Value::Varint(whole),
        })
    }

    fn enum_value(&mut self, symbol: SymbolRef) -> Option<Value> {
        let is_negative = self.eat(b'-');
        let kind = self.current.kind;
        let word = self.bump();
        if kind == TokenKind::Integer {
            let whole = value::integer(word)?;
            return Some(Value::Varint(if is_negative { whole.wrapping_neg() } else { whole }));
        }
        let unit = self.pool.unit(symbol.unit);
        let is_it = |name: locant_text::Range| &unit.text[name.indices()] == word;
        let mut values = unit.file.children(Some(symbol.id));
        let found = values.find(|(_, value)| value.name.is_some_and(is_it))?.1;
        match found.form {
            Form::Value { number } => Some(Value::Varint(i64::from(number?).cast_unsigned())),
            _ => None,
        }
    }

    /// Reads `{ … }` or `< … >`: the fields of a message, or of an entry of a map.
    fn message(
        &mut self,
        message: Option<SymbolRef>,
        entry: Option<SymbolRef>,
        depth: usize,
    ) -> Option<Message> {
        let ending = match self.current.kind {
            TokenKind::Symbol(b'{') => b'}',
            TokenKind::Symbol(b'<') => b'>',
            _ => return None,
        };
        if depth > MOST_DEPTH {
            return None;
        }
        self.bump();
        let mut out = Message::default();
        while !self.eat(ending) {
            if depth == 0 && self.current.kind == TokenKind::Symbol(b'#') {
                // This is a comment of the text format. protoc joins the lines of a value before it reads the value, so
                // the comment goes on to the end of the value.
                break;
            }
            match (entry, message) {
                (Some(field), _) => self.entry_field(&mut out, field, depth)?,
                (None, Some(message)) => self.field(&mut out, message, depth)?,
                (None, None) => return None,
            }
            let _separated = self.eat(b',') || self.eat(b';');
        }
        if let Some(field) = entry {
            self.complete_entry(&mut out, field)?;
        }
        Some(out)
    }

    /// Adds a zero for the key or the value that an entry of a map lacks. An encoded entry always has both.
    fn complete_entry(&self, out: &mut Message, field: SymbolRef) -> Option<()> {
        let FieldKind::Map { key, value } = self.pool.declaration(field).field()?.kind else { return None };
        for (number, range) in [(1, key), (2, value)] {
            if out.has(number) {
                continue;
            }
            let zero = match Kind::named(self.pool, field, range)? {
                Kind::Scalar("string" | "bytes") => Value::Bytes(Vec::new()),
                Kind::Scalar("double" | "fixed64" | "sfixed64") => Value::Fixed64(0),
                Kind::Scalar("float" | "fixed32" | "sfixed32") => Value::Fixed32(0),
                Kind::Scalar(_) => Value::Varint(0),
                Kind::Enum(symbol) => self.first_value(symbol)?,
                _ => Value::Message(Message::default()),
            };
            out.add(number, zero);
        }
        Some(())
    }

    fn first_value(&self, symbol: SymbolRef) -> Option<Value> {
        let mut values = self.pool.unit(symbol.unit).file.children(Some(symbol.id));
        match values.next()?.1.form {
            Form::Value { number } => Some(Value::Varint(i64::from(number?).cast_unsigned())),
            _ => None,
        }
    }

    /// Reads `key: …` or `value: …` of an entry of a map.
    fn entry_field(&mut self, out: &mut Message, field: SymbolRef, depth: usize) -> Option<()> {
        let FieldKind::Map { key, value } = self.pool.declaration(field).field()?.kind else { return None };
        let (number, kind) = match self.bump() {
            b"key" => (1, Kind::named(self.pool, field, key)?),
            b"value" => (2, Kind::named(self.pool, field, value)?),
            _ => return None,
        };
        let _has_colon = self.eat(b':');
        let value = self.value(kind, depth + 1)?;
        out.add(number, value);
        Some(())
    }

    /// Reads a field of a message with its value, or with a list of values in brackets.
    fn field(&mut self, out: &mut Message, message: SymbolRef, depth: usize) -> Option<()> {
        let field = match self.current.kind {
            TokenKind::Symbol(b'[') => match self.bracketed(out, message, depth)? {
                Some(field) => field,
                None => return Some(()),
            },
            _ => {
                let name = String::from_utf8_lossy(self.bump()).into_owned();
                let field = self.pool.field(message, &name);
                field.or_else(|| self.pool.field(message, &name.to_lowercase()))?
            }
        };
        let kind = Kind::of(self.pool, field)?;
        let _has_colon = self.eat(b':');
        let is_list = self.eat(b'[');
        while !(is_list && self.eat(b']')) {
            let value = self.value(kind, depth + 1)?;
            let is_unset = value.is_zero() && !self.pool.has_presence(field);
            if !is_unset && (self.keeps_all || !self.pool.is_source_only(field)) {
                add(self.pool, out, field, value)?;
            }
            if !is_list {
                break;
            }
            let _separated = self.eat(b',');
        }
        Some(())
    }

    /// Reads `[an.extension]` and returns the extension, or reads `[host/a.Message] { … }`, which is the content of an
    /// Any. Such content is added to `out`, and no field is returned.
    fn bracketed(&mut self, out: &mut Message, within: SymbolRef, depth: usize) -> Option<Option<SymbolRef>> {
        self.bump();
        let mut name = Vec::new();
        while !self.eat(b']') {
            if self.current.kind == TokenKind::End {
                return None;
            }
            name.extend_from_slice(self.bump());
        }
        let name = String::from_utf8_lossy(&name).into_owned();
        let Some((_, full)) = name.rsplit_once('/') else {
            let scope = self.pool.full_name(within);
            let field = self.pool.look_up(UnitId::MAIN, &name, &scope, Wanted::Any);
            let field = field.or_else(|| self.pool.find_anywhere(&name));
            return field.filter(|&symbol| self.pool.declaration(symbol).is_extension()).map(Some);
        };
        let message = self.pool.find_anywhere(full)?;
        let _has_colon = self.eat(b':');
        let content = self.message(Some(message), None, depth + 1)?;
        out.add_text(1, &name);
        if !content.is_empty() {
            out.add_text(2, content.bytes());
        }
        Some(None)
    }
}
