//! A file of the project, and a problem that a rule finds in it.

use std::fmt;

/// A line that breaks a rule.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Problem {
    /// The file, from the root of the project.
    pub(super) path: String,
    /// The line, counted from 1.
    pub(super) line: usize,
    /// What is wrong.
    pub(super) what: String,
    /// The reason for the rule.
    pub(super) why: &'static str,
}

/// A file of the project.
pub(super) struct File {
    /// The path from the root of the project, with `/`.
    pub(super) path: String,
    pub(super) text: String,
}

impl File {
    pub(super) fn problem(&self, line: usize, what: impl Into<String>, why: &'static str) -> Problem {
        Problem { path: self.path.clone(), line, what: what.into(), why }
    }

    pub(super) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {} ({})", self.path, self.line, self.what, self.why)
    }
}

/// The folder of the package that a file belongs to, from the root of the project.
pub(super) fn package(path: &str) -> Option<&str> {
    let folder = path.split('/').next().filter(|folder| folder.len() < path.len())?;
    match path.strip_prefix("crates/") {
        Some(rest) => rest.find('/').map(|length| &path[.."crates/".len() + length]),
        None => Some(folder),
    }
}
