//! The program: the command line and nothing else. See the library for what it does.

use std::process::ExitCode;

/// An eighth of the work of an outline is allocation, nearly all of it in the parsers; this allocator does it in a
/// fourth of the instructions. It replaces `malloc` too (feature `override`), which the parsers call.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    locant::cli::main()
}
