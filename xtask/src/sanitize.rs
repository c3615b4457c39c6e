//! `cargo xtask sanitize`: builds tree-sitter, our guard, and every grammar with its scanner, with the sanitizers for
//! addresses and undefined behaviour. Then it parses hostile texts and the `cases.md` of all languages.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::children::{cargo, run};
use crate::grammars::{self, Grammar};
use crate::root;

/// The program that parses the texts. It is written in C, as the parsers are.
const DRIVER: &str = include_str!("sanitize/driver.c");

const FLAGS: &[&str] =
    &["-std=c11", "-O1", "-g", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// How many hostile texts of each kind are generated for each language.
const N_TEXTS: &str = "--cases=2";

/// Tries all grammars, or those whose function name contains one of the words.
pub(crate) fn run_all(words: &[String]) -> Result<()> {
    let folder = root::work().join("sanitize");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("driver.c"), DRIVER)?;
    let texts = texts(&folder)?;
    let library = grammars::library()?;
    let objects = shared_objects(&folder, &library)?;
    let mut failures = Vec::new();
    for grammar in grammars::grammars()? {
        let is_asked = words.is_empty() || words.iter().any(|word| grammar.function.contains(word.as_str()));
        if !is_asked {
            continue;
        }
        println!("== {}", grammar.function);
        let program = build(&folder, &library, &objects, &grammar)?;
        failures.extend(
            try_texts(&program, &texts).err().map(|error| format!("{}: {error:#}", grammar.function)),
        );
        // Each program takes tens of megabytes.
        fs::remove_file(program)?;
    }
    ensure!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}

/// Writes hostile texts into a folder. Returns their paths, and the paths of the `cases.md` of all languages.
fn texts(folder: &Path) -> Result<Vec<PathBuf>> {
    let made = folder.join("texts");
    fs::create_dir_all(&made)?;
    let write = format!("--write={}", made.display());
    run(&mut cargo(&["run", "--quiet", "-p", "locant-bench", "--bin", "hostile", "--", N_TEXTS, &write]))?;
    let mut texts = Vec::new();
    for entry in fs::read_dir(made)? {
        texts.push(entry?.path());
    }
    for entry in fs::read_dir(root::root().join("languages"))? {
        texts.push(entry?.path().join("cases.md"));
    }
    texts.sort();
    Ok(texts)
}

/// Compiles the parts that all grammars share: tree-sitter and the guard.
fn shared_objects(folder: &Path, library: &Path) -> Result<Vec<PathBuf>> {
    let sources = [library.join("src/lib.c"), root::root().join("crates/parse/src/guard.c")];
    let mut objects = Vec::new();
    for (source, name) in sources.iter().zip(["library.o", "guard.o"]) {
        let object = folder.join(name);
        let mut compile = Command::new("gcc");
        compile.args(FLAGS).arg("-I").arg(library.join("include")).arg("-I").arg(library.join("src"));
        compile.args(["-D_POSIX_C_SOURCE=200112L", "-D_DEFAULT_SOURCE"]);
        run(compile.arg("-c").arg(source).arg("-o").arg(&object))?;
        objects.push(object);
    }
    Ok(objects)
}

/// Builds the driver with one grammar.
fn build(folder: &Path, library: &Path, objects: &[PathBuf], grammar: &Grammar) -> Result<PathBuf> {
    let program = folder.join(&grammar.function);
    let narrow = grammars::is_narrow(grammar)?;
    let mut compile = Command::new("gcc");
    compile.args(FLAGS).arg("-I").arg(&grammar.folder).arg("-I").arg(library.join("include"));
    compile.arg(format!("-DLANGUAGE={}", grammar.function)).arg(format!("-DNARROW={narrow}"));
    compile.arg(folder.join("driver.c")).arg(grammar.folder.join("parser.c"));
    let scanner = grammar.folder.join("scanner.c");
    compile.args(scanner.is_file().then_some(scanner)).args(objects);
    run(compile.arg("-o").arg(&program))?;
    Ok(program)
}

fn try_texts(program: &Path, texts: &[PathBuf]) -> Result<()> {
    let arguments: Vec<OsString> = texts.iter().map(|text| text.clone().into_os_string()).collect();
    // Leaks are not detected, because a parse that the guard ends early leaks a few bytes of its scanner.
    let output = Command::new(program).args(arguments).env("ASAN_OPTIONS", "detect_leaks=0").output();
    let output = output.with_context(|| format!("could not start {}", program.display()))?;
    if output.status.success() {
        print!("{}", String::from_utf8_lossy(&output.stdout));
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = said.lines().collect();
    let first = lines.iter().position(|line| line.contains("ERROR") || line.contains("runtime error"));
    let shown = &lines[first.unwrap_or(lines.len()).saturating_sub(1)..];
    bail!("{}\n{}", output.status, shown[..shown.len().min(12)].join("\n"))
}
