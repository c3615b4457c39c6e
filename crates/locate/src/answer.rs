//! The questions about a location, and the answers.

use std::sync::Arc;

use locant_text::{Offset, Range, Text};
use locant_tree::{Outline, SymbolId};

use crate::hint::{Hint, Reason};
use crate::lines::Lines;
use crate::location::{InvalidLocation, Scope};

/// The parts of a file that resolving a location needs.
pub trait Document {
    /// Its path, as it is written in locations.
    fn path(&self) -> &str;
    /// Its text.
    fn text(&self) -> &Text;
    /// Its symbols; `None` if its language is not supported. Called only when an answer needs symbols, since it may
    /// have to parse the file.
    fn outline(&self) -> Option<&Outline>;
    /// Its lines with their digests, by which places are found again. An implementation that is asked about many places
    /// should compute them once and keep them.
    fn lines(&self) -> Arc<Lines> {
        Arc::new(Lines::new(self.text()))
    }
    /// The ranges of text that a descriptor path leads to, or why there are none; `None` if the scope is not a
    /// descriptor path in this file.
    fn descriptor_spans(&self, _: &Scope) -> Option<Result<Vec<Range>, Diagnosis>> {
        None
    }
}

/// Whether a position or a range is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A position: the place of the marker in the match.
    Position,
    /// A range of text. A marker is ignored.
    Range,
}

/// The answer to a location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// The place was found.
    Found(Found),
    /// Nothing in the text matches the location.
    NotFound(Diagnosis),
    /// The location could mean several places.
    Ambiguous(Diagnosis),
    /// The location names a symbol in a file whose language is not supported.
    Unsupported(Diagnosis),
    /// The location itself is not valid.
    Invalid(InvalidLocation),
}

/// A place that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The place.
    pub offset: Offset,
    /// The range of text that matched the find, or the whole scope if the location has no find.
    pub range: Range,
    /// How many places match the location, this one included.
    pub matches: usize,
    /// Whether the match starts or ends inside a word.
    pub partial: bool,
    /// Whether the location gives parameters, as in `f(int)`, that were not compared because the parameters of the
    /// declaration cannot be read.
    pub has_unread_parameters: bool,
    /// The symbol that the scope names, if it names one.
    pub symbol: Option<SymbolId>,
    /// The other matches, at most ten, the most preferred first.
    pub others: Vec<Candidate>,
}

/// Why there is not exactly one answer, and what to try next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnosis {
    /// What was tried and why it failed.
    pub message: String,
    /// What to do next, the most useful first.
    pub hints: Vec<Hint>,
    /// Places that may be meant, the most likely first. [`describe`](crate::describe) gives their locations.
    pub candidates: Vec<Candidate>,
}

/// A place that may be meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The place.
    pub offset: Offset,
    /// Why it is offered.
    pub reason: Reason,
}
