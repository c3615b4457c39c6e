//! What is wrong in a file.

use locant_text::Range;

/// Something wrong at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where; may be empty, where something is missing.
    pub range: Range,
    /// How bad it is.
    pub severity: Severity,
    /// A short name for its kind, in lower case with `-`, such as `unknown-type`.
    pub code: &'static str,
    /// What is wrong, as a sentence without its full stop.
    pub message: String,
    /// What to do about it; empty when that is plain.
    pub hint: String,
    /// Whether it is something that is not used, and can be shown faded.
    pub is_unused: bool,
}

/// What puts a problem right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as a person would say it.
    pub title: String,
    /// Where the problem is.
    pub problem: Range,
    /// The short name of the problem's kind.
    pub code: &'static str,
    /// What to replace in the file, in the order of places.
    pub edits: Vec<(Range, String)>,
    /// Whether it is surely what is meant.
    pub is_sure: bool,
}

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file does not mean what it should, or nothing at all.
    Error,
    /// It may not mean what it should.
    Warning,
    /// It could be better.
    Hint,
}
