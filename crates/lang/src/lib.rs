//! How is a language read?
//!
//! A language is a folder of data, `languages/NAME/`. The data says which files are in the language and which
//! tree-sitter grammar parses them. Rules for each node kind say what is a symbol, where its name is, and what belongs
//! to it. The build script checks these rules and packs them into static tables. [`Language::outline`] parses a text,
//! walks the tree once, looks up every node by its kind, and returns an [`Outline`]. No language has its own Rust
//! code: if the rules cannot express something, the vocabulary (docs/languages-vocabulary.md) gets a new word.
//!
//! Invariants:
//! - Any bytes have an outline, even broken source.
//! - Nothing recurses over the input.
//! - Kind names are looked up once for each language, on its first use.

// The languages, and their rules as the build script packs them.
mod language;
mod packed;
#[allow(dead_code, reason = "which words of the vocabulary are in use depends on the languages")]
mod table;

// From a text to its syntax tree.
mod mask;
mod parsing;
mod syntax;

// The nodes of a syntax tree, for rules and for the position tree.
mod differ;
mod events;
mod kinds;
mod node;
mod verify;

// From a text to its outline, in the three steps below.
mod outline;

// A walk over the tree finds the declarations.
mod ancestors;
mod asked;
mod embed;
mod item;
mod names;
mod path;
mod walk;

// Lines and brackets repair what the walk misread in a broken text.
mod blocks;
mod header;
mod lines;
mod pattern;
mod repair;
mod texts;

// What was found is nested, ordered and named.
mod embedded;
mod headings;
mod join;
mod to_outline;

#[cfg(test)]
mod counted;

// Small functions that all of them use.
mod bytes;
mod ranges;

pub use embedded::Inner;
pub use language::{Language, LeftOut, all, by_name, for_file, left_out, left_out_of};
pub use locant_tree::Outline;
pub use syntax::Syntax;
pub use verify::{Compared, Verification};
