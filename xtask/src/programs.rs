//! Programs of others that the tests start: those of this machine, or else those of its distribution.

use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::children::{exists, output};

/// Makes sure that a program can be started. A missing one is installed with its package, by apt.
pub(crate) fn have(program: &str, package: &str) -> Result<()> {
    if exists(program, "--version") {
        return Ok(());
    }
    println!("installing {package}, because there is no {program}");
    if install(package).is_err() {
        // The lists of packages may be missing, or too old.
        drop(output(Command::new("apt-get").args(["update", "--quiet"])));
        install(package)
            .with_context(|| format!("there is no {program}, and apt cannot install {package}"))?;
    }
    ensure!(exists(program, "--version"), "{package} is installed, but {program} does not start");
    Ok(())
}

fn install(package: &str) -> Result<String> {
    let mut apt = Command::new("apt-get");
    apt.args(["install", "--yes", "--quiet", "--no-install-recommends", package]);
    // Another installation on this machine may have to end first.
    output(apt.args(["-o", "DPkg::Lock::Timeout=300"]).env("DEBIAN_FRONTEND", "noninteractive"))
}
