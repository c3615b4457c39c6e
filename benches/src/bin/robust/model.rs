//! What was learned, how it judges, and how it is written down.

use std::fmt::Write as _;

use locant_locate::relocate::{Bounds, Scales, Tree, Verdict, judge};

use crate::Part;
use crate::cases::{Decided, Seen};

/// What was learned from cases.
pub(crate) struct Model {
    pub(crate) rank: Vec<f64>,
    pub(crate) trees: Vec<Tree>,
    pub(crate) bias: f64,
}

/// What was learned from the answers of models to cases that they did not learn from.
#[derive(Clone, Copy)]
pub(crate) struct Settled {
    /// What is taken from the log-odds, so that a high confidence is as right as it says.
    pub(crate) caution: f64,
    /// From this confidence on, an answer is given.
    pub(crate) accepted: f64,
    /// Below this confidence, a place is said to be gone.
    pub(crate) possible: f64,
}

/// What was said of a case.
#[derive(Clone, Copy)]
pub(crate) struct Judged {
    pub(crate) confidence: f64,
    /// Is the place the right one?
    pub(crate) is_right: bool,
    /// Is it sure enough to be given as the answer?
    pub(crate) is_given: bool,
    /// Is the place still there?
    pub(crate) is_there: bool,
    /// Can nobody call it gone, whatever the weights say?
    pub(crate) is_possible: bool,
}

impl Judged {
    /// The same with less confidence.
    pub(crate) fn with_caution(self, caution: f64) -> Judged {
        let odds = self.confidence / (1.0 - self.confidence);
        Judged { confidence: (1.0 + caution.exp() / odds).recip(), ..self }
    }

    /// The same with less confidence, as an answer or as none.
    pub(crate) fn settled(self, settled: &Settled) -> Judged {
        let judged = self.with_caution(settled.caution);
        Judged { is_given: judged.confidence >= settled.accepted, ..judged }
    }
}

impl Model {
    pub(crate) fn scales(&self) -> Scales<'_> {
        Scales { rank: &self.rank, trees: &self.trees, bias: self.bias }
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

    /// The model as a source file.
    pub(crate) fn written(&self, part: &Part, settled: &Settled, bounds: &Bounds) -> String {
        let Part { told, features, .. } = part;
        let Settled { caution, accepted, possible } = settled;
        // Writing to a string does not fail.
        let mut out = format!(
            "//! What was learned for a place that is known {told}.\n//!\n\
             //! Written by `cargo xtask bench robust … --learn`.\n\n\
             use crate::relocate::bounds::Bounds;\nuse crate::relocate::judge::{{Scales, Tree, Weights}};\n\n\
             /// The weights.\n\
             #[allow(clippy::approx_constant, reason = \"learned, and near to a constant only by chance\")]\n\
             #[rustfmt::skip]\npub static WEIGHTS: Weights<'_> = Weights {{\n    scales: Scales {{\n        rank: &[\n"
        );
        for (weight, feature) in self.rank.iter().zip(*features) {
            let _ = writeln!(out, "            {weight:.4}, // {feature}");
        }
        let _ = writeln!(out, "        ],\n        trees: &[");
        for Tree { asks, says } in &self.trees {
            let asks = asks.map(|(feature, bound)| format!("({feature}, {bound:.4})")).join(", ");
            let says = says.map(|says| format!("{says:.4}")).join(", ");
            let _ = writeln!(out, "            Tree {{ asks: [{asks}], says: [{says}] }},");
        }
        let _ = writeln!(
            out,
            "        ],\n        bias: {:.4},\n    }},\n    accepted: {accepted:?},\n    \
             possible: {possible:.3},\n    bounds: Bounds {{",
            self.bias - caution
        );
        for (name, value) in Bounds::NAMES.iter().zip(bounds.list()) {
            let _ = writeln!(out, "        {name}: {value:?},");
        }
        out + "    },\n};\n"
    }
}
