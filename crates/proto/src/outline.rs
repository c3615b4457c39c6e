//! The outline of a .proto file.

use std::collections::HashMap;

use locant_text::{Offset, Range};
use locant_tree::{Outline, Symbol, SymbolId, SymbolKind, apart};

use crate::file::{Declaration, DeclarationId, FieldKind, File, Form};
use crate::value;

/// The symbols that a file declares.
///
/// A group is one symbol, its message. The field of the group is left out: it is at the same place and has the same
/// name in lower case.
pub fn outline(file: &File, text: &[u8]) -> Outline {
    let package = file.package.map(|range| value::dotted(&text[range.indices()])).unwrap_or_default();
    let package = package.split('.').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    let mut outline = Outline::new(package);
    outline.is_damaged = !file.problems.is_empty();
    outline.damage = apart(file.problems.iter().map(|problem| problem.range).collect());
    let mut symbols: HashMap<DeclarationId, SymbolId> = HashMap::new();
    for (id, declaration) in file.iter() {
        let is_group = declaration.field().is_some_and(|field| field.kind == FieldKind::Group);
        let Some(name) = declaration.name.filter(|_| !is_group) else { continue };
        let parent = declaration.parent.and_then(|parent| symbols.get(&parent).copied());
        symbols.insert(id, outline.push(symbol(file, text, declaration, name, parent)));
    }
    outline
}

fn symbol(
    file: &File,
    text: &[u8],
    declaration: &Declaration,
    name: Range,
    parent: Option<SymbolId>,
) -> Symbol {
    let docs = file.table.get(declaration.location).leading_comment().map(|comment| {
        let written = &text[comment.start as usize..comment.end as usize];
        let len = written.trim_ascii_end().len();
        let start = Offset::new(comment.start);
        Range::of_indices(start.index()..start.index() + len)
    });
    Symbol {
        name: String::from_utf8_lossy(&text[name.indices()]).into_owned(),
        kind: kind(declaration),
        name_range: name,
        extent: docs.map_or(declaration.range, |docs| docs.cover(declaration.range)),
        declaration: declaration.range,
        header: declaration.header,
        docs,
        parent,
        qualifier: Vec::new(),
        within: None,
    }
}

/// The kind of symbol that a declaration is.
pub(crate) fn kind(declaration: &Declaration) -> SymbolKind {
    match declaration.form {
        Form::Message { .. } => SymbolKind::Struct,
        Form::Field(_) => SymbolKind::Field,
        Form::Oneof => SymbolKind::Property,
        Form::Enum => SymbolKind::Enum,
        Form::Value { .. } => SymbolKind::EnumMember,
        Form::Service => SymbolKind::Interface,
        Form::Method(_) => SymbolKind::Method,
    }
}
