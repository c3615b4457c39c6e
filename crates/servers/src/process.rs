//! The process of a server, with all processes that it starts.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::launch::Launch;
use crate::supervise::{self, Supervisor};

/// How many of the last lines of standard error are kept.
const KEPT_LINES: usize = 20;

/// How many bytes of such a line are kept.
const KEPT_BYTES: usize = 300;

/// A running process. When this value is dropped, the process is ended, with all processes that it started.
#[derive(Debug)]
pub(crate) struct Process {
    child: Mutex<Child>,
    complaints: Arc<Mutex<VecDeque<String>>>,
}

/// Our ends of the pipes to a process.
pub(crate) struct Pipes {
    pub(crate) input: ChildStdin,
    pub(crate) output: ChildStdout,
}

impl Process {
    /// Starts the program of a server, through `supervisor` if there is one.
    pub(crate) fn start(launch: &Launch, supervisor: Option<&Supervisor>) -> io::Result<(Process, Pipes)> {
        let mut command = match supervisor {
            Some(supervisor) => supervisor.command(&launch.program),
            None => Command::new(&launch.program),
        };
        command.args(launch.entry.command.get(1..).unwrap_or_default());
        command.current_dir(&launch.root).env_clear().envs(launch.env());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let complaints = Arc::new(Mutex::new(VecDeque::new()));
        if let Some(errors) = errors {
            let complaints = Arc::clone(&complaints);
            thread::Builder::new()
                .name("server-errors".to_owned())
                .spawn(move || listen(errors, &complaints))?;
        }
        let process = Process { child: Mutex::new(child), complaints };
        match (input, output) {
            (Some(input), Some(output)) => Ok((process, Pipes { input, output })),
            _ => Err(io::Error::other("the process has no pipes")),
        }
    }

    /// The id of the process that was started.
    pub(crate) fn id(&self) -> u32 {
        self.child.lock().unwrap_or_else(PoisonError::into_inner).id()
    }

    /// The last lines that the process wrote to standard error.
    pub(crate) fn complaints(&self) -> String {
        let lines = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().map(String::as_str).collect::<Vec<_>>().join("\n")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let child = self.child.get_mut().unwrap_or_else(PoisonError::into_inner);
        supervise::end_tree(child.id());
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Keeps the last lines of what a process writes to standard error.
fn listen(errors: ChildStderr, complaints: &Mutex<VecDeque<String>>) {
    let mut errors = BufReader::new(errors);
    let mut line = Vec::new();
    loop {
        line.clear();
        // A line may be endless, so it is read in pieces.
        match (&mut errors as &mut dyn BufRead).take(64 << 10).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&line[..line.len().min(KEPT_BYTES)]).trim_end().to_owned();
        if text.is_empty() {
            continue;
        }
        let mut complaints = complaints.lock().unwrap_or_else(PoisonError::into_inner);
        complaints.push_back(text);
        if complaints.len() > KEPT_LINES {
            complaints.pop_front();
        }
    }
}
