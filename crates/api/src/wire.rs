//! The types of requests and answers in JSON.

mod anchor;
mod batch;
mod candidate;
mod location;
mod page;
mod position;

pub(crate) use anchor::{Anchor, GivenAnchor};
pub use batch::BatchAnswer;
pub use candidate::Candidate;
pub(crate) use candidate::{
    QUOTED, candidates, line_text, location, location_of_one, location_within, note, range_location, window,
};
pub(crate) use location::Spoken;
pub use page::{Item, Page};
pub(crate) use page::{Reach, server};
pub use position::{Position, Range};
pub(crate) use position::{position, range};
