//! Positions and ranges in JSON, and their conversion from offsets.

use locant_engine::{self as engine, Document, Offset};
use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::encoding::Encoding;

/// A place as line and character, both counted from 1.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(try_from = "Map<String, Value>")]
#[schemars(!try_from)]
pub struct Position {
    /// The line, from 1.
    #[schemars(range(min = 1))]
    pub line: u32,
    /// The character in the line, from 1, in units of the requested encoding.
    #[schemars(range(min = 1))]
    pub character: u32,
}

/// A range of text.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
pub struct Range {
    /// Where it starts.
    pub start: Position,
    /// Where it ends: the first place after it.
    pub end: Position,
}

/// Accepts only an object. By default serde would also accept a list `[3, 5]`, which does not say what its numbers are.
impl TryFrom<Map<String, Value>> for Position {
    type Error = serde_json::Error;

    fn try_from(mut fields: Map<String, Value>) -> Result<Position, serde_json::Error> {
        let mut number = |name| {
            u32::deserialize(fields.remove(name).ok_or_else(|| serde_json::Error::missing_field(name))?)
        };
        Ok(Position { line: number("line")?, character: number("character")? })
    }
}

/// The position of an offset that the engine gave.
pub(crate) fn position(document: &Document, offset: Offset, encoding: Encoding) -> Position {
    // Only a column beyond `u32` has no position: more than a gigabyte of broken UTF-8 in one line. The byte
    // offset beside the position is right even then.
    let beyond = || engine::Position { line: document.text().line_of(offset), character: u32::MAX };
    document.text().position(offset, encoding.into()).unwrap_or_else(beyond).into()
}

/// The range between two offsets that the engine gave.
pub(crate) fn range(document: &Document, range: engine::Range, encoding: Encoding) -> Range {
    Range {
        start: position(document, range.start(), encoding),
        end: position(document, range.end(), encoding),
    }
}

impl From<engine::Position> for Position {
    fn from(position: engine::Position) -> Position {
        Position { line: position.line, character: position.character }
    }
}

impl From<Position> for engine::Position {
    fn from(position: Position) -> engine::Position {
        engine::Position { line: position.line, character: position.character }
    }
}
