//! Rewrites the positions in an answer of any form in the way that locant writes positions.

use std::path::{Path, PathBuf};

use locant_engine::{Encoding, Location, Offset, Position, Scope, Text};
use serde_json::{Map, Value, json};

use crate::answers::Reader;
use crate::documents::path_of_uri;
use crate::position::Sheet;

impl Reader<'_> {
    /// Rewrites all positions in an answer: lines and columns are counted from 1, and columns in UTF-16. A position is
    /// in the file whose address is in the same object or in the nearest object around it that has one. The path of the
    /// file is added beside the address, and a location beside each range and each position.
    pub(crate) fn rewrite(&self, value: &mut Value) {
        self.rewrite_in(value, &crate::question::path_of(self.asked));
    }

    fn rewrite_in(&self, value: &mut Value, path: &Path) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.rewrite_in(item, path)),
            Value::Object(fields) => self.rewrite_fields(fields, path),
            _ => {}
        }
    }

    fn rewrite_fields(&self, fields: &mut Map<String, Value>, path: &Path) {
        let address = ["uri", "targetUri"].into_iter().find_map(|name| fields.get(name)?.as_str());
        let own: Option<PathBuf> = address.and_then(path_of_uri);
        let path = own.as_deref().unwrap_or(path);
        if own.is_some() {
            fields.insert("file_path".to_owned(), Value::String(self.key(path)));
        }
        for (line, character) in [("startLine", "startCharacter"), ("endLine", "endCharacter")] {
            self.rewrite_pair(fields, line, character, path);
        }
        for (_, field) in fields.iter_mut() {
            if is_position(field) {
                let rewritten = self.position_in(field, path);
                *field = rewritten.unwrap_or_else(|| field.take());
            } else {
                self.rewrite_in(field, path);
            }
        }
        if let Some(location) = self.location(fields, path)
            && !fields.contains_key("location")
        {
            fields.insert("location".to_owned(), Value::String(location));
        }
    }

    /// The location of the range or the position of an object.
    fn location(&self, fields: &Map<String, Value>, path: &Path) -> Option<String> {
        let range = ["targetSelectionRange", "selectionRange", "range"].into_iter();
        let range = range.filter_map(|name| fields.get(name)).find(|range| range.is_object());
        let part = |line: &str, character: &str| {
            let position = json!({"line": fields.get(line)?, "character": fields.get(character)?});
            read(&position)
        };
        let scope = if let Some(range) = range {
            coordinate(read(range.get("start")?)?, range.get("end").and_then(read))
        } else if let Some(position) = fields.get("position") {
            coordinate(read(position)?, None)
        } else if let Some(start) = part("startLine", "startCharacter") {
            coordinate(start, part("endLine", "endCharacter"))
        } else {
            let line = |name: &str| u32::try_from(fields.get(name)?.as_u64()?).ok();
            Scope::Lines { first: line("startLine")?, last: Some(line("endLine")?) }
        };
        let location = Location { path: self.key(path), scope: Some(scope), ..Location::default() };
        Some(location.to_string())
    }

    /// Rewrites a position whose line and column are two fields of the object itself, as in a fold. The column may be
    /// missing.
    fn rewrite_pair(&self, fields: &mut Map<String, Value>, line: &str, character: &str, path: &Path) {
        let Some(given) = fields.get(line).filter(|line| line.is_u64()).cloned() else { return };
        let column = fields.get(character).cloned();
        let position = json!({"line": given, "character": column.clone().unwrap_or_else(|| json!(0))});
        let Some(rewritten) = self.position_in(&position, path) else { return };
        fields.insert(line.to_owned(), rewritten["line"].clone());
        if column.is_some() {
            fields.insert(character.to_owned(), rewritten["character"].clone());
        }
    }

    fn position_in(&self, position: &Value, path: &Path) -> Option<Value> {
        let text = self.text(path)?;
        let offset = Sheet::new(text.bytes(), self.counting).offset(position)?;
        written(&text, offset)
    }
}

fn is_position(value: &Value) -> bool {
    value.as_object().is_some_and(|fields| {
        fields.len() == 2 && fields.contains_key("line") && fields.contains_key("character")
    })
}

/// A position that is counted from 1.
fn read(position: &Value) -> Option<Position> {
    let field = |name: &str| u32::try_from(position.get(name)?.as_u64()?).ok();
    Some(Position { line: field("line")?, character: field("character")? })
}

fn coordinate(start: Position, end: Option<Position>) -> Scope {
    Scope::Coordinate { start, end: end.filter(|end| *end != start) }
}

fn written(text: &Text, offset: usize) -> Option<Value> {
    let position = text.position(Offset::of_index(offset), Encoding::Utf16)?;
    Some(json!({"line": position.line, "character": position.character}))
}
