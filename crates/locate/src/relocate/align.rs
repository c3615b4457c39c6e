//! Aligns the lines around a place with those around a candidate.

use crate::lines::Digest;

/// How well the lines on one side of a place align with those on the same side of another, from 0 to 1.
///
/// `weights` are those of the old lines, the nearest first. `likeness(p, q)` is the likeness of the old line `p` and
/// the new line `q`. Lines may be missing on both sides, but their order counts: this is a weighted longest common
/// subsequence.
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

/// The old lines on one side of a place, the nearest first, prepared to be aligned with many others.
pub(crate) struct KnownSide {
    lines: Vec<Digest>,
    weights: Vec<f64>,
    total: f64,
    /// For the last bits of a digest: whether one of the lines has these bits.
    may_be: [u64; N_BITS / 64],
}

/// Far more than there are lines, so that other lines rarely have the same bits.
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

    /// As [`aligned`] for lines that are either equal or not, without looking at unequal pairs.
    pub(crate) fn aligned<'l>(&self, new: impl Iterator<Item = &'l Digest>) -> Option<f64> {
        if self.total == 0.0 {
            return None;
        }
        // A line that is not among the old ones changes nothing.
        let new: Vec<Digest> = new.copied().filter(|&line| self.may_be(line)).collect();
        // `row[n]` is the most weight that the first n new lines have in common with the old ones read so far.
        let mut row = vec![0.0f64; new.len() + 1];
        for (line, weight) in self.lines.iter().zip(&self.weights) {
            // From the end, so that an old line is used only once.
            for at in (0..new.len()).rev().filter(|&at| new[at] == *line) {
                let sum = row[at] + weight;
                row[at + 1..].iter_mut().take_while(|most| **most < sum).for_each(|most| *most = sum);
            }
        }
        Some(row[new.len()] / self.total)
    }
}

/// How well both sides of a place align. At the start or end of a file, the missing side counts as much as the other
/// one.
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
