//! The rules that a file can break even if its syntax is right. They are about dialects, numbers and names.
//!
//! They are checked only in files without syntax errors: in broken text the parser guesses, and a guess may break any
//! rule.

mod enums;
mod extensions;
mod features;
mod fields;
mod json;
mod options;
mod style;

use std::collections::{HashMap, HashSet};

use locant_names::{Problem, Severity};
use locant_text::Range;

use crate::descriptor::entry_name;
use crate::file::{Declaration, DeclarationId, Field, FieldKind, Form, Label, Manner, Reserved, Syntax};
use crate::lexer::{Lexer, TokenKind};
use crate::number::file as number;
use crate::pool::{Pool, SymbolRef, Unit, UnitId, Wanted};
use crate::value;

/// The largest number that a field can have.
const MOST_NUMBER: i32 = 536_870_911;

/// The field numbers that are reserved for implementations of protocol buffers.
const KEPT_NUMBERS: std::ops::RangeInclusive<i32> = 19_000..=19_999;

/// The first edition with `export` and `local`.
const FIRST_WITH_VISIBILITY: u32 = 2024;

/// Adds a problem for each rule that a file breaks.
pub(super) fn check(problems: &mut Vec<Problem>, pool: &Pool, id: UnitId) {
    let unit = pool.unit(id);
    if !unit.file.problems.is_empty() {
        return;
    }
    let mut rules = Rules { problems, pool, unit, id };
    rules.file();
    rules.literals();
    for (declaration, what) in unit.file.iter() {
        match what.form {
            Form::Field(field) => rules.field(declaration, what, &field),
            Form::Enum => rules.enum_(declaration, what),
            Form::Method(method) => {
                [method.input, method.output]
                    .into_iter()
                    .flatten()
                    .for_each(|range| rules.method_type(range, declaration));
            }
            _ => {}
        }
        rules.visibility(what);
    }
    rules.oneofs();
    rules.reservations();
    rules.json_names();
    rules.map_entries();
    rules.extensions();
    rules.options();
    rules.features();
    rules.style();
    rules.message_options();
}

struct Rules<'r> {
    problems: &'r mut Vec<Problem>,
    pool: &'r Pool,
    unit: &'r Unit,
    id: UnitId,
}

impl<'r> Rules<'r> {
    fn report(&mut self, range: Range, code: &'static str, message: impl Into<String>, hint: &str) {
        self.problems.push(Problem {
            range,
            severity: Severity::Error,
            code,
            message: message.into(),
            hint: hint.to_owned(),
            is_unused: false,
        });
    }

    fn text(&self, range: Range) -> &'r [u8] {
        &self.unit.text[range.indices()]
    }

    fn file(&mut self) {
        let at = |path: i32| {
            let found = self.unit.file.table.iter().filter(move |location| location.path() == [path]);
            found.map(|location| Range::new(location.start(), location.end()))
        };
        let (syntax, second) = (at(number::SYNTAX).next(), at(number::PACKAGE).nth(1));
        if let Some(range) = second {
            self.report(range, "second-package", "a file has one package", "remove one of the two");
        }
        let is_unknown = matches!(self.unit.file.syntax, Syntax::Edition(_))
            && self.unit.file.syntax.edition_number().is_none();
        if let Some(range) = syntax.filter(|_| is_unknown) {
            self.report(range, "unknown-syntax", "the edition is not known", "write \"2023\" or \"2024\"");
        }
        self.cycle();
        let is_late = self.is_edition_from(FIRST_WITH_VISIBILITY);
        let mut imported = HashSet::new();
        for import in &self.unit.file.imports {
            let Some(range) = import.path else { continue };
            if !imported.insert(value::strings(self.text(range))) {
                self.report(range, "import-twice", "the file is imported already", "remove one of the two");
            }
            match import.manner {
                Manner::Weak if is_late => {
                    self.report(range, "not-in-dialect", "this edition has no weak imports", "remove `weak`");
                }
                Manner::Option if !is_late => {
                    let hint = "remove `option`, or write edition = \"2024\"";
                    self.report(range, "not-in-dialect", "imports for options come with edition 2024", hint);
                }
                _ => {}
            }
        }
    }

    /// Checks that no import leads back to the file, directly or indirectly.
    fn cycle(&mut self) {
        let mut leads_back: HashMap<UnitId, bool> = HashMap::new();
        for (import, &found) in self.unit.file.imports.iter().zip(self.pool.imports(self.id)) {
            let (Some(found), Some(range)) = (found, import.path) else { continue };
            let is_back = || self.pool.reached(found, |_| true).contains(&self.id);
            if *leads_back.entry(found).or_insert_with(is_back) {
                self.report(range, "import-cycle", "the import leads back to this file", "remove it");
            }
        }
    }

    fn is_edition_from(&self, first: u32) -> bool {
        matches!(self.unit.file.syntax, Syntax::Edition(year) if year >= first)
    }

    fn visibility(&mut self, what: &Declaration) {
        let is_declared = matches!(what.form, Form::Message { group: None } | Form::Enum);
        let word = self.text(what.header);
        let is_modified = word.starts_with(b"export") || word.starts_with(b"local");
        if is_declared && is_modified && !self.is_edition_from(FIRST_WITH_VISIBILITY) {
            let message = "`export` and `local` come with edition 2024";
            self.report(what.header, "not-in-dialect", message, "remove the word");
        }
    }

    /// Checks that strings have only known escapes, and that exponents have digits.
    fn literals(&mut self) {
        let mut lexer = Lexer::new(&self.unit.text);
        loop {
            let token = lexer.next();
            let range = Range::of_indices(token.start as usize..token.end as usize);
            match token.kind {
                TokenKind::End => return,
                TokenKind::Float if matches!(self.text(range).last(), Some(b'e' | b'E' | b'+' | b'-')) => {
                    self.report(
                        range,
                        "bad-number",
                        "the exponent has no digits",
                        "write them after the `e`",
                    );
                }
                TokenKind::String if has_bad_escape(self.text(range)) => {
                    let hint = "write a backslash as `\\\\`";
                    self.report(range, "bad-escape", "the string has an escape that means nothing", hint);
                }
                _ => {}
            }
        }
    }

    fn field(&mut self, id: DeclarationId, what: &Declaration, field: &Field) {
        let Some(range) = what.name else { return };
        let syntax = self.unit.file.syntax;
        let mut refuse = |message: &str, hint: &str| self.report(range, "not-in-dialect", message, hint);
        let is_map = matches!(field.kind, FieldKind::Map { .. });
        let is_group = field.kind == FieldKind::Group;
        match (syntax, field.label) {
            (_, Some(_)) if field.oneof.is_some() => refuse("fields in a oneof have no label", "remove it"),
            (_, Some(_)) if is_map => refuse("a map has no label", "remove it"),
            (Syntax::Proto2, None) if !is_map && field.oneof.is_none() => {
                refuse("a field of proto2 has a label", "put `optional`, `repeated` or `required` in front");
            }
            (Syntax::Proto3, Some(Label::Required)) => {
                refuse("proto3 has no required fields", "remove `required`")
            }
            (Syntax::Edition(_), Some(Label::Optional)) => refuse("editions have no `optional`", "remove it"),
            (Syntax::Edition(_), Some(Label::Required)) => {
                refuse("editions have no `required`", "write [features.field_presence = LEGACY_REQUIRED]");
            }
            _ => {}
        }
        if is_map && (field.oneof.is_some() || field.extendee.is_some()) {
            refuse("a map is a field of a message, not of a oneof or an extension", "wrap it in a message");
        }
        if is_group && syntax != Syntax::Proto2 {
            refuse("only proto2 has groups", "declare a message, and a field of that type");
        }
        if is_group && !self.text(range).first().is_some_and(u8::is_ascii_uppercase) {
            self.report(range, "group-name", "the name of a group starts with a capital", "rename it");
        }
        self.field_number(range, field);
        self.map_key(range, field);
        self.default(id, field);
        self.field_options(id, field);
    }

    fn field_number(&mut self, range: Range, field: &Field) {
        let Some(number) = field.number else { return };
        // The number of an extension may be larger if the message sets `message_set_wire_format`.
        if number <= 0 || number > MOST_NUMBER && field.extendee.is_none() {
            self.report(
                range,
                "out-of-range",
                "the number is out of range",
                "numbers go from 1 to 536870911",
            );
        } else if KEPT_NUMBERS.contains(&number) {
            let message = "the numbers 19000 to 19999 are kept for implementations";
            self.report(range, "out-of-range", message, "give it another number");
        }
    }

    fn map_key(&mut self, range: Range, field: &Field) {
        let FieldKind::Map { key, .. } = field.kind else { return };
        let name = value::dotted(self.text(key));
        let scalar = value::scalar(&name, self.unit.file.syntax).map(|(name, _)| name);
        if scalar.is_none_or(|name| matches!(name, "float" | "double" | "bytes")) {
            let message = "the keys of a map are whole numbers, bools or strings";
            self.report(range, "map-key", message, "choose another type for the keys");
        }
    }

    fn default(&mut self, id: DeclarationId, field: &Field) {
        let Some(range) = field.default else { return };
        if self.unit.file.syntax == Syntax::Proto3 {
            return self.report(range, "not-in-dialect", "proto3 has no defaults", "remove it");
        }
        if field.label == Some(Label::Repeated) {
            return self.report(range, "bad-default", "a repeated field has no default", "remove it");
        }
        let FieldKind::Type(declared) = field.kind else { return };
        let name = value::dotted(self.text(declared));
        let scalar = value::scalar(&name, self.unit.file.syntax).map(|(name, _)| name);
        let named = self.pool.type_of(SymbolRef { unit: self.id, id });
        let form = named.map(|named| self.pool.declaration(named).form);
        let written = self.text(range);
        let (_, digits) = value::signed(written);
        let is_word = written.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
        let is_right = match (scalar, form) {
            (Some("string" | "bytes"), _) => matches!(written.first(), Some(b'"' | b'\'')),
            (Some("bool"), _) => matches!(written, b"true" | b"false"),
            (Some("float" | "double"), _) => {
                matches!(digits, b"inf" | b"nan")
                    || digits.first().is_some_and(|byte| b".0123456789".contains(byte))
            }
            (Some(scalar), _) => options::is_in_range(written, scalar),
            (None, Some(Form::Enum)) => is_word && named.is_none_or(|named| self.has_value(named, written)),
            (None, Some(_)) => false,
            (None, None) => true,
        };
        if !is_right {
            self.report(range, "bad-default", "this is not a value of the type of the field", "correct it");
        }
    }

    fn method_type(&mut self, range: Range, id: DeclarationId) {
        let name = value::dotted(self.text(range));
        let scope = self.unit.full_name(id);
        let is_message = !value::is_scalar(name.as_bytes(), self.unit.file.syntax)
            // A method of the same service hides a type with the same name.
            && match self.pool.look_up(self.id, &name, &scope, Wanted::Any) {
                Some(found) => matches!(self.pool.declaration(found).form, Form::Message { .. }),
                None => true,
            };
        if !is_message {
            self.report(range, "no-message", "methods take and return messages", "name a message");
        }
    }

    fn oneofs(&mut self) {
        let fields = self.unit.file.declarations.iter().filter_map(Declaration::field);
        let used: HashSet<DeclarationId> = fields.filter_map(|field| field.oneof).collect();
        for (id, what) in self.unit.file.iter() {
            if let (Form::Oneof, Some(range), false) = (what.form, what.name, used.contains(&id)) {
                self.report(range, "no-fields", "a oneof has at least one field", "add one");
            }
        }
    }

    /// Checks that reserved ranges do not overlap, and that no field or value has a reserved number or name.
    fn reservations(&mut self) {
        let mut ranges: HashMap<DeclarationId, Vec<(i32, i32)>> = HashMap::new();
        let mut names: HashSet<(DeclarationId, Vec<u8>)> = HashSet::new();
        let is_edition = matches!(self.unit.file.syntax, Syntax::Edition(_));
        for reservation in &self.unit.file.reservations {
            let owner = reservation.owner;
            let at = self.unit.file.get(owner).name;
            match reservation.what {
                Reserved::Name(range) => {
                    let is_literal = matches!(self.text(range).first(), Some(b'"' | b'\''));
                    if is_literal == is_edition {
                        let message = "names are reserved as words in editions, and as strings before them";
                        self.report(range, "not-in-dialect", message, "add or remove the quotes");
                    }
                    let written = self.text(range);
                    let name = if is_literal { value::strings(written) } else { written.to_vec() };
                    if !names.insert((owner, name)) {
                        self.report(
                            range,
                            "bad-range",
                            "the name is reserved already",
                            "remove one of the two",
                        );
                    }
                }
                Reserved::Extensions(start, end) | Reserved::Numbers(start, end) => {
                    let is_extensions = matches!(reservation.what, Reserved::Extensions(..));
                    if let (true, Syntax::Proto3, Some(range)) = (is_extensions, self.unit.file.syntax, at) {
                        self.report(range, "not-in-dialect", "proto3 has no extension ranges", "remove them");
                    }
                    let is_message = matches!(self.unit.file.get(owner).form, Form::Message { .. });
                    if let (false, true, true, Some(range)) = (is_extensions, is_message, start <= 0, at) {
                        let message = "numbers of fields start with 1";
                        self.report(range, "out-of-range", message, "reserve others");
                    }
                    ranges.entry(owner).or_default().push((start, end.unwrap_or(i32::MAX)));
                }
            }
        }
        for (owner, ranges) in &mut ranges {
            ranges.sort_unstable();
            let is_wrong = ranges.iter().any(|(start, end)| end < start)
                || ranges.windows(2).any(|two| two[1].0 <= two[0].1);
            if let (true, Some(range)) = (is_wrong, self.unit.file.get(*owner).name) {
                self.report(
                    range,
                    "bad-range",
                    "ranges of numbers overlap or end before they start",
                    "correct them",
                );
            }
        }
        for (id, what) in self.unit.file.iter() {
            self.taken(&ranges, &names, id, what);
        }
    }

    fn taken(
        &mut self,
        ranges: &HashMap<DeclarationId, Vec<(i32, i32)>>,
        names: &HashSet<(DeclarationId, Vec<u8>)>,
        id: DeclarationId,
        what: &Declaration,
    ) {
        let number = match what.form {
            Form::Field(field) if field.extendee.is_none() => field.number,
            Form::Value { number } => number,
            _ => return,
        };
        let (Some(parent), Some(range), Some(number)) = (what.parent, what.name, number) else { return };
        let kept = ranges.get(&parent).map_or(&[][..], Vec::as_slice);
        let before = kept.partition_point(|(start, _)| *start <= number);
        if before.checked_sub(1).is_some_and(|at| kept[at].1 >= number) {
            self.report(
                range,
                "reserved",
                format!("the number {number} is kept free"),
                "give it another number",
            );
        }
        if names.contains(&(parent, self.unit.name(id).into_bytes())) {
            self.report(range, "reserved", "the name is kept free", "rename it");
        }
    }

    /// Checks that no other declaration has the name of the message that a map makes for its entries.
    fn map_entries(&mut self) {
        let mut made: HashSet<String> = HashSet::new();
        for (id, what) in self.unit.file.iter() {
            let (Form::Field(field), Some(parent), Some(range)) = (what.form, what.parent, what.name) else {
                continue;
            };
            if !matches!(field.kind, FieldKind::Map { .. }) {
                continue;
            }
            let entry = entry_name(&self.unit.name(id));
            let full_name = format!("{}.{entry}", self.unit.full_name(parent));
            if self.unit.symbol(&full_name).is_some() || !made.insert(full_name) {
                let message = format!("the map makes the message `{entry}`, which is declared already");
                self.report(range, "declared-twice", message, "rename one of the two");
            }
        }
    }
}

/// Whether a string has an unknown escape.
fn has_bad_escape(literal: &[u8]) -> bool {
    let mut rest = literal;
    while let Some(at) = rest.iter().position(|&byte| byte == b'\\') {
        let after = &rest[at + 1..];
        let is_hex = |n: usize| after.len() > n && after[1..=n].iter().all(u8::is_ascii_hexdigit);
        let is_right = match after.first() {
            Some(
                b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'\\' | b'?' | b'\'' | b'"' | b'0'..=b'7',
            ) => true,
            Some(b'x' | b'X') => is_hex(1),
            Some(b'u') => is_hex(4),
            Some(b'U') => is_hex(8),
            _ => false,
        };
        if !is_right {
            return true;
        }
        rest = &after[1..];
    }
    false
}
