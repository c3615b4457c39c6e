//! `cargo xtask servers [NAME…]`: installs language servers, and tests everything that locant asks them.

mod cases;
pub(crate) mod cost;
pub(crate) mod install;
mod matrix;
mod page;
mod raw;
mod session;
mod shown;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::children::{cargo, run as run_child, target_directory};
use install::Installation;
use page::Asked;

/// How many servers are tried at a time. Most of them have more than one thread themselves.
const N_AT_A_TIME: usize = 2;

/// The results of all tests.
pub(crate) struct Tried {
    /// How many answers are right.
    pub(crate) n_answers: usize,
    /// The servers that could not be installed, each with the reason.
    pub(crate) missing: Vec<String>,
    asked: BTreeMap<String, Asked>,
}

/// Tests the named servers, or all but the slow ones. Writes the table of docs/servers.md.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let (options, names): (Vec<String>, Vec<String>) =
        arguments.iter().cloned().partition(|argument| argument.starts_with("--"));
    let given = options.iter().find_map(|option| option.strip_prefix("--program="));
    let tried = try_with(&names, given.map(PathBuf::from))?;
    println!("{} answers are as they should be", tried.n_answers);
    if !tried.missing.is_empty() {
        bail!("not run: {}", tried.missing.join("; "));
    }
    page::write(&install::table()?, &tried.asked)
}

/// Installs servers, and compares the answers that locant gets from them with the right ones.
pub(crate) fn try_all(names: &[String]) -> Result<Tried> {
    try_with(names, None)
}

fn try_with(names: &[String], given: Option<PathBuf>) -> Result<Tried> {
    let (mut missing, mut ready) = (Vec::new(), Vec::new());
    for server in install::table()? {
        let asked = asked_of(&server, names);
        match if asked.is_empty() { Ok(()) } else { server.ready() } {
            Ok(()) => ready.extend(asked),
            Err(why) => missing.push(format!("{} is not installed: {why:#}", server.name)),
        }
    }
    let (asked, wrong) = try_in_parallel(&program(given)?, &ready);
    if !wrong.is_empty() {
        bail!("{}\nUPDATE=1 writes the new answers into the cases", wrong.join("\n"));
    }
    let n_answers = asked.values().map(|asked| asked.n_questions + asked.n_right + asked.n_refused).sum();
    Ok(Tried { n_answers, missing, asked })
}

/// The servers of an installation that are to be tested.
fn asked_of(server: &Installation, names: &[String]) -> Vec<String> {
    let is_named = |name: &&str| names.iter().any(|asked| asked == name);
    let tries = server.tries().into_iter();
    let is_asked = |name: &&str| if names.is_empty() { !server.slow } else { is_named(name) };
    tries.filter(is_asked).map(str::to_owned).collect()
}

/// Tests servers. Returns what was asked of each, and what is wrong.
fn try_in_parallel(locant: &Path, servers: &[String]) -> (BTreeMap<String, Asked>, Vec<String>) {
    let next = AtomicUsize::new(0);
    let asked: Mutex<BTreeMap<String, Asked>> = Mutex::default();
    let wrong: Mutex<Vec<String>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..N_AT_A_TIME {
            scope.spawn(|| {
                while let Some(server) = servers.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match try_one(locant, server) {
                        Ok(own) => drop(locked(&asked).insert(server.clone(), own)),
                        Err(why) => locked(&wrong).push(format!("{why:#}")),
                    }
                }
            });
        }
    });
    let asked = asked.into_inner().unwrap_or_else(PoisonError::into_inner);
    (asked, wrong.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn locked<T>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tests a server in an empty folder.
fn try_one(locant: &Path, server: &str) -> Result<Asked> {
    let start = Instant::now();
    let home = std::env::temp_dir().join(format!("locant-servers-{}", std::process::id())).join(server);
    fs::create_dir_all(&home)?;
    // Servers answer with real paths, and the folder for temporary files may be a link.
    let home = home.canonicalize()?;
    let cases = cases::try_server(locant, server, &home)?;
    let mut wrong: Vec<String> = cases.wrong.into_iter().collect();
    let mut asked = Asked { n_questions: cases.n_questions, ..Asked::default() };
    let matrix = matrix::read()?;
    for row in matrix.server.iter().filter(|row| row.name == server) {
        let tally = matrix.try_row(locant, row, &home)?;
        asked.n_right += tally.n_right;
        asked.n_refused += tally.n_refused;
        wrong.extend(tally.wrong);
    }
    let Asked { n_questions, n_right, n_refused } = asked;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{server}: {n_questions} questions; {n_right} positions right, {n_refused} refused; {seconds:.1} s"
    );
    let _ = fs::remove_dir_all(&home);
    if wrong.is_empty() { Ok(asked) } else { bail!("{}", wrong.join("\n")) }
}

/// Builds locant, unless it is given. It is also one of the servers.
fn program(given: Option<PathBuf>) -> Result<PathBuf> {
    let locant = match given {
        Some(program) => {
            program.canonicalize().with_context(|| format!("no program {}", program.display()))?
        }
        None => {
            run_child(&mut cargo(&["build", "--quiet", "-p", "locant"]))?;
            target_directory()?.join("debug").join("locant")
        }
    };
    let link = install::programs().join("locant");
    fs::create_dir_all(install::programs())?;
    if link.symlink_metadata().is_ok() {
        fs::remove_file(&link)?;
    }
    install::symlink(&locant, &link).context("locant cannot be one of the servers")?;
    Ok(locant)
}
