//! A question to a server: the texts that it is about, how it is asked, and what comes back.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use locant_engine::{Document, Encoding, Text};
use locant_workspace::{Asked, Snapshot, written};
use serde_json::Value;

use crate::catalogue::language_id;
use crate::entry::Entry;

/// A document that a server must have open for a question, with its text.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) path: PathBuf,
    pub(crate) text: Arc<Text>,
    pub(crate) language_id: String,
}

/// What a server is told before a question: the documents that must be open, and the state of all other files.
pub(crate) struct Shown<'s> {
    /// Where the texts of the other documents that the server has open come from.
    pub(crate) snapshot: &'s Snapshot,
    /// The document that is asked about, then those that came with the request or are open in an editor.
    /// Invariant: not empty.
    pub(crate) wanted: Vec<Wanted>,
}

/// How a server is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// Again and again until the answer can be relied on. The breadth says how much of the project the question is
    /// about.
    Settled(Breadth),
    /// Once, even while the server is busy with other work.
    Once,
    /// Once, to run a command. The answer is the list of edits that the server wants to be applied while the command
    /// runs.
    Command,
    /// Not at all, because the server sends the problems of a document by itself. The answer is the list of these
    /// problems.
    Problems,
}

/// How much of the project a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Breadth {
    /// One file and the things that it uses.
    Near,
    /// All files.
    Wide,
}

/// An answer, and what the server was still busy with.
#[derive(Clone, Debug)]
pub(crate) struct Heard {
    pub(crate) value: Value,
    /// What the server was still busy with; `None` when the answer is complete.
    pub(crate) busy: Option<String>,
}

/// What a server has said about itself.
#[derive(Clone, Debug)]
pub(crate) struct About {
    /// Its version; empty when it is not known.
    pub(crate) version: String,
    /// In which units it counts columns.
    pub(crate) encoding: Encoding,
    /// What it can do, as it said when it was greeted.
    pub(crate) capabilities: Value,
    /// The methods that it answers, as it said later.
    pub(crate) registered: Vec<String>,
}

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Trouble {
    /// The server has ended, or does not speak the protocol. The text is the reason.
    Ended(String),
    /// The server has shown no progress for this long.
    Silent(Duration),
    /// The server has shown progress for this long, but has not come to an end.
    Late(Duration),
    /// The server answered with an error.
    Refused {
        /// The number of the error, as the protocol or the server defines it.
        code: i64,
        /// Its message.
        message: String,
    },
}

/// Why a request has no answer, as a value and as a sentence. The sentence may quote the standard error of the server.
#[derive(Clone, Debug)]
pub(crate) struct Failed {
    pub(crate) trouble: Trouble,
    pub(crate) why: String,
}

impl Heard {
    /// An answer that is complete.
    pub(crate) fn complete(value: Value) -> Heard {
        Heard { value, busy: None }
    }
}

impl Wanted {
    /// A document as it is on disk, if it is in a language of the server and no editor has it open.
    pub(crate) fn on_disk(path: &Path, entry: &Entry, snapshot: &Snapshot) -> Option<Wanted> {
        if snapshot.layered(path).is_some() {
            return None;
        }
        let is_ours = Document::new(written(path), "").is_ok_and(|document| entry.is_for(&document));
        let document = is_ours.then(|| snapshot.document(path, &written(path)))??;
        let (text, language_id) = (Arc::clone(document.shared_text()), language_id(entry, &document));
        Some(Wanted { path: path.to_owned(), text, language_id })
    }
}

impl<'s> Shown<'s> {
    /// What this server is told before a question.
    pub(crate) fn of(asked: &Asked<'s>, entry: &Entry) -> Shown<'s> {
        let path = path_of(asked);
        let snapshot = asked.scope.snapshot;
        let layered = snapshot
            .all_layered()
            .filter(|(other, document)| **other != path && entry.is_for(document))
            .map(|(other, document)| Wanted {
                path: other.clone(),
                text: Arc::clone(document.shared_text()),
                language_id: language_id(entry, document),
            });
        let first = Wanted {
            path: path.clone(),
            text: Arc::clone(asked.document.shared_text()),
            language_id: language_id(entry, asked.document),
        };
        Shown { snapshot, wanted: std::iter::once(first).chain(layered).collect() }
    }
}

/// Where the document of a question is on disk.
pub(crate) fn path_of(asked: &Asked<'_>) -> PathBuf {
    asked.scope.base.absolute(asked.document.path())
}

/// The number of the error that a server gives for a method that it does not have.
const NO_METHOD: i64 = -32601;

impl Trouble {
    /// Whether the server does not have the method.
    pub(crate) fn is_unknown_method(&self) -> bool {
        matches!(self, Trouble::Refused { code, .. } if *code == NO_METHOD)
    }

    /// Whether the server has ended.
    pub(crate) fn is_end(&self) -> bool {
        matches!(self, Trouble::Ended(_))
    }

    /// The trouble in words. `complaints` is what the server has written to standard error.
    pub(crate) fn told(&self, name: &str, complaints: &str) -> String {
        let said = match self {
            Trouble::Ended(why) => format!("{name} gave no answer: {why}"),
            Trouble::Silent(time) => format!("{name} showed no progress for {} s", seconds(*time)),
            Trouble::Late(time) => format!("{name} has not come to an end within {} s", seconds(*time)),
            Trouble::Refused { message, .. } => return format!("{name} says: {message}"),
        };
        if complaints.is_empty() {
            return said;
        }
        format!("{said}; the last it wrote to standard error:\n{complaints}")
    }
}

fn seconds(time: Duration) -> String {
    match time.as_secs() {
        0 => format!("{:.1}", time.as_secs_f64()),
        seconds => seconds.to_string(),
    }
}
