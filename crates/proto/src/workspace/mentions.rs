//! Finds every place in a file that mentions something by name, and what the name means.

use locant_names::Role;
use locant_text::{Offset, Range};

use super::values;
use crate::file::{DeclarationId, Field, FieldKind, Form, Method, OptionUse, OptionValue};
use crate::flaw::Flaw;
use crate::interpret::{field_of, options_message, scope_of};
use crate::lexer::{Lexer, TokenKind};
use crate::pool::{Pool, SymbolRef, Unit, UnitId, Wanted};
use crate::value;

/// A place that mentions something by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mention {
    pub(super) range: Range,
    pub(super) thing: Thing,
    /// Whether the thing is declared here.
    pub(super) is_declaration: bool,
}

impl Mention {
    /// Whether the mention is a definition or a use.
    pub(super) fn role(&self) -> Role {
        if self.is_declaration { Role::Definition } else { Role::Use }
    }
}

/// What a name means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Thing {
    /// A declaration. For a group it is the message, not the field.
    Symbol(SymbolRef),
    /// A package, by its full name. It may be an outer package: `a` in `a.b`.
    Package(String),
    /// A file.
    File(UnitId),
    /// Nothing: the name is not declared, or the file is missing.
    Unknown(Flaw),
}

/// All mentions in a file, in the order of their places.
pub(super) fn mentions(pool: &Pool, id: UnitId) -> Vec<Mention> {
    let unit = pool.unit(id);
    let mut collector = Collector { pool, id, unit, mentions: Vec::new() };
    collector.package();
    collector.imports();
    for (declaration, _) in unit.file.iter() {
        collector.declaration(declaration);
    }
    for option in &unit.file.options {
        collector.option(option);
    }
    let mut mentions = collector.mentions;
    mentions.sort_by_key(|mention| (mention.range.start(), mention.range.end()));
    // There are duplicates: the extended message of an `extend` block is found once for each of its fields, and a group
    // is found as a field and as a message.
    mentions.dedup_by(|one, other| one.range == other.range && one.thing == other.thing);
    mentions
}

/// The mention that contains a place, or that ends there.
///
/// Mentions do not overlap unless they have the same range. So they are sorted by their ends as well as by their
/// starts.
pub(super) fn at(mentions: &[Mention], offset: Offset) -> Option<&Mention> {
    let n_before = mentions.partition_point(|mention| mention.range.end() <= offset);
    let n_apart = mentions[..n_before].partition_point(|mention| mention.range.end() < offset);
    let inside = mentions.get(n_before).filter(|mention| mention.range.contains(offset));
    inside.or_else(|| mentions.get(n_apart).filter(|mention| mention.range.touches(offset)))
}

/// The symbol to use in answers. For the field of a group, it is the message of the group, whose name is at the same
/// place.
pub(super) fn canonical(pool: &Pool, symbol: SymbolRef) -> SymbolRef {
    let is_group = |field: &Field| field.kind == FieldKind::Group;
    if pool.declaration(symbol).field().is_some_and(is_group) {
        pool.type_of(symbol).unwrap_or(symbol)
    } else {
        symbol
    }
}

/// The words in a range of a text.
pub(super) fn words(text: &[u8], range: Range) -> Vec<Range> {
    let mut lexer = Lexer::new(&text[range.indices()]);
    let mut words = Vec::new();
    loop {
        let token = lexer.next();
        let from = range.start().index();
        match token.kind {
            TokenKind::End => return words,
            TokenKind::Identifier => {
                words.push(Range::of_indices(from + token.start as usize..from + token.end as usize));
            }
            _ => {}
        }
    }
}

/// Finds the mentions of one file.
pub(super) struct Collector<'p> {
    pub(super) pool: &'p Pool,
    pub(super) id: UnitId,
    pub(super) unit: &'p Unit,
    mentions: Vec<Mention>,
}

impl Collector<'_> {
    fn push(&mut self, range: Range, thing: Thing, is_declaration: bool) {
        self.mentions.push(Mention { range, thing, is_declaration });
    }

    /// Adds a mention of a symbol.
    pub(super) fn symbol(&mut self, range: Range, symbol: SymbolRef) {
        self.push(range, Thing::Symbol(canonical(self.pool, symbol)), false);
    }

    fn package(&mut self) {
        let Some(range) = self.unit.file.package else { return };
        let words = words(&self.unit.text, range);
        let names: Vec<&str> = self.unit.package.split('.').collect();
        for (index, word) in words.into_iter().enumerate() {
            let name = names[..names.len().min(index + 1)].join(".");
            self.push(word, Thing::Package(name), true);
        }
    }

    fn imports(&mut self) {
        for (import, &found) in self.unit.file.imports.iter().zip(self.pool.imports(self.id)) {
            let Some(range) = import.path else { continue };
            let thing = found.map_or(Thing::Unknown(Flaw::MissingImport), Thing::File);
            self.push(unquoted(&self.unit.text, range), thing, false);
        }
    }

    fn declaration(&mut self, id: DeclarationId) {
        let symbol = SymbolRef { unit: self.id, id };
        let declaration = self.unit.file.get(id);
        if let Some(name) = declaration.name {
            self.push(name, Thing::Symbol(canonical(self.pool, symbol)), true);
        }
        match declaration.form {
            Form::Field(field) => self.field(symbol, &field),
            Form::Method(Method { input, output, .. }) => {
                let scope = self.unit.full_name(id);
                [input, output].into_iter().flatten().for_each(|range| self.method_type(range, &scope));
            }
            Form::Message { .. } | Form::Oneof | Form::Enum | Form::Value { .. } | Form::Service => {}
        }
    }

    fn field(&mut self, symbol: SymbolRef, field: &Field) {
        let scope = self.unit.full_name(symbol.id);
        match field.kind {
            FieldKind::Type(range) => self.type_name(range, &scope),
            FieldKind::Map { key, value } => {
                [key, value].iter().for_each(|&range| self.type_name(range, &scope))
            }
            FieldKind::Missing | FieldKind::Group => {}
        }
        if let Some(extendee) = field.extendee {
            self.type_name(extendee, &scope);
        }
        if let (Some(default), Some(kind)) = (field.default, self.pool.type_of(symbol)) {
            self.enum_value(default, kind);
        }
    }

    fn type_name(&mut self, range: Range, scope: &str) {
        let name = value::dotted(&self.unit.text[range.indices()]);
        if name.is_empty() || value::is_scalar(name.as_bytes(), self.unit.file.syntax) {
            return;
        }
        let found = self.pool.look_up(self.id, &name, scope, Wanted::Type);
        let is_type = |symbol: &SymbolRef| {
            matches!(self.pool.declaration(*symbol).form, Form::Message { .. } | Form::Enum)
        };
        self.dotted(range, found.filter(is_type), Flaw::UnknownType);
    }

    /// Adds the type of a request or a response. Unlike the type of a field, it can be hidden by something that is not
    /// a type, such as the method itself.
    fn method_type(&mut self, range: Range, scope: &str) {
        let name = value::dotted(&self.unit.text[range.indices()]);
        if !name.is_empty() && !value::is_scalar(name.as_bytes(), self.unit.file.syntax) {
            let found = self.pool.look_up(self.id, &name, scope, Wanted::Any);
            self.dotted(range, found, Flaw::UnknownType);
        }
    }

    /// Adds the mentions in a dotted name. The last word means the symbol, and the words before it mean the
    /// declarations and packages around the symbol.
    pub(super) fn dotted(&mut self, range: Range, found: Option<SymbolRef>, otherwise: Flaw) {
        let Some(symbol) = found else { return self.push(range, Thing::Unknown(otherwise), false) };
        let unit = self.pool.unit(symbol.unit);
        let mut inner = Some(symbol.id);
        let mut package = unit.package.as_str();
        for word in words(&self.unit.text, range).into_iter().rev() {
            match inner {
                Some(id) => {
                    self.symbol(word, SymbolRef { unit: symbol.unit, id });
                    inner = unit.file.get(id).parent;
                }
                None => {
                    self.push(word, Thing::Package(package.to_owned()), false);
                    package = package.rsplit_once('.').map_or("", |(outer, _)| outer);
                }
            }
        }
    }

    /// Adds a mention if the word is a value of the enum. Any other word is ignored.
    pub(super) fn enum_value(&mut self, range: Range, kind: SymbolRef) {
        let word = &self.unit.text[range.indices()];
        if let Some(id) = self.pool.unit(kind.unit).value(kind.id, word) {
            self.symbol(range, SymbolRef { unit: kind.unit, id });
        }
    }

    fn option(&mut self, option: &OptionUse) {
        let scope = scope_of(self.unit, option.holder);
        let mut message = options_message(self.pool, self.id, option.holder);
        let mut field = None;
        for part in self.unit.file.name_of(option) {
            field = message.and_then(|message| field_of(self.pool, self.id, message, part, &scope));
            self.dotted(part.name, field, Flaw::UnknownOption);
            let Some(found) = field else { return };
            message = self.pool.type_of(found);
        }
        let Some(field) = field else { return };
        match option.value {
            OptionValue::Identifier(range) => {
                if let Some(kind) = self.pool.type_of(field) {
                    self.enum_value(range, kind);
                }
            }
            OptionValue::Aggregate(range) => values::collect(self, range, field),
            OptionValue::Missing
            | OptionValue::Integer(_)
            | OptionValue::Float(_)
            | OptionValue::String(_) => {}
        }
    }
}

/// The range of a string literal without its quotes.
pub(super) fn unquoted(text: &[u8], range: Range) -> Range {
    let written = &text[range.indices()];
    let (start, end) = (range.start().index(), range.end().index());
    let is_closed = written.len() >= 2 && written.last() == written.first();
    Range::of_indices(start + 1..if is_closed { end - 1 } else { end.max(start + 1) })
}
