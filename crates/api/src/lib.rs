//! What can be asked, who answers it, and how does an answer travel?
//!
//! A [`Request`] is a [`Command`] with the [`Flags`] that all commands share. [`run`] answers it with a value, which
//! is written in one of four forms: JSON for programs, text for terminals, one line for lists, Markdown for agents. All
//! are made from that one value; nothing is asked again while it is written. The commands stand in one table
//! ([`commands`]), from which help, schemas, batch operations and the reference page derive.
//!
//! What to do next (a hint, a page that follows) is a [`Phrase`], in which calls and settings are values: each door has
//! a [`Voice`] that says them in its own words.
//!
//! Invariants:
//! - What a command answers does not depend on the door.
//! - No input ends the process: what fails is a [`Failure`] of one request, a defect of locant included.
//! - A request ends early when it is asked to, or when its time is over.

pub mod commands;
mod flags;
mod request;

mod anywhere;
mod name_query;
mod place;
mod subject;
mod symbol_search;
mod whole_tree;
pub mod wire;
mod word_filter;

mod answer;
mod coordinates;
mod encoding;
mod failure;
mod files;
mod gaps;
mod hints;
mod how;
mod how_found;
mod nearest_files;
mod ordered;
mod paging;
mod path_pattern;
mod phrase;
mod remark;
pub mod show;
pub mod uri;

pub use answer::{Answer, Form, Reply};
pub use commands::Command;
pub use encoding::Encoding;
pub use failure::{Error, ErrorAnswer, Failure, Kind};
pub use files::Files;
pub use flags::Flags;
pub use gaps::said as gap;
pub use how::{How, Misread, Renaming, Status};
pub use phrase::{Call, Phrase, Voice};
pub use remark::Remark;
pub use request::{Context, Request, guard, run};
