//! The servers that run. For each root and name there is at most one.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{env, fmt, fs};

use locant_engine::Encoding;

use crate::connection::PATIENCE;
use crate::entry::Entry;
use crate::reached::Reached;
use crate::server::{Server, Start};
use crate::supervise::Supervisor;

/// How long to wait after the second failure of a server before it is started again. The wait doubles with each further
/// failure.
const REST: Duration = Duration::from_secs(1);

/// The longest wait before a failed server is started again.
const LONGEST_REST: Duration = Duration::from_secs(60);

/// How servers are started.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The supervisor that ends a server when this process is gone; `None` if there is none.
    pub supervisor: Option<Supervisor>,
    /// The folders in which servers are looked for, in the form of the variable `PATH`.
    pub path: Option<OsString>,
    /// The encodings that servers are offered, the preferred first.
    pub encodings: Vec<Encoding>,
    /// How long a server may show no progress on a request.
    pub patience: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            supervisor: None,
            path: env::var_os("LOCANT_SERVER_PATH").or_else(|| env::var_os("PATH")),
            encodings: vec![Encoding::Utf8, Encoding::Utf16, Encoding::Utf32],
            patience: PATIENCE,
        }
    }
}

/// The servers that run.
pub struct Pool {
    settings: Settings,
    slots: Mutex<HashMap<Key, Arc<Mutex<Slot>>>>,
}

/// The root of a server, and its name.
type Key = (PathBuf, String);

/// A place for one server.
#[derive(Default)]
struct Slot {
    server: Option<Arc<Server>>,
    n_failures: u32,
    /// When the server failed last, and why.
    failed: Option<(Instant, String)>,
}

/// What is known of a server that runs.
#[derive(Clone, Debug)]
pub struct Running {
    /// Its name.
    pub name: String,
    /// Its version; empty when it is not known.
    pub version: String,
    /// Its root.
    pub root: PathBuf,
    /// Its program.
    pub program: PathBuf,
    /// The memory of the server and of all processes below it, in bytes.
    pub memory: Option<u64>,
    /// What it is busy with.
    pub work: Option<String>,
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.running().iter().map(|one| (&one.name, &one.root))).finish()
    }
}

impl Pool {
    /// A pool in which no server runs yet.
    pub fn new(settings: Settings) -> Pool {
        Pool { settings, slots: Mutex::default() }
    }

    /// The program of a server, if it is on this machine.
    pub fn program(&self, entry: &Entry) -> Option<PathBuf> {
        let program = found(entry.command.first()?, self.settings.path.as_ref())?;
        let is_new_enough = match (entry.least_version, packed_version(&program)) {
            (Some(least), Some(version)) => least <= version,
            _ => true,
        };
        is_new_enough.then_some(program)
    }

    /// The servers that run.
    pub fn running(&self) -> Vec<Running> {
        let slots: Vec<_> =
            self.slots.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect();
        let mut running: Vec<Running> = slots
            .iter()
            .filter_map(|slot| {
                slot.try_lock().ok()?.server.as_ref().filter(|one| one.ended().is_none()).cloned()
            })
            .map(|server| Running {
                name: server.entry.name.clone(),
                version: server.version.clone(),
                root: server.root.clone(),
                program: server.program.clone(),
                memory: server.memory(),
                work: server.work(),
            })
            .collect();
        running.sort_by(|one, other| (&one.root, &one.name).cmp(&(&other.root, &other.name)));
        running
    }

    /// The server for a root, which is started if it does not run yet. The error says why it cannot run.
    pub(crate) fn reach(&self, entry: &Arc<Entry>, root: &Path, program: &Path) -> Result<Reached, String> {
        self.server(entry, root, program).map(Reached::own)
    }

    fn server(&self, entry: &Arc<Entry>, root: &Path, program: &Path) -> Result<Arc<Server>, String> {
        let slot = {
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(slots.entry((root.to_owned(), entry.name.clone())).or_default())
        };
        // Other threads that need this server wait here until it has started.
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |server: &Arc<Server>| server.entry == *entry && server.program == program;
        if let Some(server) = slot.server.take().filter(is_same) {
            match server.ended() {
                None => return Ok(Arc::clone(slot.server.insert(server))),
                Some(why) => slot.note_failure(format!("{} ended: {why}", entry.name)),
            }
        }
        if let Some(why) = slot.rests() {
            return Err(why);
        }
        let start = Start {
            entry,
            program,
            root,
            encodings: &self.settings.encodings,
            supervisor: self.settings.supervisor.as_ref(),
            patience: self.settings.patience,
        };
        match Server::start(&start) {
            Ok(server) => Ok(Arc::clone(slot.server.insert(Arc::new(server)))),
            Err(why) => {
                slot.note_failure(why.clone());
                Err(why)
            }
        }
    }
}

impl Slot {
    fn note_failure(&mut self, why: String) {
        self.n_failures += 1;
        self.failed = Some((Instant::now(), why));
    }

    /// Why the server is not started again yet. The first failure is forgiven at once.
    fn rests(&self) -> Option<String> {
        let (failed, why) = self.failed.as_ref()?;
        let n_doubled = self.n_failures.checked_sub(2)?.min(6);
        let rest = (REST * 2_u32.pow(n_doubled)).min(LONGEST_REST);
        let left = rest.checked_sub(failed.elapsed())?;
        Some(format!(
            "{why}; it failed {} times and is not started again for {} s",
            self.n_failures,
            left.as_secs() + 1
        ))
    }
}

/// The first number of the version in the `package.json` around a program.
fn packed_version(program: &Path) -> Option<u32> {
    /// How many folders above the program are looked at.
    const MOST_FOLDERS: usize = 4;

    let program = program.canonicalize().ok()?;
    let mut packages =
        program.ancestors().skip(1).take(MOST_FOLDERS).map(|folder| folder.join("package.json"));
    let text = packages.find_map(|package| fs::read_to_string(package).ok())?;
    let package: serde_json::Value = serde_json::from_str(&text).ok()?;
    package.get("version")?.as_str()?.split('.').next()?.parse().ok()
}

/// A program by its name, in the folders of `PATH`, or by its path.
fn found(program: &str, path: Option<&OsString>) -> Option<PathBuf> {
    if Path::new(program).components().count() > 1 {
        return Some(PathBuf::from(program)).filter(|program| program.is_absolute() && is_program(program));
    }
    env::split_paths(path?)
        // A relative folder could be inside the project, whose programs must not be started.
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(program))
        .find(|program| is_program(program))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}
