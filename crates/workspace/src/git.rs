//! Earlier versions of files, as git has them. Git itself is asked, so that whatever it can read, we can.
//!
//! A location that was written for a revision names the file as it was called there, or as it is called now. Either
//! way the names are followed commit by commit, along the line that leads from the revision to here, and then to the
//! disk. How git is started, so that none of the repository's programs run, is in `command`.

mod blobs;
mod command;
mod line;
mod moved;
mod names;
mod past;
mod patience;
mod question;

pub use blobs::Blobs;
pub use past::{Commit, Past, before, since};
