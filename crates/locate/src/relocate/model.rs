//! The learned model. It ranks candidates by the weighted sum of their features, and estimates the probability that the
//! best one is right.

use locant_text::Offset;

use super::thresholds::Thresholds;

/// A candidate with the evidence for it.
///
/// The library uses arrays of features, so that a model for other features does not compile. The program that learns
/// the models uses lists.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence<F = Vec<f64>> {
    /// The place.
    pub place: Offset,
    /// One number for each feature, mostly from 0 to 1.
    pub features: F,
    /// Whether the candidate is one of several places that cannot be distinguished.
    pub is_doubled: bool,
    /// Whether another symbol has the same line. That symbol may be the old one under another name.
    pub is_shared: bool,
    /// Whether something rules the candidate out. For example, the location leads to exactly one place, and the
    /// candidate is not there. Or the lines show that the candidate is a copy.
    pub is_contradicted: bool,
    /// Whether the candidate is so similar to the described place that the place cannot be called gone.
    pub is_possible: bool,
}

impl<const N: usize> Evidence<[f64; N]> {
    /// The evidence with its features as a list.
    pub(crate) fn listed(self) -> Evidence {
        let Evidence { place, features, is_doubled, is_shared, is_contradicted, is_possible } = self;
        Evidence { place, features: features.to_vec(), is_doubled, is_shared, is_contradicted, is_possible }
    }
}

/// How many trees a model has.
pub const N_TREES: usize = 300;

/// A learned model. There is one for each kind of knowledge about a place: an anchor, an old text, a location, a
/// location with a check. A model contains no pointers, so the loader has nothing to adjust when the program starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model<const N_FEATURES: usize> {
    /// The weight of each feature in the ranking. The weighted sum of its features is the score of a candidate.
    pub weights: [f64; N_FEATURES],
    /// The decision trees that judge whether the best candidate is the place at all.
    pub trees: [Tree; N_TREES],
    /// A constant that is added to the sum of the results of the trees.
    pub bias: f64,
    /// From this probability on, the best candidate is the answer.
    pub accepted: f64,
    /// Below this probability, the place counts as gone.
    pub possible: f64,
    /// The thresholds with which the features are computed.
    pub thresholds: Thresholds,
}

impl<const N_FEATURES: usize> Model<N_FEATURES> {
    /// Ranks candidates; `None` if there are none.
    pub(crate) fn judge(&self, candidates: &[Evidence<[f64; N_FEATURES]>]) -> Option<Verdict> {
        let Model { weights, trees, bias, .. } = self;
        judge(candidates, &Scales { weights, trees, bias: *bias })
    }
}

/// The part of a model with which the evidence is weighed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales<'m> {
    /// The weight of each feature in the ranking. The weighted sum of its features is the score of a candidate.
    pub weights: &'m [f64],
    /// The decision trees that judge whether the best candidate is the place at all. The sum of their results is the
    /// log-odds that it is. Their input is the features of the candidate, then its score and its lead.
    pub trees: &'m [Tree],
    /// A constant that is added to the sum of the results of the trees.
    pub bias: f64,
}

/// A decision tree with three questions. The answer to the first question decides whether the second or the third is
/// asked next. A question is whether a feature exceeds a value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tree {
    /// The index of the feature of each question: the first, the one on the left, the one on the right.
    pub asks: [u8; 3],
    /// The value of each question. If the feature exceeds it, the tree goes right.
    pub exceeds: [f64; 3],
    /// The results at the four leaves, from left to right.
    pub says: [f64; 4],
}

impl Tree {
    /// The result for a candidate. `features` has its features, then its score and its lead.
    pub fn say(&self, features: &[f64]) -> f64 {
        let exceeds = |question: usize| features[usize::from(self.asks[question])] > self.exceeds[question];
        let right = exceeds(0);
        let rightmost = exceeds(1 + usize::from(right));
        self.says[2 * usize::from(right) + usize::from(rightmost)]
    }
}

/// The result of weighing candidates.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The indices of the candidates, the best first. Invariant: there is at least one.
    pub order: Vec<usize>,
    /// The features of the best candidate, then its score, then its lead over the second.
    pub features: Vec<f64>,
    /// How probable it is that the best candidate is the place.
    pub confidence: f64,
}

/// The largest lead that counts.
const MOST_LEAD: f64 = 12.0;

/// The highest confidence in a candidate that is ruled out, or is one of several that cannot be distinguished. It is
/// too low for an answer.
const ONE_OF_SEVERAL: f64 = 0.25;

/// Ranks candidates, and computes the confidence in the best one; `None` if there are none.
pub fn judge<F: AsRef<[f64]>>(candidates: &[Evidence<F>], scales: &Scales<'_>) -> Option<Verdict> {
    let scores: Vec<f64> =
        candidates.iter().map(|candidate| dot(candidate.features.as_ref(), scales.weights)).collect();
    let mut order: Vec<usize> = (0..scores.len()).collect();
    let is_contradicted = |index: usize| candidates[index].is_contradicted;
    order.sort_by(|&one, &other| {
        let by_score = scores[other].total_cmp(&scores[one]);
        is_contradicted(one).cmp(&is_contradicted(other)).then(by_score)
    });
    let best = *order.first()?;
    let score = scores[best];
    let lead = order.get(1).map_or(MOST_LEAD, |&second| (score - scores[second]).min(MOST_LEAD));
    let mut features = candidates[best].features.as_ref().to_vec();
    features.extend([score, lead]);
    let sum: f64 = scales.bias + scales.trees.iter().map(|tree| tree.say(&features)).sum::<f64>();
    let confidence = (1.0 + (-sum).exp()).recip();
    let is_unsure = candidates[best].is_doubled || candidates[best].is_contradicted;
    let most = if is_unsure { ONE_OF_SEVERAL } else { 1.0 };
    Some(Verdict { order, features, confidence: confidence.min(most) })
}

/// The weighted sum of the features. There must be a weight for each feature.
pub fn dot(features: &[f64], weights: &[f64]) -> f64 {
    debug_assert_eq!(features.len(), weights.len());
    features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
}
