//! Finding a pattern in a text: literal, but aware of tokens.
//!
//! A [`Pattern`] is a list of words and punctuation characters. Between two words there is at least one blank
//! in the source; anywhere else there may be any number. Since a word of the source ends where its characters
//! end, this means: the tokens of the pattern stand in the source one after the other, the first as the end of
//! a word and the last as the start of one.
//!
//! Searching looks for the rarest token with `memmem` and compares the tokens around each hit ([`rarest_first`]).
//! Where that would be slow, because the text was made to be, [`worst_case`] takes over after a bounded amount of
//! work.

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
