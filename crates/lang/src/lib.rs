//! How is a language read?
//!
//! A language is a folder of data, `languages/NAME/`: which files it lives in, which tree-sitter grammar reads
//! it, and rules that say by node kind what is a symbol, where its name is, what belongs to it. The build
//! script checks these rules and packs them into static tables; [`Language::outline`] parses a text, walks its
//! tree once with a cursor, looks every node up by its kind, and gives an [`Outline`]. No language has Rust of
//! its own: when the rules cannot say something, the vocabulary (docs/languages-vocabulary.md) gets a word.
//!
//! Invariants: any bytes have an outline, broken source included; nothing recurses over the input; kind names
//! are looked up once per language, at its first use.

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
mod attach;
mod embedded;
mod headings;
mod join;
mod nest;
mod to_outline;

#[cfg(test)]
mod counted;

// Helpers for all of them.
mod bytes;
mod ranges;

pub use language::{Language, all, by_name, for_file};
pub use locant_tree::Outline;
pub use syntax::Syntax;
pub use verify::{Compared, Verification};
