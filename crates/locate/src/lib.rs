//! What does a location mean?
//!
//! A location describes a place in code as a person would: a file, then a scope that narrows the search, then a text to
//! find in the scope, with a marker at the place. An example is `models.py:User.save@return <|>self`. This crate reads
//! locations ([`Location`]), finds the place that a location means in a text ([`resolve`]), and turns a place into the
//! shortest location that leads there and nowhere else ([`describe`]). After the text has changed, [`relocate`] finds
//! the place again.
//!
//! Invariants:
//! - "Not found" and "ambiguous" are answers ([`Resolution`]), never failures, and they list places to try next.
//! - A search takes time linear in the text, for every pattern and every text.
//! - [`relocate`] gives a place only if it is probable enough to act on. Otherwise it answers "not found".
//! - Every location that [`describe`] returns has been resolved again and led back to the same place.

// The string form of a location.
mod location;
mod mark;
mod marker;
mod printed;
mod scope;
mod split;

// Searching a text for a find.
mod find;
mod hits;
mod lines;
mod stopping;
mod tokens;

// Finding symbols by the paths that people write.
mod claims;
mod headed;
mod parameter;
mod qualifier;
mod signature;
mod spelling;
mod symbols;
mod types;
mod without_markup;

// From a location to its place, or to places that may have been meant.
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

// From a place to a change of the text.
mod change;

// Finding a place again after its text has changed.
mod anchor;
pub mod relocate;

pub use anchor::{Anchor, AnchoredSymbol, Rank, anchor};
pub use answer::{Candidate, Diagnosis, Document, Found, Resolution, Wanted};
pub use change::{Change, Rewrite, Stretch, Unchangeable, change};
pub use check::without_check;
pub use describe::{
    Description, describe, describe_match, describe_one_of, describe_range, descriptions, range_descriptions,
    symbol_locations,
};
pub use find::{Match, Pattern, Sink};
pub use hint::{Hint, Reason};
pub use lines::Other;
pub use location::{InvalidLocation, Location, Scope, Segment};
pub use mark::{Mark, Marked, MarkedLines, Marks, Unmarked};
pub use marker::marker;
pub use resolve::resolve;
pub use tokens::tokens;
pub use write_check::checked;
