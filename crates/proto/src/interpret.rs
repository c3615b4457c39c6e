//! Interprets options: finds the path of each option through the fields that its name means. Any imported file may
//! declare these fields.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::file::{FieldKind, Form, Holder, Label, NamePart, OptionUse};
use crate::pool::{Pool, SymbolRef, Unit, UnitId, Wanted};
use crate::table::{Layer, Location, LocationId};
use crate::value;

/// One of the three tables of locations of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableKind {
    /// As the parser records it. Options are elements of the list `uninterpreted_option`: `[8, 999, 0]` is the first
    /// option of the file.
    Raw,
    /// With options interpreted: what protoc writes with `--retain_options`.
    Retained,
    /// With options interpreted, but without the options that are not kept at run time: what protoc writes by default.
    #[default]
    Default,
}

/// The meaning of all options of a file.
#[derive(Clone, Debug, Default)]
pub struct Interpretation {
    meanings: HashMap<LocationId, Result<Meaning, Unknown>>,
    /// The paths of the options messages whose options are all dropped at run time.
    emptied: HashSet<Vec<i32>>,
}

/// What an option means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// The path of the option, starting at the file.
    pub path: Vec<i32>,
    /// The fields that the parts of its name mean. The first is a field of the options message.
    pub fields: Vec<SymbolRef>,
    /// Whether the option is dropped at run time.
    pub is_source_only: bool,
}

/// Why an option could not be interpreted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The part of its name that no file declares.
    pub part: String,
}

impl Interpretation {
    /// Interprets the options of the file that a pool was made for.
    pub fn new(pool: &Pool) -> Interpretation {
        let unit = pool.unit(UnitId::MAIN);
        let mut n_elements: HashMap<Vec<i32>, i32> = HashMap::new();
        let mut meanings = HashMap::with_capacity(unit.file.options.len());
        let mut are_dropped: HashMap<&[i32], bool> = HashMap::new();
        for option in &unit.file.options {
            let meaning = interpret(pool, UnitId::MAIN, option).map(|(mut meaning, is_repeated)| {
                if is_repeated {
                    let n = n_elements.entry(meaning.path.clone()).or_default();
                    meaning.path.push(*n);
                    *n += 1;
                }
                meaning
            });
            let raw = unit.file.table.get(option.location).path();
            // Only the outer field counts here. If a field inside it is dropped, the outer field stays, though it may
            // be empty.
            let outer = meaning.as_ref().ok().and_then(|meaning| meaning.fields.first());
            let is_dropped = outer.is_some_and(|&outer| pool.is_source_only(outer));
            *are_dropped.entry(&raw[..raw.len() - 2]).or_insert(true) &= is_dropped;
            meanings.insert(option.location, meaning);
        }
        let emptied = are_dropped.into_iter().filter(|(_, is_dropped)| *is_dropped);
        let emptied = emptied.map(|(path, _)| path.to_vec()).collect();
        Interpretation { meanings, emptied }
    }

    /// What an option means, by its location.
    pub fn meaning(&self, location: LocationId) -> Option<&Result<Meaning, Unknown>> {
        self.meanings.get(&location)
    }

    /// The options that could not be interpreted.
    pub fn unknown(&self) -> Vec<(LocationId, &Unknown)> {
        let mut unknown: Vec<_> = self
            .meanings
            .iter()
            .filter_map(|(&location, meaning)| meaning.as_ref().err().map(|unknown| (location, unknown)))
            .collect();
        unknown.sort_by_key(|(location, _)| *location);
        unknown
    }

    /// The locations of a table, each with its path. Options that could not be interpreted keep their locations of the
    /// raw table.
    pub fn rows<'t>(&'t self, pool: &'t Pool, kind: TableKind) -> Vec<(Cow<'t, [i32]>, Location<'t>)> {
        let table = &pool.unit(UnitId::MAIN).file.table;
        let mut rows = Vec::with_capacity(table.len());
        let mut shows_parts = true;
        for location in table.iter() {
            let plain = (Cow::Borrowed(location.path()), location);
            match (location.layer(), kind) {
                (Layer::Plain, TableKind::Default) if self.emptied.contains(location.path()) => {}
                (Layer::Plain, _) | (_, TableKind::Raw) => rows.push(plain),
                (Layer::Option, _) => match self.meanings.get(&location.id()) {
                    Some(Ok(meaning)) => {
                        shows_parts = false;
                        if kind == TableKind::Retained || !meaning.is_source_only {
                            rows.push((Cow::Borrowed(meaning.path.as_slice()), location));
                        }
                    }
                    _ => {
                        shows_parts = true;
                        rows.push(plain);
                    }
                },
                (Layer::OptionPart, _) if shows_parts => rows.push(plain),
                (Layer::OptionPart, _) => {}
            }
        }
        rows
    }
}

/// The meaning of an option, and whether the option is repeated. The path of a repeated option still lacks its index.
pub(crate) fn interpret(pool: &Pool, id: UnitId, option: &OptionUse) -> Result<(Meaning, bool), Unknown> {
    let unit = pool.unit(id);
    let raw = unit.file.table.get(option.location).path();
    let mut meaning =
        Meaning { path: raw[..raw.len() - 2].to_vec(), fields: Vec::new(), is_source_only: false };
    let scope = scope_of(unit, option.holder);
    let mut message = options_message(pool, id, option.holder);
    let mut is_repeated = false;
    for part in unit.file.name_of(option) {
        let unknown = || Unknown { part: part_text(unit, part) };
        let within = message.ok_or_else(unknown)?;
        let symbol = field_of(pool, id, within, part, &scope).ok_or_else(unknown)?;
        let field = pool.declaration(symbol).field().ok_or_else(unknown)?;
        meaning.path.push(field.number.ok_or_else(unknown)?);
        meaning.fields.push(symbol);
        meaning.is_source_only |= pool.is_source_only(symbol);
        is_repeated = field.label == Some(Label::Repeated) || matches!(field.kind, FieldKind::Map { .. });
        message =
            pool.type_of(symbol).filter(|&kind| matches!(pool.declaration(kind).form, Form::Message { .. }));
    }
    if meaning.fields.is_empty() { Err(Unknown { part: String::new() }) } else { Ok((meaning, is_repeated)) }
}

/// The field of `message` that one part of an option's name means.
pub(crate) fn field_of(
    pool: &Pool,
    from: UnitId,
    message: SymbolRef,
    part: &NamePart,
    scope: &str,
) -> Option<SymbolRef> {
    let name = part_text(pool.unit(from), part);
    if !part.is_extension {
        return pool.field(message, &name);
    }
    let symbol = pool.look_up(from, &name, scope, Wanted::Any)?;
    pool.declaration(symbol).is_extension().then_some(symbol)
}

pub(crate) fn part_text(unit: &Unit, part: &NamePart) -> String {
    value::dotted(&unit.text[part.name.indices()])
}

/// The scope for looking up the names of extensions in an option. [`Pool::look_up`] starts beside the last name of the
/// scope, here the declaration that has the option, and not inside it.
pub(crate) fn scope_of(unit: &Unit, holder: Holder) -> String {
    match holder {
        Holder::File => format!("{}.file", unit.package),
        Holder::Declaration(id) => unit.full_name(id),
        Holder::ExtensionRange { message, .. } => unit.full_name(message),
    }
}

/// The message of descriptor.proto whose fields are the options of a holder: `FieldOptions` for a field.
pub(crate) fn options_message(pool: &Pool, from: UnitId, holder: Holder) -> Option<SymbolRef> {
    let name = match holder {
        Holder::File => "FileOptions",
        Holder::ExtensionRange { .. } => "ExtensionRangeOptions",
        Holder::Declaration(id) => match pool.unit(from).file.get(id).form {
            Form::Message { .. } => "MessageOptions",
            Form::Field(_) => "FieldOptions",
            Form::Oneof => "OneofOptions",
            Form::Enum => "EnumOptions",
            Form::Value { .. } => "EnumValueOptions",
            Form::Service => "ServiceOptions",
            Form::Method(_) => "MethodOptions",
        },
    };
    pool.descriptor_message(from, name)
}
