//! The short way to a place in a text at hand.

use locant_engine::{self as engine, Document, Encoding, Found, Location, Range, Resolution, Scope};
use pyo3::prelude::*;

use crate::location::{Parts, read};

/// A place: its offset, line and column; the same for the end of the match; the line and the match as texts; how many
/// places match; whether the match cuts a word in two.
type Place = (Point, Point, String, String, usize, bool);

/// An offset in bytes, a line and a column.
type Point = (u32, u32, u32);

/// Finds the place or the range that a location means in a text. `None` when [`crate::ask::ask`] must be asked: when
/// there is no such place, or when more must be known than the text.
#[pyfunction]
#[pyo3(signature = (path, text, scope, find, find_index, encoding, is_range))]
#[expect(
    clippy::too_many_arguments,
    reason = "a call from Python has no types to group them, and must be fast"
)]
pub(crate) fn place(
    py: Python<'_>,
    path: &str,
    text: &str,
    scope: Parts,
    find: Option<String>,
    find_index: usize,
    encoding: &str,
    is_range: bool,
) -> Option<Place> {
    let encoding = self::encoding(encoding)?;
    let scope = read(scope).ok()?;
    let location = Location { path: path.to_owned(), scope, find, find_index };
    if !is_plain(&location) {
        return None;
    }
    py.detach(|| {
        let document = Document::new(path, text.as_bytes()).ok()?;
        let ask = if is_range { engine::range } else { engine::locate };
        let resolution = ask(&document, &location);
        let Resolution::Found(found) = resolution else { return None };
        answer(&document, &found, encoding, is_range)
    })
}

/// Whether the location means a place by its text alone. A location with a check also depends on what was there before.
fn is_plain(location: &Location) -> bool {
    let is_plain = matches!(location.scope, None | Some(Scope::Lines { .. } | Scope::Symbol(_)));
    let find = location.find.as_deref().unwrap_or_default();
    let is_whole = location.scope.is_some() || !find.is_empty();
    is_plain && is_whole && !find.contains("<#") && !location.path.is_empty()
}

fn answer(document: &Document, found: &Found, encoding: Encoding, is_range: bool) -> Option<Place> {
    let text = document.text();
    let range = if is_range { found.range } else { Range::empty(found.offset) };
    let point = |offset: engine::Offset| {
        let position = text.position(offset, encoding)?;
        Some((offset.to_u32(), position.line, position.character))
    };
    let line = text.line_content(text.line_of(range.start()))?;
    // A very long line is cut in answers. Only `ask` does that.
    if line.extent().len() > LONG {
        return None;
    }
    Some((
        point(range.start())?,
        point(range.end())?,
        text.lossy(line).into_owned(),
        text.lossy(range).into_owned(),
        found.matches,
        found.partial,
    ))
}

/// A line with more bytes than this is cut in answers.
const LONG: usize = 2_000;

fn encoding(name: &str) -> Option<Encoding> {
    match name {
        "utf-8" => Some(Encoding::Utf8),
        "utf-16" => Some(Encoding::Utf16),
        "utf-32" => Some(Encoding::Utf32),
        _ => None,
    }
}
