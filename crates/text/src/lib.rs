//! What is a position in text?
//!
//! Inside, a place is an [`Offset`]: a number of bytes of the text as it is on disk. Lines and columns
//! exist only for people and protocols, always together with an [`Encoding`] that says what a column counts;
//! this crate is the one place in the project that converts between the two, and the conversions are exact
//! inverses of each other.
//!
//! Invariants:
//! - A text is any bytes at all. A maximal part that is not UTF-8 counts as one U+FFFD and is never cut.
//! - A place that is not a position (inside a character, between `\r` and `\n`, inside a byte-order mark, past
//!   the end of a line) is `None`, never the nearest one that is.
//! - For every position `p` and every encoding, `offset(position(p)) == p`, and nothing else has an offset.

mod offset;

mod edit;
mod position;
mod text;

mod block;
mod checkpoints;
mod column;
mod lines;
mod simd;
mod units;

pub use edit::{Bias, Edit, Edits};
pub use lines::LineIndex;
pub use offset::{Extent, Offset, Range};
pub use position::{Encoding, Position};
pub use simd::{Work, highest_bits, run_tuned};
pub use text::{Nature, Text, TooLarge};
