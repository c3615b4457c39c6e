//! The types that travel: what requests and answers are made of in JSON.

mod anchor;
mod location;
mod page;
mod position;

pub(crate) use anchor::{Anchor, GivenAnchor};
pub(crate) use location::Spoken;
pub(crate) use page::{Page, Reach, server};
pub(crate) use position::{Position, Range, no_such_position, offset, position, range};

use std::borrow::Cow;

use locant_engine::{self as engine, Document, Offset};
use schemars::JsonSchema;
use serde::Serialize;

use crate::flags::Encoding;
use crate::remark::Remark;

/// How much of a long line an answer quotes, in bytes: a minified file is one line, and answers are read by
/// people and models.
pub(crate) const QUOTED: usize = 2_000;

/// A place that may be meant.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
pub struct Candidate {
    /// A location that leads there, ready to paste.
    pub location: String,
    /// Where it is; absent when only a file is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    /// The same as a number of bytes from the start of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
    /// The line it is in; absent when only a file is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_text: Option<String>,
    /// Why it is named.
    pub why: Cow<'static, str>,
}

/// How a place was found.
#[derive(Clone, Copy, Debug, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// As it was written.
    Exact,
    /// Found again after a change.
    Relocated,
    /// Found again, but the symbol that holds the place, or the word that stood there, has another name now.
    Renamed,
}

/// How a place was found, and how sure that is.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
pub struct How {
    /// How the place was found.
    pub status: Status,
    /// How probable it is that the place is right, from 0 to 1, if it was found again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The name that is another one now, if the status is `renamed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed: Option<Renaming>,
    /// What has that name, if it is a symbol around the place and not the word there.
    #[serde(skip)]
    pub around: Option<&'static str>,
    /// Why what the answer says of symbols may be wrong, if anything speaks for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub misread: Option<Misread>,
    /// What is not the whole truth: every form of the answer says all of it.
    #[serde(skip)]
    pub remarks: Vec<Remark>,
}

/// From here on nobody needs to be told how sure a place is: in lines that did not change, it is as sure.
const SURE: f64 = 0.995;

/// Why what an answer says of symbols may be wrong.
#[derive(Clone, Copy, Debug, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Misread {
    /// There are syntax errors in or around the symbol.
    Damaged,
    /// The file is too much for its parser: only single lines were read.
    ByLine,
}
/// Below this a new name is only supposed.
const RENAMED: f64 = 0.9;

impl How {
    /// As it was written.
    pub(crate) const EXACT: How = How {
        status: Status::Exact,
        confidence: None,
        renamed: None,
        around: None,
        misread: None,
        remarks: Vec::new(),
    };

    /// Is there nothing to say of it?
    pub(crate) fn is_plain(&self) -> bool {
        self.status == Status::Exact && self.misread.is_none()
    }

    /// The other places that are meant as well as this one.
    pub(crate) fn others(&self) -> Vec<Candidate> {
        self.remarks.iter().flat_map(|remark| remark.places.clone()).collect()
    }

    /// Says of what the answer depends on that it may be misread.
    pub(crate) fn note_misread(&mut self, misread: Option<engine::Misread>) {
        let (kind, said) = match misread {
            _ if self.misread.is_some() => return,
            None => return,
            Some(engine::Misread::Damaged) => (Misread::Damaged, DAMAGED),
            Some(engine::Misread::ByLine) => (Misread::ByLine, BY_LINE),
        };
        self.misread = Some(kind);
        self.remarks.push(Remark::new(said));
    }

    /// Says in what other way than it was written a place was found.
    pub(crate) fn note_change(&mut self) {
        let renamed = self.renamed.as_ref().map(|Renaming { old, new }| match self.around {
            // A location alone cannot tell a new name from a twin that was there before.
            Some(kind) if self.confidence.is_some_and(|confidence| confidence < RENAMED) => {
                format!("the {kind} `{old}` around it may be `{new}` now")
            }
            Some(kind) => format!("the {kind} `{old}` around it is `{new}` now"),
            None => format!("`{old}` is `{new}` now"),
        });
        let again = match self.confidence {
            _ if self.status == Status::Exact => None,
            Some(confidence) if confidence < SURE => {
                let percent = confidence * 100.0;
                Some(format!("the file has changed; this is the place with a probability of {percent:.1} %"))
            }
            _ if renamed.is_some() => None,
            _ => Some("the file has changed; the place was found again".to_owned()),
        };
        self.remarks.extend(renamed.into_iter().chain(again).map(Remark::new));
    }
}

const DAMAGED: &str = "there are syntax errors in or around the symbol: it may be misread";
const BY_LINE: &str = "the file is too much for its parser: symbols are only what single lines tell";

/// A name that is another one now.
#[derive(Clone, Debug, Eq, JsonSchema, PartialEq, Serialize)]
pub struct Renaming {
    /// The name as it was.
    pub old: String,
    /// The name as it is.
    pub new: String,
}

impl From<engine::Renaming> for Renaming {
    fn from(engine::Renaming { old, new }: engine::Renaming) -> Renaming {
        Renaming { old, new }
    }
}

/// Writes a value as JSON on one line.
pub(crate) fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("wire types have string keys and no failing parts")
}

/// The line of an offset as text, without its line break; of a very long line only what is around the place.
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

/// The location that leads to a place: its description, or its coordinate where there is none.
pub(crate) fn location(document: &Document, offset: Offset) -> String {
    written(document, offset, engine::describe(document, offset))
}

/// The same for one of several places that an answer names.
pub(crate) fn location_of_one(document: &Document, offset: Offset, n_places: usize) -> String {
    written(document, offset, engine::describe_one_of(document, offset, n_places))
}

fn written(document: &Document, offset: Offset, description: Option<engine::Description>) -> String {
    match description {
        Some(description) => description.location.to_string(),
        None => coordinate(document, engine::Range::empty(offset)),
    }
}

/// The location that leads to a range, and to the place in it that the answer gives.
pub(crate) fn range_location(document: &Document, range: engine::Range, place: Offset) -> String {
    match engine::describe_match(document, range, place) {
        Some(description) => description.location.to_string(),
        None => coordinate(document, range),
    }
}

/// The engine's candidates, each with the location that leads there.
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

/// What an answer must say of the text it was found in.
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
