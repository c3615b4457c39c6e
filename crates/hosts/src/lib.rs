//! Which programs run agents, and how is a server added to the settings of one without losing what is in them?
//!
//! A [`Host`] is data, from `agents/hosts.toml`. [`add`] reads its settings, which are JSON with comments or TOML, and
//! says which texts to insert where. The caller shows and makes the insertions.
//!
//! Invariants:
//! - Settings only grow: an addition is a list of insertions. Comments, the order of keys and the layout stay.
//! - An entry called `locant` with other content stays as it is.
//! - Nothing is added to settings that cannot be read.

// Which hosts there are, and where they keep their settings.
mod catalogue;
mod file;
mod folders;

// What is in settings, and what is added.
mod addition;
mod fault;
mod in_json;
mod in_toml;
mod jsonc;
mod value;

pub use addition::{Addition, Insertion, add};
pub use catalogue::{Format, Host, known};
pub use fault::Fault;
pub use file::{create, read};
pub use folders::program;
pub use value::Value;
