//! Problems in a file, and their fixes.

use locant_text::Range;

/// Something wrong at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where the problem is; an empty range where something is missing.
    pub range: Range,
    /// How bad it is.
    pub severity: Severity,
    /// The kind of the problem: a short name in lower case with `-`, such as `unknown-type`.
    pub code: &'static str,
    /// What is wrong, as a sentence without its full stop.
    pub message: String,
    /// What to do about it; empty when that is clear from the message.
    pub hint: String,
    /// Whether the problem is that something is not used, so that it can be shown faded.
    pub is_unused: bool,
}

/// A change that removes a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the fix does, as a person would say it.
    pub title: String,
    /// Where the problem is.
    pub problem: Range,
    /// The `code` of the problem.
    pub code: &'static str,
    /// The ranges to replace and their new texts, in the order of places.
    pub edits: Vec<(Range, String)>,
    /// Whether the fix is surely what the writer meant.
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
