//! Learned weights, how they judge, and how often they are right.

use std::fmt::Write as _;

use locant_locate::relocate::{Weights, judge};

use crate::cases::Seen;

/// Learned weights.
#[derive(Default)]
pub(crate) struct Model {
    pub(crate) rank: Vec<f64>,
    pub(crate) accept: Vec<f64>,
    pub(crate) score: f64,
    pub(crate) lead: f64,
    pub(crate) bias: f64,
    pub(crate) accepted: f64,
}

/// What was said of a case: how sure, and whether the place is the right one.
#[derive(Clone, Copy)]
pub(crate) struct Judged {
    pub(crate) confidence: f64,
    pub(crate) is_right: bool,
}

impl Model {
    pub(crate) fn weights(&self) -> Weights<'_> {
        let Model { rank, accept, score, lead, bias, accepted } = self;
        Weights { rank, accept, score: *score, lead: *lead, bias: *bias, accepted: *accepted }
    }

    pub(crate) fn judge(&self, case: &Seen) -> Judged {
        match judge(&case.candidates, &self.weights()) {
            None => Judged { confidence: 0.0, is_right: false },
            Some(verdict) => {
                let is_right = case.right == Some(verdict.order[0]);
                Judged { confidence: verdict.confidence, is_right }
            }
        }
    }

    /// The weights as source.
    pub(crate) fn written(&self, doc: &str, name: &str, features: &[&str]) -> String {
        let mut out = format!("\n/// {doc}\npub(crate) static {name}: Weights<'_> = Weights {{\n");
        for (list, weights) in [("rank", &self.rank), ("accept", &self.accept)] {
            let _ = writeln!(out, "    {list}: &[");
            for (weight, feature) in weights.iter().zip(features) {
                let _ = writeln!(out, "        {weight:.4}, // {feature}");
            }
            let _ = writeln!(out, "    ],");
        }
        let Model { score, lead, bias, accepted, .. } = self;
        let _ = writeln!(out, "    score: {score:.4},\n    lead: {lead:.4},\n    bias: {bias:.4},");
        let _ = writeln!(out, "    accepted: {accepted:.2},\n}};");
        out
    }
}
