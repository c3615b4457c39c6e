//! The hover of a name.

use locant_names::Hover;

use super::linked::Linked;
use super::mentions::{Mention, Thing};
use crate::file::{Declaration, Form};
use crate::pool::{SymbolRef, UnitId};

pub(super) fn hover(linked: &Linked, mention: &Mention) -> Option<Hover> {
    let pool = &linked.pool;
    let of_package = |name: &str| Hover {
        range: mention.range,
        code: format!("package {name};"),
        facts: Vec::new(),
        docs: String::new(),
    };
    match &mention.thing {
        Thing::Symbol(symbol) => Some(symbol_hover(linked, mention, *symbol)),
        Thing::Package(name) => Some(of_package(name)),
        Thing::File(id) => {
            let unit = pool.unit(*id);
            let package = if unit.package.is_empty() { "no package" } else { unit.package.as_str() };
            let whence = if linked.is_file(*id) { "" } else { ", which comes with protoc" };
            let facts = vec![format!("`{}`{whence}", unit.path), format!("package `{package}`")];
            Some(Hover { range: mention.range, code: String::new(), facts, docs: docs_of_file(linked, *id) })
        }
        Thing::Unknown(_) => None,
    }
}

fn symbol_hover(linked: &Linked, mention: &Mention, symbol: SymbolRef) -> Hover {
    let pool = &linked.pool;
    let declaration = pool.declaration(symbol);
    let mut facts = vec![format!("{} `{}`", word(declaration), pool.full_name(symbol))];
    if let Some(field) = declaration.field() {
        let extendee = field.extendee.and_then(|range| pool.type_named(symbol, range));
        facts.extend(extendee.map(|message| format!("extends `{}`", pool.full_name(message))));
        let kind = pool.type_of(symbol).or_else(|| pool.map_value(symbol));
        facts.extend(kind.map(|kind| format!("type `{}`", pool.full_name(kind))));
        facts.extend(field.oneof.map(|oneof| format!("one of `{}`", pool.unit(symbol.unit).name(oneof))));
    }
    if pool.unit(symbol.unit).says(symbol.id, b"deprecated") {
        facts.push("**deprecated**".to_owned());
    }
    let path = &pool.unit(symbol.unit).path;
    facts.push(if linked.is_file(symbol.unit) {
        format!("in `{path}`")
    } else {
        format!("in `{path}`, which comes with protoc")
    });
    Hover { range: mention.range, code: code(linked, symbol), facts, docs: docs(linked, symbol) }
}

/// The word for the kind of a declaration.
fn word(declaration: &Declaration) -> &'static str {
    match declaration.form {
        Form::Message { group: None } => "message",
        Form::Message { group: Some(_) } => "group",
        Form::Field(field) if field.extendee.is_some() => "extension",
        Form::Field(_) => "field",
        Form::Oneof => "oneof",
        Form::Enum => "enum",
        Form::Value { .. } => "enum value",
        Form::Service => "service",
        Form::Method(_) => "method",
    }
}

/// The header of a declaration, on one line.
pub(super) fn code(linked: &Linked, symbol: SymbolRef) -> String {
    let header = linked.pool.declaration(symbol).header;
    let written = String::from_utf8_lossy(&linked.pool.unit(symbol.unit).text[header.indices()]);
    written.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The comments that belong to a declaration.
pub(super) fn docs(linked: &Linked, symbol: SymbolRef) -> String {
    let unit = linked.pool.unit(symbol.unit);
    let location = unit.file.table.get(linked.pool.declaration(symbol).location);
    let comments = [location.leading(&unit.text), location.trailing(&unit.text)];
    let comments = comments.into_iter().flatten().map(|text| plain(&text));
    comments.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// The comment before the syntax statement of a file.
fn docs_of_file(linked: &Linked, id: UnitId) -> String {
    const SYNTAX: &[i32] = &[12];
    let unit = linked.pool.unit(id);
    let first = unit.file.table.iter().find(|location| location.path() == SYNTAX);
    first.and_then(|location| location.leading(&unit.text)).map(|text| plain(&text)).unwrap_or_default()
}

/// A comment as Markdown: each line without the blank that it starts with.
fn plain(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let lines = text.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end());
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}
