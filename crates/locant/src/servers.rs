//! Language servers for the doors: how they are started, and what ends them when the program is gone.

use std::env;
use std::ffi::OsString;

use locant_api::Files;
use locant_servers::Settings;
use locant_servers::supervise::{self, Supervisor};

/// The word by which the program is started as the supervisor of a server. It is not a command for people.
const SUPERVISE: &str = "supervise-server";

/// These files, with the language servers of this machine.
pub fn files(files: Files) -> Files {
    let supervisor = env::current_exe().ok();
    let supervisor = supervisor.map(|program| Supervisor { program, arguments: vec![SUPERVISE.into()] });
    files.with_servers(Settings { supervisor, ..Settings::default() })
}

/// If the arguments start this process as a supervisor, runs the supervisor and returns its exit code. The arguments
/// are the word, the id of the parent process, and the command of the server.
pub fn supervised(arguments: &[OsString]) -> Option<u8> {
    let [_, word, parent, command @ ..] = arguments else { return None };
    if word != SUPERVISE {
        return None;
    }
    Some(supervise::run(parent.to_str()?.parse().ok()?, command))
}
