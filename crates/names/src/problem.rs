//! Problems in a file, and their fixes.

use locant_text::Range;

/// Something wrong at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where the problem is. The range is empty where something is missing.
    pub range: Range,
    /// How bad it is.
    pub severity: Severity,
    /// The kind of the problem, as lower-case words joined by `-`, such as `unknown-type`.
    pub code: &'static str,
    /// What is wrong, as a sentence without its full stop.
    pub message: String,
    /// What to do about it; empty when the message makes that clear.
    pub hint: String,
    /// Whether the problem is that something is unused. Editors show unused code faded.
    pub is_unused: bool,
}

/// A problem that locant or another program, such as a compiler, has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where the problem is; an empty range where something is missing.
    pub range: Range,
    /// How bad it is.
    pub severity: Severity,
    /// The kind of the problem, as `source` names it; empty when it has no name.
    pub code: String,
    /// The program that has found it, such as a compiler or a linter.
    pub source: String,
    /// What is wrong.
    pub message: String,
    /// What to do about it; empty when that is clear from the message.
    pub hint: String,
    /// Whether the problem is that something is not used, so that it can be shown faded.
    pub is_unused: bool,
}

impl Diagnostic {
    /// A problem that `source` has found.
    pub fn new(problem: Problem, source: &str) -> Diagnostic {
        let Problem { range, severity, code, message, hint, is_unused } = problem;
        Diagnostic {
            range,
            severity,
            code: code.to_owned(),
            source: source.to_owned(),
            message,
            hint,
            is_unused,
        }
    }
}

/// A change that removes a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the fix does, in a few words for a menu.
    pub title: String,
    /// Where the problem is.
    pub problem: Range,
    /// The `code` of the problem.
    pub code: &'static str,
    /// The ranges to replace and their new texts, sorted by place.
    pub edits: Vec<(Range, String)>,
    /// Whether the fix is certain to be what the author meant.
    pub is_sure: bool,
}

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file is invalid.
    Error,
    /// The file may not mean what its author intended.
    Warning,
    /// The file could be improved.
    Hint,
}
