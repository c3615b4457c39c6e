//! A compiler of C for release builds: it calls the real one, and packs the tables of large grammars.
//!
//! Most of the program consists of the tables of the parsers, which are mostly zeros and repetitions. This program
//! takes the place of `cc` (`CC=compact-cc`). It compiles each `parser.c` twice. The first time, the file is unchanged,
//! to get the bytes of its tables. The second time, the tables are packed; the compiled parser unpacks them when its
//! language is first used. So the program gets smaller, and a language that is not used costs nothing.
//!
//! Small tables stay as they are. Unpacking them would slow the start of the most frequent languages, and would save
//! little. Everything but a `parser.c` is compiled by the real compiler with the same arguments.

#![allow(clippy::print_stderr, reason = "a program for builds")]

mod elf;
mod lz4;
mod parser;

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, fs};

use anyhow::{Context, Result, ensure};

/// A grammar is packed if its tables have at least this many bytes.
const LEAST_BYTES: usize = 1_200_000;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    match compile(&arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("compact-cc: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn compile(arguments: &[OsString]) -> Result<ExitCode> {
    let Some(job) = Job::of(arguments) else { return call(arguments) };
    let plain = job.object.with_extension("plain.o");
    // Tables are the same at every level of optimization. The lowest one is the fastest.
    let code = call(&job.arguments(&job.source, &plain, &["-O0", "-fdata-sections"]))?;
    if code != ExitCode::SUCCESS {
        return Ok(code);
    }
    let object = fs::read(&plain)?;
    fs::remove_file(&plain)?;
    let tables = parser::tables(|section| elf::section(&object, section))?;
    if tables.iter().map(|table| table.bytes.len()).sum::<usize>() < LEAST_BYTES {
        return call(arguments);
    }
    let text = fs::read_to_string(&job.source).with_context(|| format!("{}", job.source.display()))?;
    let packed = job.object.with_extension("packed.c");
    fs::write(&packed, parser::packed(&text, &tables)?)?;
    let code = call(&job.arguments(&packed, &job.object, &[]))?;
    fs::remove_file(&packed)?;
    Ok(code)
}

/// A call of the compiler that makes an object file of a `parser.c`.
struct Job<'a> {
    all: &'a [OsString],
    source: std::path::PathBuf,
    object: std::path::PathBuf,
}

impl Job<'_> {
    fn of(arguments: &[OsString]) -> Option<Job<'_>> {
        let is_compiled = arguments.iter().any(|argument| argument == "-c");
        let source = arguments.iter().map(Path::new).find(|path| path.ends_with("parser.c"))?;
        let at = arguments.iter().position(|argument| argument == "-o")?;
        let object = arguments.get(at + 1).map(Path::new)?;
        is_compiled.then(|| Job { all: arguments, source: source.to_owned(), object: object.to_owned() })
    }

    /// The arguments of the same call with another source and another object. If an option is given several times, the
    /// compiler uses the last one.
    fn arguments(&self, source: &Path, object: &Path, more: &[&str]) -> Vec<OsString> {
        let changed = self.all.iter().map(|argument| match Path::new(argument) {
            path if path == self.source => source.into(),
            path if path == self.object => object.into(),
            _ => argument.clone(),
        });
        changed.chain(more.iter().map(OsString::from)).collect()
    }
}

/// Calls the real compiler.
fn call(arguments: &[OsString]) -> Result<ExitCode> {
    let compiler = env::var_os("COMPACT_CC").unwrap_or_else(|| "cc".into());
    let own = env::current_exe()?;
    ensure!(Path::new(&compiler) != own, "COMPACT_CC names this program, not a compiler");
    let status = Command::new(&compiler)
        .args(arguments)
        .status()
        .with_context(|| format!("could not start {}", compiler.display()))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
