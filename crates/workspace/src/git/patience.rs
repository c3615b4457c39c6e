//! A limit on how long git may print nothing before it is killed. If a file of the repository is replaced by a pipe,
//! git would wait for it for ever.

use std::io::Read;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use super::command::not_started;
use crate::failure::{Failure, FailureKind as Kind};

/// The environment variable that sets the limit in seconds.
const VARIABLE: &str = "LOCANT_GIT_SECONDS";

/// How long git may print nothing: 30 seconds, or the number in the environment variable.
pub(super) fn patience() -> Duration {
    let given = std::env::var(VARIABLE).ok().and_then(|seconds| seconds.parse().ok());
    Duration::from_secs(given.unwrap_or(30).max(1))
}

/// Runs git until it ends. Fails if it prints nothing for too long.
pub(super) fn output(mut command: Command) -> Result<Output, Failure> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut git = command.spawn().map_err(|error| not_started(&error))?;
    let (heard, pieces) = mpsc::channel();
    let (stdout, stderr) = (git.stdout.take(), git.stderr.take());
    listen(stdout.expect("it was asked for above"), heard.clone(), Piece::Out);
    listen(stderr.expect("it was asked for above"), heard, Piece::Err);
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    loop {
        match pieces.recv_timeout(patience()) {
            Ok(Piece::Out(piece)) => stdout.extend(piece),
            Ok(Piece::Err(piece)) => stderr.extend(piece),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => return Err(end(&mut git)),
        }
    }
    let status = git.wait().map_err(|error| not_started(&error))?;
    Ok(Output { status, stdout, stderr })
}

/// Kills a git process that prints nothing, and returns the failure for it.
pub(super) fn end(git: &mut Child) -> Failure {
    // The process may have ended by itself in the meantime.
    let _ = git.kill();
    let _ = git.wait();
    let n_seconds = patience().as_secs();
    Failure::new(
        Kind::Io,
        format!("git said nothing for {n_seconds} s and was ended"),
        format!(
            "it may wait for a pipe: `find .git -type p` looks for one; if it only needs longer, set {VARIABLE}={}",
            n_seconds * 10
        ),
    )
}

/// A piece of what git printed, to standard output or to standard error.
enum Piece {
    Out(Vec<u8>),
    Err(Vec<u8>),
}

/// Reads in a separate thread, because a blocked read cannot be cancelled, and sends each piece to `heard`.
fn listen(mut from: impl Read + Send + 'static, heard: Sender<Piece>, piece: fn(Vec<u8>) -> Piece) {
    thread::spawn(move || {
        let mut room = vec![0; 64 << 10];
        while let Ok(n @ 1..) = from.read(&mut room) {
            if heard.send(piece(room[..n].to_vec())).is_err() {
                return;
            }
        }
    });
}
