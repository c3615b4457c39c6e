//! `cargo xtask bench edits`: measures what edits cost, and writes the table into docs/edits.md. With CASES and TEXTS
//! it also asks for edits that were written against old versions of real files in later versions.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::children::{cargo, output, run as run_child, target_directory};
use crate::root::root;

/// The lines in docs/edits.md before and after the tables of landings.
const LANDINGS: [&str; 2] =
    ["<!-- tables: written by cargo xtask bench edits CASES TEXTS -->", "<!-- end of the tables -->"];

/// The lines before and after the table of costs.
const COSTS: [&str; 2] = ["<!-- costs: written by cargo xtask bench edits -->", "<!-- end of the costs -->"];

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let packages = ["-p", "locant-bench", "-p", "locant", "--bin", "edits", "--bin", "locant"];
    run_child(cargo(&["build", "--quiet", "--release"]).args(packages))?;
    let programs = target_directory()?.join("release");
    let edits = || Command::new(programs.join("edits"));
    write(COSTS, &output(edits().arg("cost").arg(programs.join("locant")))?)?;
    match arguments {
        [] => Ok(()),
        [cases, texts] => write(LANDINGS, &output(edits().arg(cases).arg(texts))?),
        _ => bail!(
            "give the file of cases and the directory of their texts, which docs/robustness.md explains, or nothing"
        ),
    }
}

/// Prints tables, and writes them between two lines of docs/edits.md.
fn write([starts, ends]: [&str; 2], tables: &str) -> Result<()> {
    println!("{tables}");
    let path = root().join("docs/edits.md");
    let page = fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
    let (before, rest) = page.split_once(starts).context("docs/edits.md has no place for a table")?;
    let (_, after) = rest.split_once(ends).context("a table in docs/edits.md has no end")?;
    let page = format!("{before}{starts}\n\n{}\n\n{ends}{after}", tables.trim());
    fs::write(&path, page).with_context(|| format!("could not write {}", path.display()))
}
