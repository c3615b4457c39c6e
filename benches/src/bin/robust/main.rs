//! Finds places again in later versions of their files: `robust CASES TEXTS [--learn=FOLDER] [--curves=FILE]`.
//!
//! The cases are places in real histories with where they went. The weights of the evidence are learned on some of the
//! repositories and checked on the others, in turn, so that no repository judges what was learned from it. With
//! `--learn` the weights of all repositories together are written as the source files that the library is built with;
//! with `--curves` right is drawn against wrong, and what each part of an anchor brings is counted.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

mod boost;
mod cases;
mod learn;
mod made_up;
mod model;
mod renamed;
mod report;
mod speed;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use locant_bench::parallel::map_in_parallel;
use locant_locate::relocate::{evidence, spoken};

use cases::{Case, Known, Seen};
use model::{Judged, Model};

/// In how many parts the repositories are divided.
const N_PARTS: usize = 5;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let flag =
        |key: &str| arguments.iter().find_map(|argument| argument.strip_prefix(key).map(PathBuf::from));
    let plain: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with("--")).collect();
    let [cases, texts] = plain[..] else {
        bail!("give the file of cases and the directory of texts");
    };
    let cases = cases::load(Path::new(cases), Path::new(texts))?;
    let parts = PARTS.map(|part| {
        let seen = cases::all_seen(&cases, part.known);
        let made_up = made_up::cases(&cases, part.known);
        let seen_made_up = cases::all_seen(&made_up, part.known);
        let sets = [Set { cases: &cases, seen: &seen }, Set { cases: &made_up, seen: &seen_made_up }];
        let [judged, judged_made_up] = cross_validated(sets, part.teaches);
        let caution = report::caution(&judged);
        let judged_made_up: Vec<Judged> =
            judged_made_up.into_iter().map(|judged| judged.with_caution(caution)).collect();
        let judged: Vec<Judged> = judged.into_iter().map(|judged| judged.with_caution(caution)).collect();
        let accepted = report::accepted(&cases, &judged, part.most_wrong);
        println!("### {}\n\n{}", part.title, report::by_confidence(&cases, &judged));
        println!(
            "From a confidence of {accepted:.2}, as it is built:\n\n{}",
            report::by_class(&cases, &judged, accepted, &CLASSES)
        );
        println!(
            "Edits that are made up:\n\n{}",
            report::by_class(&made_up, &judged_made_up, accepted, &made_up_classes())
        );
        Learned { part, seen, made_up, seen_made_up, judged, caution, accepted }
    });
    if let Some(folder) = flag("--learn=") {
        for Learned { part, seen, made_up, seen_made_up, caution, accepted, .. } in &parts {
            let taught = made_up.iter().zip(seen_made_up).filter(|(case, _)| (part.teaches)(case));
            let taught = taught.map(|(_, seen)| seen);
            let model = learn::model(&seen.iter().chain(taught).collect::<Vec<_>>());
            let model = Model { bias: model.bias - caution, accepted: *accepted, ..model };
            write(&folder.join(format!("{}.rs", part.name)), &model.written(part))?;
        }
    }
    if let Some(file) = flag("--curves=") {
        println!("{}", ablation(&cases, &parts.each_ref().map(|learned| learned.judged.as_slice())));
        let named: Vec<(&str, &[Judged])> =
            parts.iter().map(|learned| (learned.part.title, learned.judged.as_slice())).collect();
        write(&file, &report::curves(&cases, &named))?;
        println!("{}", renamed::table(&cases));
        println!("{}", speed::table());
    }
    if let Some(folder) = flag("--evidence=") {
        for Learned { part, seen, made_up, seen_made_up, .. } in &parts {
            write(&folder.join(format!("{}.csv", part.name)), &listed(&cases, seen))?;
            write(&folder.join(format!("{}-made-up.csv", part.name)), &listed(made_up, seen_made_up))?;
        }
    }
    Ok(())
}

/// What came out for one kind of knowledge.
struct Learned {
    part: Part,
    seen: Vec<Seen>,
    made_up: Vec<Case>,
    seen_made_up: Vec<Seen>,
    judged: Vec<Judged>,
    /// What is taken from the log-odds, so that a high confidence is as right as it says.
    caution: f64,
    accepted: f64,
}

/// What is learned for one kind of knowledge.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    known: Known,
    title: &'static str,
    /// The name of its source file, and what that says of it.
    name: &'static str,
    told: &'static str,
    features: &'static [&'static str],
    /// How many answers may be wrong, in percent of the cases of repositories that nothing was learned from.
    most_wrong: f64,
    /// The edits that are made up from which it is learned. A location alone says so little that they would teach it to
    /// doubt what real changes leave as it was.
    teaches: fn(&Case) -> bool,
}

const PARTS: [Part; 4] = [
    Part {
        known: Known::Anchor,
        title: "With an anchor",
        name: "anchor",
        told: "by its anchor",
        features: evidence::NAMES,
        most_wrong: 0.5,
        teaches: |_| true,
    },
    Part {
        known: Known::Words,
        title: "With the location alone",
        name: "words",
        told: "by its location alone",
        features: spoken::NAMES,
        most_wrong: 1.0,
        teaches: |_| false,
    },
    Part {
        known: Known::Checked,
        title: "With the location and a check",
        name: "checked",
        told: "by its location with a check",
        features: spoken::NAMES,
        most_wrong: 0.95,
        teaches: |_| true,
    },
    Part {
        known: Known::OldText,
        title: "With the old text",
        name: "old_text",
        told: "with the old text at hand",
        features: evidence::NAMES,
        most_wrong: 0.5,
        teaches: |_| true,
    },
];

/// What each kind of knowledge brings.
fn ablation(cases: &[Case], [by_anchor, by_words, by_check, by_old_text]: &[&[Judged]; 4]) -> String {
    let mut out = String::from(
        "### What carries the result\n\n\
         | what is known | right % at 1.0 % wrong | at 0.7 % | at 0.5 % |\n|---|---|---|---|\n",
    );
    out += &report::ablation_row(cases, by_words, "the location alone");
    out += &report::ablation_row(cases, by_check, "the location and seven digits: a check");
    for (known, name) in [
        (Known::Lines(0), "its line and symbol"),
        (Known::Lines(1), "+ 1 line on each side"),
        (Known::Lines(3), "+ 3 lines on each side"),
        (Known::Twins, "+ how often line and word occur"),
        (Known::Wide, "+ digests of more lines"),
    ] {
        let seen = cases::all_seen(cases, known);
        let [judged] = cross_validated([Set { cases, seen: &seen }], |_| true);
        out += &report::ablation_row(cases, &judged, name);
    }
    out += &report::ablation_row(cases, by_anchor, "+ digests of the other lines of the word: the anchor");
    out + &report::ablation_row(cases, by_old_text, "+ the difference to the old text")
}

/// What speaks for each candidate of each case, one on a line.
fn listed(cases: &[Case], seen: &[Seen]) -> String {
    let mut out = String::new();
    for (number, (case, seen)) in cases.iter().zip(seen).enumerate() {
        let start = format!("{number},{},{}", case.repository, case.class);
        for (index, candidate) in seen.candidates.iter().enumerate() {
            let is_right = u8::from(seen.right == Some(index));
            let features: Vec<String> =
                candidate.features.iter().map(|value| format!("{value:.5}")).collect();
            let flags = [candidate.is_doubled, candidate.is_contradicted].map(u8::from);
            let _ = writeln!(
                out,
                "{start},{is_right},{},{},{},{}",
                candidate.place.to_u32(),
                flags[0],
                flags[1],
                features.join(",")
            );
        }
        if seen.candidates.is_empty() {
            let _ = writeln!(out, "{start},-1");
        }
    }
    out
}

fn write(file: &Path, content: &str) -> Result<()> {
    std::fs::write(file, content).with_context(|| format!("could not write {}", file.display()))
}

/// Cases, and the candidates for each.
#[derive(Clone, Copy)]
struct Set<'s> {
    cases: &'s [Case],
    seen: &'s [Seen],
}

/// Judges each case with what was learned from other repositories.
/// Of all sets but the first, those teach that are said to.
fn cross_validated<const N_SETS: usize>(
    sets: [Set<'_>; N_SETS],
    teaches: fn(&Case) -> bool,
) -> [Vec<Judged>; N_SETS] {
    let all = || {
        let numbered = sets.iter().enumerate();
        numbered.flat_map(move |(number, set)| {
            let cases = set.cases.iter().zip(set.seen);
            cases.filter(move |(case, _)| number == 0 || teaches(case))
        })
    };
    let repositories: BTreeSet<&str> = all().map(|(case, _)| case.repository.as_str()).collect();
    let part =
        |case: &Case| repositories.iter().position(|name| *name == case.repository).map(|at| at % N_PARTS);
    let models: Vec<Model> = map_in_parallel((0..N_PARTS).collect(), |left_out| {
        let others = all().filter(|(case, _)| part(case) != Some(left_out));
        learn::model(&others.map(|(_, seen)| seen).collect::<Vec<_>>())
    });
    let judge = |(case, seen): (&Case, &Seen)| models[part(case).unwrap_or(0)].judge(seen);
    sets.map(|set| set.cases.iter().zip(set.seen).map(judge).collect())
}

/// How hard real cases are.
const CLASSES: [&str; 5] = ["unchanged", "shifted", "edited", "moved", "gone"];

fn made_up_classes() -> Vec<&'static str> {
    made_up::EDITS.iter().map(|(_, class)| *class).collect()
}
