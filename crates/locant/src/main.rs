//! The program: the command line and nothing else. See the library for what it does.

use std::process::ExitCode;

/// Allocation is an eighth of the work of an outline, nearly all of it in the parsers. This allocator needs a quarter
/// of the instructions that the default one needs. It also replaces `malloc`, which the parsers call (feature
/// `override`).
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    match locant::servers::inner_process(&arguments) {
        Some(code) => ExitCode::from(code),
        None => locant::cli::main(),
    }
}
