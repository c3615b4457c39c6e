//! The language servers that the program uses: how they are started, which process keeps them, and what ends them when
//! the program is gone.

use std::env;
use std::ffi::OsString;

use locant_api::Files;
use locant_servers::supervise::{self, Supervisor};
use locant_servers::{Settings, Starter, daemon};

/// The word by which the program is started as the supervisor of a server. It is not a command for people.
const SUPERVISE: &str = "supervise-server";

/// The word by which the program is started as the daemon. People use `daemon start`, which starts it and returns.
const SERVE: &str = "serve-daemon";

/// These files, with the language servers of this machine.
pub fn files(files: Files) -> Files {
    let program = env::current_exe().ok();
    let daemon = program.map(|program| Starter { program, arguments: vec![SERVE.into()] });
    files.with_servers(Settings { daemon, ..settings() })
}

/// How servers are started by this process.
fn settings() -> Settings {
    let program = env::current_exe().ok();
    let supervisor = program.map(|program| Supervisor { program, arguments: vec![SUPERVISE.into()] });
    Settings { supervisor, ..Settings::default() }
}

/// If the arguments start this process as a part of another one, does its work and returns its exit code. The arguments
/// of a supervisor are the word, the id of the parent process, and the command of the server.
pub fn inner_process(arguments: &[OsString]) -> Option<u8> {
    match arguments {
        [_, word, parent, command @ ..] if word == SUPERVISE => {
            Some(supervise::run(parent.to_str()?.parse().ok()?, command))
        }
        [_, word] if word == SERVE => Some(daemon::serve(settings())),
        _ => None,
    }
}
