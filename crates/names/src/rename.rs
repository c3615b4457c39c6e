//! Answers to a rename: what to change, or why it is refused.

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

/// Changes to files that belong together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proposal {
    /// What is replaced, in the order of paths and places. The path of a file that moves is the one that it has now.
    pub replacements: Vec<Replacement>,
    /// The files that are created, removed or moved.
    pub files: Vec<FileStep>,
}

/// A change to a file as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileStep {
    /// A file is created.
    Create {
        /// Its path.
        path: String,
        /// Its text.
        text: String,
    },
    /// The file is removed.
    Remove {
        /// Its path.
        path: String,
    },
    /// The file gets another path.
    Move {
        /// The path that it has now.
        from: String,
        /// The path that it gets.
        to: String,
    },
}

impl Proposal {
    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.replacements.is_empty() && self.files.is_empty()
    }
}

impl From<Vec<Replacement>> for Proposal {
    fn from(replacements: Vec<Replacement>) -> Proposal {
        Proposal { replacements, files: Vec::new() }
    }
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

/// The part of a rename request that is at fault when the rename is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is no name at the place.
    Place,
    /// The new name is not a valid name in this language.
    NewName,
    /// The rename would change what the program means.
    Meaning,
}

impl Refusal {
    /// Refuses a rename because it would change what the program means.
    pub fn new(message: impl Into<String>, hint: impl Into<String>) -> Refusal {
        Refusal { fault: Fault::Meaning, message: message.into(), hint: hint.into() }
    }

    /// Refuses a rename because there is no name at the place.
    pub fn no_name(hint: impl Into<String>) -> Refusal {
        Refusal { fault: Fault::Place, ..Refusal::new("there is no name here", hint) }
    }

    /// Refuses a rename because the new name is not a valid name.
    pub fn bad_name(message: impl Into<String>, hint: impl Into<String>) -> Refusal {
        Refusal { fault: Fault::NewName, ..Refusal::new(message, hint) }
    }
}
