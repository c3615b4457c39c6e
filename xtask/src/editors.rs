//! The extensions for editors: they are packed, checked, and run against the real server.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

use crate::children::{cargo, exists, output, run, target_directory};
use crate::npm_packages::{installed, npm};
use crate::{programs, root};

/// The program that packs extensions for VS Code.
const VSCE: &str = "@vscode/vsce@3.9.2";

/// The extension may not be larger than this, since it holds nothing but scripts.
const LARGEST: u64 = 2_000_000;

/// Packs and runs the extensions, and prints what could not be tried here.
pub(crate) fn run_all() -> Result<()> {
    for missing in check()? {
        println!("not run: {missing}");
    }
    Ok(())
}

/// Packs and runs the extensions. Returns what could not be tried here, each with the reason.
pub(crate) fn check() -> Result<Vec<String>> {
    run(&mut cargo(&["build", "--quiet", "-p", "locant"]))?;
    let program = target_directory()?.join("debug").join("locant");
    let mut missing = Vec::new();
    if exists("node", "--version") && exists("npm", "--version") {
        vs_code(&program)?;
    } else {
        missing.push("VS Code: there is no Node".to_owned());
    }
    match programs::have("nvim", "neovim") {
        Ok(()) => neovim(&program)?,
        Err(error) => missing.push(format!("Neovim: {error:#}")),
    }
    Ok(missing)
}

/// Packs the extension for VS Code without a network, and runs what is packed against the real server.
fn vs_code(program: &Path) -> Result<()> {
    let folder = fresh("vscode")?;
    let extension = folder.join("extension");
    run(Command::new("cp").arg("-R").arg(root::root().join("editors").join("vscode")).arg(&extension))?;
    output(npm(&["ci", "--prefix"], &extension).current_dir(&extension))?;
    let vsce = installed(VSCE)?.join("node_modules").join("@vscode").join("vsce").join("vsce");
    let compiler = extension.join("node_modules").join("typescript").join("bin").join("tsc");
    run(Command::new("node").arg(compiler).args(["--project", "jsconfig.json"]).current_dir(&extension))?;
    let package = folder.join("locant.vsix");
    // From here on, npm must find everything on this machine.
    let mut pack = Command::new("node");
    pack.arg(vsce).args(["package", "--no-rewrite-relative-links", "--out"]).arg(&package);
    output(pack.current_dir(&extension).env("npm_config_offline", "true"))?;
    let size = fs::metadata(&package)?.len();
    ensure!(size < LARGEST, "the packed extension has {size} bytes");
    run(Command::new("unzip").arg("-q").arg(&package).arg("-d").arg(folder.join("packed")))?;
    let packed = folder.join("packed").join("extension");
    run(test("vscode.test.cjs").arg(program).arg(packed).arg(folder.join("project")))
}

/// Runs the plugin for Neovim against the real server.
fn neovim(program: &Path) -> Result<()> {
    let folder = fresh("neovim")?;
    let plugin = root::root().join("editors").join("neovim");
    let mut nvim = Command::new("nvim");
    nvim.args(["--headless", "--clean", "--cmd"]).arg(format!("set runtimepath^={}", plugin.display()));
    nvim.arg("-c").arg(format!("luafile {}", root::root().join("tests/editors/neovim.lua").display()));
    nvim.env("LOCANT_PROGRAM", program).env("LOCANT_PROJECT", &folder);
    run(nvim.env("XDG_STATE_HOME", folder.join("state")).env("XDG_DATA_HOME", folder.join("data")))
}

/// An empty folder for what the tests make.
fn fresh(name: &str) -> Result<PathBuf> {
    let folder = root::work().join("editors").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

fn test(name: &str) -> Command {
    let mut command = Command::new("node");
    command.arg(root::root().join("tests").join("editors").join(name));
    command
}
