//! Which binder does a Rholang name mean?
//!
//! The grammar is a part of this crate: `cargo xtask grammar` generates the parser from `grammar/grammar.js`. The
//! syntax tree of a program is stored as a flat list of nodes. One walk over the list opens and closes scopes and binds
//! every name. A [`Workspace`] holds several programs and answers the questions of [`locant_names::Names`]. A channel
//! that is a string (`@"name"`) is the same in all programs. A bare name may mean different things in two programs, so
//! an answer from another program is only a guess.
//!
//! Invariants: any bytes have an answer. Nothing recurses over the input. What a program means depends on its text
//! alone and not on earlier edits, unless the program is long and broken.

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
mod format;
mod hover;
mod problems;
mod rename;
mod signature;
mod suggest;
mod symbols;
mod tokens;

pub use grammar::LANGUAGE;
pub use workspace::Workspace;
