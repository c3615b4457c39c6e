//! Texts in, answers out.
//!
//! The library for programs that look up places without the command line: give it a path and the bytes of a file, and
//! ask with a [`Location`]. It opens no files, starts no processes, and has no asynchronous code.
//!
//! Invariants:
//! - Broken source is normal input.
//! - A [`Document`] parses its text only when an answer needs the symbols or the syntax tree.

mod change;
mod code;
mod descriptor;
mod document;
mod doubt;
mod matches;
mod name_index;
mod reader;
mod verify_tree;

pub use change::{change, stretch};
pub use document::{Document, Outlines, Unreadable};
pub use doubt::{Misread, misread, misread_at, syntax_error};
pub use locant_lang::{self as languages, Compared, Language, Syntax, Verification};
pub use locant_locate::relocate::elsewhere::{Heir, Stray};
pub use locant_locate::relocate::{Digest, Relocation, Renaming, WRITING};
pub use locant_locate::{
    Anchor, AnchoredSymbol, Candidate, Change, Description, Diagnosis, Found, Hint, InvalidLocation,
    Location, Mark, Marked, MarkedLines, Marks, Other, Rank, Reason, Resolution, Rewrite, Scope, Segment,
    Stretch, Unchangeable, Wanted, marker,
};
pub use locant_names as names;
pub use locant_proto as proto;
pub use locant_text::{Edit, Edits, Encoding, Extent, Nature, Offset, Position, Range, Text};
pub use locant_tree::{
    Event, Label, Node, NodeId, Outline, Symbol, SymbolId, SymbolKind, Tree as PositionTree, check_of,
};
pub use matches::{Matches, matches};
pub use name_index::NameIndex;
pub use reader::{READERS, Reader};
pub use verify_tree::{ParsedNode, parsed_nodes, verify};

/// Finds the place that a location means in a document.
pub fn locate(document: &Document, location: &Location) -> Resolution {
    locant_locate::resolve(document, location, Wanted::Position)
}

/// Finds the range of text that a location means in a document.
pub fn range(document: &Document, location: &Location) -> Resolution {
    locant_locate::resolve(document, location, Wanted::Range)
}

/// Describes a place. `None` when the offset is not a position in the text, such as inside a character.
pub fn describe(document: &Document, offset: Offset) -> Option<Description> {
    locant_locate::describe(document, offset)
}

/// Describes one of `n_places` places that an answer names. The more places there are, the less effort is spent on
/// each, so that all of them together take little longer than a few.
pub fn describe_one_of(document: &Document, offset: Offset, n_places: usize) -> Option<Description> {
    locant_locate::describe_one_of(document, offset, n_places)
}

/// Describes a range of text. `None` when an end is not a position in the text.
pub fn describe_range(document: &Document, range: Range) -> Option<Description> {
    locant_locate::describe_range(document, range)
}

/// Describes a range of text together with the place in it that an answer gave.
pub fn describe_match(document: &Document, range: Range, place: Offset) -> Option<Description> {
    locant_locate::describe_match(document, range, place)
}

/// All locations that lead to a place and nowhere else, the best first.
pub fn descriptions(document: &Document, offset: Offset) -> Vec<Location> {
    locant_locate::descriptions(document, offset)
}

/// All locations that lead to a range of text and nowhere else, the best first.
pub fn range_descriptions(document: &Document, range: Range) -> Vec<Location> {
    locant_locate::range_descriptions(document, range)
}

/// The same location with a check: digits computed from the lines around its place. They tell later whether a place is
/// still the one that was meant. `None` for a location that takes no check, such as a coordinate.
pub fn checked(document: &Document, offset: Offset, location: &Location) -> Option<Location> {
    locant_locate::checked(document, offset, location)
}

/// The location without its check; `None` if it has none.
pub fn without_check(document: &Document, location: &Location) -> Option<Location> {
    locant_locate::without_check(document, location)
}

/// The anchor of a place: its location and the lines around it, for finding the place again after the text has changed.
/// `None` when the offset is not a position in the text, or when the text has only blanks.
pub fn anchor(document: &Document, offset: Offset, location: Location) -> Option<Anchor> {
    locant_locate::anchor(document, offset, location)
}

/// Finds a place again in a text that has changed, by its anchor.
pub fn relocate(document: &Document, anchor: &Anchor) -> Relocation {
    locant_locate::relocate::relocate(document, anchor)
}

/// Finds a place of an old text again in a new text, by its anchor and by the difference between the texts.
pub fn relocate_from(old: &Document, new: &Document, anchor: &Anchor) -> Relocation {
    locant_locate::relocate::relocate_from(old, new, anchor)
}

/// Finds a place again in a text that has changed, by the words of its location alone.
pub fn relocate_words(document: &Document, location: &Location) -> Relocation {
    locant_locate::relocate::relocate_words(document, location)
}

/// The symbols that contained a place and that its file no longer has, the outermost first. They are read from the old
/// text or, without one, from the anchor. `now` is the file as it is today, if it still exists.
pub fn strays(old: Option<&Document>, now: Option<&Document>, anchor: &Anchor) -> Vec<Stray> {
    let now = now.map(|now| now as &dyn locant_locate::Document);
    match old {
        Some(old) => locant_locate::relocate::elsewhere::strays_of_text(old, now, anchor),
        None => locant_locate::relocate::elsewhere::strays(now, anchor),
    }
}

/// The share of the lines of `old` that `new` has, and the share of the lines of `new` that `old` has.
pub fn shared_lines(old: &Document, new: &Document) -> (f64, f64) {
    locant_locate::relocate::elsewhere::shared_lines(old, new)
}

/// How much of an old text another file has. It counts the old lines that are still in the file `now`, and returns the
/// share of these that `other` has too. `None` when too few lines are still there. The old lines are those of `old` or,
/// without it, those that the anchor keeps.
pub fn shared_stayed(
    old: Option<&Document>,
    now: &Document,
    anchor: &Anchor,
    other: &Document,
) -> Option<f64> {
    let old = old.map(|old| old as &dyn locant_locate::Document);
    locant_locate::relocate::elsewhere::shared_stayed(old, now, anchor, other)
}

/// Whether the anchor was made from exactly this text.
pub fn is_text_of(anchor: &Anchor, document: &Document) -> bool {
    locant_locate::relocate::elsewhere::is_text_of(anchor, document)
}

/// An anchor keeps the lines around its place. Returns the share of these lines that a text still has.
pub fn shared_around(anchor: &Anchor, new: &Document) -> f64 {
    locant_locate::relocate::elsewhere::shared_around(anchor, new)
}

/// The token at a place: the word that the place is in or touches, or else the punctuation mark after it. Empty when
/// the place is between blanks.
pub fn word_at(document: &Document, offset: Offset) -> Range {
    locant_locate::relocate::word_at(document, offset)
}

/// All words and punctuation characters of a document, in their order. These are the units that a find is made of.
pub fn tokens(document: &Document) -> impl Iterator<Item = Range> {
    locant_locate::tokens(document.text())
}

/// The symbols of a document that are nested in at most `deepest` other symbols, in the order of the outline. Each
/// comes with the location that leads to it.
pub fn symbol_locations(document: &Document, deepest: usize) -> Vec<(SymbolId, Location)> {
    locant_locate::symbol_locations(document, deepest)
}

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
