//! Why files could not be read from history or changed, and what to do about it.

/// Why files could not be read or changed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Failure {
    /// What kind of failure it is.
    pub kind: FailureKind,
    /// What was tried and why it failed.
    pub message: String,
    /// What the user can do about it.
    pub hint: String,
}

/// What kind of failure it is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FailureKind {
    /// There is no preview with that id.
    NotFound,
    /// The request makes no sense. For example, `a..b` is given where one revision is expected.
    Invalid,
    /// There is no such file.
    NoSuchFile,
    /// The request would change or read something that must be left alone.
    Refused,
    /// The request would change a file outside of the folder in which files may change.
    OutsideRoot,
    /// The operating system or another program failed.
    Io,
}

impl Failure {
    /// A failure of this kind.
    pub fn new(kind: FailureKind, message: impl Into<String>, hint: impl Into<String>) -> Failure {
        Failure { kind, message: message.into(), hint: hint.into() }
    }

    /// The same failure, of work that should have changed files. Its message says first that nothing was written, so
    /// that it is not read as a success.
    #[must_use]
    pub fn unwritten(self) -> Failure {
        Failure { message: unwritten(&self.message), ..self }
    }
}

/// A message that says first that nothing was written.
pub fn unwritten(message: &str) -> String {
    const NOTHING: &str = "nothing was written: ";
    format!("{NOTHING}{}", message.trim_start_matches(NOTHING))
}
