//! What does a location mean?
//!
//! A location is what a person would say of a place in code: a file, then a scope that narrows the search,
//! then a text to find in it with a marker at the place meant. This crate reads such words ([`Location`]),
//! finds the place they mean in a text ([`resolve`]), and turns a place back into the shortest words that
//! lead there and nowhere else ([`describe`]). After the text has changed, [`relocate`] finds the place again.
//!
//! Invariants:
//! - Not found and ambiguous are answers ([`Resolution`]), never failures, and they carry places to try next.
//! - Finding takes time linear in the text, whatever the pattern and the text are.
//! - A place that is found again is probable enough to act on; otherwise the answer is that it was not found.
//! - What [`describe`] returns has been resolved again and led back to the very same place.

// The string form of a location.
mod location;
mod marker;
mod printed;
mod scope;
mod split;

// The text, and a find in it.
mod find;
mod hits;
mod lines;
mod stopping;
mod tokens;

// Symbols by the words that people write for them.
mod claims;
mod headed;
mod parameter;
mod qualifier;
mod signature;
mod spelling;
mod symbols;
mod types;
mod without_markup;

// From a location to its place, or to what may have been meant.
mod answer;
mod check;
mod diagnosis;
mod hint;
mod nearest;
mod resolve;
mod slips;

// From a place to a location.
mod describe;
mod snippet;
mod write_check;

// Finding a place again after its text has changed.
mod anchor;
pub mod relocate;

pub use anchor::{Anchor, AnchoredSymbol, Rank, anchor};
pub use answer::{Candidate, Diagnosis, Document, Found, Resolution, Wanted};
pub use describe::{
    Description, describe, describe_match, describe_one_of, describe_range, descriptions, range_descriptions,
    symbol_locations,
};
pub use find::{Match, Pattern, Sink};
pub use hint::{Hint, Reason};
pub use lines::Other;
pub use location::{InvalidLocation, Location, Scope, Segment};
pub use resolve::resolve;
pub use write_check::checked;
