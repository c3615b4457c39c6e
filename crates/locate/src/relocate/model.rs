//! The learned model: which candidate is best by the weights of its features, and how probable the best one is.

use locant_text::Offset;

use super::thresholds::Thresholds;

/// A candidate, and what speaks for it.
///
/// The library has arrays of features, so that a model for other features does not compile; the learner has lists.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence<F = Vec<f64>> {
    /// The place.
    pub place: Offset,
    /// What speaks for it: one number for each feature, mostly from 0 to 1.
    pub features: F,
    /// Whether it is one of several places that nobody can tell apart.
    pub is_doubled: bool,
    /// Whether another symbol has the same line, so that it may be the old one under another name.
    pub is_shared: bool,
    /// Whether something rules it out: the location leads to one other place, or the lines show that it is a copy.
    pub is_contradicted: bool,
    /// Whether it is so like the described place that this cannot be called gone.
    pub is_possible: bool,
}

impl<const N: usize> Evidence<[f64; N]> {
    /// The same with its features as a list.
    pub(crate) fn listed(self) -> Evidence {
        let Evidence { place, features, is_doubled, is_shared, is_contradicted, is_possible } = self;
        Evidence { place, features: features.to_vec(), is_doubled, is_shared, is_contradicted, is_possible }
    }
}

/// How many trees a model has.
pub const N_TREES: usize = 300;

/// What was learned for one kind of knowledge about a place. There are no pointers in it, so that it needs no work when
/// the program starts, wherever that is loaded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model<const N_FEATURES: usize> {
    /// How much each feature counts when candidates are ranked: the sum is the score of a candidate.
    pub weights: [f64; N_FEATURES],
    /// What speaks for the best candidate being the place at all.
    pub trees: [Tree; N_TREES],
    /// What is added to what the trees say.
    pub bias: f64,
    /// From this probability on, the best candidate is the answer.
    pub accepted: f64,
    /// Below this probability, the place is said to be gone.
    pub possible: f64,
    /// What the evidence is made with.
    pub thresholds: Thresholds,
}

impl<const N_FEATURES: usize> Model<N_FEATURES> {
    /// Weighs candidates; `None` when there are none.
    pub(crate) fn judge(&self, candidates: &[Evidence<[f64; N_FEATURES]>]) -> Option<Verdict> {
        let Model { weights, trees, bias, .. } = self;
        judge(candidates, &Scales { weights, trees, bias: *bias })
    }
}

/// The part of a model that the evidence is weighed with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales<'m> {
    /// How much each feature counts when candidates are ranked: the sum is the score of a candidate.
    pub weights: &'m [f64],
    /// What speaks for the best candidate being the place at all: the sum of what all trees say, as log-odds. They
    /// look at the features, and at the score and the lead, which follow them.
    pub trees: &'m [Tree],
    /// What is added to that sum.
    pub bias: f64,
}

/// Three questions, of which two are asked: the first, and that of the left or of the right branch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tree {
    /// The features that are asked for, by their place in the list.
    pub asks: [u8; 3],
    /// What each must exceed for the right branch.
    pub exceeds: [f64; 3],
    /// What the four ends say, from left to right.
    pub says: [f64; 4],
}

impl Tree {
    /// What it says of these features, with score and lead.
    pub fn say(&self, features: &[f64]) -> f64 {
        let exceeds = |question: usize| features[usize::from(self.asks[question])] > self.exceeds[question];
        let right = exceeds(0);
        let rightmost = exceeds(1 + usize::from(right));
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

/// The highest confidence in one of several places that nobody can tell apart: too low for an answer.
const ONE_OF_SEVERAL: f64 = 0.25;

/// Weighs candidates; `None` when there are none.
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

/// The sum of products. Invariant: there is a weight for each feature.
pub fn dot(features: &[f64], weights: &[f64]) -> f64 {
    debug_assert_eq!(features.len(), weights.len());
    features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
}
