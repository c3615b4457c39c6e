//! Finding a pattern in a text: literal, but aware of tokens.
//!
//! A [`Pattern`] is a list of words and punctuation characters. Between two words there is at least one blank
//! in the source; anywhere else there may be any number. Since a word of the source ends where its characters
//! end, this means: the tokens of the pattern stand in the source one after the other, the first as the end of
//! a word and the last as the start of one.
//!
//! Searching looks for the rarest token with `memmem` and compares outward from there. Where that would be
//! slow, because the text was made to be, [`linear`] takes over after a bounded amount of work.

mod at_once;
mod blank;
mod blocks;
mod characters;
mod in_a_row;
mod linear;
mod one_token;
mod outward;
mod parallel;
mod pattern;
mod rarest;
mod reader;
mod sink;
mod values;

pub use pattern::{Match, Pattern};
pub use sink::Sink;
