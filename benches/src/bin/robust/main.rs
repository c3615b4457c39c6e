//! Finds places again in later versions: `robust CASES TEXTS [--sweep=FILE] [--learn=FILE] [--curves=FILE]`.
//! `robust CASES TEXTS --twins=SEED` tests the library with its built-in model, on edits that are made up with this
//! seed.
//!
//! The cases are places in real histories, with their later places. A model for each repository is learned from all
//! other repositories, so that no repository tests what was learned from it. With `--learn`, a model that is learned
//! from all repositories is written to FILE. The library is built with this model. With `--sweep`, the thresholds of
//! the evidence are learned first. With `--curves`, a curve of right against wrong answers is drawn, and a table shows
//! how much each part of an anchor helps.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

mod as_built;
mod boost;
mod cases;
mod learn;
mod made_up;
mod model;
mod renamed;
mod report;
mod speed;
mod sweep;
mod validate;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use locant_locate::relocate::{Thresholds, by_anchor, by_location, learned};

use cases::{Case, Known, Seen};
use model::Judged;
use sweep::Swept;
use validate::{Answers, Lesson, Promised, Set};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let flag =
        |key: &str| arguments.iter().find_map(|argument| argument.strip_prefix(key).map(PathBuf::from));
    let plain: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with("--")).collect();
    let [cases, texts] = plain[..] else {
        bail!("give the file of cases and the directory of texts");
    };
    let cases = cases::load(Path::new(cases), Path::new(texts))?;
    if let Some(seed) = flag("--twins=") {
        let seed: u64 = seed.to_string_lossy().parse().context("a seed is a number")?;
        let made_up = made_up::twins(&cases, seed);
        println!(
            "{}{}",
            as_built::table(&made_up),
            as_built::rows(&cases.iter().collect::<Vec<_>>(), "anywhere in the real histories")
        );
        if let Some(file) = flag("--wrong=") {
            write(&file, &as_built::wrong(&made_up))?;
        }
        return Ok(());
    }
    let parts = PARTS.map(|part| learned_by(part, &cases, flag("--sweep").is_some()));
    if let Some(file) = flag("--learn=") {
        let models = parts.iter().map(|learned| {
            let Learned { part, thresholds, answers, .. } = learned;
            learned.lesson(&cases).model().written(part, &answers.settled, thresholds)
        });
        // The text above the first model explains the file, and is kept.
        let before = std::fs::read_to_string(&file)?;
        let header = before.split_once("\n\n").map_or("", |(header, _)| header);
        write(&file, &format!("{header}\n{}", models.collect::<String>()))?;
    }
    if let Some(file) = flag("--curves=") {
        println!("{}", ablation(&cases, &parts.each_ref().map(|learned| learned.answers.plain.as_slice())));
        let named: Vec<(&str, &[Judged])> =
            parts.iter().map(|learned| (learned.part.title, learned.answers.plain.as_slice())).collect();
        write(&file, &report::curves(&named))?;
        println!("{}", renamed::table(&cases));
        println!("{}", speed::table());
    }
    if let Some(file) = flag("--sweep=") {
        let swept: String = parts.iter().map(|learned| learned.swept.as_str()).collect();
        write(&file, &format!("{SWEPT}{swept}"))?;
    }
    if let Some(file) = flag("--wrong=") {
        write(&file, &parts.iter().map(|learned| learned.wrong(&cases)).collect::<String>())?;
    }
    if let Some(folder) = flag("--evidence=") {
        for Learned { part, seen, made_up, seen_made_up, .. } in &parts {
            write(&folder.join(format!("{}.csv", part.name)), &listed(&cases, seen))?;
            write(&folder.join(format!("{}-made-up.csv", part.name)), &listed(made_up, seen_made_up))?;
        }
    }
    Ok(())
}

/// Learns from the cases and judges them, if what `part` says is known of the old version. Prints the results.
fn learned_by(part: Part, cases: &[Case], sweeps: bool) -> Learned {
    let made_up = made_up::cases(cases, part.known);
    let Swept { thresholds, table: swept } = if sweeps {
        sweep::thresholds(&part, cases, &made_up)
    } else {
        Swept { thresholds: *part.thresholds, table: String::new() }
    };
    let seen = cases::all_seen(cases, part.known, &thresholds);
    let thresholds = Thresholds {
        unchanged: report::share_right(&seen, thresholds.unchanged),
        named: report::share_right(&seen, thresholds.named),
        ..thresholds
    };
    let seen_made_up = cases::all_seen(&made_up, part.known, &thresholds);
    let lesson = part.lesson(Set { cases, seen: &seen }, Set { cases: &made_up, seen: &seen_made_up });
    let answers = lesson.answers();
    println!("### {}\n\n{}", part.title, report::by_confidence(&answers.real));
    println!("{}{}", report::settled(&answers), report::decided(&seen));
    println!("{}", report::by_class(cases, &answers.real, &CLASSES));
    let table = report::by_class(&made_up, &answers.made_up, &made_up_classes());
    println!("Edits that are made up:\n\n{table}");
    Learned { part, thresholds, swept, seen, made_up, seen_made_up, answers }
}

/// The text above the table of what each value of a threshold loses.
const SWEPT: &str = "# What each value of a threshold loses

Written by `cargo xtask bench robust … --sweep --learn`. After each value stands what models lose with it on
repositories that they did not learn from, the mean of the logarithm of what they held to be improbable; for
`alike`, how many names are told wrongly or not at all. A new value is kept only if it loses one percent less.

| what is known | threshold | tried | kept |
|---|---|---|---|
";

/// The results for one kind of knowledge.
struct Learned {
    part: Part,
    thresholds: Thresholds,
    /// The table of the losses with other thresholds. Empty if no others were tried.
    swept: String,
    seen: Vec<Seen>,
    made_up: Vec<Case>,
    seen_made_up: Vec<Seen>,
    answers: Answers,
}

impl Learned {
    fn lesson<'s>(&'s self, cases: &'s [Case]) -> Lesson<'s> {
        let Learned { part, seen, made_up, seen_made_up, .. } = self;
        part.lesson(Set { cases, seen }, Set { cases: made_up, seen: seen_made_up })
    }

    /// The cases for which a wrong answer is given.
    fn wrong(&self, cases: &[Case]) -> String {
        let real = cases.iter().zip(&self.answers.real);
        let all = real.chain(self.made_up.iter().zip(&self.answers.made_up));
        let wrong = all.filter(|(_, judged)| judged.is_given && !judged.is_right);
        let told =
            wrong.map(|(case, judged)| format!("{}: {:.2}\n{case}\n", self.part.title, judged.confidence));
        told.collect()
    }
}

/// One kind of knowledge, for which a model is learned.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    known: Known,
    title: &'static str,
    /// Its name in the file of models, and its description there.
    name: &'static str,
    told: &'static str,
    features: &'static [&'static str],
    /// The thresholds that were learned before.
    thresholds: &'static Thresholds,
    promised: Promised,
    /// Whether the model also learns from made-up edits. A location alone says so little that these edits would teach
    /// the model to doubt places that real changes leave alone.
    teaches: bool,
}

impl Part {
    fn lesson<'s>(&self, real: Set<'s>, made_up: Set<'s>) -> Lesson<'s> {
        let Part { teaches, promised, .. } = *self;
        Lesson { real, made_up, teaches, promised }
    }
}

const PARTS: [Part; 4] = [
    Part {
        known: Known::Anchor,
        title: "With an anchor",
        name: "anchor",
        told: "an anchor",
        features: by_anchor::NAMES,
        thresholds: &learned::ANCHOR.thresholds,
        promised: Promised { wrong: 0.5, gone_but_there: 2.0 },
        teaches: true,
    },
    Part {
        known: Known::Words,
        title: "With the location alone",
        name: "location",
        told: "the location alone",
        features: by_location::NAMES,
        thresholds: &learned::LOCATION.thresholds,
        promised: Promised { wrong: 1.0, gone_but_there: 10.0 },
        teaches: false,
    },
    Part {
        known: Known::Checked,
        title: "With the location and a check",
        name: "check",
        told: "the location and a check",
        features: by_location::NAMES,
        thresholds: &learned::CHECK.thresholds,
        promised: Promised { wrong: 1.0, gone_but_there: 10.0 },
        teaches: true,
    },
    Part {
        known: Known::OldText,
        title: "With the old text",
        name: "old_text",
        told: "the old text",
        features: by_anchor::NAMES,
        thresholds: &learned::OLD_TEXT.thresholds,
        promised: Promised { wrong: 0.5, gone_but_there: 2.0 },
        teaches: true,
    },
];

/// A table of how many answers are right with each kind of knowledge.
fn ablation(cases: &[Case], [by_anchor, by_words, by_check, by_old_text]: &[&[Judged]; 4]) -> String {
    let [anchor, ..] = PARTS;
    let mut out = String::from(
        "### What carries the result\n\n\
         | what is known | right % at 1.0 % wrong | at 0.7 % | at 0.5 % |\n|---|---|---|---|\n",
    );
    out += &report::ablation_row(by_words, "the location alone");
    out += &report::ablation_row(by_check, "the location and seven digits: a check");
    for (known, name) in [
        (Known::Lines(0), "its line and symbol"),
        (Known::Lines(1), "+ 1 line on each side"),
        (Known::Lines(3), "+ 3 lines on each side"),
        (Known::Twins, "+ how often line and word occur"),
        (Known::Wide, "+ digests of more lines"),
    ] {
        let seen = cases::all_seen(cases, known, anchor.thresholds);
        let lesson = anchor.lesson(Set { cases, seen: &seen }, Set { cases: &[], seen: &[] });
        out += &report::ablation_row(&lesson.answers().plain, name);
    }
    out += &report::ablation_row(by_anchor, "+ digests of the other lines of the word: the anchor");
    out + &report::ablation_row(by_old_text, "+ the difference to the old text")
}

/// The evidence for each candidate of each case, with one candidate on each line.
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

/// The classes of real cases.
const CLASSES: [&str; 5] = ["unchanged", "shifted", "edited", "moved", "gone"];

fn made_up_classes() -> Vec<&'static str> {
    made_up::EDITS.iter().map(|(_, class)| *class).collect()
}
