//! Weighing evidence.

use locant_text::Offset;

/// A place that may be the one, and what speaks for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The place.
    pub place: Offset,
    /// What speaks for it: one number for each feature, mostly from 0 to 1.
    pub features: Vec<f64>,
}

/// Learned weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights<'w> {
    /// How much each feature says for a candidate beside others.
    pub rank: &'w [f64],
    /// How much each feature of the best candidate says for it being the place at all.
    pub accept: &'w [f64],
    /// How much its score beside others says for that.
    pub score: f64,
    /// How much its lead over the second says.
    pub lead: f64,
    /// What is added to all.
    pub bias: f64,
    /// From this probability on, the best candidate is the answer.
    pub accepted: f64,
}

/// What the weights say of candidates.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The candidates from the best to the worst. Invariant: there is one.
    pub order: Vec<usize>,
    /// The score of the best.
    pub score: f64,
    /// Its lead over the second.
    pub lead: f64,
    /// How probable it is that the best one is the place.
    pub confidence: f64,
}

/// A lead larger than this says no more.
const MOST_LEAD: f64 = 12.0;

/// Weighs candidates; `None` when there are none.
pub fn judge(candidates: &[Evidence], weights: &Weights<'_>) -> Option<Verdict> {
    let scores: Vec<f64> =
        candidates.iter().map(|candidate| dot(&candidate.features, weights.rank)).collect();
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&one, &other| scores[other].total_cmp(&scores[one]));
    let best = *order.first()?;
    let score = scores[best];
    let lead = order.get(1).map_or(MOST_LEAD, |&second| (score - scores[second]).min(MOST_LEAD));
    let sum = dot(&candidates[best].features, weights.accept)
        + weights.score * score
        + weights.lead * lead
        + weights.bias;
    Some(Verdict { order, score, lead, confidence: (1.0 + (-sum).exp()).recip() })
}

/// The sum of products.
pub fn dot(features: &[f64], weights: &[f64]) -> f64 {
    features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
}
