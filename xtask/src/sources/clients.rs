//! The clients of the package registries. Each downloads and unpacks packages.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::{Client, Package, apt, plain};
use crate::children::{cargo, output, run};
use crate::root;

/// Does the work that a client needs to do once for all packages.
pub(super) fn prepare(client: Client, packages: &[&Package]) -> Result<()> {
    match client {
        Client::Cargo => crates(packages),
        Client::Npm | Client::Pip | Client::Wheel => Ok(()),
        Client::Deb | Client::DebSource => apt::update(),
    }
}

/// Downloads a package. Returns the folder with the unpacked files.
pub(super) fn unpack(package: &Package) -> Result<PathBuf> {
    match package.from {
        Client::Cargo => folder_of_crate(package),
        Client::Npm => npm(package),
        Client::Pip => pip(package),
        Client::Wheel => wheel(package),
        Client::Deb => apt::ready(package),
        Client::DebSource => apt::source(package),
    }
}

/// The name of a Python interpreter that has pip.
pub(crate) fn python() -> Option<&'static str> {
    ["python3", "python"].into_iter().find(|python| {
        let mut command = Command::new(python);
        output(command.args(["-m", "pip", "--version"])).is_ok()
    })
}

/// Fetches crates by making them the dependencies of a package that is never built.
fn crates(packages: &[&Package]) -> Result<()> {
    let folder = fresh("crates")?;
    // The package is its own workspace. Otherwise cargo would find the workspace of this project in a folder above.
    let mut manifest = String::from(
        "[package]\nname = \"sources\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n",
    );
    for package in packages {
        writeln!(manifest, "{} = \"={}\"", package.name, package.version)?;
    }
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::write(folder.join("src/lib.rs"), "")?;
    run(cargo(&["fetch", "--quiet"]).current_dir(&folder))
}

fn folder_of_crate(package: &Package) -> Result<PathBuf> {
    let folder = root::work().join("download").join("crates");
    let metadata = output(cargo(&["metadata", "--format-version", "1", "--offline"]).current_dir(&folder))?;
    let metadata: Value = serde_json::from_str(&metadata).context("cargo metadata is no JSON")?;
    // After a `+`, a version may name the version of a wrapped library, which does not matter here.
    let is_it = |found: &&Value| {
        let version = found["version"].as_str().unwrap_or_default();
        found["name"] == package.name.as_str() && version.split('+').next() == Some(package.version.as_str())
    };
    let found = metadata["packages"].as_array().and_then(|all| all.iter().find(is_it));
    let manifest = found.and_then(|found| found["manifest_path"].as_str());
    let manifest = manifest.with_context(|| format!("cargo did not fetch {}", package.name))?;
    Ok(Path::new(manifest).with_file_name(""))
}

fn npm(package: &Package) -> Result<PathBuf> {
    let folder = fresh(&plain(&package.name))?;
    let wanted = format!("{}@{}", package.name, package.version);
    output(Command::new("npm").args(["pack", "--silent", &wanted]).current_dir(&folder))?;
    untar(&folder, "tgz")
}

fn pip(package: &Package) -> Result<PathBuf> {
    let folder = fresh(&plain(&package.name))?;
    let wanted = format!("{}=={}", package.name, package.version);
    let python = python().context("there is no Python with pip")?;
    let arguments = ["-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", &wanted];
    output(Command::new(python).args(arguments).current_dir(&folder))?;
    untar(&folder, "gz")
}

/// The folder with the unpacked source archive of a Python package. It is fetched only once.
pub(crate) fn source_of(name: &str, version: &str) -> Result<PathBuf> {
    fetched(Client::Pip, name, version)
}

/// The folder with the unpacked files of a package. It is fetched only once.
pub(crate) fn fetched(from: Client, name: &str, version: &str) -> Result<PathBuf> {
    let folder = root::work().join("packages").join(format!("{}-{version}", plain(name)));
    if !folder.exists() {
        let package = Package {
            from,
            name: name.to_owned(),
            version: version.to_owned(),
            folder: String::new(),
            languages: Vec::new(),
            megabytes: None,
        };
        prepare(from, &[&package])?;
        let unpacked = unpack(&package)?;
        // Cargo keeps the crates that it has fetched for others.
        if from == Client::Cargo {
            return Ok(unpacked);
        }
        fs::create_dir_all(root::work().join("packages"))?;
        fs::rename(unpacked, &folder)?;
    }
    Ok(folder)
}

/// Downloads the files that pip would install. There may be more of them than in the source archive.
fn wheel(package: &Package) -> Result<PathBuf> {
    let made = fresh(&plain(&package.name))?.join("unpacked");
    let wanted = format!("{}=={}", package.name, package.version);
    let python = python().context("there is no Python with pip")?;
    let mut command = Command::new(python);
    command.args(["-m", "pip", "install", "--quiet", "--no-deps", "--no-compile", "--target"]);
    output(command.arg(&made).arg(&wanted))?;
    Ok(made)
}

/// Installs a program with pip into its own folder. Returns the path of the program, which may be a binary from a
/// wheel.
pub(crate) fn pip_program(name: &str, version: &str, program: &str) -> Result<PathBuf> {
    let folder = root::work().join("tools").join(format!("{name}-{version}"));
    let python = python().context("there is no Python with pip")?;
    if !folder.exists() {
        let wanted = format!("{name}=={version}");
        let made = root::work().join("tools").join(format!(".{name}"));
        let target = made.to_string_lossy();
        let arguments = ["-m", "pip", "install", "--quiet", "--no-deps", "--target", &target, &wanted];
        output(Command::new(python).args(arguments))?;
        fs::rename(&made, &folder)?;
    }
    let program = folder.join("bin").join(program);
    // A program that is written in Python must find its package in this folder.
    output(Command::new(&program).arg("--version").env("PYTHONPATH", &folder))
        .with_context(|| format!("{} does not start", program.display()))?;
    Ok(program)
}

/// Installs packages with pip, and what they need, into a folder of their own. Returns the folder.
pub(crate) fn pip_packages(name: &str, wanted: &[&str]) -> Result<PathBuf> {
    let folder = root::work().join("tools").join(format!("{name}-{}", wanted.join("-").replace("==", "-")));
    if !folder.exists() {
        let python = python().context("there is no Python with pip")?;
        let made = root::work().join("tools").join(format!(".{name}"));
        let mut command = Command::new(python);
        command.args(["-m", "pip", "install", "--quiet", "--upgrade", "--target"]).arg(&made).args(wanted);
        output(&mut command)?;
        fs::rename(&made, &folder)?;
    }
    Ok(folder)
}

/// Builds a program from crates.io into its own folder. Returns the path of the program.
pub(crate) fn cargo_program(name: &str, version: &str) -> Result<PathBuf> {
    let folder = root::work().join("tools").join(format!("{name}-{version}"));
    let program = folder.join("bin").join(name);
    if !program.exists() {
        let wanted = format!("{name}@{version}");
        run(cargo(&["install", "--quiet", "--locked", &wanted, "--root"]).arg(&folder))?;
    }
    Ok(program)
}

/// Unpacks the only archive in a folder. Returns the folder inside the archive.
fn untar(folder: &Path, extension: &str) -> Result<PathBuf> {
    let is_archive = |path: &PathBuf| path.extension().is_some_and(|own| own == extension);
    let archive = entries(folder)?.into_iter().find(is_archive).context("no archive was downloaded")?;
    let made = folder.join("unpacked");
    fs::create_dir_all(&made)?;
    run(Command::new("tar").arg("-xzf").arg(&archive).arg("-C").arg(&made))?;
    entries(&made)?.into_iter().find(|path| path.is_dir()).context("the archive holds no folder")
}

pub(super) fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}

/// Makes an empty folder to download to.
pub(super) fn fresh(name: &str) -> Result<PathBuf> {
    let folder = root::work().join("download").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("could not make {}", folder.display()))?;
    Ok(folder)
}
