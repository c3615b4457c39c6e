//! Why there is no answer, in words that lead on.

use std::fmt::Write as _;

use locant_engine::{InvalidLocation, Unreadable};
use locant_workspace::reading::Unread;
use schemars::JsonSchema;
use serde::Serialize;

use crate::remark::Remark;
use crate::show;
use crate::wire::Candidate;

/// Why there is no answer, and what to try next.
#[derive(Clone, Debug, JsonSchema, Serialize)]
#[schemars(rename = "Error")]
pub struct Failure {
    /// What kind of failure it is.
    pub kind: Kind,
    /// What was tried and why it failed.
    pub message: String,
    /// The next thing to do.
    pub hint: String,
    /// Places that may be meant, the most likely first.
    pub candidates: Vec<Candidate>,
}

/// What kind of failure it is.
#[derive(Clone, Copy, Debug, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Nothing in the text is meant by the location.
    NotFound,
    /// The location could mean several places.
    Ambiguous,
    /// The place is no longer there.
    Gone,
    /// The location, or the request around it, has no meaning.
    InvalidLocation,
    /// There is no file with that name.
    NoSuchFile,
    /// It is not built, or not possible for this file.
    Unsupported,
    /// It would change something that must not be changed.
    Refused,
    /// A language server failed.
    Server,
    /// A file could not be read.
    Io,
}

impl Kind {
    /// What the process exits with: 1 for "not there", 2 for "badly asked", 3 for "something outside failed".
    pub fn exit_code(self) -> u8 {
        match self {
            Kind::NotFound | Kind::Ambiguous | Kind::Gone => 1,
            Kind::InvalidLocation => 2,
            Kind::NoSuchFile | Kind::Unsupported | Kind::Refused | Kind::Server | Kind::Io => 3,
        }
    }
}

impl Failure {
    /// A failure without candidates.
    pub fn new(kind: Kind, message: impl Into<String>, hint: impl Into<String>) -> Failure {
        Failure { kind, message: message.into(), hint: hint.into(), candidates: Vec::new() }
    }

    /// The request has no meaning.
    pub fn invalid(message: impl Into<String>, hint: impl Into<String>) -> Failure {
        Failure::new(Kind::InvalidLocation, message, hint)
    }

    /// Part of the contract that is not built yet.
    pub fn unbuilt(what: &str, instead: &str) -> Failure {
        Failure::new(Kind::Unsupported, format!("{what} is not built yet"), instead)
    }

    /// The same failure with places that may be meant.
    #[must_use]
    pub fn with_candidates(self, candidates: Vec<Candidate>) -> Failure {
        Failure { candidates, ..self }
    }

    /// The failure as an error object of the contract: `{"kind": …, "message": …, …}`.
    pub fn json(&self) -> String {
        crate::wire::to_json(self)
    }

    /// The failure as people read it: what, what next, and locations to paste, each on its own line.
    pub fn text(&self) -> String {
        let visible = show::visible;
        let mut text = format!("{} {}\n", show::ERROR, visible(&self.message));
        if !self.hint.is_empty() {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{} {}", show::HINT, visible(&self.hint));
        }
        text.push_str(&visible(&show::candidates(&self.candidates)));
        text
    }
}

impl Failure {
    /// The failure of a part of an answer, beside the rest of it.
    pub(crate) fn remark(&self) -> Remark {
        let hint = if self.hint.is_empty() { String::new() } else { format!("; {}", self.hint) };
        Remark { places: self.candidates.clone(), ..Remark::new(format!("{}{hint}", self.message)) }
    }
}

impl From<InvalidLocation> for Failure {
    fn from(invalid: InvalidLocation) -> Failure {
        Failure::invalid(invalid.message, invalid.hint)
    }
}

impl Failure {
    /// A file is not read though it is there and may be read.
    pub fn unread(path: &str, unread: Unread) -> Failure {
        let hint = match unread {
            Unread::Special(_) => {
                "give its text instead: as `-` on standard input, or as `text` to `locant batch`"
            }
            Unread::Endless => "copy what matters of it to a file, and ask about that",
            Unread::TooLarge => "split the file, or give the part that matters as `text` to `locant batch`",
        };
        Failure::new(Kind::Unsupported, format!("cannot read `{path}`: {unread}"), hint)
    }

    /// The bytes of a file are no document.
    pub fn unreadable(path: &str, unreadable: Unreadable) -> Failure {
        let hint = match unreadable {
            Unreadable::TooLarge => {
                "split the file, or give the part that matters as `text` to `locant batch`"
            }
            Unreadable::Binary { looks_like_utf16: false } => "only text files have places to name",
            Unreadable::Binary { looks_like_utf16: true } => {
                "convert it first, for example with `iconv -f UTF-16 -t UTF-8`"
            }
        };
        Failure::new(Kind::Unsupported, format!("cannot read `{path}`: {unreadable}"), hint)
    }
}
