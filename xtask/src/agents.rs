//! The door for agents: calls its tools with the official client of their protocol, tries what hosts are given, measures
//! it, and checks what models did with it and with other tools.

mod change;
mod prepare;
mod record;
mod replay;
mod table;
mod task;
mod verdict;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::children::{cargo, output, run, target_directory};
use crate::root;
use crate::sources::{pip_packages, python};

/// The client, a checker of JSON Schemas, and a language server.
const PACKAGES: [&str; 3] = ["mcp==2.3.0", "jsonschema==4.26.0", "ty==0.0.104"];

/// Runs the tests of the door. Returns why they cannot be run here, if they cannot.
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

/// `cargo xtask agents`: prints the table of what models did. With words it makes the projects of the tasks, checks and
/// keeps runs, or makes the recorded calls of our tools again.
pub(crate) fn tasks(arguments: &[String]) -> Result<()> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => println!("{}", table::markdown()?),
        ["prepare", runs] => {
            fs::create_dir_all(runs)?;
            prepare::all(Path::new(runs))?;
        }
        ["record", runs] => {
            for wrong in record::keep(&Path::new(runs).canonicalize()?)? {
                println!("{wrong}");
            }
        }
        ["replay"] => {
            let replay::Replayed { n_tasks, n_calls, differences } = replay::all()?;
            println!("{n_tasks} tasks with {n_calls} calls were made again");
            if !differences.is_empty() {
                bail!("{}", differences.join("\n"));
            }
        }
        _ => bail!("ask `cargo xtask agents`, `… prepare DIR`, `… record DIR` or `… replay`"),
    }
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
    let path = root::root().join("docs/agents.md");
    let page = fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
    let (before, rest) =
        page.split_once(TABLE_STARTS).context("docs/agents.md has no place for the table")?;
    let (_, after) = rest.split_once(TABLE_ENDS).context("the table in docs/agents.md has no end")?;
    let page = format!("{before}{TABLE_STARTS}\n\n{}\n\n{TABLE_ENDS}{after}", table.trim_end());
    fs::write(&path, page).with_context(|| format!("could not write {}", path.display()))
}

/// The lines in docs/agents.md before and after the table.
const TABLE_STARTS: &str = "<!-- table: written by cargo xtask bench agents -->";
const TABLE_ENDS: &str = "<!-- end of the table -->";

/// A script of the project that may use these packages.
fn script(python: &str, path: &str, packages: &Path) -> Command {
    let script: PathBuf = root::root().join(path);
    let mut command = Command::new(python);
    command.arg(script).env("PYTHONPATH", packages).env("PYTHONDONTWRITEBYTECODE", "1");
    command
}
