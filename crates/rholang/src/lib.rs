//! Which binder does a Rholang name mean?
//!
//! The grammar of the language is a part of this crate (`grammar/grammar.js`; `cargo xtask grammar` makes the parser).
//! A program is parsed and laid out flat; one walk over it opens and closes scopes and binds every name. A
//! [`Workspace`] holds several programs and answers the questions of [`locant_names::Names`]: channels that are strings
//! (`@"name"`) are the same in all of them, bare names only by guess.
//!
//! Invariants: any bytes have an answer; nothing recurses over the input; what a program means depends on its text
//! alone, not on the edits before, unless it is long and broken.

mod grammar;

mod flat;
mod kinds;
mod parse;
mod slips;
mod syntax;

mod bind;
mod names_in_scope;
mod program;
mod walk;

mod call;
mod workspace;

mod answer;
mod choices;
mod docs;
mod fixes;
mod folds;
mod hover;
mod problems;
mod rename;
mod signature;
mod suggest;
mod symbols;
mod tokens;

pub use grammar::LANGUAGE;
pub use workspace::Workspace;
