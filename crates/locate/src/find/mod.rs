//! Finding a pattern in a text: literal, but aware of tokens.
//!
//! A [`Pattern`] is a list of words and punctuation characters. Between two words there is at least one blank in the
//! source; between other tokens there may be any number. A word of the source ends where its characters end. So a match
//! is: the tokens of the pattern follow each other in the source, where the first may be the end of a word and the last
//! the start of one.
//!
//! A search looks for the rarest token with `memmem` and compares the tokens around each hit ([`rarest_first`]). If
//! that gets slow, because the text was made so, [`worst_case`] takes over after a bounded amount of work.

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
