//! Boosted decision trees. They learn whether the best candidate is the right place at all.
//!
//! Each tree learns from a random part of the cases and features, and corrects the sum of all earlier trees a little.
//! Trees of two levels can express "an equal line counts unless its neighbours are elsewhere", and are small enough to
//! be read.

use locant_bench::random::Random;
use locant_locate::relocate::{N_TREES, Tree};

/// The fraction of the full correction that a tree makes.
const RATE: f64 = 0.04;
/// The least number of cases on each side of a question.
const LEAST_CASES: usize = 10;
/// This is added to the curvature, so that leaves with few cases correct only a little.
const RIDGE: f64 = 1.0;
/// How many out of ten cases, and how many out of ten features, a tree learns from.
const CASES_IN_TEN: usize = 7;
const FEATURES_IN_TEN: usize = 3;
/// The most bounds to try for a feature.
const N_BOUNDS: usize = 48;
const SEED: u64 = 20_260_101;

/// The features of a candidate, and whether it is the right place.
pub(crate) type Row = (Vec<f64>, bool);

/// The slope and the curvature of the loss, summed over some cases.
#[derive(Clone, Copy, Default)]
struct Slope {
    slope: f64,
    curvature: f64,
    n_cases: usize,
}

impl Slope {
    fn add(&mut self, other: Slope) {
        self.slope += other.slope;
        self.curvature += other.curvature;
        self.n_cases += other.n_cases;
    }

    fn without(self, other: Slope) -> Slope {
        Slope {
            slope: self.slope - other.slope,
            curvature: self.curvature - other.curvature,
            n_cases: self.n_cases - other.n_cases,
        }
    }

    fn gain(self) -> f64 {
        self.slope * self.slope / (self.curvature + RIDGE)
    }

    fn says(self) -> f64 {
        RATE * self.slope / (self.curvature + RIDGE)
    }
}

/// Learns trees. Returns them, and the constant that is added to their sum.
pub(crate) fn trees(rows: &[Row]) -> (Vec<Tree>, f64) {
    let n_right = rows.iter().filter(|(_, is_right)| *is_right).count();
    let odds = (n_right as f64 + 1.0) / ((rows.len() - n_right) as f64 + 1.0);
    let bias = odds.ln();
    let bounds = bounds(rows);
    let mut sums = vec![bias; rows.len()];
    let mut random = Random::new(SEED);
    let mut in_ten = |n: usize| random.below(10) < n;
    let mut trees = Vec::new();
    for _ in 0..N_TREES {
        let mut slopes = Vec::new();
        for ((_, is_right), sum) in rows.iter().zip(&sums) {
            let probability = (1.0 + (-sum).exp()).recip();
            slopes.push(Slope {
                slope: f64::from(u8::from(*is_right)) - probability,
                curvature: probability * (1.0 - probability),
                n_cases: 1,
            });
        }
        let cases: Vec<usize> = (0..rows.len()).filter(|_| in_ten(CASES_IN_TEN)).collect();
        let features: Vec<usize> = (0..bounds.len()).filter(|_| in_ten(FEATURES_IN_TEN)).collect();
        let learner = Learner { rows, bounds: &bounds, slopes: &slopes, features: &features };
        // If no question divides the cases, the tree adds nothing.
        let tree = learner.tree(&cases).unwrap_or_default();
        for ((features, _), sum) in rows.iter().zip(&mut sums) {
            *sum += tree.say(features);
        }
        trees.push(tree);
    }
    (trees, bias)
}

/// For each feature, bounds that divide the cases evenly. They are rounded as in the file of the model.
fn bounds(rows: &[Row]) -> Vec<Vec<f64>> {
    let n_features = rows.first().map_or(0, |(features, _)| features.len());
    let of_feature = |feature: usize| -> Vec<f64> {
        let mut values: Vec<f64> = rows.iter().map(|(features, _)| features[feature]).collect();
        values.sort_by(f64::total_cmp);
        let middle = |part: usize| {
            let at = (part * values.len() / N_BOUNDS).min(values.len() - 1);
            let above = values[at..].iter().find(|value| **value > values[at]).copied()?;
            Some(((values[at] + above) / 2.0 * 1e4).round() / 1e4)
        };
        let mut bounds: Vec<f64> = (0..N_BOUNDS).filter_map(middle).collect();
        bounds.dedup();
        bounds
    };
    (0..n_features).map(of_feature).collect()
}

struct Learner<'l> {
    rows: &'l [Row],
    bounds: &'l [Vec<f64>],
    slopes: &'l [Slope],
    features: &'l [usize],
}

impl Learner<'_> {
    fn tree(&self, cases: &[usize]) -> Option<Tree> {
        let first = self.question(cases)?;
        let (left, right) = self.parted(cases, first);
        let (mut asks, mut says) = ([first; 3], [0.0; 4]);
        for (side, cases) in [left, right].iter().enumerate() {
            // If no question divides the cases of a side, both leaves of the side have the same value.
            let question = self.question(cases);
            let (left, right) =
                question.map_or((cases.clone(), cases.clone()), |ask| self.parted(cases, ask));
            asks[1 + side] = question.unwrap_or(first);
            says[2 * side] = self.sum(&left).says();
            says[2 * side + 1] = self.sum(&right).says();
        }
        let rounded = says.map(|says| (says * 1e4).round() / 1e4);
        // There are far fewer than 256 features.
        let features = asks.map(|(feature, _)| u8::try_from(feature).unwrap_or(u8::MAX));
        Some(Tree { asks: features, exceeds: asks.map(|(_, bound)| bound), says: rounded })
    }

    /// The feature and the bound that divide the cases best.
    fn question(&self, cases: &[usize]) -> Option<(usize, f64)> {
        let all = self.sum(cases);
        let mut best: Option<(f64, (usize, f64))> = None;
        for &feature in self.features {
            let bounds = &self.bounds[feature];
            let mut parts = vec![Slope::default(); bounds.len() + 1];
            for &case in cases {
                let value = self.rows[case].0[feature];
                parts[bounds.partition_point(|bound| value > *bound)].add(self.slopes[case]);
            }
            let mut left = Slope::default();
            for (part, bound) in parts.iter().zip(bounds) {
                left.add(*part);
                let right = all.without(left);
                if left.n_cases < LEAST_CASES || right.n_cases < LEAST_CASES {
                    continue;
                }
                let gain = left.gain() + right.gain() - all.gain();
                if gain > 1e-9 && best.is_none_or(|(most, _)| gain > most) {
                    best = Some((gain, (feature, *bound)));
                }
            }
        }
        best.map(|(_, question)| question)
    }

    fn parted(&self, cases: &[usize], (feature, bound): (usize, f64)) -> (Vec<usize>, Vec<usize>) {
        cases.iter().partition(|&&case| self.rows[case].0[feature] <= bound)
    }

    fn sum(&self, cases: &[usize]) -> Slope {
        let mut sum = Slope::default();
        for &case in cases {
            sum.add(self.slopes[case]);
        }
        sum
    }
}
