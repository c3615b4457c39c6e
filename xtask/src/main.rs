//! The chores of the project: `cargo xtask test` runs all checks, and `cargo xtask help` lists all chores.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

mod agents;
mod agree;
mod bench;
mod book;
mod check;
mod children;
mod chroot;
mod editors;
mod edits;
mod figures;
mod grammar;
mod grammars;
mod inspector;
mod languages;
mod licences;
mod node;
mod npm_packages;
mod page;
mod parents;
mod picture;
mod plot;
mod programs;
mod protected;
mod python;
mod release;
mod robust;
mod root;
#[cfg(unix)]
mod rooted;
mod sanitize;
mod scale;
mod servers;
mod skim;
mod sources;
mod spark;
mod tables;
mod tidy;

use std::process::ExitCode;

use anyhow::{Result, bail};

const HELP: &str = "\
Chores of locant:

  cargo xtask test [WORD…]           runs all checks and tests, or those with a word in their names
  cargo xtask tidy                   checks the rules of the project that the compiler does not know
  cargo xtask sources                fetches real sources of each language into .work/sources
  cargo xtask roundtrip [LANGUAGE…]  describes real positions and looks them up again
  cargo xtask trees [LANGUAGE…]      compares position trees of real sources with the parser's
  cargo xtask proto                  compares our location tables with protoc's on public .proto files
  cargo xtask agree [LANGUAGE…]      compares our outlines with those of other programs; --show=N shows differences
  cargo xtask agree --sources=DIR    the same on your own sources, with a folder for each language; also for roundtrip
  cargo xtask skim [LANGUAGE…]       compares outlines made from tokens with exact ones; --show=N shows differences
  cargo xtask parents [WORD…]        compares the parents of C++ symbols with ctags, on headers full of macros
  cargo xtask python                 tests the Python module; `bench` measures a call of it
  cargo xtask lsap CHECKOUT          runs the tests of LSAP, which gave the Python module its names, on ours
  cargo xtask npm                    packs the Node packages for this platform, and tries them out
  cargo xtask release [PART…]        builds what is given away: program, wheel, npm
  cargo xtask chroot                 installs the release on a bare Debian without Rust and without a network
  cargo xtask spark                  finds 10,000 places again with Spark; `--million REPOSITORY…` a million, measured
  cargo xtask inspector              tests the page of `locant inspect`, and draws docs/inspect.png
  cargo xtask editors                tests the extensions for VS Code and Neovim
  cargo xtask licences               writes docs/third-party.md; `--texts FILE` writes the texts of the licences
  cargo xtask languages              writes docs/languages.md
  cargo xtask book                   makes a site of docs/ in .work/book
  cargo xtask picture                draws the pictures of the README and of docs/performance.md
  cargo xtask grammar [--check]      generates the parser of Rholang from its grammar
  cargo xtask hostile [LANGUAGE…]    looks for texts that take long or fill the memory; --seed=N --cases=N --kind=KIND
  cargo xtask sanitize [WORD…]       parses hostile texts with every grammar built under sanitizers
  cargo xtask servers [NAME…]        installs language servers into .work/servers, and tries all that they are asked
  cargo xtask agents                 what models did with our tools and others, for docs/agents.md
  cargo xtask agents prepare DIR     makes the projects of the tasks for models; `record DIR [--toolset=NAME]` checks
                                     and keeps runs; `transcripts DIR` writes docs/agents-transcripts.md
  cargo xtask agents replay          makes the recorded calls of our tools again; `--shared` those of the shared tasks
  cargo xtask fuzz                   fuzzes for a minute or two; needs a nightly toolchain
  cargo xtask kill-applies [N]       kills N applies of 100 files at random moments (default 1000)
  cargo xtask full-disk              changes files on a small disk that fills up, or may not be written
  cargo xtask rooted                 changes files on disks that turn read-only, and tries the daemons of several users
  cargo xtask random-edits [N]       makes N edits at random in real sources (default 10000)
  cargo xtask bench [PART…]          measures, and writes the table into docs/performance.md
  cargo xtask bench robust CASES TEXTS [--learn]
                                     finds places again in later versions, and writes docs/robustness.md
  cargo xtask bench scale            questions about two large trees, and draws docs/growth.svg
  cargo xtask bench scale DIR LOCATION WORD
                                     the same about a tree of yours and larger ones made of it
  cargo xtask bench scale huge       the memory for a million files and for ten gigabytes
  cargo xtask bench edits [CASES TEXTS]
                                     measures edits, asks for them in later versions, and writes docs/edits.md
  cargo xtask bench servers          measures what locant costs on top of a language server, for docs/servers.md
  cargo xtask bench agents           measures the door for agents, and writes the table into docs/agents.md
  cargo xtask help                   prints this help";

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
        "agents" => agents::tasks(rest),
        "agree" => agree::run(rest),
        "parents" => parents::run(rest),
        "licences" => licences::run(rest),
        "book" => book::make(),
        "picture" => picture::draw(),
        "inspector" => inspector::draw(),
        "editors" => editors::run_all(),
        "npm" => node::pack(),
        "python" => python::run_with(rest),
        "lsap" => python::lsap(rest),
        "spark" => spark::run_with(rest),
        "release" => release::run_with(rest),
        "chroot" => chroot::run_all(),
        "skim" => skim::run(rest),
        "fuzz" => check::fuzz_alone(),
        "hostile" => check::hostile(rest),
        "servers" => servers::run(rest),
        "sanitize" => sanitize::run_all(rest),
        #[cfg(unix)]
        "rooted" => rooted::run(rest),
        "kill-applies" => check::kill_applies(rest),
        "full-disk" => check::full_disk(),
        "random-edits" => check::random_edits(rest),
        "bench" => match rest.split_first() {
            Some((first, rest)) if first == "robust" => robust::run(rest),
            Some((first, rest)) if first == "scale" => scale::run(rest),
            Some((first, rest)) if first == "edits" => edits::run(rest),
            Some((first, rest)) if first == "servers" => servers::cost::run(rest),
            Some((first, [])) if first == "agents" => agents::measure(),
            _ => bench::run(rest),
        },
        "help" | "--help" | "-h" => {
            println!("{HELP}");
            Ok(())
        }
        other => bail!("there is no chore {other}\n\n{HELP}"),
    }
}
