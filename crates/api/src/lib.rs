//! What can be asked, who answers it, and how does an answer travel?
//!
//! A [`Request`] is a [`Command`] with the [`Flags`] that all commands share. [`run`] answers it with a value, which is
//! written in one of four forms: JSON for programs, text for terminals, one line for lists, Markdown for agents. All
//! forms are made from the same value. The commands are listed in one table ([`commands`]), from which the help, the
//! schemas, the batch operations and the reference page are derived.
//!
//! Suggestions for the next request (a hint, the next page) are [`Phrase`]s, in which calls and settings are values. A
//! door is a way to use locant: the command line, a batch, the language server, or the tools for agents. Each door has
//! a [`Voice`] that puts the suggestions into its own words.
//!
//! Invariants:
//! - What a command answers does not depend on the door.
//! - No input ends the process. Whatever fails, even by a defect of locant, is a [`Failure`] of one request.
//! - A request ends early when it is asked to, or when its time is over.

// What can be asked.
pub mod commands;
mod flags;
mod paging;
mod request;

// The place that a request is about.
mod anywhere;
mod coordinates;
mod edits;
mod files;
mod folder;
mod given;
mod grouped;
mod moved;
mod namesakes;
mod nearest_files;
mod path_pattern;
mod place;
mod subject;
mod whole_tree;
mod word_filter;

// Questions about names, and searches for symbols.
mod name_query;
mod relatives;
mod symbol_search;

// What is answered.
mod answer;
mod failure;
mod fitted;
mod how;
mod how_found;
mod ordered;
mod preview;
mod problem_item;
mod remark;
pub mod wire;

// How an answer is worded and written.
mod base64;
mod encoding;
mod gaps;
mod hints;
mod phrase;
pub mod show;

pub use locant_workspace::uri;

pub use answer::{Answer, Form, Ink, Reply};
pub use commands::Command;
pub use encoding::Encoding;
pub use failure::{Error, ErrorAnswer, Failure, Kind};
pub use files::Files;
pub use fitted::{BUDGET, Fitted, run_fitted};
pub use flags::Flags;
pub use gaps::said as gap;
pub use how::{How, Misread, Renaming, Status};
pub use phrase::{Call, Phrase, Voice};
pub use remark::Remark;
pub use request::{Context, Request, guard, run};
