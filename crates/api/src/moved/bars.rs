//! How like something must be to be taken for what was moved, and how sure that is then.

use super::Lost;
use super::hit::{Hit, Of};

/// From where on something is taken for what was moved.
pub(super) struct Bars {
    /// The least likeness.
    like: f64,
    /// How much less like the next one must be.
    ahead: f64,
    /// The least number of lines in common.
    lines: usize,
}

impl Bars {
    pub(super) fn of(lost: &Lost<'_>, of: Of) -> Bars {
        match (of, lost.old) {
            (Of::File, _) => Bars { like: 0.5, ahead: 0.2, lines: 0 },
            (Of::Stray(_), Some(_)) => Bars { like: 0.5, ahead: 0.2, lines: 2 },
            (Of::Stray(_), None) => Bars { like: 0.5, ahead: 0.2, lines: 2 },
        }
    }

    /// Is the best one good enough, and far enough before the next?
    pub(super) fn admit(&self, best: &Hit, next: f64) -> bool {
        let like = if best.new_name.is_some() { 0.8 } else { self.like };
        let lines = if best.new_name.is_some() { 5 } else { self.lines };
        best.likeness() >= like && best.likeness() - next >= self.ahead && best.n_same >= lines
    }
}

/// Was something there before, and not moved to where it is?
pub(super) fn is_old(before: &Hit, now: &Hit) -> bool {
    before.likeness() >= 0.5 * now.likeness()
}

/// How sure it is that what was admitted is what was moved.
pub(super) fn sureness(lost: &Lost<'_>, hit: &Hit, next: f64) -> f64 {
    if std::env::var_os("MOVED_DEBUG").is_some() {
        eprintln!(
            "MOVED {:?} {} {} {} {} {} {}",
            hit.of,
            hit.kept,
            hit.own,
            hit.n_same,
            next,
            hit.new_name.is_some(),
            lost.rev.is_some()
        );
    }
    0.97
}
