//! The program: the command line and nothing else. See the library for what it does.

use std::process::ExitCode;

fn main() -> ExitCode {
    locant::cli::main()
}
