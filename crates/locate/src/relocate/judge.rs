//! Weighing evidence.

use locant_text::Offset;

use super::bounds::Bounds;

/// A place that may be the one, and what speaks for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The place.
    pub place: Offset,
    /// What speaks for it: one number for each feature, mostly from 0 to 1.
    pub features: Vec<f64>,
    /// Is it one of two or more that nobody can tell apart?
    pub is_doubled: bool,
    /// Has another symbol the same line, so that it may be the old one under another name?
    pub is_shared: bool,
    /// Does the location, as it was written, lead to another place, and to that alone?
    pub is_contradicted: bool,
    /// Does so much of what was described stand there that nobody can call it gone?
    pub is_possible: bool,
}

/// What was learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights<'w> {
    /// What the evidence is weighed with.
    pub scales: Scales<'w>,
    /// From this probability on, the best candidate is the answer.
    pub accepted: f64,
    /// Below this probability, the place is said to be gone.
    pub possible: f64,
    /// What the evidence is made with.
    pub bounds: Bounds,
}

/// What the evidence is weighed with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales<'w> {
    /// How much each feature says for a candidate beside others: the sum is its score.
    pub rank: &'w [f64],
    /// What speaks for the best candidate being the place at all: the sum of what all trees say, as log-odds. They
    /// look at the features, and at the score and the lead, which follow them.
    pub trees: &'w [Tree],
    /// What is added to that sum.
    pub bias: f64,
}

/// Three questions, of which two are asked: a feature and what it must exceed for the right branch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tree {
    /// The first question, and those of the left and the right branch.
    pub asks: [(usize, f64); 3],
    /// What the four ends say, from left to right.
    pub says: [f64; 4],
}

impl Tree {
    /// What it says of these features. One that it does not know counts as 0.
    pub fn say(&self, features: &[f64]) -> f64 {
        let exceeds = |(feature, bound): (usize, f64)| features.get(feature).copied().unwrap_or(0.0) > bound;
        let right = exceeds(self.asks[0]);
        let rightmost = exceeds(self.asks[1 + usize::from(right)]);
        self.says[2 * usize::from(right) + usize::from(rightmost)]
    }
}

/// What the weights say of candidates.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The candidates from the best to the worst. Invariant: there is one.
    pub order: Vec<usize>,
    /// The features of the best, its score, and its lead over the second.
    pub features: Vec<f64>,
    /// How probable it is that the best one is the place.
    pub confidence: f64,
}

/// A lead larger than this says no more.
const MOST_LEAD: f64 = 12.0;

/// How sure one can be of one of several places that nobody can tell apart: too little for an answer.
const ONE_OF_SEVERAL: f64 = 0.25;

/// Weighs candidates; `None` when there are none.
pub fn judge(candidates: &[Evidence], scales: &Scales<'_>) -> Option<Verdict> {
    let scores: Vec<f64> = candidates.iter().map(|candidate| dot(&candidate.features, scales.rank)).collect();
    let mut order: Vec<usize> = (0..scores.len()).collect();
    let is_contradicted = |index: usize| candidates[index].is_contradicted;
    order.sort_by(|&one, &other| {
        let by_score = scores[other].total_cmp(&scores[one]);
        is_contradicted(one).cmp(&is_contradicted(other)).then(by_score)
    });
    let best = *order.first()?;
    let score = scores[best];
    let lead = order.get(1).map_or(MOST_LEAD, |&second| (score - scores[second]).min(MOST_LEAD));
    let mut features = candidates[best].features.clone();
    features.extend([score, lead]);
    let sum: f64 = scales.bias + scales.trees.iter().map(|tree| tree.say(&features)).sum::<f64>();
    let confidence = (1.0 + (-sum).exp()).recip();
    let is_unsure = candidates[best].is_doubled || candidates[best].is_contradicted;
    let most = if is_unsure { ONE_OF_SEVERAL } else { 1.0 };
    Some(Verdict { order, features, confidence: confidence.min(most) })
}

/// The sum of products.
pub fn dot(features: &[f64], weights: &[f64]) -> f64 {
    features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
}
