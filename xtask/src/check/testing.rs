//! Runs the tests and counts them.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::children::{cargo, cargo_has};

/// Runs all tests of the workspace except those in documentation. Returns how many passed.
pub(super) fn run() -> Result<usize> {
    // Nextest runs the tests of all packages in parallel. Without it the same tests run, but slower.
    let arguments: &[&str] = if cargo_has("nextest") {
        &["nextest", "run", "--workspace", "--no-fail-fast", "--status-level", "fail"]
    } else {
        &["test", "--quiet", "--workspace", "--all-targets", "--no-fail-fast"]
    };
    // The seed is fixed, so that a failure comes from the change and not from chance. Plain `cargo test` draws new
    // cases every time.
    counted(cargo(arguments).env("PROPTEST_RNG_SEED", "1"))
}

/// Runs the tests in documentation. Returns how many passed.
pub(super) fn documentation() -> Result<usize> {
    counted(&mut cargo(&["test", "--quiet", "--workspace", "--doc"]))
}

/// Runs a test command, prints its output, and counts the tests that passed.
fn counted(command: &mut Command) -> Result<usize> {
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().context("could not start cargo")?;
    let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
        bail!("cargo was started without pipes");
    };
    let n_passed = std::thread::scope(|scope| {
        let out = scope.spawn(|| shown(stdout));
        shown(stderr) + out.join().unwrap_or(0)
    });
    let status = child.wait()?;
    ensure!(status.success(), "tests failed ({status})");
    Ok(n_passed)
}

/// Prints each line as it arrives. Returns how many tests passed according to the closing lines.
fn shown(stream: impl Read) -> usize {
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    lines.inspect(|line| println!("{line}")).filter_map(|line| n_passed(&line)).sum()
}

/// How many tests passed according to a closing line such as `test result: ok. 3 passed; …` or `Summary [ 1.2s] 3 tests
/// run: 3 passed, …`; `None` for other lines.
fn n_passed(line: &str) -> Option<usize> {
    let line = line.trim_start();
    let is_closing = line.starts_with("test result:") || line.starts_with("Summary [");
    let (before, _) = line.split_once(" passed").filter(|_| is_closing)?;
    before.rsplit(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_of_both_runners_are_read() {
        let cargo = "test result: ok. 13 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";
        let nextest = "     Summary [   1.2s] 7 tests run: 7 passed (1 slow), 0 skipped";
        assert_eq!([cargo, nextest, "3 passed"].map(n_passed), [Some(13), Some(7), None]);
    }
}
