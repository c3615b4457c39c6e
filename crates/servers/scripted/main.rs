//! A program for tests, which plays all parts but the test itself: a language server that misbehaves as a script says,
//! a client that asks servers, the supervisor of a server, and the daemon.

mod ask;
mod play;

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use locant_servers::supervise::{self, Supervisor};
use locant_servers::{Settings, Starter, daemon};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [_, "play", folder] => play::play(Path::new(folder)),
        [_, "linger", _, depth] => play::linger(depth.parse().unwrap_or_default()),
        [_, "ask", folder] => ask::ask(Path::new(folder)),
        [_, "supervise", parent, ..] => {
            let command: Vec<OsString> = env::args_os().skip(3).collect();
            return ExitCode::from(supervise::run(parent.parse().unwrap_or_default(), &command));
        }
        [_, "serve"] => return ExitCode::from(daemon::serve(settings(false))),
        _ => eprintln!("this program is a part of tests"),
    }
    ExitCode::FAILURE
}

/// How this program starts servers. The variable `PATIENCE_MS` is how long they may show no progress.
fn settings(has_daemon: bool) -> Settings {
    let program = env::current_exe().unwrap_or_default();
    let patience = env::var("PATIENCE_MS").ok().and_then(|text| text.parse().ok()).unwrap_or(5_000);
    Settings {
        supervisor: Some(Supervisor { program: program.clone(), arguments: vec!["supervise".into()] }),
        daemon: has_daemon.then(|| Starter { program, arguments: vec!["serve".into()] }),
        patience: Duration::from_millis(patience),
        ..Settings::default()
    }
}
