//! How is locant asked, and how does it answer?
//!
//! This crate has the doors, the ways to use locant. The command line ([`cli`]) and [`batch`], JSON lines in and out,
//! turn their input into a [`locant_api::Request`], let it be answered, and write the answer in their own form; [`lsp`]
//! speaks the protocol of editors instead. Which requests there are, and how they are answered, is decided in
//! [`locant_api`].
//!
//! Invariants:
//! - Doors convert, they do not decide: what a command answers does not depend on the door.
//! - Standard output is the answer, standard error is for people, the exit code is for scripts.

pub mod subcommands;
mod usage;
pub mod voice;

pub mod batch;
pub mod cli;
pub mod lsp;

pub mod reference;
