//! Changes that are offered at a place.

use crate::Proposal;

/// A change that is offered at a place, such as a fix or a refactoring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// What it does, as a person would say it.
    pub title: String,
    /// Its kind in the language server protocol, such as `quickfix` or `refactor.extract`; empty when it is not known.
    pub kind: String,
    /// Whether this action is probably the one that the user wants.
    pub is_preferred: bool,
    /// What it changes, or why it cannot be made.
    pub changes: Result<Proposal, String>,
}
