//! What is a position in text?
//!
//! Inside the project, a place is an [`Offset`]: a number of bytes from the start of the text as it is on disk. Lines
//! and columns exist only for people and protocols, always together with an [`Encoding`] that says what a column
//! counts. This crate is the only place that converts between offsets and columns. The two conversions are exact
//! inverses of each other.
//!
//! Invariants:
//! - Any bytes are a text. A maximal part that is not UTF-8 counts as one U+FFFD and is never cut.
//! - A place that is not a position (inside a character, between `\r` and `\n`, inside a byte-order mark, or past the
//!   end of a line) gives `None`, never the nearest position.
//! - For every offset `o` that is a position, and for every encoding, `offset(position(o)) == o`. No other line and
//!   column has an offset.

mod offset;

mod blanks;
mod edit;
mod position;
mod text;

mod block;
mod checkpoints;
mod column;
mod lines;
mod simd;
mod units;

pub use blanks::trimmed;
pub use edit::{Bias, Edit, Edits};
pub use lines::LineIndex;
pub use offset::{Extent, Offset, Range};
pub use position::{Encoding, Position};
pub use simd::{Work, highest_bits, run_tuned};
pub use text::{Nature, Text, TooLarge};
