//! Chores for the door for agents: they call its tools with the official client of their protocol, try the settings
//! that hosts are given, measure calls and memory, and check what models did with our tools and with others.

mod change;
mod prepare;
mod record;
mod replay;
mod table;
mod task;
mod transcripts;
mod verdict;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::children::{cargo, output, run, target_directory};
use crate::sources::{pip_packages, python};
use crate::{root, tables};

/// The client, a checker of JSON Schemas, and a language server.
const PACKAGES: [&str; 3] = ["mcp==2.3.0", "jsonschema==4.26.0", "ty==0.0.104"];

/// Runs the tests of the door. If they cannot be run here, returns the reason.
pub(crate) fn check() -> Result<Option<String>> {
    let Some(python) = python() else { return Ok(Some("there is no Python with pip".to_owned())) };
    let packages = pip_packages("agents", &PACKAGES)?;
    run(&mut cargo(&["build", "--quiet", "-p", "locant"]))?;
    let program = target_directory()?.join("debug").join("locant");
    for tests in ["tests/agents/door.py", "tests/agents/plugin.py"] {
        run(script(python, tests, &packages).arg(&program).arg(packages.join("bin")))?;
    }
    Ok(None)
}

/// `cargo xtask agents`: prints the table of what models did, and writes it into docs/agents.md. Its arguments choose
/// other chores: to make the projects of the tasks, to check and keep runs, to write some runs out, or to make the
/// recorded calls again.
pub(crate) fn tasks(arguments: &[String]) -> Result<()> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => {
            let table = table::markdown()?;
            println!("{table}");
            tables::write(PAGE, "agents", &table)?;
        }
        ["prepare", runs] => {
            fs::create_dir_all(runs)?;
            prepare::projects(Path::new(runs), &task::all()?)?;
        }
        ["record", runs] => keep(runs, &record::TOOLSETS)?,
        ["record", runs, option] => {
            let toolset =
                option.strip_prefix("--toolset=").context("a toolset is named by --toolset=NAME")?;
            keep(runs, &[toolset])?;
        }
        ["transcripts", runs] => transcripts::write(&Path::new(runs).canonicalize()?)?,
        ["replay"] => replayed(replay::some(|_| true)?)?,
        ["replay", "--shared"] => replayed(replay::some(|task| task.shared)?)?,
        _ => bail!(
            "ask `cargo xtask agents`, or with `prepare`, `record` or `transcripts` and a folder, or `replay`"
        ),
    }
    Ok(())
}

fn keep(runs: &str, toolsets: &[&str]) -> Result<()> {
    for wrong in record::keep(&Path::new(runs).canonicalize()?, toolsets)? {
        println!("{wrong}");
    }
    Ok(())
}

/// Prints how many tasks were done again. Fails if a task has another outcome than was recorded.
fn replayed(replayed: replay::Replayed) -> Result<()> {
    let replay::Replayed { n_tasks, n_calls, differences } = replayed;
    println!("{n_tasks} tasks with {n_calls} calls were made again");
    ensure!(differences.is_empty(), "{}", differences.join("\n"));
    Ok(())
}

/// Measures a call and the memory, and writes the table into docs/agents.md.
pub(crate) fn measure() -> Result<()> {
    run(&mut cargo(&[
        "build",
        "--quiet",
        "--release",
        "-p",
        "locant-bench",
        "-p",
        "locant",
        "--bin",
        "agents",
        "--bin",
        "locant",
    ]))?;
    let programs = target_directory()?.join("release");
    let table = output(Command::new(programs.join("agents")).arg(programs.join("locant")))?;
    println!("{table}");
    tables::write(PAGE, "bench agents", &table)
}

/// The page with both tables.
const PAGE: &str = "docs/agents.md";

/// A script of the project that may use these packages.
fn script(python: &str, path: &str, packages: &Path) -> Command {
    let script: PathBuf = root::root().join(path);
    let mut command = Command::new(python);
    command.arg(script).env("PYTHONPATH", packages).env("PYTHONDONTWRITEBYTECODE", "1");
    command
}
