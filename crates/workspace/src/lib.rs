//! Which files are there, what is in them, what do their names mean, and how are they changed without losing any?
//!
//! A [`Workspace`] knows the files as they are on disk and as an editor has them open. For each request it makes a
//! [`Snapshot`], which does not change while the request is answered. Questions about names go to [`Providers`]; for
//! the languages whose names locant reads itself, [`InProcess`] answers them. [`git`] reads earlier versions of files,
//! and [`preview`] changes files on disk.
//!
//! Invariants:
//! - A file is read again only when it may have changed.
//! - Nothing waits for ever: pipes and devices are not opened, walks and reads have bounds.
//! - A change to files is made whole or not at all, whatever interrupts it.
//! - An answer that may lack something says why, as [`Gap`]s.

// The files as they are now.
mod boundary;
pub mod built_in;
mod opened;
mod path;
mod project;
pub mod reading;
mod snapshot;
mod stamp;
mod texts;
pub mod uri;
pub mod walk;
mod workspace;

// What the names in the files mean.
mod gap;
mod in_process;
mod index;
mod provider;
mod textual;
mod unseen;

// All files of a tree at once.
pub mod catalog;
pub mod mentions;
pub mod query;
pub mod sweep;

// Earlier versions of files, and changes to files.
mod failure;
pub mod git;
pub mod health;
pub mod preview;
mod shell;

pub use boundary::Boundary;
pub use failure::{Failure, FailureKind, unwritten};
pub use gap::Gap;
pub use in_process::InProcess;
pub use path::{Base, written};
pub use project::{Origin, Project};
pub use provider::{Advice, Answered, Asked, Known, Provider, Providers, Scope, Unanswered};
pub use shell::shell_word;
pub use snapshot::{Documents, Snapshot};
pub use textual::Textual;
pub use unseen::{has_word, words};
pub use workspace::Workspace;
