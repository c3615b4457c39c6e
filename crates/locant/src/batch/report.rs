//! What became of the places of a batch, counted.

use std::fmt;
use std::sync::Mutex;
use std::sync::PoisonError;

use crate::failure::{Failure, Kind};
use crate::wire::Status;

/// How often each answer was given.
#[derive(Debug, Default)]
pub(super) struct Report(Mutex<Counts>);

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    exact: usize,
    moved: usize,
    renamed: usize,
    ambiguous: usize,
    gone: usize,
    failed: usize,
}

impl Report {
    /// Counts an answer. One that names no place is not counted.
    pub(super) fn count(&self, answer: Result<Option<Status>, &Failure>) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match answer {
            Ok(None) => {}
            Ok(Some(Status::Exact)) => counts.exact += 1,
            Ok(Some(Status::Relocated)) => counts.moved += 1,
            Ok(Some(Status::Renamed)) => counts.renamed += 1,
            Err(Failure { kind: Kind::Ambiguous, .. }) => counts.ambiguous += 1,
            // What is nowhere as it was written is gone, for who asks without an anchor.
            Err(Failure { kind: Kind::Gone | Kind::NotFound, .. }) => counts.gone += 1,
            Err(_) => counts.failed += 1,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { exact, moved, renamed, ambiguous, gone, failed } =
            *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        write!(
            f,
            "{exact} exact, {moved} moved, {renamed} renamed, {ambiguous} ambiguous, {gone} gone, {failed} failed"
        )
    }
}
