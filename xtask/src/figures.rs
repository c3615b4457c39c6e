//! The figures that were measured for each language, kept in `xtask/figures.toml` for docs/languages.md.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::root;

/// The figures of all languages, by their names.
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
    /// The figures for sources that no rule was made for.
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
    /// How many symbols that only they have each class explains.
    pub(crate) theirs_explained: BTreeMap<String, usize>,
    /// How many symbols that only we have each class explains.
    pub(crate) ours_explained: BTreeMap<String, usize>,
}

/// Positions described and looked up again, and files with a line cut out.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct RoundTrip {
    pub(crate) files: usize,
    pub(crate) symbols: usize,
    pub(crate) positions: usize,
    pub(crate) lost: usize,
    /// Symbols outside of cuts, over all cuts.
    pub(crate) outside_cuts: usize,
    /// How many of these symbols were still found.
    pub(crate) survived: usize,
}

impl RoundTrip {
    /// How many percent of the symbols outside of a cut are still found.
    pub(crate) fn survived_percent(&self) -> f64 {
        100.0 * self.survived as f64 / self.outside_cuts.max(1) as f64
    }
}

impl Agreement {
    /// How many percent of their symbols are ours too, without those that a class explains.
    pub(crate) fn percent(&self) -> f64 {
        100.0 * self.both as f64 / (self.both + self.theirs_only).max(1) as f64
    }
}

/// The figures that were kept last.
pub(crate) fn read() -> Result<Figures> {
    let text = fs::read_to_string(path()).unwrap_or_default();
    toml::from_str(&text).with_context(|| format!("{} is not as it should be", path().display()))
}

/// Keeps the result of `cargo xtask agree`.
pub(crate) fn keep_agreement(language: &str, agreement: Agreement) -> Result<()> {
    change(language, |figure| figure.agreement = Some(agreement))
}

/// The same for `--sources=DIR`.
pub(crate) fn keep_held_out_agreement(language: &str, agreement: Agreement) -> Result<()> {
    change(language, |figure| figure.held_out_agreement = Some(agreement))
}

/// Keeps the results of `cargo xtask roundtrip`.
pub(crate) fn keep_round_trips(lines: &str) -> Result<()> {
    for (language, found) in round_trips(lines)? {
        change(language, |figure| figure.round_trip = Some(found))?;
    }
    Ok(())
}

/// The same for `--sources=DIR`.
pub(crate) fn keep_held_out_round_trips(lines: &str) -> Result<()> {
    for (language, found) in round_trips(lines)? {
        change(language, |figure| figure.held_out_round_trip = Some(found))?;
    }
    Ok(())
}

/// Reads what `roundtrip` writes: a line for each language, with its name and six numbers.
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
