//! The figures measured for each language. They are stored in `xtask/figures.toml`, for docs/languages.md.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::root;

/// The figures of all languages, by the name of the language.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(transparent)]
pub(crate) struct Figures {
    pub(crate) languages: BTreeMap<String, Figure>,
}

/// The figures of one language.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct Figure {
    pub(crate) round_trip: Option<RoundTrip>,
    pub(crate) agreement: Option<Agreement>,
    /// The figure for sources that were not used to write the rules.
    pub(crate) held_out_round_trip: Option<RoundTrip>,
    pub(crate) held_out_agreement: Option<Agreement>,
}

/// Our outlines compared with those of another program.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Agreement {
    pub(crate) by: String,
    pub(crate) files: usize,
    /// Files that the other program could not read.
    pub(crate) unread: usize,
    pub(crate) both: usize,
    pub(crate) theirs_only: usize,
    pub(crate) ours_only: usize,
    /// How many of the symbols that only the other program has are explained, by the class that explains them.
    pub(crate) theirs_explained: BTreeMap<String, usize>,
    /// How many of the symbols that only our outline has are explained, by the class that explains them.
    pub(crate) ours_explained: BTreeMap<String, usize>,
}

/// Two results: of describing positions and looking them up again, and of parsing files after a line was cut out.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct RoundTrip {
    pub(crate) files: usize,
    pub(crate) symbols: usize,
    pub(crate) positions: usize,
    pub(crate) lost: usize,
    /// The number of symbols outside of the cut, summed over all cuts.
    pub(crate) outside_cuts: usize,
    /// How many symbols outside of cuts were still found.
    pub(crate) survived: usize,
}

impl RoundTrip {
    /// The percentage of symbols outside of cuts that are still found.
    pub(crate) fn survived_percent(&self) -> f64 {
        100.0 * self.survived as f64 / self.outside_cuts.max(1) as f64
    }
}

impl Agreement {
    /// The percentage of their symbols that are also ours. Symbols that a class explains are left out.
    pub(crate) fn percent(&self) -> f64 {
        100.0 * self.both as f64 / (self.both + self.theirs_only).max(1) as f64
    }
}

/// The stored figures.
pub(crate) fn read() -> Result<Figures> {
    let text = fs::read_to_string(path()).unwrap_or_default();
    toml::from_str(&text).with_context(|| format!("{} is not as it should be", path().display()))
}

/// Stores the result of `cargo xtask agree`.
pub(crate) fn keep_agreement(language: &str, agreement: Agreement) -> Result<()> {
    change(language, |figure| figure.agreement = Some(agreement))
}

/// Stores the result of `cargo xtask agree --sources=DIR`.
pub(crate) fn keep_held_out_agreement(language: &str, agreement: Agreement) -> Result<()> {
    change(language, |figure| figure.held_out_agreement = Some(agreement))
}

/// Stores the results of `cargo xtask roundtrip`.
pub(crate) fn keep_round_trips(lines: &str) -> Result<()> {
    for (language, found) in round_trips(lines)? {
        change(language, |figure| figure.round_trip = Some(found))?;
    }
    Ok(())
}

/// Stores the results of `cargo xtask roundtrip --sources=DIR`.
pub(crate) fn keep_held_out_round_trips(lines: &str) -> Result<()> {
    for (language, found) in round_trips(lines)? {
        change(language, |figure| figure.held_out_round_trip = Some(found))?;
    }
    Ok(())
}

/// Reads the output of the program `roundtrip`: a line for each language, with its name and six numbers.
fn round_trips(lines: &str) -> Result<Vec<(&str, RoundTrip)>> {
    let mut found = Vec::new();
    for line in lines.lines() {
        let (language, numbers) = line.split_once(' ').context("a line starts with a language")?;
        let numbers: Result<Vec<usize>, _> = numbers.split(' ').map(str::parse).collect();
        let &[files, symbols, positions, lost, outside_cuts, survived] = numbers?.as_slice() else {
            bail!("{line} does not have six numbers");
        };
        found.push((language, RoundTrip { files, symbols, positions, lost, outside_cuts, survived }));
    }
    Ok(found)
}

fn change(language: &str, change: impl FnOnce(&mut Figure)) -> Result<()> {
    let mut figures = read()?;
    change(figures.languages.entry(language.to_owned()).or_default());
    let text = format!(
        "# Written by cargo xtask agree and cargo xtask roundtrip.\n\n{}",
        toml::to_string(&figures)?
    );
    fs::write(path(), text).with_context(|| format!("could not write {}", path().display()))
}

fn path() -> PathBuf {
    root::root().join("xtask/figures.toml")
}
