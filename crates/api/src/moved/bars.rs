//! How like something must be to be taken for what was moved, and how sure that is then.
//!
//! Settled on 1190 places in six repositories; `docs/robustness.md` has what came of it there and in ten others.

use super::hit::{Hit, Of};

/// How much more like than the next one it must be.
pub(super) const AHEAD: f64 = 0.2;

/// From what share of the lines on that stayed a file is a copy of the old one. Files that something was moved to have
/// some imports in common with the old one.
pub(super) const COPIED: f64 = 0.9;

/// Whether the best one is good enough, and far enough before the next.
pub(super) fn admit(best: &Hit, next: f64) -> bool {
    let (like, lines) = match best.of {
        Of::File => (0.5, 0),
        // Without the name, only the lines say that it is the same.
        Of::Stray(_) if best.new_name.is_some() => (0.8, 5),
        // In another type or function, a name says little: there is a `run` in many.
        Of::Stray(_) if !best.has_parent => (0.8, 5),
        Of::Stray(_) => (0.5, 2),
    };
    best.likeness() >= like && best.likeness() - next >= AHEAD && best.n_same >= lines
}

/// Whether something was there before, so that it was not moved to where it is.
pub(super) fn is_old(before: &Hit, now: &Hit) -> bool {
    before.likeness() >= 0.5 * now.likeness()
}

/// How sure it is that what was admitted is what was moved. With a revision that tells that it is new there, of the
/// places of anchors 704 were right and 5 wrong. Without one it may be a twin that was always there: 704 and 19, among
/// more twins than there are mostly. How like they are tells little more.
pub(super) fn sureness(is_new: bool) -> f64 {
    if is_new { 0.985 } else { 0.95 }
}
