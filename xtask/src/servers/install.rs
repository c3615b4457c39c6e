//! Installs language servers into `.work/servers`, each into a folder of its own, with links to their programs in
//! `.work/servers/bin`.
//!
//! `xtask/servers.toml` lists the servers and their versions. A server that was installed once is used again without a
//! network.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::children::{cargo, output, run};
use crate::root;
use crate::sources::{python, unpack_with_dependencies};

/// The contents of `xtask/servers.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    server: Vec<Installation>,
}

/// How a server is installed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Installation {
    pub(crate) name: String,
    from: Client,
    packages: Vec<String>,
    #[serde(default)]
    depends: Vec<String>,
    programs: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// The names of more servers that are in the same packages.
    #[serde(default)]
    also: Vec<String>,
    /// Whether the server is tested only if it is named.
    #[serde(default)]
    pub(crate) slow: bool,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Client {
    Pip,
    Npm,
    Cargo,
    Deb,
    /// Nothing is installed: the program is locant itself.
    None,
}

/// All servers that can be installed.
pub(crate) fn table() -> Result<Vec<Installation>> {
    let path = root::root().join("xtask/servers.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
    let table: Table = toml::from_str(&text).with_context(|| format!("{} is wrong", path.display()))?;
    Ok(table.server)
}

/// The folder with the programs of all servers.
pub(crate) fn programs() -> PathBuf {
    home().join("bin")
}

fn home() -> PathBuf {
    root::work().join("servers")
}

impl Installation {
    /// The names of all servers that are in the packages.
    pub(crate) fn tries(&self) -> Vec<&str> {
        std::iter::once(&self.name).chain(&self.also).map(String::as_str).collect()
    }

    /// A few words about what is installed.
    pub(crate) fn said(&self) -> String {
        match self.from {
            Client::None => "comes with locant".to_owned(),
            _ => format!("{} ({})", self.packages.join(", "), self.from.program()),
        }
    }

    /// Installs the server, unless it was installed before.
    pub(crate) fn ready(&self) -> Result<()> {
        let wish = format!("{self:?}\n");
        let stamp = home().join(".installed").join(&self.name);
        if fs::read_to_string(&stamp).is_ok_and(|done| done == wish) {
            return Ok(());
        }
        println!("installing {} with {}", self.packages.join(" "), self.from.program());
        let folder = home().join(&self.name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let made = self.install(&folder)?;
        for program in &self.programs {
            self.link(program, &made, &folder)?;
        }
        fs::create_dir_all(stamp.parent().expect("a stamp lies in a folder"))?;
        fs::write(stamp, wish).context("could not note that it is installed")
    }

    /// Returns the folder with the programs.
    fn install(&self, folder: &Path) -> Result<PathBuf> {
        match self.from {
            Client::Pip => {
                let python = python().context("there is no Python with pip")?;
                output(Command::new(python).args(["-m", "venv"]).arg(folder))?;
                let made = folder.join(if cfg!(windows) { "Scripts" } else { "bin" });
                let mut pip = Command::new(made.join("python"));
                pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
                output(pip.args(&self.packages))?;
                Ok(made)
            }
            Client::Npm => {
                let mut npm = Command::new("npm");
                npm.args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"]).arg(folder);
                output(npm.args(&self.packages))?;
                Ok(folder.join("node_modules").join(".bin"))
            }
            Client::Cargo => {
                run(cargo(&["install", "--quiet", "--locked", "--root"]).arg(folder).args(&self.packages))?;
                Ok(folder.join("bin"))
            }
            Client::None => Ok(programs()),
            Client::Deb => {
                unpack_with_dependencies(&self.packages, &self.depends, folder)?;
                Ok(folder.join("usr").join("bin"))
            }
        }
    }

    /// Makes a program known by its name: a link to it, or a script that also sets the variables that it needs.
    fn link(&self, program: &str, made: &Path, folder: &Path) -> Result<()> {
        let target = made.join(program);
        if !target.exists() {
            bail!("{} brings no program {program}", self.name);
        }
        let link = programs().join(program);
        fs::create_dir_all(programs())?;
        if link.symlink_metadata().is_ok() {
            fs::remove_file(&link)?;
        }
        if self.env.is_empty() {
            return symlink(&target, &link);
        }
        let folder = folder.to_string_lossy();
        let set = self
            .env
            .iter()
            .map(|(name, value)| format!("export {name}=\"{}\"\n", value.replace('@', &folder)));
        let script = format!("#!/bin/sh\n{}exec '{}' \"$@\"\n", set.collect::<String>(), target.display());
        fs::write(&link, script)?;
        make_executable(&link)
    }
}

impl Client {
    fn program(self) -> &'static str {
        match self {
            Client::Pip => "pip",
            Client::Npm => "npm",
            Client::Cargo => "cargo",
            Client::Deb => "apt-get",
            Client::None => "nothing",
        }
    }
}

#[cfg(unix)]
pub(super) fn symlink(target: &Path, link: &Path) -> Result<()> {
    std::os::unix::fs::symlink(target, link).with_context(|| format!("could not link {}", link.display()))
}

#[cfg(not(unix))]
pub(super) fn symlink(target: &Path, link: &Path) -> Result<()> {
    fs::copy(target, link).map(drop).with_context(|| format!("could not copy {}", link.display()))
}

#[cfg(unix)]
fn make_executable(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::set_permissions(path, fs::Permissions::from_mode(0o755))?)
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_server_that_is_installed_is_one_that_locant_knows() {
        for installation in table().expect("the table can be read") {
            for name in installation.tries() {
                let file = root::root().join("servers").join(format!("{name}.toml"));
                assert!(file.exists(), "what is {name}?");
            }
        }
    }

    #[test]
    fn every_server_with_cases_can_be_installed() {
        let table = table().expect("the table can be read");
        for entry in fs::read_dir(root::root().join("tests/servers")).expect("the folder is there") {
            let path = entry.expect("it can be read").path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let is_case = path.extension().is_some_and(|extension| extension == "md");
            let is_installed = table.iter().any(|server| server.tries().contains(&name.as_str()));
            assert!(!is_case || is_installed, "how is {name} installed?");
        }
    }
}
