//! Why there is no answer, and what to try next.

use locant_engine::{InvalidLocation, Unreadable, languages};
use locant_workspace::reading::Unread;
use locant_workspace::{self as workspace, FailureKind};
use schemars::JsonSchema;
use serde::Serialize;

use crate::phrase::{Phrase, Voice, phrase, setting};
use crate::wire::Candidate;

/// Why there is no answer, and what to try next.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What kind of failure it is.
    pub kind: Kind,
    /// What was tried and why it failed.
    pub message: String,
    /// What the user can do about it.
    pub hint: Phrase,
    /// Places that may be meant, most likely first.
    pub candidates: Vec<Candidate>,
}

/// Why there is no answer, as it is serialized.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Error {
    /// What kind of failure it is.
    pub kind: Kind,
    /// What was tried and why it failed.
    pub message: String,
    /// What the user can do about it.
    pub hint: String,
    /// Places that may be meant, most likely first.
    pub candidates: Vec<Candidate>,
}

/// The JSON that is written when there is no answer.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct ErrorAnswer {
    /// Why there is no answer.
    pub error: Error,
}

/// What kind of failure it is.
#[derive(Clone, Copy, Debug, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The text has nothing that the location could mean.
    NotFound,
    /// The location could mean several places.
    Ambiguous,
    /// The place is no longer there.
    Gone,
    /// The location or the request is malformed.
    InvalidLocation,
    /// There is no file with that name.
    NoSuchFile,
    /// The feature is not built, or not possible for this file.
    Unsupported,
    /// The request would change something that must not be changed.
    Refused,
    /// A language server failed.
    Server,
    /// A file could not be read.
    Io,
    /// The request was stopped before it was answered.
    Cancelled,
}

impl Kind {
    /// The exit code of the process: 1 for "not there", 2 for "badly asked", 3 for "something outside failed".
    pub fn exit_code(self) -> u8 {
        match self {
            Kind::NotFound | Kind::Ambiguous | Kind::Gone => 1,
            Kind::InvalidLocation => 2,
            Kind::NoSuchFile
            | Kind::Unsupported
            | Kind::Refused
            | Kind::Server
            | Kind::Io
            | Kind::Cancelled => 3,
        }
    }
}

impl Failure {
    /// A failure without candidates.
    pub fn new(kind: Kind, message: impl Into<String>, hint: impl Into<Phrase>) -> Failure {
        Failure { kind, message: message.into(), hint: hint.into(), candidates: Vec::new() }
    }

    /// The failure for a malformed request.
    pub fn invalid(message: impl Into<String>, hint: impl Into<Phrase>) -> Failure {
        Failure::new(Kind::InvalidLocation, message, hint)
    }

    /// The failure for a command that is planned but not built yet.
    pub fn unbuilt(what: &str, instead: impl Into<Phrase>) -> Failure {
        Failure::new(Kind::Unsupported, format!("{what} is not built yet"), instead)
    }

    /// Adds places that may be meant.
    #[must_use]
    pub fn with_candidates(self, candidates: Vec<Candidate>) -> Failure {
        Failure { candidates, ..self }
    }

    /// The failure as it is serialized: `{"kind": …, "message": …, …}`.
    pub fn error(&self, voice: &dyn Voice) -> Error {
        let (message, hint) = (self.message.clone(), self.hint.said(voice));
        Error { kind: self.kind, message, hint, candidates: self.candidates.clone() }
    }
}

impl Error {
    /// The same in fewer characters: what the request wrote is quoted in part, and the last candidates are left out.
    #[must_use]
    pub fn within(mut self, budget: usize) -> Error {
        for text in [&mut self.message, &mut self.hint] {
            if let Some((cut, _)) = text.char_indices().nth(budget / 8) {
                text.truncate(cut);
                text.push('…');
            }
        }
        let length = |candidate: &Candidate| {
            let line = candidate.line_text.as_ref().map_or(0, String::len);
            // The rest of a candidate: its position, and the names of its fields.
            candidate.location.len() + line + candidate.why.len() + 150
        };
        let mut left = budget / 2;
        let fits = |candidate: &Candidate| {
            let rest = left.checked_sub(length(candidate));
            rest.map(|rest| left = rest).is_some()
        };
        let n_fitting = self.candidates.iter().map(fits).take_while(|fits| *fits).count();
        self.candidates.truncate(n_fitting);
        self
    }
}

impl From<InvalidLocation> for Failure {
    fn from(invalid: InvalidLocation) -> Failure {
        Failure::invalid(invalid.message, invalid.hint)
    }
}

impl Failure {
    /// The failure for a file that exists but is not read: a pipe or a device, a file without end, or one that is too
    /// large.
    pub fn unread(path: &str, unread: Unread) -> Failure {
        let hint = match unread {
            Unread::Special(_) => "give its text instead: on standard input, or as `text` in a batch".into(),
            Unread::Endless => "copy what matters of it to a file, and ask about that".into(),
            Unread::TooLarge => split_the_file(),
        };
        Failure::new(Kind::Unsupported, format!("cannot read `{path}`: {unread}"), hint)
    }

    /// The failure for a file that is too large, or is not text.
    pub fn unreadable(path: &str, unreadable: Unreadable) -> Failure {
        let hint = match unreadable {
            Unreadable::TooLarge => split_the_file(),
            Unreadable::Binary { looks_like_utf16: false } => "only text files have places to name".into(),
            Unreadable::Binary { looks_like_utf16: true } => {
                "convert it first, for example with `iconv -f UTF-16 -t UTF-8`".into()
            }
        };
        Failure::new(Kind::Unsupported, format!("cannot read `{path}`: {unreadable}"), hint)
    }
}

/// The failure for a file in a language that this build leaves out; `None` if there is no such language.
pub(crate) fn left_out(path: &str) -> Option<Failure> {
    let language = languages::left_out_of(path)?;
    Some(Failure::new(
        Kind::Unsupported,
        format!("`{path}` is in {}, which this program was built without", language.title),
        "build it with all languages, as it is built by default",
    ))
}

fn split_the_file() -> Phrase {
    "split the file, or give the part that matters as `text` in a batch".into()
}

impl From<workspace::Failure> for Failure {
    fn from(workspace::Failure { kind, message, hint }: workspace::Failure) -> Failure {
        let hint = match kind {
            FailureKind::OutsideRoot => phrase![hint, ": `", setting("root", "DIR"), "`"],
            _ => hint.into(),
        };
        let kind = match kind {
            FailureKind::NotFound => Kind::NotFound,
            FailureKind::Invalid => Kind::InvalidLocation,
            FailureKind::NoSuchFile => Kind::NoSuchFile,
            FailureKind::Refused | FailureKind::OutsideRoot => Kind::Refused,
            FailureKind::Io => Kind::Io,
        };
        Failure::new(kind, message, hint)
    }
}

/// Says first that nothing was written, since a refusal must not be read as a success.
pub(crate) fn unwritten(failure: Failure) -> Failure {
    Failure { message: locant_workspace::unwritten(&failure.message), ..failure }
}
