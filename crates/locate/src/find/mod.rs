//! Finds a pattern in a text: literally, but aware of tokens.
//!
//! A [`Pattern`] is a list of tokens: words and punctuation characters. It matches where its tokens follow each other
//! in the source. Between two words there must be at least one blank; between other tokens there may be any number of
//! blanks. Each token must be a whole token of the source, with two exceptions: the first token of the pattern may be
//! the end of a longer word, and the last token may be the start of one. So `turn x` matches in `return xy`.
//!
//! A search looks for the rarest token with `memmem` and compares the tokens around each hit ([`rarest_first`]). If
//! that gets slow, as it does in texts made for that purpose, [`worst_case`] takes over after a bounded amount of work.

mod pattern;
mod rarest;
mod search;
mod sink;

mod blank;
mod rarest_first;
mod worst_case;

mod bit_parallel;
mod kmp;
mod periodic;
mod shift_and;

mod blocks;
mod class_cache;
mod reader;
mod token_table;

pub use pattern::{Match, Pattern};
pub use sink::Sink;
