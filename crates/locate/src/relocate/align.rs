//! Aligns the lines around an old place with the lines around a candidate.

use crate::lines::Digest;

/// How well the lines above (or below) an old place align with the lines above (or below) a new place, from 0 to 1.
/// `None` if the old lines have no weight.
///
/// `weights` has the weights of the old lines, the nearest line first. `likeness(p, q)` is the likeness of the old line
/// `p` and the new line `q`. Old lines may have been removed and new lines added, but the order must be the same: this
/// is a weighted longest common subsequence.
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

/// The lines above or below an old place, the nearest first, prepared to be aligned with many candidates.
pub(crate) struct KnownSide {
    lines: Vec<Digest>,
    weights: Vec<f64>,
    total: f64,
    /// A set of the digests of `lines`, by their last ten bits. It tells quickly that a line is not one of them.
    may_be: [u64; N_BITS / 64],
}

/// The size of the set. It is far larger than the number of lines, so that other lines are rarely mistaken for them.
const N_BITS: usize = 1024;

impl KnownSide {
    pub(crate) fn new(lines: Vec<Digest>, weights: Vec<f64>) -> KnownSide {
        let mut may_be = [0; N_BITS / 64];
        for &line in lines.iter().zip(&weights).map(|(line, _)| line) {
            let (word, bit) = KnownSide::bit(line);
            may_be[word] |= bit;
        }
        KnownSide { total: weights.iter().sum(), lines, weights, may_be }
    }

    fn bit(line: Digest) -> (usize, u64) {
        let at = line.number() as usize % N_BITS;
        (at / 64, 1 << (at % 64))
    }

    fn may_be(&self, line: Digest) -> bool {
        let (word, bit) = KnownSide::bit(line);
        self.may_be[word] & bit != 0
    }

    /// The result of [`aligned`] for lines that are either equal or not. It is faster, since it does not compare all
    /// pairs.
    pub(crate) fn aligned<'l>(&self, new: impl Iterator<Item = &'l Digest>) -> Option<f64> {
        if self.total == 0.0 {
            return None;
        }
        // A new line that is not one of the old lines does not change the result.
        let new: Vec<Digest> = new.copied().filter(|&line| self.may_be(line)).collect();
        // `row[n]` is the largest weight that the first `n` new lines can have in common with the old lines read so
        // far.
        let mut row = vec![0.0f64; new.len() + 1];
        for (line, weight) in self.lines.iter().zip(&self.weights) {
            // Goes backwards, so that each old line is used only once.
            for at in (0..new.len()).rev().filter(|&at| new[at] == *line) {
                let sum = row[at] + weight;
                row[at + 1..].iter_mut().take_while(|most| **most < sum).for_each(|most| *most = sum);
            }
        }
        Some(row[new.len()] / self.total)
    }
}

/// How well the lines above and below a place align. At the start or end of a file, the missing side gets the value of
/// the other side.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn equal_lines_are_aligned_as_like_ones(
            old in prop::collection::vec((0u8..4, 1u8..9), 0..12),
            new in prop::collection::vec(0u8..4, 0..12),
        ) {
            let (lines, weights): (Vec<u8>, Vec<f64>) =
                old.into_iter().map(|(line, weight)| (line, f64::from(weight))).unzip();
            let plain = aligned(&weights, new.len(), |p, q| f64::from(u8::from(lines[p] == new[q])));
            // Some lines share the last bits of their digests but are not equal.
            let digest = |line: &u8| Digest::of_number(u32::from(*line % 3) + 1024 * u32::from(*line / 3));
            let digests = |lines: &[u8]| -> Vec<Digest> { lines.iter().filter_map(digest).collect() };
            let known = KnownSide::new(digests(&lines), weights);
            prop_assert_eq!(known.aligned(digests(&new).iter()), plain);
        }
    }
}
