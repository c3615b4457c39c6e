//! The rules for options of fields: many options are only for fields of some types.

use super::Rules;
use crate::file::{DeclarationId, Field, FieldKind, Form, Holder, Label, Syntax};
use crate::pool::SymbolRef;
use crate::value;

/// The first edition in which a feature replaces `ctype`.
const FIRST_WITHOUT_CTYPE: u32 = 2024;

/// The 64-bit integer types, whose values may not fit into the numbers of JavaScript.
const LONG: &[&str] = &["int64", "uint64", "sint64", "fixed64", "sfixed64"];

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    /// A scalar type.
    Scalar(&'static str),
    Enum,
    Message,
    Group,
    /// A map, and whether its keys or values are strings.
    Map {
        has_strings: bool,
    },
    /// An unknown type.
    Unknown,
}

impl Held {
    /// Whether a list of this type can be packed.
    fn is_packable(self) -> bool {
        match self {
            Held::Scalar(name) => !matches!(name, "string" | "bytes"),
            Held::Enum | Held::Unknown => true,
            Held::Message | Held::Group | Held::Map { .. } => false,
        }
    }
}

impl Rules<'_> {
    /// Checks that the type of a field allows its options and features.
    pub(super) fn field_options(&mut self, id: DeclarationId, field: &Field) {
        let held = self.held(id, field);
        if held == Held::Unknown {
            return;
        }
        let is_list = field.label == Some(Label::Repeated) || matches!(held, Held::Map { .. });
        self.enum_held(id, field);
        self.plain_options(id, held, is_list);
        if matches!(self.unit.file.syntax, Syntax::Edition(_)) {
            self.presence(id, field, held, is_list);
            self.encodings(id, held, is_list);
        }
    }

    fn held(&self, id: DeclarationId, field: &Field) -> Held {
        let syntax = self.unit.file.syntax;
        let scalar = |range| value::scalar(&value::dotted(self.text(range)), syntax).map(|(name, _)| name);
        match field.kind {
            FieldKind::Missing => Held::Unknown,
            FieldKind::Group => Held::Group,
            FieldKind::Map { key, value } => Held::Map {
                has_strings: [key, value].into_iter().any(|range| scalar(range) == Some("string")),
            },
            FieldKind::Type(range) => match scalar(range) {
                Some(name) => Held::Scalar(name),
                None => match self.pool.type_of(SymbolRef { unit: self.id, id }) {
                    Some(named) if self.pool.declaration(named).form == Form::Enum => Held::Enum,
                    Some(_) => Held::Message,
                    None => Held::Unknown,
                },
            },
        }
    }

    /// Checks the enum that is the type of a field: some fields need an open enum, others an enum that starts with
    /// zero.
    fn enum_held(&mut self, id: DeclarationId, field: &Field) {
        let symbol = SymbolRef { unit: self.id, id };
        let is_map = matches!(field.kind, FieldKind::Map { .. });
        let named = if is_map { self.pool.map_value(symbol) } else { self.pool.type_of(symbol) };
        let named = named.filter(|&named| self.pool.declaration(named).form == Form::Enum);
        let (Some(named), Some(range)) = (named, self.unit.file.get(id).name) else { return };
        let unit = self.pool.unit(named.unit);
        let is_closed = !unit.is_open_enum(named.id);
        // The values of an enum come right after it in `declarations`.
        let first = unit.file.declarations.get(named.id.index() + 1).map(|first| first.form);
        let starts_with_zero = first == Some(Form::Value { number: Some(0) });
        let is_implicit = || !is_map && !self.pool.has_presence(symbol);
        let message = match self.unit.file.syntax {
            Syntax::Proto3 if is_closed => "proto3 has fields of open enums only",
            Syntax::Edition(_) if is_closed && is_implicit() => "an implicit field has an open enum",
            _ if is_map && !starts_with_zero => "the enum of a map starts with zero",
            _ => return,
        };
        self.report(range, "not-for-this", message, "take another enum");
    }

    fn plain_options(&mut self, id: DeclarationId, held: Held, is_list: bool) {
        let unit = self.unit;
        let said = |name: &[u8]| unit.said(Holder::Declaration(id), &[name]);
        let mut refuse = |name: &[u8], message: &str, hint: &str| self.refuse_option(id, name, message, hint);
        let is_edition = matches!(unit.file.syntax, Syntax::Edition(_));
        match said(b"packed") {
            Some(_) if is_edition => {
                refuse(b"packed", "editions have no `packed`", "write features.repeated_field_encoding");
            }
            Some(b"true") if !is_list || !held.is_packable() => {
                refuse(b"packed", "only lists of numbers, bools and enums are packed", "remove it");
            }
            _ => {}
        }
        for name in [&b"lazy"[..], b"unverified_lazy"] {
            if said(name) == Some(b"true") && !matches!(held, Held::Message | Held::Map { .. }) {
                refuse(name, "only messages are read lazily", "remove it");
            }
        }
        let is_long = matches!(held, Held::Scalar(name) if LONG.contains(&name));
        if !is_long && said(b"jstype").is_some_and(|kind| kind != b"JS_NORMAL") {
            refuse(b"jstype", "`jstype` is for whole numbers of 64 bits", "remove it");
        }
        if said(b"ctype").is_some() && matches!(unit.file.syntax, Syntax::Edition(FIRST_WITHOUT_CTYPE..)) {
            refuse(b"ctype", "this edition has no `ctype`", "write features.(pb.cpp).string_type");
        }
    }

    /// Checks `field_presence`, which only some fields may set, and that fields without presence have no default value.
    fn presence(&mut self, id: DeclarationId, field: &Field, held: Held, is_list: bool) {
        const PRESENCE: &[u8] = b"field_presence";
        let own = self.own_feature(id, PRESENCE);
        let is_implicit = !self.pool.has_presence(SymbolRef { unit: self.id, id });
        let is_message = matches!(held, Held::Message | Held::Group);
        let message = match own {
            Some(_) if field.oneof.is_some() => "a field in a oneof has no features.field_presence",
            Some(_) if is_list => "a list has no features.field_presence",
            Some(_) if field.extendee.is_some() => "an extension has no features.field_presence",
            Some(b"IMPLICIT") if is_message => "a message is never implicit",
            _ if is_implicit && field.default.is_some() => "an implicit field has no default",
            _ => return,
        };
        self.refuse_option(id, b"features", message, "remove it");
    }

    fn encodings(&mut self, id: DeclarationId, held: Held, is_list: bool) {
        let has_strings = matches!(held, Held::Scalar("string") | Held::Map { has_strings: true });
        let message = match self.own_feature(id, b"repeated_field_encoding") {
            Some(_) if !is_list => Some("only a list has features.repeated_field_encoding"),
            Some(b"PACKED") if !held.is_packable() => Some("only numbers, bools and enums are packed"),
            _ if self.own_feature(id, b"utf8_validation").is_some() && !has_strings => {
                Some("only strings have features.utf8_validation")
            }
            _ if self.own_feature(id, b"message_encoding").is_some() && held != Held::Message => {
                Some("only messages have features.message_encoding")
            }
            _ => None,
        };
        if let Some(message) = message {
            self.refuse_option(id, b"features", message, "remove it");
        }
    }

    /// The value of a feature, if the declaration itself sets it.
    fn own_feature(&self, id: DeclarationId, name: &[u8]) -> Option<&[u8]> {
        self.unit.said(Holder::Declaration(id), &[b"features", name])
    }

    /// Reports a problem at an option of a declaration: the one whose name starts with `first`.
    pub(super) fn refuse_option(&mut self, id: DeclarationId, first: &[u8], message: &str, hint: &str) {
        let option = self.unit.options_of(Holder::Declaration(id)).find(|option| {
            let part = self.unit.file.name_of(option).first();
            part.is_some_and(|part| self.text(part.name) == first)
        });
        let range = option.and_then(|option| self.name_of(option)).or(self.unit.file.get(id).name);
        if let Some(range) = range {
            self.report(range, "not-for-this", message, hint);
        }
    }
}
