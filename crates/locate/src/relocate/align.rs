//! Lining up the lines around a place with those around a candidate.

/// How well lines going away from a place line up with those going away from another: from 0 to 1.
///
/// `weights` are those of the old lines, the nearest first; `likeness(p, q)` says how much the old line `p` is like the
/// new line `q`. Lines may be missing on both sides, order counts: this is a longest common subsequence, weighted.
pub(crate) fn aligned(weights: &[f64], n_new: usize, likeness: impl Fn(usize, usize) -> f64) -> Option<f64> {
    let total: f64 = weights.iter().sum();
    if total == 0.0 {
        return None;
    }
    let mut row = vec![0.0f64; n_new + 1];
    for (old, weight) in weights.iter().enumerate() {
        let mut diagonal = 0.0;
        for new in 0..n_new {
            let above = row[new + 1];
            let skipped = above.max(row[new]);
            row[new + 1] = match likeness(old, new) {
                0.0 => skipped,
                likeness => skipped.max(diagonal + weight * likeness),
            };
            diagonal = above;
        }
    }
    Some(row[n_new] / total)
}

/// Both sides of a place. What is not there, at the start and at the end of a file, is taken to be like the other side.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sides {
    pub(crate) above: f64,
    pub(crate) below: f64,
}

impl Sides {
    pub(crate) fn new(above: Option<f64>, below: Option<f64>) -> Sides {
        let either = above.or(below).unwrap_or(0.0);
        Sides { above: above.unwrap_or(either), below: below.unwrap_or(either) }
    }

    pub(crate) fn lower(self) -> f64 {
        self.above.min(self.below)
    }

    pub(crate) fn higher(self) -> f64 {
        self.above.max(self.below)
    }

    pub(crate) fn sum(self) -> f64 {
        self.above + self.below
    }
}
