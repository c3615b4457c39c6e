//! Runs the tests that change files on a small disk in memory, which is mounted where only they see it.

use std::fs;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::Outcome;
use crate::children::{cargo, output, run};
use crate::root;

/// How large the disk is.
const SIZE: &str = "size=2m";

/// Mounts a disk in memory on its first argument, and runs the others as a command.
const MOUNTED: &str = r#"mount -t tmpfs -o "$1" locant-small-disk "$2" && shift 2 && exec "$@""#;

pub(super) fn run_tests() -> Result<Outcome> {
    let disk = root::work().join("small-disk");
    fs::create_dir_all(&disk).with_context(|| format!("could not make {}", disk.display()))?;
    let tests = ["test", "--quiet", "-p", "locant", "--test", "full_disk"];
    let within = |arguments: &[&str]| {
        let mut command = Command::new("unshare");
        // Whoever is not root becomes it in there, and still has no more rights outside.
        command.args(["--mount", "--map-root-user", "sh", "-c", MOUNTED, "sh", SIZE]).arg(&disk);
        command.args(arguments);
        command
    };
    if let Err(why) = output(within(&["true"]).stdin(Stdio::null())) {
        return Ok(Outcome::NotRun(format!("no small disk can be mounted: {why:#}")));
    }
    run(cargo(&tests).arg("--no-run"))?;
    let cargo = cargo(&[]).get_program().to_string_lossy().into_owned();
    let flags = ["--", "--nocapture", "--test-threads=1"];
    let command: Vec<&str> = [cargo.as_str()].into_iter().chain(tests).chain(flags).collect();
    run(within(&command).env("LOCANT_SMALL_DISK", &disk).current_dir(root::root()))?;
    Ok(Outcome::Passed)
}
