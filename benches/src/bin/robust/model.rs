//! What was learned, how it judges, and how it is written down.

use std::fmt::Write as _;

use locant_locate::relocate::{Tree, Weights, judge};

use crate::Part;
use crate::cases::{Decided, Seen};

/// What was learned.
#[derive(Default)]
pub(crate) struct Model {
    pub(crate) rank: Vec<f64>,
    pub(crate) trees: Vec<Tree>,
    pub(crate) bias: f64,
    pub(crate) accepted: f64,
}

/// What was said of a case: how sure, and whether the place is the right one.
#[derive(Clone, Copy)]
pub(crate) struct Judged {
    pub(crate) confidence: f64,
    pub(crate) is_right: bool,
}

impl Judged {
    /// The same with less confidence.
    pub(crate) fn with_caution(self, caution: f64) -> Judged {
        let odds = self.confidence / (1.0 - self.confidence);
        Judged { confidence: (1.0 + caution.exp() / odds).recip(), ..self }
    }
}

impl Model {
    pub(crate) fn weights(&self) -> Weights<'_> {
        let Model { rank, trees, bias, accepted } = self;
        Weights { rank, trees, bias: *bias, accepted: *accepted }
    }

    pub(crate) fn judge(&self, case: &Seen) -> Judged {
        if let Some(Decided { confidence, is_right }) = case.decided {
            return Judged { confidence, is_right };
        }
        match judge(&case.candidates, &self.weights()) {
            None => Judged { confidence: 0.0, is_right: false },
            Some(verdict) => {
                let is_right = case.right == Some(verdict.order[0]);
                Judged { confidence: verdict.confidence, is_right }
            }
        }
    }

    /// The model as a source file.
    pub(crate) fn written(&self, part: &Part) -> String {
        let Part { told, features, .. } = part;
        // Writing to a string does not fail.
        let mut out = format!(
            "//! What was learned for a place that is known {told}.\n//!\n\
             //! Written by `cargo xtask bench robust … --learn`.\n\n\
             use crate::relocate::judge::{{Tree, Weights}};\n\n\
             #[allow(clippy::approx_constant, reason = \"learned, and near to a constant only by chance\")]\n\
             #[rustfmt::skip]\npub(crate) static WEIGHTS: Weights<'_> = Weights {{\n    rank: &[\n"
        );
        for (weight, feature) in self.rank.iter().zip(*features) {
            let _ = writeln!(out, "        {weight:.4}, // {feature}");
        }
        let _ = writeln!(out, "    ],\n    trees: &[");
        for Tree { asks, says } in &self.trees {
            let asks = asks.map(|(feature, bound)| format!("({feature}, {bound:.4})")).join(", ");
            let says = says.map(|says| format!("{says:.4}")).join(", ");
            let _ = writeln!(out, "        Tree {{ asks: [{asks}], says: [{says}] }},");
        }
        let _ =
            writeln!(out, "    ],\n    bias: {:.4},\n    accepted: {:.2},\n}};", self.bias, self.accepted);
        out
    }
}
