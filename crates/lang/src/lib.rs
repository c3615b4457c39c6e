//! How is a language read?
//!
//! A language is a folder of data, `languages/NAME/`: which files it lives in, which tree-sitter grammar reads
//! it, and rules that say by node kind what is a symbol, where its name stands, what belongs to it. The build
//! script checks these rules and packs them into static tables; [`Language::outline`] parses a text, walks its
//! tree once with a cursor, looks every node up by its kind, and gives an [`Outline`]. No language has Rust of
//! its own: when the rules cannot say something, the vocabulary (docs/languages-vocabulary.md) gets a word.
//!
//! Invariants: any bytes have an outline, broken source included; nothing recurses over the input; kind names
//! are looked up once per language, at its first use.

mod annotations;
mod attach;
mod blocks;
mod breaks;
mod conflicts;
mod differ;
mod embed;
mod events;
mod header;
mod join;
mod kinds;
mod language;
mod level;
mod lines;
mod macros;
mod mend;
mod names;
mod nest;
mod node;
mod order;
mod path;
mod pattern;
mod ranges;
mod seen;
mod settle;
mod stand_ins;
mod syntax;
#[allow(dead_code, reason = "which words of the vocabulary are in use depends on the languages")]
mod table;
mod texts;
mod verify;
mod walk;

pub use language::{Language, all, by_name, for_file};
pub use locant_tree::Outline;
pub use syntax::Syntax;
pub use verify::{Compared, Verification};
