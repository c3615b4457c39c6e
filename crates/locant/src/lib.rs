//! How is locant asked, and how does it answer?
//!
//! This crate has the doors, which are the ways to use locant. The command line ([`cli`]) and [`batch`] (JSON lines in
//! and out) turn their input into a [`locant_api::Request`], have it answered, and write the answer in their own form.
//! [`lsp`] speaks the language server protocol of editors instead, and [`mcp`] the model context protocol of agents.
//! [`locant_api`] decides which requests exist and how they are answered.
//!
//! Invariants:
//! - Doors convert, they do not decide: what a command answers does not depend on the door.
//! - Standard output is the answer, standard error is for people, the exit code is for scripts.

mod fields;
mod progress;
pub mod servers;
pub mod subcommands;
mod usage;
pub mod voice;

pub mod batch;
pub mod cli;
#[cfg(feature = "editors")]
pub mod lsp;
#[cfg(feature = "agents")]
pub mod mcp;

pub mod reference;
