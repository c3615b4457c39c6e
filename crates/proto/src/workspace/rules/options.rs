//! The rules for known options: each is set once, to a value of its type.

use std::collections::HashSet;

use locant_text::Range;

use super::Rules;
use crate::file::{FieldKind, Form, Holder, OptionUse, OptionValue, Syntax};
use crate::interpret::{interpret, options_message};
use crate::pool::SymbolRef;
use crate::value;

impl Rules<'_> {
    pub(super) fn options(&mut self) {
        let mut given: HashSet<Vec<i32>> = HashSet::new();
        for option in &self.unit.file.options {
            let Ok((meaning, is_repeated)) = interpret(self.pool, self.id, option) else { continue };
            let (Some(&field), Some(range)) = (meaning.fields.last(), self.name_of(option)) else { continue };
            if let Some(part) = self.misplaced_part(option, &meaning.fields) {
                self.report(part, "not-for-this", "the option extends another message", "correct the name");
            }
            if !is_repeated && !given.insert(meaning.path) {
                self.report(range, "option-twice", "the option is given already", "remove one of the two");
            }
            if let (false, Some(range)) = (self.fits(option.value, field), written(option.value)) {
                self.report(
                    range,
                    "bad-value",
                    "this is not a value of the type of the option",
                    "correct it",
                );
            }
        }
    }

    /// The part of an option's name that is an extension of the wrong message.
    fn misplaced_part(&self, option: &OptionUse, fields: &[SymbolRef]) -> Option<Range> {
        let mut message = options_message(self.pool, self.id, option.holder);
        for (part, &field) in self.unit.file.name_of(option).iter().zip(fields) {
            let extended = part.is_extension.then(|| self.pool.extended(field)).flatten();
            // A workspace may have several copies of descriptor.proto. So messages are compared by their full names.
            let is_other = |one: SymbolRef, other| self.pool.full_name(one) != self.pool.full_name(other);
            if extended.zip(message).is_some_and(|(extended, message)| is_other(extended, message)) {
                return Some(part.name);
            }
            message = self.pool.type_of(field);
        }
        None
    }

    pub(super) fn name_of(&self, option: &OptionUse) -> Option<Range> {
        let parts = self.unit.file.name_of(option);
        Some(parts.first()?.name.cover(parts.last()?.name))
    }

    /// Whether a value has the type of a field. Fields in braces are not checked.
    fn fits(&self, value: OptionValue, field: SymbolRef) -> bool {
        let unit = self.pool.unit(field.unit);
        let declared = match self.pool.declaration(field).field().map(|field| field.kind) {
            Some(FieldKind::Type(range)) => value::dotted(&unit.text[range.indices()]),
            Some(FieldKind::Group | FieldKind::Map { .. }) => return is_in_braces(value),
            Some(FieldKind::Missing) | None => return true,
        };
        let named = self.pool.type_of(field);
        let scalar = value::scalar(&declared, unit.file.syntax).map(|(name, _)| name);
        match (named.map(|named| (named, self.pool.declaration(named).form)), scalar) {
            (Some((named, Form::Enum)), _) => self.is_value_of(value, named),
            (Some(_), _) => is_in_braces(value),
            (None, Some(scalar)) => self.fits_scalar(value, scalar),
            (None, None) => true,
        }
    }

    fn is_value_of(&self, value: OptionValue, kind: SymbolRef) -> bool {
        match value {
            OptionValue::Missing => true,
            OptionValue::Identifier(range) => self.has_value(kind, self.text(range)),
            _ => false,
        }
    }

    /// Whether an enum has a value with this name.
    pub(super) fn has_value(&self, kind: SymbolRef, word: &[u8]) -> bool {
        self.pool.unit(kind.unit).value(kind.id, word).is_some()
    }

    /// Checks that messages with `message_set_wire_format` have no fields but extensions, and that no message sets
    /// `map_entry`.
    pub(super) fn message_options(&mut self) {
        let mut sets = HashSet::new();
        for (id, what) in self.unit.file.iter() {
            if !matches!(what.form, Form::Message { .. }) {
                continue;
            }
            if self.unit.said(Holder::Declaration(id), &[b"map_entry"]).is_some() {
                let message = "`map_entry` is only for the messages that maps make";
                self.refuse_option(id, b"map_entry", message, "declare a map");
            }
            if self.unit.says(id, b"message_set_wire_format") {
                sets.insert(id);
                if self.unit.file.syntax == Syntax::Proto3 {
                    let message = "proto3 has no sets of messages";
                    self.refuse_option(id, b"message_set_wire_format", message, "remove it");
                }
            }
        }
        for what in &self.unit.file.declarations {
            let is_in_set = what.parent.is_some_and(|parent| sets.contains(&parent));
            if let (true, Form::Field(field), Some(range)) = (is_in_set, what.form, what.name)
                && field.extendee.is_none()
            {
                let message = "a message in the format of sets has extensions only";
                self.report(range, "not-for-this", message, "make it an extension");
            }
        }
    }

    fn fits_scalar(&self, value: OptionValue, scalar: &str) -> bool {
        match (value, scalar) {
            (OptionValue::Missing, _) => true,
            (OptionValue::String(_), _) => matches!(scalar, "string" | "bytes"),
            (OptionValue::Identifier(range), "bool") => matches!(self.text(range), b"true" | b"false"),
            (OptionValue::Identifier(range), "float" | "double") => {
                matches!(value::signed(self.text(range)).1, b"inf" | b"nan")
            }
            (OptionValue::Integer(_) | OptionValue::Float(_), "float" | "double") => true,
            (OptionValue::Integer(range), _) => is_in_range(self.text(range), scalar),
            _ => false,
        }
    }
}

/// Whether a whole number fits into a scalar type.
pub(super) fn is_in_range(written: &[u8], scalar: &str) -> bool {
    let (is_negative, digits) = value::signed(written);
    let Some(size) = value::integer(digits) else { return false };
    let number = if is_negative { -i128::from(size) } else { i128::from(size) };
    match scalar {
        "int32" | "sint32" | "sfixed32" => i32::try_from(number).is_ok(),
        "int64" | "sint64" | "sfixed64" => i64::try_from(number).is_ok(),
        "uint32" | "fixed32" => u32::try_from(number).is_ok() && !is_negative,
        "uint64" | "fixed64" => u64::try_from(number).is_ok() && !is_negative,
        _ => false,
    }
}

fn is_in_braces(value: OptionValue) -> bool {
    matches!(value, OptionValue::Aggregate(_) | OptionValue::Missing)
}

fn written(value: OptionValue) -> Option<Range> {
    match value {
        OptionValue::Missing => None,
        OptionValue::Identifier(range)
        | OptionValue::Integer(range)
        | OptionValue::Float(range)
        | OptionValue::String(range)
        | OptionValue::Aggregate(range) => Some(range),
    }
}
