//! `cargo xtask npm`: packs the Node package for this platform, and installs and asks it offline.
//!
//! The tests of the package (`npm/test/`) run with a debug build of the program, in `cargo xtask test`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::children::{cargo, output, run, target_directory};
use crate::root;

/// The compiler that checks the types.
const TYPESCRIPT: &str = "typescript@5.9.3";

/// Runs the tests of the package, and checks its types.
pub(crate) fn tests() -> Result<()> {
    run(&mut cargo(&["build", "--quiet", "-p", "locant"]))?;
    let program = target_directory()?.join("debug").join("locant");
    run(in_package("node").args(["--test", "--test-reporter=spec"]).env("LOCANT_PROGRAM", program))?;
    let compiler = typescript()?.join("node_modules/typescript/bin/tsc");
    let options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "test/types.ts"];
    run(in_package("node").arg(compiler).args(options))
}

/// Packs the package with the program for this platform in it. Then installs it in an empty folder without a network,
/// and asks it.
pub(crate) fn pack() -> Result<()> {
    run(&mut cargo(&["build", "--release", "-p", "locant"]))?;
    let made = root::work().join("npm");
    if made.exists() {
        fs::remove_dir_all(&made)?;
    }
    let package = made.join("package");
    copy(&root::root().join("npm"), &package, &["bin", "lib", "README.md"])?;
    let platform = platform()?;
    add_program(&package.join("node_modules").join(&platform), &platform)?;
    let manifest = with_bundled(manifest()?, &platform);
    fs::write(package.join("package.json"), serde_json::to_string_pretty(&manifest)?)?;
    let packed = output(Command::new("npm").args(["pack", "--silent"]).current_dir(&package))?;
    let tarball = made.join(packed.trim());
    fs::rename(package.join(packed.trim()), &tarball)?;
    try_out(&made.join("try"), &tarball)?;
    println!("{} ({} MB)", tarball.display(), fs::metadata(&tarball)?.len() / 1_000_000);
    Ok(())
}

/// Installs the tarball in an empty folder without a network, and asks it for its version.
fn try_out(folder: &Path, tarball: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("package.json"), "{\"private\": true}")?;
    let install = ["install", "--offline", "--silent", "--no-audit", "--no-fund"];
    output(Command::new("npm").args(install).arg(tarball).current_dir(folder))?;
    let version =
        output(Command::new("npx").args(["--no-install", "locant", "--version"]).current_dir(folder))?;
    ensure!(version.starts_with("locant "), "the installed program says {version}");
    Ok(())
}

/// The package of the program: nothing but the program and its manifest.
fn add_program(folder: &Path, name: &str) -> Result<()> {
    fs::create_dir_all(folder.join("bin"))?;
    fs::copy(target_directory()?.join("release").join("locant"), folder.join("bin").join("locant"))?;
    let own = manifest()?;
    let (os, cpu) = name.trim_start_matches("locant-").split_once('-').context("a platform has two parts")?;
    let manifest = json!({
        "name": name,
        "version": own["version"],
        "license": own["license"],
        "description": "The program locant for one platform",
        "os": [os],
        "cpu": [cpu],
        "files": ["bin"],
    });
    fs::write(folder.join("package.json"), serde_json::to_string_pretty(&manifest)?)?;
    Ok(())
}

/// The manifest of a package that carries the program's package in itself.
fn with_bundled(mut manifest: Value, platform: &str) -> Value {
    manifest["dependencies"] = json!({platform: manifest["version"]});
    manifest["bundleDependencies"] = json!([platform]);
    manifest
}

/// The name of the package with the program for this platform, as `npm/lib/program.js` makes it.
fn platform() -> Result<String> {
    let script = "import('./lib/program.js').then((m) => console.log(m.platformPackage()))";
    Ok(output(in_package("node").args(["-e", script]))?.trim().to_owned())
}

fn manifest() -> Result<Value> {
    let text = fs::read_to_string(root::root().join("npm").join("package.json"))?;
    serde_json::from_str(&text).context("npm/package.json is no JSON")
}

fn copy(from: &Path, to: &Path, names: &[&str]) -> Result<()> {
    fs::create_dir_all(to)?;
    for name in names {
        run(Command::new("cp").arg("-R").arg(from.join(name)).arg(to))?;
    }
    Ok(())
}

fn typescript() -> Result<PathBuf> {
    let folder = root::work().join("tools").join(TYPESCRIPT);
    if !folder.exists() {
        let made = root::work().join("tools").join(".typescript");
        fs::create_dir_all(&made)?;
        let install = ["install", "--silent", "--no-audit", "--no-fund", "--prefix"];
        output(Command::new("npm").args(install).arg(&made).arg(TYPESCRIPT))?;
        fs::rename(&made, &folder)?;
    }
    Ok(folder)
}

fn in_package(program: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root::root().join("npm"));
    command
}
