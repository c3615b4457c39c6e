//! Installs what readers need to run, in a folder of the project.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::reading::Reading;
use crate::children::{exists, output};
use crate::{root, sources};

/// The command that starts a reader. Everything that the reader needs is installed first.
pub(super) fn command(reading: &Reading) -> Result<Command> {
    let folder = folder();
    copy(&root::root().join("xtask/readings"), &folder)?;
    if let Some(program) = &reading.needs {
        ensure!(exists(program, "--version"), "{program} is not installed");
    }
    let (program, arguments) = reading.run.split_first().context("a reader needs a program")?;
    if program == "node" {
        ensure!(exists("npm", "--version"), "npm is not installed");
        packages(&folder)?;
    }
    let mut command = Command::new(program);
    command.current_dir(&folder);
    for argument in arguments {
        match (argument.as_str(), &reading.program) {
            ("{program}", Some(program)) => {
                command.arg(sources::pip_program(&program.package, &program.version, &program.name)?)
            }
            _ => command.arg(argument),
        };
    }
    Ok(command)
}

fn folder() -> PathBuf {
    root::work().join("tools").join("readings")
}

/// Copies the readers into the folder with the packages that they use, where each reader can find its packages.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("could not read {}", from.display()))? {
        let entry = entry?;
        let (bytes, target) = (fs::read(entry.path())?, to.join(entry.file_name()));
        if fs::read(&target).ok().as_ref() != Some(&bytes) {
            fs::write(&target, bytes).with_context(|| format!("could not write {}", target.display()))?;
        }
    }
    Ok(())
}

/// Installs the packages that `package.json` names, unless they are already installed.
fn packages(folder: &Path) -> Result<()> {
    let wish = fs::read_to_string(folder.join("package.json"))?;
    let stamp = folder.join("node_modules").join(".wish");
    if fs::read_to_string(&stamp).is_ok_and(|had| had == wish) {
        return Ok(());
    }
    let arguments =
        ["install", "--silent", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"];
    output(Command::new("npm").args(arguments).current_dir(folder))?;
    fs::write(stamp, wish)?;
    Ok(())
}
