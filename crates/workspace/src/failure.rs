//! Why files could not be read from history or changed, and what to do about it.

/// Why something could not be done.
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
    /// There is nothing with that name.
    NotFound,
    /// What was asked has no meaning.
    Invalid,
    /// There is no such file.
    NoSuchFile,
    /// It would change something that must not be changed.
    Refused,
    /// The same of a file that is not below the folder in which files may change.
    OutsideRoot,
    /// The system, or another program, said no.
    Io,
}

impl Failure {
    /// A failure of a kind.
    pub fn new(kind: FailureKind, message: impl Into<String>, hint: impl Into<String>) -> Failure {
        Failure { kind, message: message.into(), hint: hint.into() }
    }
}
