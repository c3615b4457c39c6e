//! What is asked about a location, and what the answers are.

use std::sync::Arc;

use locant_text::{Offset, Range, Text};
use locant_tree::{Outline, SymbolId};

use crate::hint::{Hint, Reason};
use crate::lines::Lines;
use crate::location::{InvalidLocation, Scope};

/// A file as resolving needs it.
pub trait Document {
    /// Its path, as locations name it.
    fn path(&self) -> &str;
    /// Its text.
    fn text(&self) -> &Text;
    /// Its symbols; `None` when it is in a language that is not read. Asked only when an answer needs it.
    fn outline(&self) -> Option<&Outline>;
    /// Its lines, as places are known again by them. Made from the text alone; who answers for many places keeps them.
    fn lines(&self) -> Arc<Lines> {
        Arc::new(Lines::new(self.text()))
    }
    /// The stretches of text that a path through a descriptor stands for, or why there are none; `None` when the
    /// scope is no such path in this file.
    fn descriptor_spans(&self, _: &Scope) -> Option<Result<Vec<Range>, Diagnosis>> {
        None
    }
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A place: the marker counts.
    Position,
    /// A stretch of text: the marker is dropped from the pattern.
    Range,
}

/// The answer to a location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// Here it is.
    Found(Found),
    /// Nothing in the text is meant by it.
    NotFound(Diagnosis),
    /// It could mean several places.
    Ambiguous(Diagnosis),
    /// It asks for symbols of a file in a language that is not read.
    Unsupported(Diagnosis),
    /// It has no meaning at all.
    Invalid(InvalidLocation),
}

/// A place that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The place.
    pub offset: Offset,
    /// The stretch of text: what matched, or the whole scope when nothing was to be found in it.
    pub range: Range,
    /// How many places the location matches, this one included.
    pub matches: usize,
    /// Whether the match cuts a word in two.
    pub partial: bool,
    /// Whether parameters were written after the symbol, and those of its declaration cannot be read.
    pub has_unread_parameters: bool,
    /// The symbol the scope named.
    pub symbol: Option<SymbolId>,
    /// The other places, the ten most preferred.
    pub others: Vec<Candidate>,
}

/// Why there is no one answer, and what to try next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnosis {
    /// What was tried and why it failed.
    pub message: String,
    /// What to do next, the most useful first.
    pub hints: Vec<Hint>,
    /// Places that may be meant, the most likely first. [`describe`](crate::describe) says how to write them.
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
