//! Other names for the same things.

use locant_text::Range;

/// A stretch of text, and what it gives way to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// The file.
    pub path: String,
    /// What is replaced.
    pub range: Range,
    /// By what.
    pub text: String,
}

/// Why a name stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is at fault.
    pub fault: Fault,
    /// What speaks against it, as a sentence without its full stop.
    pub message: String,
    /// What to do instead.
    pub hint: String,
}

/// What is at fault when a name stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is no name at the place.
    Place,
    /// Nothing can have the new name.
    NewName,
    /// The program would mean something else.
    Meaning,
}

impl Refusal {
    /// The change would be wrong.
    pub fn new(message: impl Into<String>, hint: impl Into<String>) -> Refusal {
        Refusal { fault: Fault::Meaning, message: message.into(), hint: hint.into() }
    }

    /// There is nothing to rename.
    pub fn no_name(hint: impl Into<String>) -> Refusal {
        Refusal { fault: Fault::Place, ..Refusal::new("there is no name here", hint) }
    }

    /// The new name cannot be a name.
    pub fn bad_name(message: impl Into<String>, hint: impl Into<String>) -> Refusal {
        Refusal { fault: Fault::NewName, ..Refusal::new(message, hint) }
    }
}
