//! `cargo xtask python`: the tests of the Python module, run with a debug build of it.
//!
//! `cargo xtask lsap CHECKOUT` runs the tests of LSAP with our module in place of its own. Our module has the names of
//! LSAP.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::children::{cargo, output, run, target_directory};
use crate::{root, sources, tables};

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
        [word] if word == "bench" => bench(),
        _ => bail!("ask `cargo xtask python` or `cargo xtask python bench`"),
    }
}

/// Runs the tests of LSAP in a checkout of its repository.
pub(crate) fn lsap(arguments: &[String]) -> Result<()> {
    let [checkout] = arguments else { bail!("ask `cargo xtask lsap CHECKOUT`") };
    run(python("debug")?.arg("tests/lsap.py").arg(Path::new(checkout).canonicalize()?))
}

/// Runs the documentation and all tests, and checks the types.
pub(crate) fn tests() -> Result<()> {
    run(python("debug")?.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:asyncio"]))?;
    run(python("debug")?.args(["-m", "mypy", "--strict", "--package", "locant"]))?;
    run(python("debug")?.args(["-m", "mypy", "--strict", "tests"]))
}

/// Places in a module of Python's library that has 20 KB.
const PLACES: [(&str, &str); 4] = [
    ("a text in the file", "textwrap.py@def <|>dedent"),
    ("a line", "textwrap.py:300"),
    ("a symbol", "textwrap.py:TextWrapper._split_chunks"),
    ("a text in a symbol", "textwrap.py:TextWrapper._wrap_chunks@lines.<|>append"),
];

/// Measures a call from Python, and the same call of the engine without Python.
fn bench() -> Result<()> {
    let module = output(python("release")?.args(["-c", "import textwrap; print(textwrap.__file__)"]))?;
    run(&mut cargo(&["build", "--quiet", "--release", "-p", "locant-bench", "--bin", "calls"]))?;
    let locations: Vec<&str> = PLACES.iter().map(|(_, location)| *location).collect();
    let mut engine = Command::new(target_directory()?.join("release").join("calls"));
    let alone = output(engine.arg(module.trim()).args(&locations))?;
    let called = output(python("release")?.arg("tests/calls.py").arg(module.trim()).args(&locations))?;
    let mut table = String::from(
        "| place in a file of 20 KB | engine alone | `locate(string)` | `locate(object)` | more than the engine |\n\
         |---|--:|--:|--:|--:|\n",
    );
    for ((name, _), (alone, called)) in PLACES.iter().zip(alone.lines().zip(called.lines())) {
        let alone: f64 = alone.parse().context("calls prints numbers")?;
        let both = called.split_once(' ').context("calls.py prints two numbers")?;
        let (string, object): (f64, f64) = (both.0.parse()?, both.1.parse()?);
        let [engine, text, place, more] = [alone, string, object, string - alone].map(|n| n / 1000.0);
        writeln!(table, "| {name} | {engine:.1} µs | {text:.1} µs | {place:.1} µs | {more:.1} µs |")?;
    }
    println!("{table}");
    tables::write("python/README.md", "python bench", &table)
}

/// The interpreter, with the module and the tools in its path. `profile` is `debug` or `release`.
fn python(profile: &str) -> Result<Command> {
    let built = build(profile)?;
    let folder = root::root().join("python");
    let mut python = Command::new(interpreter()?);
    // The program that the clients start is the one that was built beside the module.
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths(std::iter::once(built).chain(env::split_paths(&path)))?;
    let modules = env::join_paths([tools()?, folder.clone()])?;
    python.env("PATH", path).env("PYTHONPATH", modules).env("PYTHONDONTWRITEBYTECODE", "1");
    python.current_dir(folder);
    Ok(python)
}

/// Builds the module and the program, and puts the module where Python finds it. Returns the folder of the program.
pub(crate) fn build(profile: &str) -> Result<PathBuf> {
    let options = if profile == "release" { &["--release"][..] } else { &[] };
    run(cargo(&["build", "--quiet", "-p", "locant-python", "-p", "locant"]).args(options))?;
    let built = target_directory()?.join(profile);
    let (library, module) = LIBRARY;
    fs::copy(built.join(library), root::root().join("python").join("locant").join(module))?;
    Ok(built)
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
