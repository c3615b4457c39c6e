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
    /// What speaks against it, as a sentence without its full stop.
    pub message: String,
    /// What to do instead.
    pub hint: String,
}

impl Refusal {
    /// A refusal.
    pub fn new(message: impl Into<String>, hint: impl Into<String>) -> Refusal {
        Refusal { message: message.into(), hint: hint.into() }
    }
}
