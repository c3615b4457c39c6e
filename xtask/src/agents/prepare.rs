//! Makes the projects of the tasks: public packages from the registries, with the damage that a task describes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::task::{self, Task};
use crate::sources::{Client, fetched};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Packages {
    package: Vec<Package>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Package {
    name: String,
    version: String,
    from: Client,
    #[serde(default)]
    leave: Vec<String>,
    #[serde(default)]
    files: BTreeMap<String, String>,
}

/// Makes the projects of these tasks in the folder `pristine` of a folder for runs.
pub(super) fn projects(runs: &Path, tasks: &[Task]) -> Result<()> {
    let path = task::home().join("packages.toml");
    let packages: Packages = toml::from_str(&fs::read_to_string(&path)?)
        .with_context(|| format!("{} is wrong", path.display()))?;
    for task in tasks {
        let package = packages.package.iter().find(|package| package.project() == task.project);
        let package = package.with_context(|| format!("no package is {}", task.project))?;
        package.make(&runs.join("pristine"))?;
        break_project(runs, task)?;
    }
    Ok(())
}

/// The project of a task, as it is before anybody works on it.
pub(super) fn pristine(runs: &Path, task: &Task) -> PathBuf {
    let name = if task.breaks.is_empty() { &task.project } else { &task.name };
    runs.join("pristine").join(name)
}

impl Package {
    /// The name and version, without the owner.
    fn project(&self) -> String {
        let (_, name) = self.name.rsplit_once('/').unwrap_or(("", &self.name));
        format!("{name}-{}", self.version)
    }

    fn make(&self, to: &Path) -> Result<()> {
        let folder = to.join(self.project());
        if folder.exists() {
            return Ok(());
        }
        let package = fetched(self.from, &self.name, &self.version)?;
        let made = to.join(".making");
        if made.exists() {
            fs::remove_dir_all(&made)?;
        }
        let is_kept = |path: &Path| !self.leave.iter().any(|left| path == package.join(left));
        copy(&package, &made, &is_kept)?;
        for (name, text) in &self.files {
            fs::write(made.join(name), text)?;
        }
        fs::rename(&made, &folder).with_context(|| format!("could not make {}", folder.display()))
    }
}

fn break_project(runs: &Path, task: &Task) -> Result<()> {
    let folder = pristine(runs, task);
    if folder.exists() {
        return Ok(());
    }
    let made = runs.join("pristine").join(".making");
    if made.exists() {
        fs::remove_dir_all(&made)?;
    }
    copy(&runs.join("pristine").join(&task.project), &made, &|_| true)?;
    for place in &task.breaks {
        let path = made.join(&place.file);
        let text = fs::read_to_string(&path)?;
        ensure!(text.matches(&place.from).count() == 1, "{}: what is broken is not unique", task.name);
        fs::write(&path, text.replacen(&place.from, &place.to, 1))?;
    }
    fs::rename(&made, &folder).with_context(|| format!("could not make {}", folder.display()))
}

/// Copies a folder without its permissions, because files of packages may be read-only.
pub(super) fn copy(from: &Path, to: &Path, is_kept: &dyn Fn(&Path) -> bool) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("could not read {}", from.display()))? {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if !is_kept(&path) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            copy(&path, &target, is_kept)?;
        } else if entry.file_type()?.is_file() {
            fs::write(&target, fs::read(&path)?)?;
        }
    }
    Ok(())
}
