//! Asks for edits that were written against one version of a file in a later version: `edits CASES TEXTS`.
//!
//! The cases are places in real histories, with their later places; `robust` uses the same. An edit is written against
//! the old version in several ways: as common tools do it, and as locant does. An edit is right if it lands on the
//! later place, or if it is refused and the place is gone. The tables are printed in Markdown.
//!
//! `edits cost LOCANT` prints what edits cost with that program.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

mod cases;
mod cost;
mod lines;

use std::path::Path;

use anyhow::{Result, bail};
use locant_bench::parallel::map_in_parallel;
use locant_engine::{Relocation, Resolution, describe, locate, relocate, relocate_from, relocate_words};
use locant_locate::relocate::WRITING;
use locant_locate::{Mark, Marked, Marks, anchor, checked};

use cases::{Case, Landing};
use lines::{ignoring_whitespace, nearby, number, strict, unique};

/// A way to write an edit.
type Way = (&'static str, fn(&Case) -> Landing);

/// The ways in which other tools write edits.
const OTHERS: [Way; 5] = [
    ("exact unique text", |case| unique(case, lines::Blanks::Count)),
    ("the same, whitespace ignored", ignoring_whitespace),
    ("line number", number),
    ("line and hash, strict", strict),
    ("line and hash, nearest of 20 lines", nearby),
];

/// The ways in which locant writes edits.
const OURS: [Way; 5] = [
    ("**marks** (`42~k7bqm3`)", |case| marked(case, None)),
    ("**location**", by_location),
    ("**checked location**", by_check),
    ("**anchor**", by_anchor),
    ("**old text** (`old_text`, `from`)", by_old_text),
];

/// Lengths of marks that are tried.
const LENGTHS: std::ops::RangeInclusive<u32> = 4..=8;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (cases, texts) = match &arguments[..] {
        [word, locant] if word == "cost" => {
            print!("{}", cost::table(Path::new(locant))?);
            return Ok(());
        }
        [cases, texts] => (cases, texts),
        _ => bail!("give the file of cases and the directory of texts, or `cost` and the program"),
    };
    let cases = cases::load(Path::new(cases), Path::new(texts))?;
    println!("| {} edits | right % | refused % | wrong % | wrong |", cases.len());
    println!("|---|---|---|---|---|");
    for (name, way) in OTHERS.into_iter().chain(OURS) {
        println!("| {name} | {}", row(&cases, way));
    }
    println!("\n| letters of a mark | right % | refused % | wrong % | wrong |\n|---|---|---|---|---|");
    for n_letters in LENGTHS {
        println!("| {n_letters} | {}", row(&cases, |case| marked(case, Some(n_letters))));
    }
    Ok(())
}

/// The shares of the edits that land right, are refused, and land wrong.
fn row(cases: &[Case], way: impl Fn(&Case) -> Landing + Sync) -> String {
    let landings = map_in_parallel(cases.iter().collect(), way);
    let count = |wanted: Landing| landings.iter().filter(|landing| **landing == wanted).count();
    let percent = |n: usize| 100.0 * n as f64 / cases.len().max(1) as f64;
    let n_wrong = count(Landing::Wrong);
    format!(
        "{:.2} | {:.2} | {:.3} | {n_wrong} |",
        percent(count(Landing::Right)),
        percent(count(Landing::Refused)),
        percent(n_wrong)
    )
}

fn marked(case: &Case, n_letters: Option<u32>) -> Landing {
    let marks = |text| match n_letters {
        Some(n_letters) => Marks::with_letters(text, n_letters),
        None => Marks::new(text),
    };
    let line = case.old.text().line_of(case.from);
    let check = marks(case.old.text()).checks()[line as usize - 1].clone();
    let found = marks(case.new.text()).find(&Marked { first: Mark { line, check }, last: None });
    case.landing_on_line(found.ok().map(|lines| lines.first))
}

fn by_location(case: &Case) -> Landing {
    let Some(description) = describe(&case.old, case.from) else { return Landing::Refused };
    match locate(&case.new, &description.location) {
        Resolution::Found(found) if found.matches == 1 => case.landing(Some(found.offset)),
        _ => case.landing(None),
    }
}

fn by_check(case: &Case) -> Landing {
    let Some(description) = describe(&case.old, case.from) else { return Landing::Refused };
    let location = checked(&case.old, case.from, &description.location).unwrap_or(description.location);
    case.landing(sure(&relocate_words(&case.new, &location)))
}

fn by_anchor(case: &Case) -> Landing {
    let Some(description) = describe(&case.old, case.from) else { return Landing::Refused };
    let Some(anchor) = anchor(&case.old, case.from, description.location) else { return Landing::Refused };
    case.landing(sure(&relocate(&case.new, &anchor)))
}

fn by_old_text(case: &Case) -> Landing {
    let Some(description) = describe(&case.old, case.from) else { return Landing::Refused };
    let Some(anchor) = anchor(&case.old, case.from, description.location) else { return Landing::Refused };
    case.landing(sure(&relocate_from(&case.old, &case.new, &anchor)))
}

/// The place, if the answer is sure enough for an edit.
fn sure(relocation: &Relocation) -> Option<locant_engine::Offset> {
    match relocation {
        Relocation::Found { offset, confidence, .. } if *confidence >= WRITING => Some(*offset),
        Relocation::Renamed { offset, confidence, .. } if confidence.is_some_and(|sure| sure >= WRITING) => {
            Some(*offset)
        }
        _ => None,
    }
}
