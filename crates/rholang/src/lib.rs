//! Which binder does a Rholang name mean?
//!
//! The grammar of the language (`grammar/grammar.js`, and the parser that `cargo xtask grammar` makes of it) is ours.

mod grammar;

pub use grammar::LANGUAGE;
