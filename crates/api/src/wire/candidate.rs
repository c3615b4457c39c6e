//! Candidates in JSON, and the locations of places.

use std::borrow::Cow;

use locant_engine::{self as engine, Document, Offset};
use schemars::JsonSchema;
use serde::Serialize;

use super::position::{Position, position};
use crate::encoding::Encoding;

/// How many bytes of a long line an answer quotes. A minified file is a single line, and people and models read the
/// answers.
pub(crate) const QUOTED: usize = 2_000;

/// A place that may be meant.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
pub struct Candidate {
    /// A location that leads there, ready to paste.
    pub location: String,
    /// Where the place is; absent when only a file is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    /// The position as a number of bytes from the start of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
    /// The line of the place; absent when only a file is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_text: Option<String>,
    /// Why this place is offered.
    pub why: Cow<'static, str>,
}

/// The line of an offset, without its line break. A very long line is cut to the part around the place.
pub(crate) fn line_text(document: &Document, offset: Offset) -> String {
    let text = document.text();
    let content = text.line_content(text.line_of(offset)).unwrap_or(engine::Range::empty(offset));
    if content.extent().len() <= QUOTED {
        return text.lossy(content).into_owned();
    }
    let (before, around, after) = window(document, content, offset, QUOTED / 2);
    let ellipsis = |cut| if cut { "…" } else { "" };
    format!("{}{}{}", ellipsis(before), text.lossy(around), ellipsis(after))
}

/// The part of a line within `radius` bytes of a place, and whether something is cut before and after it.
pub(crate) fn window(
    document: &Document,
    line: engine::Range,
    offset: Offset,
    radius: usize,
) -> (bool, engine::Range, bool) {
    let bytes = document.text().bytes();
    let is_boundary = |index: &usize| bytes.get(*index).is_none_or(|byte| byte & 0xc0 != 0x80);
    let (first, last) = (line.start().index(), line.end().index());
    let from = offset.index().clamp(first, last).saturating_sub(radius).max(first);
    let to = offset.index().saturating_add(radius).min(last).max(from);
    let start = (from..=last).find(is_boundary).unwrap_or(last);
    let end = (start.max(to)..=last).find(is_boundary).unwrap_or(last);
    (first < start, engine::Range::of_indices(start..end), end < last)
}

/// The location of a place: its description, or its coordinate if it cannot be described.
pub(crate) fn location(document: &Document, offset: Offset) -> String {
    written(document, offset, engine::describe(document, offset))
}

/// The location of a place, and the path of the innermost symbol around it.
pub(crate) fn location_within(document: &Document, offset: Offset) -> (String, Option<String>) {
    let description = engine::describe(document, offset);
    let symbol = description.as_ref().and_then(|description| description.symbol);
    let within = symbol.and_then(|symbol| Some(document.outline()?.path(symbol).join(".")));
    (written(document, offset, description), within)
}

/// The location of a place that is one of `n_places` in an answer.
pub(crate) fn location_of_one(document: &Document, offset: Offset, n_places: usize) -> String {
    written(document, offset, engine::describe_one_of(document, offset, n_places))
}

fn written(document: &Document, offset: Offset, description: Option<engine::Description>) -> String {
    match description {
        Some(description) => description.location.to_string(),
        None => coordinate(document, engine::Range::empty(offset)),
    }
}

/// The location of a range, with the place in it that the answer gives.
pub(crate) fn range_location(document: &Document, range: engine::Range, place: Offset) -> String {
    match engine::describe_match(document, range, place) {
        Some(description) => description.location.to_string(),
        None => coordinate(document, range),
    }
}

/// Converts the engine's candidates, and adds a location to each.
pub(crate) fn candidates(
    document: &Document,
    candidates: &[engine::Candidate],
    encoding: Encoding,
) -> Vec<Candidate> {
    let candidate = |candidate: &engine::Candidate| Candidate {
        location: location_of_one(document, candidate.offset, candidates.len()),
        position: Some(position(document, candidate.offset, encoding)),
        offset: Some(candidate.offset.to_u32()),
        line_text: Some(line_text(document, candidate.offset)),
        why: candidate.reason.words(),
    };
    candidates.iter().map(candidate).collect()
}

/// The note for a text with problems, such as invalid UTF-8.
pub(crate) fn note(document: &Document) -> Option<String> {
    match document.text().nature() {
        engine::Nature::NotUtf8 { first_bad } => Some(format!(
            "the text is not valid UTF-8, first at byte {}: each bad part counts as one character",
            first_bad.to_u32()
        )),
        _ => None,
    }
}

fn coordinate(document: &Document, range: engine::Range) -> String {
    let at = |offset| document.text().position(offset, engine::Encoding::Utf16);
    let scope = at(range.start()).map(|start| engine::Scope::Coordinate {
        start,
        end: if range.is_empty() { None } else { at(range.end()) },
    });
    let location = engine::Location { path: document.path().to_owned(), scope, ..Default::default() };
    location.to_string()
}
