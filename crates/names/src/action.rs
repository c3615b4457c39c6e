//! Changes that are offered at a place.

use crate::Replacement;

/// A change that is offered at a place, such as a fix or a refactoring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// What it does, as a person would say it.
    pub title: String,
    /// What it is: `quickfix`, `refactor.extract` and the like; empty when that is not known.
    pub kind: String,
    /// Whether it is the one that is most probably wanted.
    pub is_preferred: bool,
    /// What it replaces, or why it cannot be made.
    pub changes: Result<Vec<Replacement>, String>,
}
