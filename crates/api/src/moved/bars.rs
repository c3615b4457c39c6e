//! How similar something must be to be accepted as the moved symbol or file, and how certain the result is then.
//!
//! The thresholds were tuned on 1190 places in six repositories. `docs/robustness.md` has the results for these and for
//! ten other repositories.

use super::hit::{Hit, Of};

/// How much more similar the best hit must be than the next best.
pub(super) const AHEAD: f64 = 0.2;

/// The share of unchanged lines from which a file counts as a copy of the old file. A file that a symbol was moved to
/// shares only a few lines with the old one, such as imports.
pub(super) const COPIED: f64 = 0.9;

/// Whether the best hit is good enough, and far enough ahead of the next.
pub(super) fn admit(best: &Hit, next: f64) -> bool {
    let (like, lines) = match best.of {
        Of::File => (0.5, 0),
        // Without the old name, only the lines show that it is the same symbol.
        Of::Stray(_) if best.new_name.is_some() => (0.8, 5),
        // In another type or function, the name says little: many have a `run`.
        Of::Stray(_) if !best.has_parent => (0.8, 5),
        Of::Stray(_) => (0.5, 2),
    };
    best.likeness() >= like && best.likeness() - next >= AHEAD && best.n_same >= lines
}

/// Whether something existed before, and so was not moved there.
pub(super) fn is_old(before: &Hit, now: &Hit) -> bool {
    before.likeness() >= 0.5 * now.likeness()
}

/// How certain it is that an accepted hit is what was moved. If a revision shows that the hit is new in its file: 704
/// anchors were found correctly and 5 wrongly. Without a revision, the hit may be a similar symbol that always existed:
/// 704 were found correctly and 19 wrongly, in repositories with more such twins than usual. The degree of similarity
/// tells little more.
pub(super) fn sureness(is_new: bool) -> f64 {
    if is_new { 0.985 } else { 0.95 }
}
