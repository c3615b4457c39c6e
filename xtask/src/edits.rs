//! `cargo xtask bench edits CASES TEXTS`: asks for edits that were written against old versions of real files in later
//! versions, and writes the tables of docs/edits.md.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::children::{cargo, output, run as run_child, target_directory};
use crate::root::root;

/// The lines in docs/edits.md before and after the tables.
const TABLES_START: &str = "<!-- tables: written by cargo xtask bench edits -->";
const TABLES_END: &str = "<!-- end of the tables -->";

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let [cases, texts] = arguments else {
        bail!(
            "give the file of cases and the directory of their texts; docs/robustness.md says what they are"
        );
    };
    run_child(&mut cargo(&["build", "--quiet", "--release", "-p", "locant-bench", "--bin", "edits"]))?;
    let mut edits = std::process::Command::new(target_directory()?.join("release/edits"));
    let tables = output(edits.arg(cases).arg(texts))?;
    println!("{tables}");
    let path = root().join("docs/edits.md");
    let page = fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
    let (before, rest) = page.split_once(TABLES_START).context("docs/edits.md has no place for them")?;
    let (_, after) = rest.split_once(TABLES_END).context("the tables in docs/edits.md have no end")?;
    let page = format!("{before}{TABLES_START}\n\n{}\n\n{TABLES_END}{after}", tables.trim());
    fs::write(&path, page).with_context(|| format!("could not write {}", path.display()))
}
