//! Answers to a rename: what to replace, or why it is refused.

use locant_text::Range;

/// A range of a file, and its new text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// The file.
    pub path: String,
    /// The range that is replaced.
    pub range: Range,
    /// The new text.
    pub text: String,
}

/// Why a rename is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Which part of the request is at fault.
    pub fault: Fault,
    /// The reason, as a sentence without its full stop.
    pub message: String,
    /// What to do instead.
    pub hint: String,
}

/// What is at fault when a rename is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is no name at the place.
    Place,
    /// The new name cannot be a name in this language.
    NewName,
    /// The program would mean something else.
    Meaning,
}

impl Refusal {
    /// The refusal of a rename that would change what the program means.
    pub fn new(message: impl Into<String>, hint: impl Into<String>) -> Refusal {
        Refusal { fault: Fault::Meaning, message: message.into(), hint: hint.into() }
    }

    /// The refusal of a place without a name.
    pub fn no_name(hint: impl Into<String>) -> Refusal {
        Refusal { fault: Fault::Place, ..Refusal::new("there is no name here", hint) }
    }

    /// The refusal of a new name that cannot be a name.
    pub fn bad_name(message: impl Into<String>, hint: impl Into<String>) -> Refusal {
        Refusal { fault: Fault::NewName, ..Refusal::new(message, hint) }
    }
}
