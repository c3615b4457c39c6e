//! Tables of the answers of the library, with the model that it is built with. The cases are made-up edits in which one
//! symbol looks like another.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use locant_bench::parallel::map_in_parallel;
use locant_engine::Relocation;

use crate::PARTS;
use crate::cases::{Case, Known};

/// An answer with at least this confidence should be reliable.
const SURE: f64 = 0.9;

/// Counts of the answers for a kind of edit.
#[derive(Default)]
struct Tally {
    n_cases: usize,
    n_right: usize,
    /// Wrong answers. An unsure answer does not count if it says that a name has changed.
    n_wrong: usize,
    n_sure: usize,
    n_sure_right: usize,
}

impl Tally {
    fn add(&mut self, case: &Case, answer: &Relocation) {
        let (place, confidence, is_renamed) = match answer {
            Relocation::Found { offset, confidence, .. } => (Some(*offset), *confidence, false),
            Relocation::Renamed { offset, confidence, .. } => {
                (Some(*offset), confidence.unwrap_or(1.0), true)
            }
            Relocation::Ambiguous(_) | Relocation::Gone(_) => (None, 0.0, false),
        };
        let is_right = place.map_or(!case.is_there(), |place| case.is_at(place));
        let is_sure = confidence >= SURE;
        self.n_cases += 1;
        self.n_right += usize::from(is_right);
        self.n_wrong += usize::from(place.is_some() && !is_right && (is_sure || !is_renamed));
        self.n_sure += usize::from(is_sure);
        self.n_sure_right += usize::from(is_sure && is_right);
    }
}

/// A table with a row for each kind of edit and each kind of knowledge.
pub(crate) fn table(cases: &[Case]) -> String {
    let classes: BTreeSet<&str> = cases.iter().map(|case| case.class.as_str()).collect();
    let mut out = String::from(
        "| the place is | what is known | cases | right % | wrong % | answers from 0.9 on | of them right % |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for class in classes {
        let cases: Vec<&Case> = cases.iter().filter(|case| case.class == class).collect();
        out += &rows(&cases, class);
    }
    out
}

/// The rows of some cases.
pub(crate) fn rows(cases: &[&Case], class: &str) -> String {
    let mut out = String::new();
    for part in PARTS {
        let Tally { n_cases, n_right, n_wrong, n_sure, n_sure_right } = tally(cases, part.known);
        let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "| {class} | {} | {n_cases} | {:.2} | {:.2} | {n_sure} | {:.1} |",
            part.title,
            percent(n_right, n_cases),
            percent(n_wrong, n_cases),
            percent(n_sure_right, n_sure)
        );
    }
    out
}

fn tally(cases: &[&Case], known: Known) -> Tally {
    let answers = map_in_parallel(cases.to_vec(), |case| case.relocated(known));
    let mut tally = Tally::default();
    for (case, answer) in cases.iter().zip(&answers) {
        tally.add(case, answer);
    }
    tally
}

/// The cases with wrong answers, as text.
pub(crate) fn wrong(cases: &[Case]) -> String {
    let mut out = String::new();
    for part in PARTS {
        for case in cases {
            let mut tally = Tally::default();
            let answer = case.relocated(part.known);
            tally.add(case, &answer);
            if tally.n_wrong > 0 {
                // Writing to a string does not fail.
                let _ = writeln!(out, "{}: {answer:?}\n{case}", part.title);
            }
        }
    }
    out
}
