//! How a place was found, and how certain that is.

use locant_engine as engine;
use schemars::JsonSchema;
use serde::Serialize;

use crate::remark::Remark;
use crate::wire::Candidate;

/// How a place was found.
#[derive(Clone, Copy, Debug, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The place was found as written.
    Exact,
    /// The place was found again after a change.
    Relocated,
    /// The place was found again, but the symbol around it, or the word at the place, has another name now.
    Renamed,
}

/// How a place was found, and how certain that is.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
pub struct How {
    /// How the place was found.
    pub status: Status,
    /// How probable it is that the place is right, from 0 to 1, if it was found again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The name before and after, if the status is `renamed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed: Option<Renaming>,
    /// The kind of the renamed symbol, if it is a symbol around the place and not the word at the place.
    #[serde(skip)]
    pub around: Option<&'static str>,
    /// Why statements about symbols may be wrong, if there is a reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub misread: Option<Misread>,
    /// What the reader should also know. Every form of the answer contains all remarks.
    #[serde(skip)]
    pub remarks: Vec<Remark>,
}

/// From this confidence on, the answer does not mention it: the place is as certain as in unchanged lines.
const SURE: f64 = 0.995;

/// Why statements about symbols may be wrong.
#[derive(Clone, Copy, Debug, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Misread {
    /// There are syntax errors in or around the symbol.
    Damaged,
    /// The file was too complex for its parser, so only single lines were read.
    ByLine,
}

/// Below this confidence, a new name is only a guess.
const RENAMED: f64 = 0.9;

impl How {
    /// The place was found as written.
    pub(crate) const EXACT: How = How {
        status: Status::Exact,
        confidence: None,
        renamed: None,
        around: None,
        misread: None,
        remarks: Vec::new(),
    };

    /// Whether the place was found as it was written, in a part of the file that could be read.
    pub(crate) fn is_plain(&self) -> bool {
        self.status == Status::Exact && self.misread.is_none()
    }

    /// The other places that the location matches as well.
    pub(crate) fn others(&self) -> Vec<Candidate> {
        self.remarks.iter().flat_map(|remark| remark.places.clone()).collect()
    }

    /// Adds a remark that the symbols of the answer may be misread.
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

    /// Adds a remark if the place was not found as written.
    pub(crate) fn note_change(&mut self) {
        let renamed = self.renamed.as_ref().map(|Renaming { old, new }| match self.around {
            // A location alone does not show whether a symbol was renamed, or a similar one existed before.
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

/// A name before and after it was changed.
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
