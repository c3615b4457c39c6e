//! The descriptor of a file, as protoc writes it with `--descriptor_set_out`.

mod options;
mod text;

pub(crate) use text::json_name;

use std::collections::{HashMap, HashSet};

use crate::columns::Columns;
use crate::file::{Declaration, DeclarationId, Field, FieldKind, Form, Label, Manner, Reserved, Syntax};
use crate::interpret::{Interpretation, TableKind};
use crate::number::{enumeration, field, file, message, method, oneof, range, service, value as enum_value};
use crate::pool::{Pool, SymbolRef, Unit, UnitId, Wanted};
use crate::value;
use crate::wire::{Message, Value, packed};

/// The largest number that a field can have.
const MOST_NUMBER: i32 = 536_870_911;

/// The number of the field `features` in FieldOptions.
const FEATURES: i32 = 21;

/// An encoded FileDescriptorSet. It has one descriptor, that of the file that a pool was made for, including its
/// locations.
pub fn descriptor_set(pool: &Pool, interpretation: &Interpretation, kind: TableKind) -> Vec<u8> {
    let unit = pool.unit(UnitId::MAIN);
    let mut members: HashMap<Option<DeclarationId>, Vec<DeclarationId>> = HashMap::new();
    for (id, declaration) in unit.file.iter() {
        members.entry(declaration.parent).or_default().push(id);
    }
    let options = options::all(pool, interpretation, kind);
    let writer = Writer { pool, unit, members, options };
    let mut descriptor = writer.file();
    descriptor.add_message(9, locations(pool, interpretation, kind));
    let mut set = Message::default();
    set.add_message(1, descriptor);
    set.bytes()
}

fn locations(pool: &Pool, interpretation: &Interpretation, kind: TableKind) -> Message {
    let text = &pool.unit(UnitId::MAIN).text;
    let columns = Columns::new(text);
    let mut info = Message::default();
    for (path, location) in interpretation.rows(pool, kind) {
        let mut row = Message::default();
        if !path.is_empty() {
            row.add(1, packed(path.iter().map(|&number| i64::from(number).cast_unsigned())));
        }
        let span = columns.span(location.start(), location.end()).unwrap_or_default();
        row.add(2, packed(span.into_iter().map(u64::from)));
        location.leading(text).into_iter().for_each(|comment| row.add_text(3, comment));
        location.trailing(text).into_iter().for_each(|comment| row.add_text(4, comment));
        location.detached(text).into_iter().for_each(|comment| row.add_text(6, comment));
        info.add_message(1, row);
    }
    info
}

struct Writer<'p> {
    pool: &'p Pool,
    unit: &'p Unit,
    members: HashMap<Option<DeclarationId>, Vec<DeclarationId>>,
    /// All options messages, by their paths.
    options: HashMap<Vec<i32>, Message>,
}

impl Writer<'_> {
    fn file(&self) -> Message {
        let mut out = Message::default();
        out.add_text(1, &self.unit.path);
        if !self.unit.package.is_empty() {
            out.add_text(file::PACKAGE, &self.unit.package);
        }
        let mut n_dependencies = 0;
        for import in &self.unit.file.imports {
            let path = self.unit.import_path(import).unwrap_or_default();
            if import.manner == Manner::Option {
                out.add_text(file::OPTION_DEPENDENCY, path);
                continue;
            }
            out.add_text(file::DEPENDENCY, path);
            match import.manner {
                Manner::Public => out.add_number(file::PUBLIC_DEPENDENCY, n_dependencies),
                Manner::Weak => out.add_number(file::WEAK_DEPENDENCY, n_dependencies),
                Manner::Plain | Manner::Option => {}
            }
            n_dependencies += 1;
        }
        self.add_members(&mut out, None, [file::MESSAGE, file::ENUM, file::EXTENSION, 0]);
        for (id, declaration) in self.own(None) {
            if declaration.form == Form::Service {
                out.add_message(file::SERVICE, self.service(id));
            }
        }
        self.add_options(&mut out, file::OPTIONS, &[file::OPTIONS]);
        match self.unit.file.syntax {
            Syntax::Proto2 => {}
            Syntax::Proto3 => out.add_text(file::SYNTAX, "proto3"),
            syntax @ Syntax::Edition(_) => {
                out.add_text(file::SYNTAX, "editions");
                out.add_number(14, syntax.edition_number().unwrap_or(0));
            }
        }
        out
    }

    fn own(&self, parent: Option<DeclarationId>) -> impl Iterator<Item = (DeclarationId, &Declaration)> {
        let ids = self.members.get(&parent).map_or(&[][..], Vec::as_slice);
        ids.iter().map(|&id| (id, self.unit.file.get(id)))
    }

    /// Adds the messages, enums, extensions and fields of a scope to lists with these numbers.
    fn add_members(&self, out: &mut Message, parent: Option<DeclarationId>, lists: [i32; 4]) {
        let [messages, enums, extensions, fields] = lists;
        for (id, declaration) in self.own(parent) {
            match declaration.form {
                Form::Message { .. } => out.add_message(messages, self.message(id)),
                Form::Enum => out.add_message(enums, self.enumeration(id)),
                Form::Field(field) => {
                    let list = if field.extendee.is_some() { extensions } else { fields };
                    out.add_message(list, self.field(id, &field));
                    if let FieldKind::Map { .. } = field.kind {
                        out.add_message(messages, self.map_entry(id, &field));
                    }
                }
                _ => {}
            }
        }
    }

    fn message(&self, id: DeclarationId) -> Message {
        let mut out = self.named(id);
        let lists = [message::NESTED, message::ENUM, message::EXTENSION, message::FIELD];
        self.add_members(&mut out, Some(id), lists);
        for (oneof, declaration) in self.own(Some(id)) {
            if declaration.form == Form::Oneof {
                let mut decl = self.named(oneof);
                self.add_own_options(&mut decl, oneof, oneof::OPTIONS);
                out.add_message(message::ONEOF, decl);
            }
        }
        let mut taken: HashSet<String> = HashSet::new();
        for field in self.synthetic_oneofs(id) {
            if taken.is_empty() {
                taken = self.names_in(id);
            }
            let mut decl = Message::default();
            decl.add_text(1, self.synthetic_name(&mut taken, field));
            out.add_message(message::ONEOF, decl);
        }
        self.add_own_options(&mut out, id, message::OPTIONS);
        let (path, is_set) = (self.path(id), self.unit.says(id, b"message_set_wire_format"));
        let most = if is_set { i32::MAX } else { MOST_NUMBER + 1 };
        let mut n_ranges = 0;
        for reservation in self.unit.file.reservations.iter().filter(|reservation| reservation.owner == id) {
            let end = |end: Option<i32>| end.map_or(most, |end| end.saturating_add(1));
            match reservation.what {
                Reserved::Extensions(start, last) => {
                    let mut out_range = numbers(start, end(last));
                    let options = [&path[..], &[message::EXTENSION_RANGE, n_ranges, range::OPTIONS]].concat();
                    self.add_options(&mut out_range, range::OPTIONS, &options);
                    out.add_message(message::EXTENSION_RANGE, out_range);
                    n_ranges += 1;
                }
                Reserved::Numbers(start, last) => {
                    out.add_message(message::RESERVED_RANGE, numbers(start, end(last)));
                }
                Reserved::Name(name) => out.add_text(message::RESERVED_NAME, self.reserved_name(name)),
            }
        }
        self.add_visibility(&mut out, 11, id);
        out
    }

    fn enumeration(&self, id: DeclarationId) -> Message {
        let mut out = self.named(id);
        for (value, declaration) in self.own(Some(id)) {
            let Form::Value { number } = declaration.form else { continue };
            let mut decl = self.named(value);
            decl.add_number(enum_value::NUMBER, number.unwrap_or(0));
            self.add_own_options(&mut decl, value, enum_value::OPTIONS);
            out.add_message(enumeration::VALUE, decl);
        }
        self.add_own_options(&mut out, id, enumeration::OPTIONS);
        for reservation in self.unit.file.reservations.iter().filter(|reservation| reservation.owner == id) {
            match reservation.what {
                Reserved::Numbers(start, end) | Reserved::Extensions(start, end) => {
                    out.add_message(enumeration::RESERVED_RANGE, numbers(start, end.unwrap_or(i32::MAX)));
                }
                Reserved::Name(name) => out.add_text(enumeration::RESERVED_NAME, self.reserved_name(name)),
            }
        }
        self.add_visibility(&mut out, 6, id);
        out
    }

    fn service(&self, id: DeclarationId) -> Message {
        let mut out = self.named(id);
        for (own, declaration) in self.own(Some(id)) {
            let Form::Method(form) = declaration.form else { continue };
            let mut decl = self.named(own);
            for (number, written) in [(method::INPUT, form.input), (method::OUTPUT, form.output)] {
                if let Some(range) = written {
                    let name = value::dotted(&self.unit.text[range.indices()]);
                    decl.add_text(number, self.resolved(own, &name).0);
                }
            }
            self.add_own_options(&mut decl, own, method::OPTIONS);
            // If a method has a block, it has an options message, even an empty one.
            if self.unit.text[declaration.range.indices()].ends_with(b"}") {
                decl.inner(method::OPTIONS);
            }
            let flags = [
                (method::CLIENT_STREAMING, form.is_client_streaming),
                (method::SERVER_STREAMING, form.is_server_streaming),
            ];
            flags.into_iter().filter(|flag| flag.1).for_each(|flag| decl.add_number(flag.0, 1));
            out.add_message(service::METHOD, decl);
        }
        self.add_own_options(&mut out, id, service::OPTIONS);
        out
    }

    fn field(&self, id: DeclarationId, form: &Field) -> Message {
        let mut out = self.named(id);
        if let Some(range) = form.extendee {
            let name = value::dotted(&self.unit.text[range.indices()]);
            out.add_text(field::EXTENDEE, self.resolved(id, &name).0);
        }
        out.add_number(field::NUMBER, form.number.unwrap_or(0));
        out.add_number(field::LABEL, label(form));
        let declared = match form.kind {
            FieldKind::Type(range) => value::dotted(&self.unit.text[range.indices()]),
            FieldKind::Map { .. } => self.entry_name(id),
            FieldKind::Group => self.unit.file.get(id).name.map_or(String::new(), |name| {
                String::from_utf8_lossy(&self.unit.text[name.indices()]).into_owned()
            }),
            FieldKind::Missing => String::new(),
        };
        self.add_type(&mut out, id, &declared, form.kind);
        if let Some(default) = form.default {
            let written = &self.unit.text[default.indices()];
            out.add_text(field::DEFAULT, text::default_value(written, &declared));
        }
        self.add_own_options(&mut out, id, field::OPTIONS);
        let parent = self.unit.file.get(id).parent;
        let oneofs = self.own(parent).filter(|(_, member)| member.form == Form::Oneof).map(|(id, _)| id);
        let oneofs: Vec<DeclarationId> = oneofs.collect();
        let synthetic = parent.map(|parent| self.synthetic_oneofs(parent)).unwrap_or_default();
        let index = match form.oneof {
            Some(own) => oneofs.iter().position(|&oneof| oneof == own),
            None => synthetic.iter().position(|&field| field == id).map(|index| oneofs.len() + index),
        };
        if let Some(index) = index.and_then(|index| i32::try_from(index).ok()) {
            out.add_number(9, index);
        }
        let given = form.json_name.map(|range| value::strings(&self.unit.text[range.indices()]));
        out.add_text(
            field::JSON_NAME,
            given.unwrap_or_else(|| text::json_name(&self.unit.name(id)).into_bytes()),
        );
        let is_proto3 = self.unit.file.syntax == Syntax::Proto3;
        if is_proto3 && form.label == Some(Label::Optional) {
            out.add_number(17, 1);
        }
        out
    }

    /// Adds the type of a field. A scalar type is a number. Any other type is a name, with a number if the name can be
    /// resolved.
    fn add_type(&self, out: &mut Message, id: DeclarationId, declared: &str, kind: FieldKind) {
        if let Some((_, number)) = value::scalar(declared, self.unit.file.syntax) {
            return out.add_number(field::TYPE, number);
        }
        let full = self.unit.full_name(id);
        let scope = full.rsplit_once('.').map_or(String::new(), |(scope, _)| format!("{scope}."));
        match kind {
            FieldKind::Map { .. } => {
                out.add_number(field::TYPE, 11);
                out.add_text(field::TYPE_NAME, format!(".{scope}{declared}"));
            }
            FieldKind::Group => {
                out.add_number(field::TYPE, 10);
                out.add_text(field::TYPE_NAME, format!(".{scope}{declared}"));
            }
            _ => {
                let (name, symbol) = self.resolved(id, declared);
                match symbol.map(|symbol| self.pool.declaration(symbol).form) {
                    Some(Form::Enum) => out.add_number(field::TYPE, 14),
                    Some(_) => out.add_number(field::TYPE, 11),
                    None => {}
                }
                out.add_text(field::TYPE_NAME, name);
            }
        }
    }

    /// The message that a map field makes for its entries. It has a field for the key and a field for the value.
    fn map_entry(&self, id: DeclarationId, form: &Field) -> Message {
        let mut out = Message::default();
        out.add_text(1, self.entry_name(id));
        let FieldKind::Map { key, value } = form.kind else { return out };
        for (number, name, range) in [(1, "key", key), (2, "value", value)] {
            let mut member = Message::default();
            member.add_text(1, name);
            member.add_number(field::NUMBER, number);
            member.add_number(field::LABEL, 1);
            let declared = value::dotted(&self.unit.text[range.indices()]);
            self.add_type(&mut member, id, &declared, FieldKind::Type(range));
            self.add_features(&mut member, id);
            member.add_text(field::JSON_NAME, name);
            out.add_message(message::FIELD, member);
        }
        let mut options = Message::default();
        options.add_number(7, 1);
        out.add_message(message::OPTIONS, options);
        out
    }

    fn entry_name(&self, id: DeclarationId) -> String {
        entry_name(&self.unit.name(id))
    }

    /// The full name of a type with a dot before it, and its symbol. If the name cannot be resolved, returns the name
    /// as written and no symbol.
    fn resolved(&self, id: DeclarationId, name: &str) -> (String, Option<SymbolRef>) {
        let symbol = self.pool.look_up(UnitId::MAIN, name, &self.unit.full_name(id), Wanted::Type);
        let resolved = symbol.map(|symbol| format!(".{}", self.pool.full_name(symbol)));
        (resolved.unwrap_or_else(|| name.to_owned()), symbol)
    }

    /// The `optional` fields of a message in proto3. The descriptor has a oneof for each of them.
    fn synthetic_oneofs(&self, message: DeclarationId) -> Vec<DeclarationId> {
        if self.unit.file.syntax != Syntax::Proto3 {
            return Vec::new();
        }
        let fields = self.own(Some(message)).filter_map(|(id, member)| Some((id, member.field()?)));
        let marked =
            fields.filter(|(_, field)| field.label == Some(Label::Optional) && field.extendee.is_none());
        marked.map(|(id, _)| id).collect()
    }

    /// The names of the fields and oneofs of a message.
    fn names_in(&self, message: DeclarationId) -> HashSet<String> {
        let members = self.own(Some(message)).filter(|(_, member)| match member.form {
            Form::Field(field) => field.extendee.is_none(),
            form => form == Form::Oneof,
        });
        members.map(|(id, _)| self.unit.name(id)).collect()
    }

    /// A name that is not in `taken`, for the oneof of an `optional` field. The name is added to `taken`.
    fn synthetic_name(&self, taken: &mut HashSet<String>, field: DeclarationId) -> String {
        let mut name = self.unit.name(field);
        if !name.starts_with('_') {
            name.insert(0, '_');
        }
        while !taken.insert(name.clone()) {
            name.insert(0, 'X');
        }
        name
    }

    fn named(&self, id: DeclarationId) -> Message {
        let mut out = Message::default();
        out.add_text(1, self.unit.name(id));
        out
    }

    fn path(&self, id: DeclarationId) -> Vec<i32> {
        self.unit.file.table.get(self.unit.file.get(id).location).path().to_vec()
    }

    fn add_own_options(&self, out: &mut Message, id: DeclarationId, number: i32) {
        let mut path = self.path(id);
        path.push(number);
        self.add_options(out, number, &path);
    }

    /// Adds the features of a map field to a field of its entry message.
    fn add_features(&self, out: &mut Message, id: DeclarationId) {
        let mut path = self.path(id);
        path.push(field::OPTIONS);
        let features = self.options.get(&path).map_or(&[][..], |options| options.values(FEATURES));
        if !features.is_empty() {
            let mut options = Message::default();
            features.iter().for_each(|value| options.add(FEATURES, value.clone()));
            out.add_message(field::OPTIONS, options);
        }
    }

    fn add_options(&self, out: &mut Message, number: i32, path: &[i32]) {
        if let Some(options) = self.options.get(path).filter(|options| !options.is_empty()) {
            out.add(number, Value::Message(options.clone()));
        }
    }

    fn add_visibility(&self, out: &mut Message, number: i32, id: DeclarationId) {
        let written = &self.unit.text[self.unit.file.get(id).range.indices()];
        let is_edition = matches!(self.unit.file.syntax, Syntax::Edition(_));
        match written {
            [b'l', b'o', b'c', b'a', b'l', ..] if is_edition => out.add_number(number, 1),
            [b'e', b'x', b'p', b'o', b'r', b't', ..] if is_edition => out.add_number(number, 2),
            _ => {}
        }
    }

    fn reserved_name(&self, name: locant_text::Range) -> Vec<u8> {
        let written = &self.unit.text[name.indices()];
        match written.first() {
            Some(b'"' | b'\'') => value::strings(written),
            _ => written.to_vec(),
        }
    }
}

/// The name of the message that a map field makes for its entries: `MyMapEntry` for the field `my_map`.
pub(crate) fn entry_name(field: &str) -> String {
    let camel = text::json_name(field);
    let mut letters = camel.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect::<String>() + "Entry"
}

fn numbers(start: i32, end: i32) -> Message {
    let mut out = Message::default();
    out.add_number(range::START, start);
    out.add_number(range::END, end);
    out
}

fn label(form: &Field) -> i32 {
    match (form.label, form.kind) {
        (Some(Label::Required), _) => 2,
        (Some(Label::Repeated), _) | (_, FieldKind::Map { .. }) => 3,
        _ => 1,
    }
}
