//! Converts lines and characters of a request to offsets, or says why they do not exist.

use locant_engine::{self as engine, Document, Offset};

use crate::encoding::Encoding;
use crate::failure::{Failure, Kind};
use crate::phrase::{phrase, setting};
use crate::wire::Position;

impl Position {
    /// Reads a position from an argument of the command line, such as `3:5`.
    pub(crate) fn of_argument(words: &str) -> Result<Position, Failure> {
        let numbers = words.split_once(':').map(|(line, character)| (line.parse(), character.parse()));
        match numbers {
            Some((Ok(line), Ok(character))) => Ok(Position { line, character }),
            _ => Err(Failure::invalid(
                format!("`{words}` is not a place"),
                phrase!["write line and column: `", setting("at", "3:5"), "`"],
            )),
        }
    }
}

/// The offset of a position, or why the position does not exist.
pub(crate) fn offset(document: &Document, position: Position, encoding: Encoding) -> Result<Offset, Failure> {
    if position.line == 0 || position.character == 0 {
        return Err(Failure::invalid(
            format!("there is no position {}:{}", position.line, position.character),
            "lines and characters count from 1",
        ));
    }
    let offset = document.text().offset(position.into(), encoding.into());
    offset.ok_or_else(|| no_such_position(document, position, encoding))
}

/// The failure for a position that a document does not have.
pub(crate) fn no_such_position(document: &Document, position: Position, encoding: Encoding) -> Failure {
    let text = document.text();
    let encoding = engine::Encoding::from(encoding);
    let hint = match text.line_content(position.line) {
        None => format!("the last line is {}", text.n_lines()),
        Some(line) => match text.position(line.end(), encoding) {
            Some(end) if position.character > end.character => {
                format!("line {} ends at {end} in {encoding}", position.line)
            }
            _ => format!("that is inside a character when counted in {encoding}"),
        },
    };
    let message = format!("{} has no position {}:{}", document.path(), position.line, position.character);
    Failure::new(Kind::NotFound, message, hint)
}
