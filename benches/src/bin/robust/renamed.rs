//! Tables of how often the library says that a place was renamed, and how often that is right.

use std::fmt::Write as _;

use locant_bench::parallel::map_in_parallel;
use locant_locate::relocate::{Relocation, Thresholds};

use crate::cases::{Case, Known};
use crate::{PARTS, Part};

/// Counts of the answers `renamed` that the library gives with its built-in model.
#[derive(Default)]
struct Counts {
    /// How often an answer says that the symbol around the place was renamed. `n_right` of these answers have the right
    /// place. In `n_new` of them, the old version does not declare the new name.
    n_holders: usize,
    n_right: usize,
    n_new: usize,
    /// How often an answer says that the word itself was replaced.
    n_words: usize,
}

/// A table with a row for each kind of knowledge.
pub(crate) fn table(cases: &[Case]) -> String {
    let mut out = String::from(
        "### Names that are other ones now\n\n\
         The answers `renamed` of the library as it is built. For the symbol around a place: how often the place is \
         right, and the new name one that the old version does not declare. A word that was replaced counts as gone \
         in the cases.\n\n\
         | what is known | symbols renamed | place right | name new | words replaced |\n|---|---|---|---|---|\n",
    );
    for Part { known, title, .. } in PARTS {
        let answers = map_in_parallel(cases.iter().collect(), |case: &Case| case.relocated(known));
        let Counts { n_holders, n_right, n_new, n_words } = counts(cases, &answers);
        // Writing to a string does not fail.
        let _ = writeln!(out, "| {title} | {n_holders} | {n_right} | {n_new} | {n_words} |");
    }
    out
}

/// In how many cases the location and the old text disagree on how the symbol around the place was renamed.
pub(crate) fn errors(cases: &[Case], known: Known, thresholds: &Thresholds) -> usize {
    let wrong = map_in_parallel(cases.iter().collect(), |case: &Case| case.is_misnamed(known, thresholds));
    wrong.into_iter().filter(|is_wrong| *is_wrong).count()
}

fn counts(cases: &[Case], answers: &[Relocation]) -> Counts {
    let mut counts = Counts::default();
    for (case, answer) in cases.iter().zip(answers) {
        match answer {
            Relocation::Renamed { offset, confidence: Some(_), renaming } => {
                counts.n_holders += 1;
                counts.n_right += usize::from(case.is_at(*offset));
                counts.n_new += usize::from(!case.declared(&renaming.new));
            }
            Relocation::Renamed { confidence: None, .. } => counts.n_words += 1,
            Relocation::Found { .. } | Relocation::Ambiguous(_) | Relocation::Gone(_) => {}
        }
    }
    counts
}
