//! Learns the thresholds of the evidence, one after the other. Several values of each threshold are tried, and the best
//! one is kept: the value with which models have the least loss on repositories that they did not learn from.

use std::fmt::Write as _;

use locant_locate::relocate::Thresholds;

use crate::cases::{self, Case, Known};
use crate::validate::Set;
use crate::{Part, renamed};

/// A threshold, and the values to try for it.
struct Tried {
    name: &'static str,
    values: &'static [f64],
    /// Whether the threshold matters for a kind of knowledge.
    counts: fn(Known) -> bool,
}

const TRIED: [Tried; 12] = [
    Tried { name: "half", values: &[2.0, 4.0, 6.0, 10.0, 20.0], counts: is_anchored },
    Tried { name: "half_known", values: &[1.5, 3.0, 6.0, 12.0], counts: is_anchored },
    Tried { name: "chance", values: &[0.2, 0.3, 0.4, 0.5, 0.6], counts: is_anchored },
    Tried { name: "gained", values: &[1.0, 2.0, 3.0, 5.0], counts: is_anchored },
    Tried { name: "far", values: &[0.1, 0.2, 0.3, 0.5], counts: is_anchored },
    Tried { name: "like", values: &[0.4, 0.5, 0.6, 0.7, 0.8], counts: is_anchored },
    Tried { name: "between", values: &[1.0, 2.0, 3.0, 5.0], counts: is_anchored },
    Tried { name: "beside", values: &[0.0, 1.0, 2.0, 3.0, 5.0], counts: is_anchored },
    Tried { name: "enough_words", values: &[2.0, 4.0, 8.0, 16.0], counts: |known| known == Known::OldText },
    Tried {
        name: "telling",
        values: &[4.0, 8.0, 12.0, 16.0, 24.0, 32.0],
        counts: |known| known == Known::OldText,
    },
    Tried { name: "slack", values: &[0.0, 3.0, 6.0, 10.0], counts: |known| !is_anchored(known) },
    Tried { name: "mark", values: &[0.01, 0.05, 0.1, 0.2], counts: |known| !is_anchored(known) },
];

fn is_anchored(known: Known) -> bool {
    matches!(known, Known::Anchor | Known::OldText)
}

/// Learning depends on chance. So a new value is kept only if its loss is below this fraction of the loss before.
const MOST_OF_BEFORE: f64 = 0.99;

/// The learned thresholds, and a table of the loss with each value.
pub(crate) struct Swept {
    pub(crate) thresholds: Thresholds,
    pub(crate) table: String,
}

/// Learns the thresholds for one kind of knowledge.
pub(crate) fn thresholds(part: &Part, real: &[Case], made_up: &[Case]) -> Swept {
    let loss = |thresholds: &Thresholds| {
        let [seen, seen_made_up] =
            [real, made_up].map(|cases| cases::all_seen(cases, part.known, thresholds));
        let lesson =
            part.lesson(Set { cases: real, seen: &seen }, Set { cases: made_up, seen: &seen_made_up });
        lesson.loss()
    };
    let mut best = *part.thresholds;
    let mut least = loss(&best);
    let mut table = String::new();
    for Tried { name, values, .. } in TRIED.iter().filter(|tried| (tried.counts)(part.known)) {
        // Writing to a string does not fail.
        let _ = write!(table, "| {} | `{name}` |", part.title);
        let (was, lost_before) = (best, least);
        for &value in *values {
            let mut other = was;
            if let Some(bound) = other.get_mut(name) {
                *bound = value;
            }
            let lost = if other == was { lost_before } else { loss(&other) };
            let _ = write!(table, " {value}: {lost:.4}");
            if lost < least && lost < lost_before * MOST_OF_BEFORE {
                (best, least) = (other, lost);
            }
        }
        let mut kept = best;
        let kept = kept.get_mut(name).map_or(0.0, |bound| *bound);
        let _ = writeln!(table, " | {kept} |");
    }
    if part.known == Known::Checked {
        let errors = VALUES_ALIKE
            .map(|alike| (alike, renamed::errors(real, part.known, &Thresholds { alike, ..best })));
        let listed: Vec<String> = errors.iter().map(|(alike, n)| format!("{alike}: {n}")).collect();
        if let Some((alike, _)) = errors.into_iter().min_by_key(|(_, n_errors)| *n_errors) {
            best.alike = alike;
        }
        let _ = writeln!(table, "| {} | `alike` | {} | {} |", part.title, listed.join(" "), best.alike);
    }
    Swept { thresholds: best, table }
}

/// The values to try for `alike`. This threshold does not change where a place is found, only the name of its symbol.
/// So wrong and missing names are counted.
const VALUES_ALIKE: [f64; 7] = [0.9, 0.7, 0.6, 0.5, 0.4, 0.3, 0.0];
