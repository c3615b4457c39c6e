//! Earlier versions of files, read from git. The program `git` is run for this, so that every repository format that it
//! can read works here, too.
//!
//! A location that was written for a revision names the file as it was called then, or as it is called now. In both
//! cases the file's names are followed commit by commit from the revision to `HEAD`, and from there to the disk.
//! `command` starts git in such a way that no program of the repository runs.

mod blobs;
mod command;
mod commit_line;
mod file_at_revision;
mod kept;
mod moved;
mod names;
mod origin;
mod past;
mod patience;

pub use blobs::Blobs;
pub use origin::commit_with;
pub use past::{Commit, Past, before, since};
