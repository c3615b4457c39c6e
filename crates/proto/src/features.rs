//! What the dialect of a file and its features say about fields and enums. The same declaration means different things
//! in different dialects.

use crate::file::{DeclarationId, FieldKind, Form, Holder, Label, OptionUse, OptionValue, Syntax};
use crate::lexer::{Lexer, TokenKind};
use crate::pool::{Pool, SymbolRef, Unit};

impl Pool {
    /// Whether a zero in this field differs from no value at all. If it does not, a zero is not written.
    pub(crate) fn has_presence(&self, symbol: SymbolRef) -> bool {
        let unit = self.unit(symbol.unit);
        let Some(field) = unit.file.get(symbol.id).field() else { return true };
        let is_message = match field.kind {
            FieldKind::Group | FieldKind::Missing => true,
            FieldKind::Map { .. } => false,
            FieldKind::Type(_) => self
                .type_of(symbol)
                .is_some_and(|named| matches!(self.declaration(named).form, Form::Message { .. })),
        };
        if field.label == Some(Label::Repeated) {
            return true;
        }
        is_message
            || field.oneof.is_some()
            || field.extendee.is_some()
            || match unit.file.syntax {
                Syntax::Proto2 => true,
                Syntax::Proto3 => field.label.is_some(),
                Syntax::Edition(_) => unit.feature(symbol.id, b"field_presence") != Some(b"IMPLICIT"),
            }
    }

    /// Whether a field is a packed list. The dialect decides, unless an option of the field says otherwise.
    pub(crate) fn is_packed(&self, symbol: SymbolRef) -> bool {
        let unit = self.unit(symbol.unit);
        let is_list = |field: &crate::file::Field| field.label == Some(Label::Repeated);
        if !unit.file.get(symbol.id).field().is_some_and(is_list) {
            return false;
        }
        match unit.file.syntax {
            Syntax::Edition(_) => unit.feature(symbol.id, b"repeated_field_encoding") != Some(b"EXPANDED"),
            syntax => {
                let holder = Holder::Declaration(symbol.id);
                let said = unit.said(holder, &[b"packed"]);
                said.map_or(syntax == Syntax::Proto3, |value| value == b"true")
            }
        }
    }
}

impl Unit {
    /// The value of a feature for a declaration. If the declaration does not set it, the oneof around it may, then each
    /// of its parents, and last the file.
    pub(crate) fn feature(&self, id: DeclarationId, name: &[u8]) -> Option<&[u8]> {
        let mut around = Some(id);
        while let Some(id) = around {
            let holder = Holder::Declaration(id);
            let said = self.said(holder, &[b"features", name]);
            let declaration = self.file.get(id);
            let oneof = declaration.field().and_then(|field| field.oneof);
            let in_oneof = || self.said(Holder::Declaration(oneof?), &[b"features", name]);
            if let Some(said) = said.or_else(in_oneof) {
                return Some(said);
            }
            around = declaration.parent;
        }
        self.said(Holder::File, &[b"features", name])
    }

    /// Whether a field of this enum type may hold numbers that the enum does not declare.
    pub(crate) fn is_open_enum(&self, id: DeclarationId) -> bool {
        match self.file.syntax {
            Syntax::Proto2 => false,
            Syntax::Proto3 => true,
            Syntax::Edition(_) => self.feature(id, b"enum_type") != Some(b"CLOSED"),
        }
    }

    /// The word that the last option with this name is set to. The last part of the name may also be a field in braces:
    /// `a = { b: X }` sets `a.b`.
    pub(crate) fn said(&self, holder: Holder, name: &[&[u8]]) -> Option<&[u8]> {
        self.options_of(holder).filter_map(|option| self.said_by(option, name)).last()
    }

    /// The word that an option is set to, if it has this name.
    pub(crate) fn said_by(&self, option: &OptionUse, name: &[&[u8]]) -> Option<&[u8]> {
        let parts = self.file.name_of(option);
        let is_same = |n: usize| {
            let texts = parts.iter().map(|part| &self.text[part.name.indices()]);
            parts.len() == n
                && parts.iter().all(|part| !part.is_extension)
                && texts.eq(name[..n].iter().copied())
        };
        match option.value {
            OptionValue::Identifier(value) if is_same(name.len()) => Some(&self.text[value.indices()]),
            OptionValue::Aggregate(value) if is_same(name.len() - 1) => {
                word_of(&self.text[value.indices()], name.last()?)
            }
            _ => None,
        }
    }
}

/// The word after the last `name:` in a value in braces.
fn word_of<'t>(text: &'t [u8], name: &[u8]) -> Option<&'t [u8]> {
    let mut lexer = Lexer::new(text);
    let mut is_after = [false; 2];
    let mut found = None;
    loop {
        let token = lexer.next();
        let word = &text[token.start as usize..token.end as usize];
        match token.kind {
            TokenKind::End => return found,
            TokenKind::Identifier if is_after == [true, true] => found = Some(word),
            _ => {}
        }
        let is_colon = token.kind == TokenKind::Symbol(b':');
        is_after = [word == name || is_colon && is_after[0], is_colon && is_after[0]];
    }
}
