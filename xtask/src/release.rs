//! `cargo xtask release`: builds the files that users get, in `.work/release`: the program, the Python wheel, the Node
//! packages and the licences of all packages inside.
//!
//! On Linux the program is static, so that it runs on any system with a Linux kernel, and the tables of large grammars
//! are packed (`compact-cc`). On other systems it is built as everywhere else.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::children::{cargo, output, run, target_directory};
use crate::{licences, node, protected, root, sources};

const PROGRAM: &str = if cfg!(windows) { "locant.exe" } else { "locant" };

/// Builds everything, or only the named parts: `program`, `wheel`, `npm`.
pub(crate) fn run_with(arguments: &[String]) -> Result<()> {
    let is_asked = |part: &str| arguments.is_empty() || arguments.iter().any(|argument| argument == part);
    fs::create_dir_all(folder())?;
    if is_asked("program") {
        program()?;
    }
    if is_asked("wheel") {
        wheel()?;
    }
    if is_asked("npm") {
        node::pack_with(&folder().join(PROGRAM), &folder())?;
    }
    licences::run(&["--texts".to_owned(), folder().join("THIRD-PARTY.txt").display().to_string()])?;
    list()
}

/// The folder with what was built.
pub(crate) fn folder() -> PathBuf {
    root::work().join("release")
}

fn program() -> Result<()> {
    let target = host()?;
    let mut build = cargo(&["build", "--release", "-p", "locant", "--target", &target]);
    if cfg!(target_os = "linux") {
        let flags = env::var("RUSTFLAGS").unwrap_or_default();
        build.env("RUSTFLAGS", format!("{flags} -C target-feature=+crt-static").trim());
        packing(&mut build)?;
    }
    run(&mut build)?;
    let built = target_directory()?.join(&target).join("release").join(PROGRAM);
    if cfg!(target_os = "linux") {
        protected::check(&built)?;
        ensure!(!protected::needs_a_loader(&built)?, "{} is not static", built.display());
    }
    fs::copy(&built, folder().join(PROGRAM))?;
    let version = output(Command::new(folder().join(PROGRAM)).arg("--version"))?;
    ensure!(version.starts_with("locant "), "the program says {version}");
    Ok(())
}

/// Builds the wheel around the program that was built before.
fn wheel() -> Result<()> {
    let python = sources::python().context("there is no Python with pip")?;
    for old in files()?.iter().filter(|file| file.extension().is_some_and(|end| end == "whl")) {
        fs::remove_file(old)?;
    }
    let mut build = Command::new(python);
    build.args(["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]).arg(folder());
    build.arg(root::root().join("python")).env("LOCANT_PROGRAM", folder().join(PROGRAM));
    if cfg!(target_os = "linux") {
        packing(&mut build)?;
        // With another compiler, cargo builds all parsers again. In a folder of its own, this build does not replace
        // the parsers of other builds.
        build.env("CARGO_TARGET_DIR", target_directory()?.join("wheel"));
    }
    run(&mut build)
}

/// Makes a build pack the tables of large grammars.
fn packing(build: &mut Command) -> Result<()> {
    run(&mut cargo(&["build", "--quiet", "-p", "xtask", "--bin", "compact-cc"]))?;
    let compiler = target_directory()?.join("debug").join("compact-cc");
    build.env(format!("CC_{}", host()?.replace('-', "_")), compiler);
    Ok(())
}

/// The name of this machine's target.
fn host() -> Result<String> {
    let said = output(Command::new("rustc").arg("-vV"))?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc names no host")?.to_owned())
}

fn list() -> Result<()> {
    for file in files()? {
        let megabytes = fs::metadata(&file)?.len() as f64 / 1e6;
        println!("{megabytes:6.1} MB  {}", file.strip_prefix(root::root()).unwrap_or(&file).display());
    }
    Ok(())
}

fn files() -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder())?.collect::<std::io::Result<Vec<_>>>()?;
    let mut files: Vec<PathBuf> =
        entries.iter().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort();
    Ok(files)
}

/// The only file that was built with this ending.
pub(crate) fn file(start: &str, end: &str) -> Result<PathBuf> {
    let is_it = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(start) && name.ends_with(end)
    };
    let found = files()?.into_iter().find(|path| is_it(path));
    found.with_context(|| format!("there is no {start}…{end}: run `cargo xtask release`"))
}
