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
//! - A place that is found again is probable enough to act on; otherwise the answer is that it is not known.
//! - What [`describe`] returns has been resolved again and led back to the very same place.

mod anchor;
mod answer;
mod check;
mod claims;
mod describe;
mod diagnosis;
mod find;
mod headed;
mod hint;
mod hits;
mod lines;
mod location;
mod marker;
mod nearest;
mod parameter;
mod printed;
mod qualifier;
mod reading;
pub mod relocate;
mod resolve;
mod scope;
mod signature;
mod slips;
mod snippet;
mod spelling;
mod split;
mod symbols;
mod tokens;
mod types;

pub use anchor::{Anchor, AnchoredSymbol, Rank, anchor};
pub use answer::{Candidate, Diagnosis, Document, Found, Resolution, Wanted};
pub use check::checked;
pub use describe::{
    Description, describe, describe_match, describe_one_of, describe_range, descriptions, range_descriptions,
    symbol_locations,
};
pub use find::{Match, Pattern, Sink};
pub use hint::{Hint, Reason};
pub use lines::Other;
pub use location::{InvalidLocation, Location, Scope, Segment};
pub use resolve::resolve;
