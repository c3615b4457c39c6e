//! Where is everything in a file?
//!
//! Today this is the [`Outline`]: the named declarations of a file, nested as people think of them.
//!
//! Invariants: an outline is a plain value that knows nothing of the parser it came from; every range in it
//! lies inside the text it was made from.

mod outline;

pub use outline::{Outline, Symbol, SymbolId, SymbolKind};
