//! Readings: how other programs read languages, as `xtask/agree.toml` says.

use std::fs;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::classes::Class;
use crate::root;

/// All readings.
pub(super) fn readings() -> Result<Vec<Reading>> {
    let path = root::root().join("xtask/agree.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
    let agree: Agree = toml::from_str(&text).with_context(|| format!("{} is wrong", path.display()))?;
    Ok(agree.reading)
}

/// The contents of `xtask/agree.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Agree {
    reading: Vec<Reading>,
}

/// How another program reads a language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reading {
    pub(super) language: String,
    /// The name of the program in docs/languages.md.
    pub(super) by: String,
    /// The command that reads files, with its arguments. It runs in the folder of the readings. `{program}` stands for
    /// the path of `program`.
    pub(super) run: Vec<String>,
    /// The encoding in which the program counts columns; absent if it gives only lines.
    pub(super) columns: Option<String>,
    /// A program that must be installed.
    pub(super) needs: Option<String>,
    /// A program that is installed with pip.
    pub(super) program: Option<PipProgram>,
    /// The most bytes to compare, if the program is slow.
    pub(super) most_bytes: Option<u64>,
    /// The least agreement in percent, if it differs from the usual one.
    pub(super) at_least: Option<f64>,
    /// Whether the reading is compared in `cargo xtask test`.
    #[serde(default)]
    pub(super) in_tests: bool,
    #[serde(default)]
    pub(super) class: Vec<Class>,
}

/// A program that pip installs.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PipProgram {
    pub(super) package: String,
    pub(super) version: String,
    pub(super) name: String,
}
