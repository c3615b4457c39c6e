//! Why files could not be read from history or changed, and what to do about it.

/// Why files could not be read or changed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Failure {
    /// What kind of failure it is.
    pub kind: FailureKind,
    /// What was tried and why it failed.
    pub message: String,
    /// The next thing to do.
    pub hint: String,
}

/// What kind of failure it is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FailureKind {
    /// There is no preview with that id.
    NotFound,
    /// The request makes no sense, such as a revision that is none.
    Invalid,
    /// There is no such file.
    NoSuchFile,
    /// It would change or read something that must be left alone.
    Refused,
    /// It would change a file outside of the folder in which files may change.
    OutsideRoot,
    /// The system or another program failed.
    Io,
}

impl Failure {
    /// A failure of this kind.
    pub fn new(kind: FailureKind, message: impl Into<String>, hint: impl Into<String>) -> Failure {
        Failure { kind, message: message.into(), hint: hint.into() }
    }
}
