//! `cargo xtask bench robust CASES TEXTS [--sweep] [--learn]`: finds places again in later versions of real files, and
//! writes the tables and the curve of docs/robustness.md. With `--learn` it also writes the model that the library is
//! built with. With `--sweep` it also tries other thresholds for the model.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::children::{cargo, output, run as run_child, target_directory};
use crate::root::root;

/// The files for the learned model, and for a table of what each value of a threshold loses.
const MODEL: &str = "crates/locate/model/model.toml";
const THRESHOLDS: &str = "crates/locate/model/thresholds.md";

/// The lines in docs/robustness.md before and after the tables.
const TABLES_START: &str = "<!-- tables: written by cargo xtask bench robust -->";
const TABLES_END: &str = "<!-- end of the tables -->";

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let plain: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with("--")).collect();
    let [cases, texts] = plain[..] else {
        bail!(
            "give the file of cases and the directory of their texts; docs/robustness.md says what they are"
        );
    };
    run_child(&mut cargo(&["build", "--quiet", "--release", "-p", "locant-bench", "--bin", "robust"]))?;
    let mut robust = std::process::Command::new(target_directory()?.join("release/robust"));
    robust.arg(cases).arg(texts).arg(format!("--curves={}", root().join("docs/robustness.svg").display()));
    if has("--learn") {
        robust.arg(format!("--learn={}", root().join(MODEL).display()));
    }
    if has("--sweep") {
        robust.arg(format!("--sweep={}", root().join(THRESHOLDS).display()));
    }
    let tables = output(&mut robust)?;
    println!("{tables}");
    write(tables.trim())
}

/// Writes the tables into docs/robustness.md.
fn write(tables: &str) -> Result<()> {
    let path = root().join("docs/robustness.md");
    let page = fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
    let (before, rest) = page.split_once(TABLES_START).context("docs/robustness.md has no place for them")?;
    let (_, after) = rest.split_once(TABLES_END).context("the tables in docs/robustness.md have no end")?;
    let page = format!("{before}{TABLES_START}\n\n{tables}\n\n{TABLES_END}{after}");
    fs::write(&path, page).with_context(|| format!("could not write {}", path.display()))
}
