//! How does one ask locant?
//!
//! This crate is the doors. The command line ([`cli`]) and [`batch`], JSON lines in and out, turn what they are given
//! into a [`locant_api::Request`], let it be answered, and write the answer in their own form; [`lsp`] speaks the
//! protocol of editors instead. What can be asked, and what is answered, is decided in [`locant_api`].
//!
//! Invariants:
//! - Doors convert, they do not decide: what a command answers does not depend on the door.
//! - Standard output is the answer, standard error is for people, the exit code is for scripts.

pub mod doors;
mod usage;
pub mod voice;

pub mod batch;
pub mod cli;
pub mod lsp;

pub mod reference;
