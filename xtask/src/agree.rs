//! `cargo xtask agree`: compares our outlines with those of other programs, on real sources.
//!
//! `xtask/agree.toml` says which program reads which language, and lists classes of differences that are right as they
//! are. The result is how many symbols both sides have, how many only one side has, and how many of the differences a
//! class explains.

mod classes;
mod compare;
mod reader;
mod reading;
mod tools;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};

use crate::figures::{self, Agreement};
use crate::{root, sources};
use compare::Comparison;
use reading::{Reading, readings};

/// The most bytes to compare for each language.
const MOST_BYTES: u64 = 4_000_000;

/// The most bytes to compare for each language in `cargo xtask test`.
const MOST_BYTES_IN_TESTS: u64 = 1_000_000;

/// The least agreement: this percentage of their symbols must also be ours.
const GOAL: f64 = 99.0;

/// What to compare, and what to do with the result.
struct Plan {
    /// The folder with the sources, which has a folder for each language.
    sources: PathBuf,
    /// The most bytes to compare for each language.
    most_bytes: u64,
    /// How many differences to print that no class explains.
    n_shown: usize,
    /// The function that stores the result as a figure of a language; `None` if it is not to be stored.
    keep: Option<fn(&str, Agreement) -> Result<()>>,
}

/// Compares all languages, or only the named ones. `--show=N` prints differences that no class explains.
/// `--sources=DIR` compares sources that were not used to write the rules, and stores their figures separately.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let n_shown = option(arguments, "--show=").map_or(Ok(0), str::parse).context("--show wants a number")?;
    let only: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with("--")).collect();
    let readings = readings()?;
    for language in &only {
        let is_it = |reading: &Reading| reading.language == **language;
        ensure!(readings.iter().any(is_it), "no one else reads {language}: see xtask/agree.toml");
    }
    let is_wanted =
        |reading: &&Reading| only.is_empty() || only.iter().any(|name| **name == reading.language);
    let mut wanted: Vec<&Reading> = readings.iter().filter(is_wanted).collect();
    let plan = match option(arguments, "--sources=") {
        Some(folder) => {
            let sources = fs::canonicalize(folder).with_context(|| format!("there is no folder {folder}"))?;
            wanted.retain(|reading| !only.is_empty() || sources.join(&reading.language).is_dir());
            let keep: fn(&str, Agreement) -> Result<()> = figures::keep_held_out_agreement;
            Plan { sources, most_bytes: MOST_BYTES, n_shown, keep: Some(keep) }
        }
        None => {
            fetch(&wanted)?;
            let keep: fn(&str, Agreement) -> Result<()> = figures::keep_agreement;
            Plan { sources: root::sources(), most_bytes: MOST_BYTES, n_shown, keep: Some(keep) }
        }
    };
    let missing = compare_all(&wanted, &plan)?;
    ensure!(missing.is_empty(), "not run: {}", missing.join("; "));
    Ok(())
}

/// The value of an option whose name ends with `=`: `3` for `--show=` in `--show=3`.
fn option<'a>(arguments: &'a [String], name: &str) -> Option<&'a str> {
    arguments.iter().find_map(|argument| argument.strip_prefix(name))
}

/// Compares fewer bytes than `run`, and only the readings for tests. Returns the readings that could not be run here.
pub(crate) fn in_tests() -> Result<Vec<String>> {
    let readings = readings()?;
    let wanted: Vec<&Reading> = readings.iter().filter(|reading| reading.in_tests).collect();
    fetch(&wanted)?;
    let plan = Plan { sources: root::sources(), most_bytes: MOST_BYTES_IN_TESTS, n_shown: 5, keep: None };
    compare_all(&wanted, &plan)
}

fn fetch(readings: &[&Reading]) -> Result<()> {
    let languages: Vec<&str> = readings.iter().map(|reading| reading.language.as_str()).collect();
    sources::fetch_languages(&languages).map(|_| ())
}

/// Compares all readings. Returns those that could not be run here.
fn compare_all(readings: &[&Reading], plan: &Plan) -> Result<Vec<String>> {
    let locant = reader::build_locant()?;
    let (mut missing, mut below) = (Vec::new(), Vec::new());
    println!("{}", Comparison::HEADER);
    for reading in readings {
        let mut command = match tools::command(reading) {
            Ok(command) => command,
            Err(error) => {
                missing.push(format!("{} ({}): {error:#}", reading.by, reading.language));
                continue;
            }
        };
        let paths = some_files(plan, reading)?;
        let theirs = reader::theirs(&mut command, &paths)
            .with_context(|| format!("{} by {}", reading.language, reading.by))?;
        let ours = reader::ours(&locant, reading, &paths)?;
        let comparison = Comparison::of(&theirs, &ours, reading);
        println!("{}", comparison.row(&reading.language, &reading.by));
        comparison.show(plan.n_shown, &reading.class);
        if comparison.percent() < reading.at_least.unwrap_or(GOAL) {
            below.push(reading.language.clone());
        }
        if let Some(keep) = plan.keep {
            keep(&reading.language, comparison.figures(&reading.by))?;
        }
    }
    if !below.is_empty() {
        bail!("too little agreement: {}", below.join(", "));
    }
    Ok(missing)
}

/// Some files of a language, from all its packages. They are the same in every run.
fn some_files(plan: &Plan, reading: &Reading) -> Result<Vec<PathBuf>> {
    let language = &reading.language;
    let n_bytes = reading.most_bytes.map_or(plan.most_bytes, |own| own.min(plan.most_bytes));
    let mut paths = sources::files(&plan.sources, language)?;
    let total: u64 = paths.iter().map(|path| length(path)).sum();
    // Every `step`-th file is taken, so that no package is left out.
    let step = usize::try_from(total.div_ceil(n_bytes)).unwrap_or(usize::MAX).max(1);
    paths = paths.into_iter().step_by(step).collect();
    ensure!(!paths.is_empty(), "there are no sources of {language}");
    Ok(paths)
}

fn length(path: &std::path::Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_says_why() {
        for reading in readings().expect("agree.toml can be read") {
            for class in &reading.class {
                assert!(!class.why.is_empty(), "{}: {}", reading.language, class.name);
                assert!(class.says_something(), "{}: {} fits everything", reading.language, class.name);
            }
        }
    }
}
