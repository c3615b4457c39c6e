//! Learns to rank candidates by logistic regression. It uses Newton's method on standardised features, with a small
//! ridge penalty.

use locant_locate::relocate::{dot, judge};

use crate::boost;
use crate::cases::Seen;
use crate::model::Model;

/// How strongly weights are pulled towards zero.
const RIDGE: f64 = 1.0;
const N_STEPS: usize = 25;

/// Learns to rank candidates, then to accept the best of them.
pub(crate) fn model(cases: &[&Seen]) -> Model {
    // A doubled candidate is never sure, whatever the model says. So nothing is learned from its case.
    let is_doubled = |case: &Seen| case.candidates.iter().any(|candidate| candidate.is_doubled);
    let weighed = |case: &Seen| case.decided.is_none() && !is_doubled(case);
    let cases: Vec<&&Seen> = cases.iter().filter(|case| weighed(case)).collect();
    let mut rows = Vec::new();
    for case in &cases {
        for (index, candidate) in case.candidates.iter().enumerate() {
            rows.push((candidate.features.clone(), case.right == Some(index)));
        }
    }
    let (rank, _) = regression(&rows);
    let model = Model { weights: rank, trees: Vec::new(), bias: 0.0 };

    let mut rows = Vec::new();
    for case in cases {
        let Some(verdict) = judge(&case.candidates, &model.scales()) else { continue };
        rows.push((verdict.features, case.right == Some(verdict.order[0])));
    }
    let (trees, bias) = boost::trees(&rows);
    Model { trees, bias, ..model }
}

/// The weights of the original features, before standardisation, and the constant.
fn regression(rows: &[(Vec<f64>, bool)]) -> (Vec<f64>, f64) {
    let n_features = rows.first().map_or(0, |(features, _)| features.len());
    let n_rows = rows.len() as f64;
    let column = |at: usize| rows.iter().map(move |(features, _)| features[at]);
    let means: Vec<f64> = (0..n_features).map(|at| column(at).sum::<f64>() / n_rows).collect();
    let spreads: Vec<f64> = (0..n_features)
        .map(|at| (column(at).map(|value| (value - means[at]).powi(2)).sum::<f64>() / n_rows).sqrt())
        .map(|spread| if spread < 1e-9 { 1.0 } else { spread })
        .collect();
    let standard: Vec<(Vec<f64>, bool)> = rows
        .iter()
        .map(|(features, is_right)| {
            let scaled = features.iter().enumerate().map(|(at, value)| (value - means[at]) / spreads[at]);
            (scaled.chain([1.0]).collect(), *is_right)
        })
        .collect();
    let mut weights = vec![0.0; n_features + 1];
    for _ in 0..N_STEPS {
        let step = newton_step(&standard, &weights);
        let size: f64 = step.iter().map(|part| part * part).sum();
        for (weight, part) in weights.iter_mut().zip(step) {
            *weight += part;
        }
        if size < 1e-6 {
            break;
        }
    }
    let scaled: Vec<f64> = (0..n_features).map(|at| weights[at] / spreads[at]).collect();
    let bias = weights[n_features] - dot(&means, &scaled);
    (scaled, bias)
}

fn newton_step(rows: &[(Vec<f64>, bool)], weights: &[f64]) -> Vec<f64> {
    let n = weights.len();
    let mut gradient: Vec<f64> = weights.iter().map(|weight| -RIDGE * weight).collect();
    gradient[n - 1] = 0.0;
    let mut curvature = vec![vec![0.0; n]; n];
    for (at, row) in curvature.iter_mut().enumerate() {
        row[at] = if at + 1 < n { RIDGE } else { 1e-9 };
    }
    for (features, is_right) in rows {
        let probability = (1.0 + (-dot(features, weights)).exp()).recip();
        let miss = f64::from(u8::from(*is_right)) - probability;
        let spread = probability * (1.0 - probability);
        for one in 0..n {
            gradient[one] += miss * features[one];
            let scaled = spread * features[one];
            for other in 0..=one {
                curvature[one][other] += scaled * features[other];
            }
        }
    }
    solve(curvature, gradient)
}

/// Solves a symmetric positive definite system, given by its lower half, with Cholesky's method.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for row in 0..n {
        for column in 0..=row {
            let known: f64 = (0..column).map(|k| matrix[row][k] * matrix[column][k]).sum();
            let rest = matrix[row][column] - known;
            matrix[row][column] =
                if row == column { rest.max(1e-12).sqrt() } else { rest / matrix[column][column] };
        }
    }
    for row in 0..n {
        let known: f64 = (0..row).map(|k| matrix[row][k] * right[k]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|k| matrix[k][row] * right[k]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}
