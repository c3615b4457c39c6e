//! The chores of the project: `cargo xtask test` runs everything, `cargo xtask help` lists the rest.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

mod agree;
mod bench;
mod check;
mod children;
mod figures;
mod grammar;
mod grammars;
mod languages;
mod parents;
mod protected;
mod robust;
mod root;
mod sanitize;
mod skim;
mod sources;
mod tidy;

use std::process::ExitCode;

use anyhow::{Result, bail};

const HELP: &str = "\
Chores of locant:

  cargo xtask test [WORD…]           all checks and tests, or those with a word in their names; fetches what they need
  cargo xtask tidy                   the rules of the project that the compiler does not know
  cargo xtask sources                fetches real sources of each language into .work/sources
  cargo xtask roundtrip [LANGUAGE…]  describes real positions and looks them up again
  cargo xtask trees [LANGUAGE…]      compares position trees of real sources with the parser's
  cargo xtask proto                  holds our location tables against protoc's on public .proto files
  cargo xtask agree [LANGUAGE…]      compares our outlines with those of others; --show=N shows differences
  cargo xtask agree --sources=DIR    the same on sources of your own, a folder for each language; also with roundtrip
  cargo xtask skim [LANGUAGE…]       holds outlines made from tokens against the exact ones; --show=N shows differences
  cargo xtask parents [WORD…]        in what symbols of C++ stand, beside ctags, on headers full of macros
  cargo xtask languages              writes docs/languages.md from the folders and the figures
  cargo xtask grammar [--check]      makes the parser of Rholang from its grammar
  cargo xtask hostile [LANGUAGE…]    looks for texts that take long or fill the memory; --seed=N --cases=N --kind=KIND
  cargo xtask sanitize [WORD…]       parses hostile texts with every grammar built under sanitizers
  cargo xtask fuzz                   fuzzes for a minute or two; needs a nightly toolchain
  cargo xtask kill-applies [N]       kills N applies of 100 files at drawn moments (1000), and crowds others
  cargo xtask bench [PART…]          measures, and writes the table into docs/performance.md
  cargo xtask bench robust CASES TEXTS [--learn]
                                     finds places again in later versions, and writes docs/robustness.md
  cargo xtask help                   this";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    let (command, rest) = match arguments.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", arguments),
    };
    match command {
        "test" => check::everything(rest),
        "tidy" => tidy::run(),
        "sources" => sources::fetch().map(|_| ()),
        "roundtrip" => check::round_trip(rest),
        "trees" => check::trees(rest),
        "proto" => check::proto(),
        "grammar" => grammar::run(rest),
        "languages" => languages::run(),
        "agree" => agree::run(rest),
        "parents" => parents::run(rest),
        "skim" => skim::run(rest),
        "fuzz" => check::fuzz_alone(),
        "hostile" => check::hostile(rest),
        "sanitize" => sanitize::run_all(rest),
        "kill-applies" => check::kill_applies(rest),
        "bench" => match rest.split_first() {
            Some((first, rest)) if first == "robust" => robust::run(rest),
            _ => bench::run(rest),
        },
        "help" | "--help" | "-h" => {
            println!("{HELP}");
            Ok(())
        }
        other => bail!("there is no chore {other}\n\n{HELP}"),
    }
}
