//! What programs send to locant and get back: requests and answers as JSON.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod batch;
mod bounds;
mod contract;
mod schemas;

use std::io::Write;
use std::process::{Child, Command, Stdio};

fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_locant"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

/// The output of a command that must succeed for this input.
fn run(arguments: &[&str], input: &str) -> Vec<u8> {
    let mut process = start(arguments);
    process.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success());
    output.stdout
}
