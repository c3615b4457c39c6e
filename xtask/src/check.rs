//! `cargo xtask test`: all checks that must pass before a change is accepted, in one command.
//!
//! The quick checks come first, so that a small mistake is found within seconds. A step that this machine cannot run is
//! reported as not run, never as passed.

mod full_disk;
mod testing;

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::children::{cargo, output, run, target_directory};
use crate::{figures, grammar, licences, node, protected, python, root, servers, sources, tidy};

/// How each fuzz target runs in the tests. The seed is fixed, so that a failure comes from the change and not from
/// chance. The texts are short, because every position in them is described.
const FUZZ_FLAGS: &[&str] = &["-seed=1", "-runs=100000", "-max_total_time=5", "-max_len=200"];

/// How each fuzz target runs in `cargo xtask fuzz`: longer, and with a new seed every time.
const LONG_FUZZ_FLAGS: &[&str] = &["-max_total_time=120", "-max_len=200"];

/// The result of a step.
enum Outcome {
    Passed,
    /// All tests passed. The number is how many there are.
    PassedTests(usize),
    /// The step could not be run here. The text says why.
    NotRun(String),
}

type Step = (&'static str, fn() -> Result<Outcome>);

const STEPS: &[Step] = &[
    ("format", format),
    ("clippy", clippy),
    ("tidy", || tidy::run().map(|()| Outcome::Passed)),
    ("licences", || licences::check().map(|()| Outcome::Passed)),
    ("tests", || testing::run().map(Outcome::PassedTests)),
    ("protection of the program", protection),
    ("agents' door", agents),
    ("full disk", full_disk::run_tests),
    ("documentation tests", || testing::documentation().map(Outcome::PassedTests)),
    ("Python module", || python::tests().map(|()| Outcome::Passed)),
    ("Node package", || node::tests().map(|()| Outcome::Passed)),
    ("quick build", quick_build),
    ("editors", editors),
    ("page of a file", page_of_a_file),
    ("real sources", fetch),
    ("round trip over real sources", quick_round_trip),
    ("position trees of real sources", || trees(&[]).map(|()| Outcome::Passed)),
    ("tables of public .proto files", || proto().map(|()| Outcome::Passed)),
    ("parser of Rholang", || grammar::run(&["--check".to_owned()]).map(|()| Outcome::Passed)),
    ("outlines of others", agree),
    ("language servers", language_servers),
    ("read-only disks and other users", rooted),
    ("fuzz", || fuzz(FUZZ_FLAGS)),
];

/// Runs all steps, or those whose name contains one of the words. Stops at the first step that fails.
pub(crate) fn everything(words: &[String]) -> Result<()> {
    let is_asked = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    let mut done: Vec<(&str, Duration, Outcome)> = Vec::new();
    for (name, step) in STEPS.iter().filter(|(name, _)| is_asked(name)) {
        println!("\n== {name}");
        let start = Instant::now();
        let outcome = step()?;
        println!("== {name}: {:.1} s", start.elapsed().as_secs_f64());
        done.push((name, start.elapsed(), outcome));
    }
    summary(&done);
    Ok(())
}

/// Describes positions of real sources, looks them up again and stores the figures. `--sources=DIR` names sources that
/// were not used to write the rules. Their figures are stored separately.
pub(crate) fn round_trip(arguments: &[String]) -> Result<()> {
    let (options, languages): (Vec<String>, Vec<String>) =
        arguments.iter().cloned().partition(|argument| argument.starts_with("--"));
    let held_out = options.iter().find_map(|option| option.strip_prefix("--sources="));
    let sources = match held_out {
        Some(folder) => PathBuf::from(folder),
        None => {
            fetch_for(&languages)?;
            root::sources()
        }
    };
    let file = root::work().join("roundtrip.txt");
    let figures = format!("--figures={}", file.display());
    let mut program = Command::new(checking_program("roundtrip")?);
    run(program.arg(sources).arg(figures).args(languages))?;
    let figures = fs::read_to_string(file)?;
    match held_out {
        Some(_) => figures::keep_held_out_round_trips(&figures),
        None => figures::keep_round_trips(&figures),
    }
}

/// The same round trip as `round_trip`, but with fewer positions, and without storing the figures.
fn quick_round_trip() -> Result<Outcome> {
    run(Command::new(checking_program("roundtrip")?).arg(root::sources()).arg("--quick"))?;
    Ok(Outcome::Passed)
}

/// Builds a program that checks something and does not measure time. It is a debug build, as the tests are. So all
/// parsers are compiled only once, and the assertions in the code are checked on real sources too.
fn checking_program(name: &str) -> Result<PathBuf> {
    run(&mut cargo(&["build", "--quiet", "-p", "locant-bench", "--bin", name]))?;
    Ok(target_directory()?.join("debug").join(name))
}

/// Fetches the sources of only these languages. A language whose sources were put in place by hand needs no package.
fn fetch_for(languages: &[String]) -> Result<()> {
    let names: Vec<&str> = languages.iter().map(String::as_str).collect();
    sources::fetch_languages(&names).map(|_| ())
}

/// Compares our location tables with protoc's.
pub(crate) fn proto() -> Result<()> {
    let missing = sources::fetch_languages(&["proto"])?.missing;
    ensure!(missing.is_empty(), "{}", missing.join("; "));
    let folder = root::sources().join("proto");
    let mut agree = cargo(&["run", "--quiet", "-p", "locant-proto", "--example", "agree", "--"]);
    agree.arg(folder).args(["tables", "names", "lost", "trees", "layout"]);
    match sources::proto_parser() {
        Ok(program) => drop(agree.arg(format!("raw:{}", program.display()))),
        Err(why) => {
            println!("raw tables are not compared: the library of protoc's parser is not to be had: {why}")
        }
    }
    run(&mut agree)
}

/// Compares the position trees of real sources with the parser's, before and after edits.
pub(crate) fn trees(languages: &[String]) -> Result<()> {
    fetch_for(languages)?;
    let program = checking_program("trees")?;
    run(Command::new(program).arg(root::sources()).args(languages))
}

/// Looks for texts that take long or fill the memory.
pub(crate) fn hostile(arguments: &[String]) -> Result<()> {
    run(Command::new(checking_program("hostile")?).args(arguments))
}

/// Runs all fuzz targets. Fails if this machine cannot run them.
pub(crate) fn fuzz_alone() -> Result<()> {
    if let Outcome::NotRun(why) = fuzz(LONG_FUZZ_FLAGS)? {
        bail!("not run: {why}");
    }
    Ok(())
}

/// Runs the tests that kill processes while they apply changes, for many rounds.
pub(crate) fn kill_applies(arguments: &[String]) -> Result<()> {
    let rounds = arguments.first().map_or("1000", String::as_str);
    ensure!(rounds.parse::<u64>().is_ok(), "`{rounds}` is no number of applies");
    let mut tests = cargo(&["test", "--quiet", "-p", "locant", "--test", "interrupted", "--", "--nocapture"]);
    run(tests.env("LOCANT_ROUNDS", rounds))
}

/// Runs the tests that change files on a full disk. Fails if this machine cannot run them.
pub(crate) fn full_disk() -> Result<()> {
    if let Outcome::NotRun(why) = full_disk::run_tests()? {
        bail!("not run: {why}");
    }
    Ok(())
}

/// Runs the tests that edit at random, many times and in real sources.
pub(crate) fn random_edits(arguments: &[String]) -> Result<()> {
    let rounds = arguments.first().map_or("10000", String::as_str);
    ensure!(rounds.parse::<u64>().is_ok(), "`{rounds}` is no number of edits");
    fetch_for(&[])?;
    let mut tests =
        cargo(&["test", "--quiet", "-p", "locant", "--test", "random_edits", "--", "--nocapture"]);
    run(tests.env("LOCANT_ROUNDS", rounds).env("LOCANT_SOURCES", root::sources()))
}

#[cfg(unix)]
fn rooted() -> Result<Outcome> {
    Ok(match crate::rooted::try_all(None)? {
        crate::rooted::Tried::Done(what) => {
            println!("{what}");
            Outcome::Passed
        }
        crate::rooted::Tried::NotRun(why) => Outcome::NotRun(why),
    })
}

#[cfg(not(unix))]
fn rooted() -> Result<Outcome> {
    Ok(Outcome::NotRun("full disks and other users need root on Linux".to_owned()))
}

fn format() -> Result<Outcome> {
    run(&mut cargo(&["fmt", "--all", "--check"]))?;
    Ok(Outcome::Passed)
}

fn clippy() -> Result<Outcome> {
    run(&mut cargo(&["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    Ok(Outcome::Passed)
}

/// Checks the debug build of the program. Release builds are linked in the same way.
fn protection() -> Result<Outcome> {
    if !cfg!(target_os = "linux") {
        return Ok(Outcome::NotRun("only programs of Linux are looked at".to_owned()));
    }
    run(&mut cargo(&["build", "--quiet", "-p", "locant"]))?;
    protected::check(&target_directory()?.join("debug").join("locant"))?;
    Ok(Outcome::Passed)
}

fn fetch() -> Result<Outcome> {
    let missing = sources::fetch()?.missing;
    Ok(if missing.is_empty() { Outcome::Passed } else { Outcome::NotRun(missing.join("; ")) })
}

fn agents() -> Result<Outcome> {
    Ok(match crate::agents::check()? {
        None => Outcome::Passed,
        Some(why) => Outcome::NotRun(why),
    })
}

/// The program that people try from its sources: few languages, and neither editors nor agents.
fn quick_build() -> Result<Outcome> {
    let answer = output(&mut cargo(&["quick", "locate", "examples/shop.py:Cart.total@return <|>total"]))?;
    ensure!(answer.starts_with("examples/shop.py:24:16"), "it answers {answer}");
    let left_out = cargo(&["quick", "mcp"]).output()?;
    let said = String::from_utf8_lossy(&left_out.stderr);
    ensure!(
        said.contains("built without the feature `agents`"),
        "of a command that it has not, it says {said}"
    );
    Ok(Outcome::Passed)
}

/// The page of `locant inspect`, in a browser.
fn page_of_a_file() -> Result<Outcome> {
    use crate::inspector::Tested;
    Ok(match crate::inspector::check(None)? {
        Tested::Everything => Outcome::Passed,
        Tested::WithoutBrowser(why) => {
            Outcome::NotRun(format!("only the resolver of the page was tested: {why}"))
        }
        Tested::Nothing(why) => Outcome::NotRun(why),
    })
}

/// The extensions for editors.
fn editors() -> Result<Outcome> {
    let missing = crate::editors::check()?;
    Ok(if missing.is_empty() { Outcome::Passed } else { Outcome::NotRun(missing.join("; ")) })
}

fn agree() -> Result<Outcome> {
    let missing = crate::agree::in_tests()?;
    Ok(if missing.is_empty() { Outcome::Passed } else { Outcome::NotRun(missing.join("; ")) })
}

/// Asks real language servers. Servers that could not be installed are reported, even if all others give right answers.
fn language_servers() -> Result<Outcome> {
    let servers::Tried { n_answers, missing, .. } = servers::try_all(&[])?;
    Ok(match missing.as_slice() {
        [] => Outcome::PassedTests(n_answers),
        _ => Outcome::NotRun(format!("{}; {n_answers} answers of the others are right", missing.join("; "))),
    })
}

fn fuzz(flags: &[&str]) -> Result<Outcome> {
    let cargo_fuzz = match cargo_fuzz() {
        Ok(program) => program,
        Err(error) => {
            run(&mut cargo(&["check", "--quiet", "--manifest-path", "fuzz/Cargo.toml"]))?;
            return Ok(Outcome::NotRun(format!("the targets compile, but {error:#}")));
        }
    };
    for target in FUZZ_TARGETS {
        // `rustup` chooses the toolchain, because the `cargo` that started this program uses its own.
        let mut command = Command::new("rustup");
        command.args(["run", "nightly"]).arg(&cargo_fuzz).args(["fuzz", "run", target, "--"]).args(flags);
        command.current_dir(root::root());
        run(command.env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN"))?;
    }
    Ok(Outcome::Passed)
}

const FUZZ_TARGETS: &[&str] =
    &["parse_location", "search", "positions", "there_and_back", "tree_bytes", "proto", "relocate"];

/// The path of `cargo-fuzz`. Fails if this machine cannot run it.
fn cargo_fuzz() -> Result<PathBuf> {
    let mut nightly = Command::new("rustup");
    nightly.args(["run", "nightly", "rustc", "--version"]);
    output(&mut nightly).context("fuzzing needs a nightly toolchain")?;
    sources::cargo_program("cargo-fuzz", "0.13.2")
}

fn summary(done: &[(&str, Duration, Outcome)]) {
    println!("\n== summary");
    let mut n_tests = 0;
    for (name, time, outcome) in done {
        let said = match outcome {
            Outcome::Passed => "passed".to_owned(),
            Outcome::PassedTests(n) => {
                n_tests += n;
                format!("{n} passed")
            }
            Outcome::NotRun(why) => format!("NOT RUN: {why}"),
        };
        println!("{name:30} {:7.1} s  {said}", time.as_secs_f64());
    }
    println!("{n_tests} passed, 0 failed");
}
