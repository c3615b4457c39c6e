//! `cargo xtask bench`: measures locant and similar programs, and writes the table into docs/performance.md.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::children::{cargo, exists, output, run as run_child, target_directory};
use crate::page::Part;
use crate::plot;
use crate::root;
use crate::sources;

const TABLE: Part = Part {
    page: "docs/performance.md",
    starts: "<!-- table: written by cargo xtask bench -->",
    ends: "<!-- end of the table -->",
};

/// How many patterns `compare --once=find-…` searches for.
const N_FINDS: f64 = 100.0;

/// Measures all parts, or only the named ones. Only the results of a full run are written into the page.
pub(crate) fn run(parts: &[String]) -> Result<()> {
    let missing = sources::fetch()?.missing;
    ensure!(missing.is_empty(), "{}", missing.join("; "));
    run_child(&mut cargo(&["build", "--quiet", "--release", "-p", "locant-bench", "-p", "locant"]))?;
    let programs = target_directory()?.join("release");
    let mut compare = Command::new(programs.join("compare"));
    compare.arg(with("--sources=", &root::sources()));
    compare.arg(with("--locant=", &programs.join("locant")));
    match sources::pip_program("ast-grep-cli", "0.51.0", "ast-grep") {
        Ok(program) => drop(compare.arg(with("--ast-grep=", &program))),
        Err(error) => println!("not run: ast-grep: {error:#}"),
    }
    if exists("ctags", "--version") {
        compare.arg("--ctags=ctags");
    } else {
        println!("not run: universal-ctags is not installed")
    }
    let table = output(compare.args(parts))?;
    let table = if parts.is_empty() { table + &instructions(&programs)? } else { table };
    println!("{table}");
    if !parts.is_empty() {
        return Ok(());
    }
    TABLE.write(&format!(
        "{}

{}",
        table.trim_end(),
        goals(&table)
    ))?;
    plot::write()
}

fn with(key: &str, path: &Path) -> String {
    format!("{key}{}", path.display())
}

/// Counts instructions. Unlike times, they do not depend on what else the machine does.
fn instructions(programs: &Path) -> Result<String> {
    if !exists("valgrind", "--version") {
        println!("not run: instruction counts need valgrind");
        return Ok(String::new());
    }
    let (nothing, printed) = count(programs, "nothing")?;
    let n_bytes: f64 = printed.trim().parse().context("compare did not say how long its text is")?;
    let work = |case: &str| Ok::<f64, anyhow::Error>(count(programs, case)?.0 - nothing);
    let mut rows = String::new();
    let own = work("lines-locant")? / n_bytes;
    for name in ["line-index", "ropey", "memchr"] {
        let theirs = work(&format!("lines-{name}"))? / n_bytes;
        let ratio = theirs / own;
        let what = "line index, instructions per byte";
        rows += &format!("| {what} | {own:.2} | {name} {theirs:.2} | {ratio:.2} × |  |  |\n");
    }
    let (own, theirs) = (work("find-locant")? / N_FINDS, work("find-regex")? / N_FINDS);
    let ratio = theirs / own;
    let what = "find, compile + search 5 KB, instructions";
    rows += &format!("| {what} | {own:.0} | regex {theirs:.0} | {ratio:.0} × |  |  |\n");
    Ok(rows)
}

/// The number of instructions that one piece of work takes, and what it printed.
fn count(programs: &Path, case: &str) -> Result<(f64, String)> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(programs.join("compare"));
    command.arg(with("--sources=", &small_sources()?)).arg("--locant=none").arg(format!("--once={case}"));
    let output = command.output().context("could not start valgrind")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "valgrind failed: {said}");
    // The last line is `==123== Collected : 4567`.
    let collected = said.lines().rev().find_map(|line| line.split_once("Collected : "));
    let collected = collected.and_then(|(_, n)| n.trim().parse().ok()).context("valgrind counted nothing")?;
    Ok((collected, String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// A folder with a few sources of one language. With all sources, reading them would take most of the instructions.
fn small_sources() -> Result<PathBuf> {
    let folder = root::work().join("bench").join("rust");
    if !folder.exists() {
        fs::create_dir_all(&folder)?;
        let from = sources::folder_of("regex-automata", "rust").join("src/util");
        for entry in fs::read_dir(&from).with_context(|| format!("could not read {}", from.display()))? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                fs::copy(entry.path(), folder.join(entry.file_name()))?;
            }
        }
    }
    Ok(root::work().join("bench"))
}

/// A sentence that says how many goals are met, and which are not.
fn goals(table: &str) -> String {
    let what = |line: &str| line.split(" | ").next().unwrap_or(line).trim_start_matches("| ").to_owned();
    let missed: Vec<String> = table.lines().filter(|line| line.ends_with("| **no** |")).map(what).collect();
    let n_met = table.lines().filter(|line| line.ends_with("| yes |")).count();
    let list: Vec<String> = missed.iter().map(|what| format!("- {what}")).collect();
    match list.as_slice() {
        [] => format!("All {n_met} goals are met."),
        _ => format!("{n_met} goals are met, {} are not:\n\n{}", list.len(), list.join("\n")),
    }
}
