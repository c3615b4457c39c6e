//! Starts other programs.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::root::root;

/// A `cargo` command that works on this workspace, whatever the working directory is.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    // The `cargo` that started this program uses the right toolchain. Another one in `PATH` may not.
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    // CI builds everything only once. The files of incremental compilation would take gigabytes and help nobody.
    if std::env::var_os("CI").is_some() {
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// Runs a program in this terminal. Fails if the program fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let shown = shown(command);
    let status = command.status().with_context(|| format!("could not start {shown}"))?;
    ensure!(status.success(), "{shown} failed ({status})");
    Ok(())
}

/// Runs a program and returns its standard output. Its standard error is shown only if the program fails.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let shown = shown(command);
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("could not start {shown}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{shown} failed ({}): {}", output.status, said.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether a program can be started with this argument and succeeds.
pub(crate) fn exists(program: &str, argument: &str) -> bool {
    let mut command = Command::new(program);
    command.arg(argument).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Whether cargo has a subcommand.
pub(crate) fn cargo_has(subcommand: &str) -> bool {
    let mut command = cargo(&[subcommand, "--version"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// The folder that cargo builds into.
pub(crate) fn target_directory() -> Result<std::path::PathBuf> {
    let metadata = output(&mut cargo(&["metadata", "--format-version", "1", "--no-deps"]))?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata).context("cargo metadata is no JSON")?;
    let directory = metadata["target_directory"].as_str().context("cargo metadata names no target")?;
    Ok(Path::new(directory).to_owned())
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy();
    let arguments = command.get_args().map(|argument| argument.to_string_lossy());
    std::iter::once(program).chain(arguments).collect::<Vec<_>>().join(" ")
}
