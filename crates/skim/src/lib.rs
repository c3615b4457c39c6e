//! Which symbols does a text have, told from its tokens alone?
//!
//! The exact outline of a text comes from a full parse, in `locant-lang`. [`outline`] finds the same outline many times
//! faster by looking only at words, brackets, strings, comments and indentation. If it is not sure, it returns `None`.
//! Each language has a table in `tables/` that describes how it is written, and each family of languages has a reader
//! that uses these tables.
//!
//! Invariants:
//! - The outline of a text without syntax errors equals the exact one in all its fields, or is `None`. A grammar may
//!   accept a text that nobody would write; [`exact_outline`] holds for such texts, too.
//! - Any bytes get an answer, in time linear in their number.
//! - Nothing recurses over the input deeper than a fixed number of levels. What is deeper is `None`.

// The tables of the languages.
mod tables;

// The readers: from a text to its declarations.
mod indented;
mod keyworded;
mod lined;
mod propertied;
mod scripted;
mod sigiled;
mod styled;
mod tagged;
mod typed;

// The tokens of languages with braces, and what the readers of these languages share.
mod regions;
mod stream;
mod tokens;

// From declarations to the outline: comments are attached, and symbols are nested and ordered.
mod embed;
mod finish;
mod item;

// Small functions that all of them use.
mod bytes;

pub use locant_tree::Outline;

use std::borrow::Cow;

use locant_text::Range;

use embed::{Embedded, MAX_DEPTH, MAX_EMBEDS};
use tables::Table;

/// The named declarations of a text. `language` is the name of a folder in `languages/`. `None` if the language is not
/// skimmed, or if only a parser can read the text.
pub fn outline(language: &str, text: &[u8]) -> Option<Outline> {
    outline_within(tables::by_name(language)?, &readable(text)?, 0, &|_| true)
}

/// The exact outline of a text that its grammar accepts. `accepts` says whether the grammar accepts the text; it is
/// called for the texts inside it, too. Some grammars accept texts that nobody would write and that [`outline`]
/// misreads. For their languages, the answer is always `None`.
pub fn exact_outline(language: &str, text: &[u8], accepts: &dyn Fn(&[u8]) -> bool) -> Option<Outline> {
    if EXACT.contains(&language) { accepted_outline(language, text, accepts) } else { None }
}

/// What [`exact_outline`] would give if it read this language, to see whether it may.
pub fn accepted_outline(language: &str, text: &[u8], accepts: &dyn Fn(&[u8]) -> bool) -> Option<Outline> {
    outline_within(tables::by_name(language)?, &readable(text)?, 0, accepts)
}

/// The languages for which no misread text is known: for every text that was tried and that the grammar accepts, the
/// outline is exact or `None`. Texts that were broken at random were tried, too.
const EXACT: [&str; 6] = ["go", "java", "javascript", "python", "rust", "typescript"];

/// The languages that [`exact_outline`] reads.
pub fn exact_languages() -> impl Iterator<Item = &'static str> {
    EXACT.into_iter()
}

/// The outline of a text that is embedded in `depth` other texts.
fn outline_within(
    table: &Table,
    text: &[u8],
    depth: usize,
    accepts: &dyn Fn(&[u8]) -> bool,
) -> Option<Outline> {
    let (found, words) = match table {
        Table::Indented(table) => (indented::read(text, table)?, &table.words),
        Table::Keyworded(table) => (keyworded::read(text, table)?, &table.words),
        Table::Lined(table) => (lined::read(text, table)?, &table.words),
        Table::Propertied(table) => (propertied::read(text, table)?, &table.words),
        Table::Scripted(table) => (scripted::read(text, table)?, &table.words),
        Table::Sigiled(table) => (sigiled::read(text, table)?, &table.words),
        Table::Styled(table) => (styled::read(text, table)?, &table.words),
        Table::Tagged(table) => (tagged::read(text, table)?, &table.words),
        Table::Typed(table) => (typed::read(text, table)?, &table.words),
    };
    let read = |range: &Range| {
        let (inner, start) = embed::inner(text, *range);
        let outline = outline_within(table, &inner, depth + 1, accepts)?;
        Some(Embedded { outline, start, owner: embed::innermost(&found.items, *range) })
    };
    if found.embeds.len() > if depth < MAX_DEPTH { MAX_EMBEDS } else { 0 } {
        return None;
    }
    // `accepts` is called last, because it takes longer than everything above.
    if !accepts(text) {
        return None;
    }
    let embedded = found.embeds.iter().map(read).collect::<Option<Vec<_>>>()?;
    Some(finish::finish(&found, &embedded, text, words))
}

/// The languages that are skimmed.
pub fn languages() -> impl Iterator<Item = &'static str> {
    tables::names()
}

/// The text as it is read, with line breaks in place of a byte-order mark. `None` if the text is not UTF-8, is too
/// long, or has a NUL, a carriage return without a line feed, or the marker of a merge conflict.
fn readable(text: &[u8]) -> Option<Cow<'_, [u8]>> {
    std::str::from_utf8(text).ok()?;
    let is_alone = |at: usize| text.get(at + 1) != Some(&b'\n');
    let has_conflict = || memchr::memmem::find(text, b"<<<<<<< ").is_some();
    if u32::try_from(text.len()).is_err()
        || memchr::memchr(0, text).is_some()
        || memchr::memchr_iter(b'\r', text).any(is_alone)
        || has_conflict()
    {
        return None;
    }
    Some(match text.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) => Cow::Owned([b"\n\n\n", rest].concat()),
        None => Cow::Borrowed(text),
    })
}
