//! The supervisor is a process between us and a server. When we are gone, it ends the server and all processes that the
//! server started.
//!
//! If we are killed, we cannot end anything any more. So the supervisor looks several times a second whether its parent
//! is still the process that started it. On Linux, all processes below a server stay below the supervisor, even if
//! their own parent has ended, because the supervisor has asked the system to become their parent then. On other
//! systems they may escape.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
#[cfg(unix)]
use std::{os::unix::process::CommandExt as _, thread, time::Duration};

/// How a supervisor is started.
#[derive(Clone, Debug)]
pub struct Supervisor {
    /// The program. It must call [`run`] when it gets `arguments`.
    pub program: PathBuf,
    /// The first arguments. The id of the parent and the command of the server come after them.
    pub arguments: Vec<OsString>,
}

impl Supervisor {
    /// The command that starts a program under supervision. The program's arguments follow.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).arg(std::process::id().to_string()).arg(program);
        #[cfg(unix)]
        command.arg0(NAME);
        command
    }
}

/// The word by which a supervisor starts itself once more, to become the server.
#[cfg(unix)]
const BECOME: &str = "become";

/// The name of a supervisor in lists of processes. It is not our own name: a user who kills all processes with our name
/// should not kill those that clean up.
#[cfg(unix)]
const NAME: &str = "server-guard";

/// Starts a command. Waits until the command ends, or until the process with the id `parent` is no longer our parent.
/// Then ends all processes below the command, and returns its exit code.
#[cfg(unix)]
pub fn run(parent: u32, command: &[OsString]) -> u8 {
    if let [word, command @ ..] = command
        && word == BECOME
    {
        return become_server(parent, command);
    }
    #[cfg(target_os = "linux")]
    {
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        let _ = rustix::thread::set_name(c"server-guard");
    }
    let mut child = match server_below(command).spawn() {
        Ok(child) => child,
        Err(error) => {
            eprintln!("{NAME}: {error}");
            return 127;
        }
    };
    let_go();
    let code = loop {
        if !is_parent(parent) {
            break 1;
        }
        match child.try_wait() {
            Ok(None) => thread::sleep(GLANCE),
            Ok(Some(status)) => break status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1),
            Err(_) => break 1,
        }
    };
    end_below(std::process::id());
    code
}

/// Closes the supervisor's own ends of the server's pipes. So the other end notices when the server closes its own.
#[cfg(unix)]
fn let_go() {
    if let Ok(nowhere) = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdin(&nowhere);
        let _ = rustix::stdio::dup2_stdout(&nowhere);
        let _ = rustix::stdio::dup2_stderr(&nowhere);
    }
}

/// The command that starts this program once more, below this supervisor, to become the server.
#[cfg(unix)]
fn server_below(command: &[OsString]) -> Command {
    let own: Vec<OsString> = std::env::args_os().collect();
    // Before the command of the server come the name of this program, the words that lead here, and the parent's id.
    let words = own.len().checked_sub(command.len() + 1).and_then(|end| own.get(1..end)).unwrap_or_default();
    let mut below = Command::new(std::env::current_exe().unwrap_or_else(|_| own[0].clone().into()));
    below.arg0(NAME).args(words).arg(std::process::id().to_string()).arg(BECOME).args(command);
    below
}

/// Becomes the server, which is killed when its supervisor is (Linux only).
#[cfg(unix)]
fn become_server(parent: u32, command: &[OsString]) -> u8 {
    let Some((program, arguments)) = command.split_first() else { return 2 };
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    // The supervisor may have been killed before that.
    if !is_parent(parent) {
        return 1;
    }
    let error = Command::new(program).args(arguments).exec();
    eprintln!("{}: {error}", Path::new(program).display());
    127
}

/// The time between two looks of the supervisor at whether its parent and the server are still there.
#[cfg(unix)]
const GLANCE: Duration = Duration::from_millis(200);

#[cfg(unix)]
fn is_parent(parent: u32) -> bool {
    let now = rustix::process::getppid().map(|id| id.as_raw_nonzero().get().cast_unsigned());
    now == Some(parent)
}

/// Ends a process and all processes below it.
#[cfg(unix)]
pub(crate) fn end_tree(process: u32) {
    end_below(process);
    end(process);
}

/// Ends all processes below a process. New ones may appear in the meantime, so it looks for them several times.
#[cfg(unix)]
fn end_below(process: u32) {
    for _ in 0..20 {
        let below = below(process);
        if below.is_empty() {
            return;
        }
        below.into_iter().for_each(end);
        thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(unix)]
fn end(process: u32) {
    let id = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(id) = id {
        let _ = rustix::process::kill_process(id, rustix::process::Signal::KILL);
    }
}

/// The running processes below a process: those that it started, those that these started, and so on.
#[cfg(target_os = "linux")]
fn below(process: u32) -> Vec<u32> {
    let mut below = vec![process];
    let all: Vec<(u32, u32)> = std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| running(entry.file_name().to_str()?))
        .collect();
    let mut next = 0;
    while let Some(&parent) = below.get(next) {
        below.extend(all.iter().filter(|(_, of)| *of == parent).map(|(id, _)| *id));
        next += 1;
    }
    below.split_off(1)
}

/// The ids of a process and of its parent; `None` if the process has ended, even if its parent has not noticed that
/// yet.
#[cfg(target_os = "linux")]
fn running(id: &str) -> Option<(u32, u32)> {
    let id = id.parse().ok()?;
    // `7 (name) S 3 …`: the name may have brackets and blanks in it.
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let is_over = matches!(fields.next()?, "Z" | "X");
    let parent = fields.next()?.parse().ok()?;
    (!is_over).then_some((id, parent))
}

/// On other systems the processes below a process are not known. A server ends when its input ends.
#[cfg(all(unix, not(target_os = "linux")))]
fn below(_: u32) -> Vec<u32> {
    Vec::new()
}

#[cfg(not(unix))]
pub(crate) fn end_tree(_: u32) {}

/// On this system nothing is supervised. A server ends when its input ends.
#[cfg(not(unix))]
pub fn run(_: u32, command: &[OsString]) -> u8 {
    let Some((program, arguments)) = command.split_first() else { return 2 };
    let status = Command::new(program).args(arguments).status();
    status.ok().and_then(|status| status.code()).and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

/// The variable that is set for a server and for all that it starts.
pub(crate) const MARK: &str = "SERVER_GUARD_MARK";

/// Ends all processes whose environment has a mark, wherever they are in the tree of processes.
#[cfg(target_os = "linux")]
pub(crate) fn end_marked(mark: &str) {
    let variable = format!("{MARK}={mark}");
    let ids = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_marked = |id: &u32| {
        let environment = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|one| one == variable.as_bytes())
    };
    ids.filter(is_marked).for_each(end);
}

/// Elsewhere the environment of other processes is not known.
#[cfg(not(target_os = "linux"))]
pub(crate) fn end_marked(_: &str) {}

/// The processor time that a process and all below it have used, in ticks of the system.
#[cfg(target_os = "linux")]
pub(crate) fn time_of_tree(process: u32) -> Option<u64> {
    let time = |id: u32| -> Option<u64> {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
        Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
    };
    Some(std::iter::once(process).chain(below(process)).filter_map(time).sum())
}

/// How much a process works is not known on this system.
#[cfg(not(target_os = "linux"))]
pub(crate) fn time_of_tree(_: u32) -> Option<u64> {
    None
}

/// Whether a thread of a process, or of one below it, runs or waits for a processor.
#[cfg(target_os = "linux")]
pub(crate) fn runs(process: u32) -> bool {
    let runs = |stat: &str| stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('R'));
    let threads = |id: u32| std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
    let stats = std::iter::once(process).chain(below(process)).flat_map(threads);
    stats
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("stat")).ok())
        .any(|stat| runs(&stat))
}

/// Which threads run is not known on this system.
#[cfg(not(target_os = "linux"))]
pub(crate) fn runs(_: u32) -> bool {
    false
}

/// How much memory a process and all processes below it take, in bytes.
#[cfg(target_os = "linux")]
pub(crate) fn memory_of_tree(process: u32) -> Option<u64> {
    let all: Vec<u64> = std::iter::once(process).chain(below(process)).filter_map(memory_of).collect();
    (!all.is_empty()).then(|| all.iter().sum())
}

/// On this system it is not known how much memory a process takes.
#[cfg(not(target_os = "linux"))]
pub(crate) fn memory_of_tree(_: u32) -> Option<u64> {
    None
}

/// How much memory a process holds, in bytes.
#[cfg(unix)]
pub(crate) fn memory_of(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes = line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()?;
    Some(kilobytes << 10)
}
