//! The process of a server, with all processes that it starts.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::launch::Launch;
use crate::supervise::{self, Supervisor};

/// How many of the last lines of standard error are kept.
const KEPT_LINES: usize = 20;

/// How many bytes of such a line are kept.
const KEPT_BYTES: usize = 300;

/// How long to wait for the last words of a process that has ended.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// How long a process is watched to tell whether it works.
const SAMPLE: Duration = Duration::from_millis(200);

/// How many processes were started.
static N_STARTED: AtomicUsize = AtomicUsize::new(0);

/// A running process. When this value is dropped, the process is ended, with all processes that it started.
#[derive(Debug)]
pub(crate) struct Process {
    child: Mutex<Child>,
    complaints: Arc<Mutex<Complaints>>,
    /// What all processes of the server have in their environment.
    mark: String,
}

/// What a process writes to standard error.
#[derive(Debug, Default)]
struct Complaints {
    /// The last lines.
    lines: VecDeque<String>,
    has_ended: bool,
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
        let mark = format!("{}-{}", std::process::id(), N_STARTED.fetch_add(1, Ordering::Relaxed));
        command.current_dir(&launch.root).env_clear().envs(launch.env()).env(supervise::MARK, &mark);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let complaints = Arc::<Mutex<Complaints>>::default();
        if let Some(errors) = errors {
            let complaints = Arc::clone(&complaints);
            thread::Builder::new()
                .name("server-errors".to_owned())
                .spawn(move || listen(errors, &complaints))?;
        }
        let process = Process { child: Mutex::new(child), complaints, mark };
        match (input, output) {
            (Some(input), Some(output)) => Ok((process, Pipes { input, output })),
            _ => Err(io::Error::other("the process has no pipes")),
        }
    }

    /// The id of the process that was started.
    pub(crate) fn id(&self) -> u32 {
        self.child.lock().unwrap_or_else(PoisonError::into_inner).id()
    }

    /// Whether the process that was started has ended.
    pub(crate) fn has_ended(&self) -> bool {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        !matches!(child.try_wait(), Ok(None))
    }

    /// Whether the process, or one below it, works at this moment. On systems that do not tell, it counts as working.
    pub(crate) fn is_busy(&self) -> bool {
        let Some(before) = supervise::time_of_tree(self.id()) else { return true };
        thread::sleep(SAMPLE);
        // One tick does not count as work: a supervisor takes some time when it looks around. A process that waits for
        // a processor counts as working.
        supervise::time_of_tree(self.id()).is_some_and(|after| after > before + 1) || !self.is_at_rest()
    }

    /// Whether neither the process nor one below it works or waits for a processor at this moment. Where that is not
    /// known, they count as at rest.
    pub(crate) fn is_at_rest(&self) -> bool {
        !supervise::runs(self.id())
    }

    /// The last lines that the process wrote to standard error. If `is_over`, the process is ending, and this waits a
    /// moment for its very last lines.
    pub(crate) fn complaints(&self, is_over: bool) -> String {
        let asked = Instant::now();
        loop {
            let complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
            if complaints.has_ended || !is_over || asked.elapsed() > LAST_WORDS {
                return complaints.lines.iter().map(String::as_str).collect::<Vec<_>>().join("\n");
            }
            drop(complaints);
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let child = self.child.get_mut().unwrap_or_else(PoisonError::into_inner);
        supervise::end_tree(child.id());
        // Processes that have left the tree, for example because the supervisor was killed, still have the mark.
        supervise::end_marked(&self.mark);
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Keeps the last lines of what a process writes to standard error.
fn listen(errors: ChildStderr, complaints: &Mutex<Complaints>) {
    let mut errors = BufReader::new(errors);
    let mut line = Vec::new();
    loop {
        line.clear();
        // A line may be endless, so it is read in pieces.
        match (&mut errors as &mut dyn BufRead).take(64 << 10).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => {
                complaints.lock().unwrap_or_else(PoisonError::into_inner).has_ended = true;
                return;
            }
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&line[..line.len().min(KEPT_BYTES)]).trim_end().to_owned();
        if text.is_empty() {
            continue;
        }
        let mut complaints = complaints.lock().unwrap_or_else(PoisonError::into_inner);
        complaints.lines.push_back(text);
        if complaints.lines.len() > KEPT_LINES {
            complaints.lines.pop_front();
        }
    }
}
