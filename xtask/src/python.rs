//! `cargo xtask python`: the tests of the Python module, run with a debug build of it.
//!
//! `cargo xtask python lsap CHECKOUT` runs the tests of LSAP, which gave the module its names, with ours in place of
//! theirs.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::children::{cargo, output, run, target_directory};
use crate::{root, sources};

/// The packages that the tests use. All are installed into one folder.
const TOOLS: &[&str] = &["pytest==9.2.0", "pytest-asyncio==1.5.0", "mypy==2.4.1"];

/// The file names of the built library, and of the module that Python loads.
const LIBRARY: (&str, &str) = match env::consts::OS.as_bytes() {
    b"macos" => ("lib_native.dylib", "_native.abi3.so"),
    b"windows" => ("_native.dll", "_native.pyd"),
    _ => ("lib_native.so", "_native.abi3.so"),
};

/// Runs the tests of the module, or those of LSAP.
pub(crate) fn run_with(arguments: &[String]) -> Result<()> {
    match arguments {
        [] => tests(),
        [word, checkout] if word == "lsap" => {
            run(python()?.arg("tests/lsap.py").arg(Path::new(checkout).canonicalize()?))
        }
        _ => bail!("ask `cargo xtask python` or `cargo xtask python lsap CHECKOUT`"),
    }
}

/// The documentation and all tests are run, and the types are checked.
pub(crate) fn tests() -> Result<()> {
    run(python()?.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:asyncio"]))?;
    run(python()?.args(["-m", "mypy", "--strict", "--package", "locant"]))?;
    run(python()?.args(["-m", "mypy", "--strict", "tests"]))
}

/// The interpreter, with the module and the tools in its path.
fn python() -> Result<Command> {
    let folder = root::root().join("python");
    run(&mut cargo(&["build", "--quiet", "-p", "locant-python", "-p", "locant"]))?;
    let built = target_directory()?.join("debug");
    let (library, module) = LIBRARY;
    fs::copy(built.join(library), folder.join("locant").join(module))?;
    let mut python = Command::new(interpreter()?);
    // The program that the clients start is the one that was built beside the module.
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths(std::iter::once(built).chain(env::split_paths(&path)))?;
    let modules = env::join_paths([tools()?, folder.clone()])?;
    python.env("PATH", path).env("PYTHONPATH", modules).env("PYTHONDONTWRITEBYTECODE", "1");
    python.current_dir(folder);
    Ok(python)
}

/// The interpreter; fails if there is none, or one that is too old for the module.
fn interpreter() -> Result<&'static str> {
    let python = sources::python().context("there is no Python with pip")?;
    output(Command::new(python).args(["-c", "import sys; sys.exit(sys.version_info < (3, 10))"]))
        .context("Python 3.10 or later is needed")?;
    Ok(python)
}

/// The folder with the packages that the tests use.
fn tools() -> Result<PathBuf> {
    let folder = root::work().join("tools").join(TOOLS.join("+"));
    if !folder.exists() {
        let made = root::work().join("tools").join(".python");
        let mut install = Command::new(interpreter()?);
        install.args(["-m", "pip", "install", "--quiet", "--target"]).arg(&made).args(TOOLS);
        output(&mut install)?;
        fs::rename(&made, &folder)?;
    }
    Ok(folder)
}
