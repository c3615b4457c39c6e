//! A learned model: how it judges, and how it is written to a file.

use std::fmt::Write as _;

use locant_locate::relocate::{Scales, Thresholds, Tree, Verdict, judge};

use crate::Part;
use crate::cases::{Decided, Seen};

/// The weights and trees that were learned from cases.
pub(crate) struct Model {
    pub(crate) weights: Vec<f64>,
    pub(crate) trees: Vec<Tree>,
    pub(crate) bias: f64,
}

/// Bounds that are settled by testing. Each model is tested only on cases that it did not learn from.
#[derive(Clone, Copy)]
pub(crate) struct Settled {
    /// This is subtracted from the log-odds, so that answers with a high confidence are right as often as the
    /// confidence says.
    pub(crate) caution: f64,
    /// An answer is given if it has at least this confidence.
    pub(crate) accepted: f64,
    /// Below this confidence, a place is said to be gone.
    pub(crate) possible: f64,
}

/// The answer of a model to a case, and the truth about it.
#[derive(Clone, Copy)]
pub(crate) struct Judged {
    pub(crate) confidence: f64,
    /// Whether the place is the right one.
    pub(crate) is_right: bool,
    /// Whether the confidence is high enough for an answer.
    pub(crate) is_given: bool,
    /// Whether the place still exists.
    pub(crate) is_there: bool,
    /// Whether the place must not be called gone, whatever the confidence is.
    pub(crate) is_possible: bool,
}

impl Judged {
    /// This answer with its log-odds lowered by the caution.
    pub(crate) fn with_caution(self, caution: f64) -> Judged {
        let odds = self.confidence / (1.0 - self.confidence);
        Judged { confidence: (1.0 + caution.exp() / odds).recip(), ..self }
    }

    /// This answer with the caution. It is given if its confidence is accepted.
    pub(crate) fn settled(self, settled: &Settled) -> Judged {
        let judged = self.with_caution(settled.caution);
        Judged { is_given: judged.confidence >= settled.accepted, ..judged }
    }
}

impl Model {
    pub(crate) fn scales(&self) -> Scales<'_> {
        Scales { weights: &self.weights, trees: &self.trees, bias: self.bias }
    }

    pub(crate) fn judge(&self, case: &Seen) -> Judged {
        let judged = |confidence, is_right, is_possible| {
            let is_there = case.is_there;
            Judged { confidence, is_right, is_given: false, is_there, is_possible }
        };
        if let Some(Decided { confidence, is_right }) = case.decided {
            return judged(confidence, is_right, false);
        }
        judge(&case.candidates, &self.scales()).map_or(
            judged(0.0, false, false),
            |Verdict { order, confidence, .. }| {
                let best = order[0];
                judged(confidence, case.right == Some(best), case.candidates[best].is_possible)
            },
        )
    }

    /// The model as tables for `model.toml`, with the names of its features.
    pub(crate) fn written(&self, part: &Part, settled: &Settled, thresholds: &Thresholds) -> String {
        let Part { name, told, features, .. } = part;
        let Settled { caution, accepted, possible } = settled;
        // Writing to a string does not fail.
        let mut out = format!("\n# What is known: {told}.\n[{name}.thresholds]\n");
        for (name, value) in Thresholds::NAMES.iter().zip(thresholds.list()) {
            let _ = writeln!(out, "{name} = {value:?}");
        }
        let _ = writeln!(out, "\n[{name}.weights]");
        for (feature, weight) in features.iter().zip(&self.weights) {
            let _ = writeln!(out, "{feature} = {weight:.4}");
        }
        let bias = self.bias - caution;
        let _ = writeln!(
            out,
            "\n[{name}.confidence]\naccepted = {accepted:?}\npossible = {possible:.3}\nbias = {bias:.4}\ntrees = ["
        );
        // Trees also use the score of the best candidate and its lead.
        let features: Vec<&str> = features.iter().copied().chain(["score", "lead"]).collect();
        for Tree { asks, exceeds, says } in &self.trees {
            let asks = asks.map(|feature| features[usize::from(feature)]);
            let questions =
                asks.iter().zip(exceeds).map(|(feature, bound)| format!("[\"{feature}\", {bound:.4}]"));
            let questions: Vec<String> = questions.collect();
            let says = says.map(|says| format!("{says:.4}")).join(", ");
            let _ = writeln!(out, "  [{}, [{says}]],", questions.join(", "));
        }
        out + "]\n"
    }
}
