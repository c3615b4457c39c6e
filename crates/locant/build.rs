//! Links the program to a fixed address on Linux, where the loader would else work through every table of every
//! language at each start: 40,000 pointers, a quarter of the instructions of a short command.
//!
//! The stack, the heap and the libraries stay at random addresses. Whoever wants the program itself to be movable
//! builds it with `--features movable`. Elsewhere the system relocates a page when it is first touched.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_gnu_linux = is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu");
    if is_gnu_linux && env::var_os("CARGO_FEATURE_MOVABLE").is_none() {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}

fn is(variable: &str, value: &str) -> bool {
    env::var(variable).is_ok_and(|found| found == value)
}
