//! How does one ask locant?
//!
//! This crate is the doors: the command line and `batch`, JSON lines in and out. Both turn what they are given
//! into a [`Request`], call the same [`run`], and write the [`Answer`] in their own form; [`lsp`] speaks the protocol
//! of editors instead. The commands stand
//! in one table ([`commands`]), from which the help, the wire schemas, the batch operations and the reference
//! page derive.
//!
//! Invariants:
//! - Doors convert, they do not decide: what a command answers does not depend on the door.
//! - Standard output is the answer, standard error is for people, the exit code is for scripts.
//! - No input ends the process: what fails is a [`Failure`] of one request, a defect of locant included.

pub mod commands;
mod flags;
mod request;

mod place;
mod subject;
mod wire;

mod again;
mod answer;
mod around;
mod failure;
mod files;
mod gaps;
mod git;
mod hints;
mod in_order;
mod nearest_files;
mod paging;
mod preview;
mod remark;
mod uri;
mod usage;

pub mod batch;
pub mod cli;
pub mod lsp;
mod show;

pub mod reference;

pub use answer::{Answer, Form};
pub use failure::{Failure, Kind};
pub use files::Files;
pub use remark::Remark;
pub use request::{Request, run};
