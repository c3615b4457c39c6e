//! Earlier versions of files, as git has them. The program `git` is asked, so that whatever it can read, we can.
//!
//! A location that was written for a revision names the file as it was called there, or as it is called now. Either way
//! the names are followed commit by commit, from the revision to `HEAD`, and then to the disk. How git is started, so
//! that none of the repository's programs run, is in `command`.

mod blobs;
mod command;
mod commit_line;
mod file_at_revision;
mod moved;
mod names;
mod origin;
mod past;
mod patience;

pub use blobs::Blobs;
pub use origin::commit_with;
pub use past::{Commit, Past, before, since};
