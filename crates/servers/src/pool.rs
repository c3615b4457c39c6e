//! The servers that run. For each root and name there is at most one.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{env, fmt};

use crate::daemon;
use crate::entry::Entry;
use crate::launch::{Key, Launch, packed_version};
use crate::reached::Reached;
use crate::running::Running;
use crate::server::Server;
use crate::settings::Settings;

/// How long to wait after the second failure of a server before it is started again. The wait doubles with each further
/// failure.
const REST: Duration = Duration::from_secs(1);

/// The longest wait before a failed server is started again.
const LONGEST_REST: Duration = Duration::from_secs(60);

/// The servers that run.
pub struct Pool {
    settings: Settings,
    slots: Mutex<HashMap<Key, Arc<Mutex<Slot>>>>,
    daemon: Option<Arc<daemon::Client>>,
}

/// A place for one server.
struct Slot {
    server: Option<Arc<Server>>,
    /// When it was started, if it runs.
    started: Option<Instant>,
    used: Instant,
    n_failures: u32,
    /// When the server failed last, and why.
    failed: Option<(Instant, String)>,
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.running().iter().map(|one| (&one.name, &one.root))).finish()
    }
}

impl Pool {
    /// A pool in which no server runs yet.
    pub fn new(settings: Settings) -> Pool {
        let daemon = settings.daemon.clone().map(|starter| Arc::new(daemon::Client::new(starter)));
        Pool { settings, slots: Mutex::default(), daemon }
    }

    /// The program of a server, if it is on this machine.
    pub fn program(&self, entry: &Entry) -> Option<PathBuf> {
        let program = found(entry.command.first()?, self.settings.path.as_ref())?;
        let is_new_enough = entry.least_version.is_none_or(|least| {
            let version = packed_version(&program);
            let major = version.as_deref().and_then(|version| version.split('.').next()?.parse::<u32>().ok());
            major.is_none_or(|major| least <= major)
        });
        is_new_enough.then_some(program)
    }

    /// The servers that run, of this process and of the daemon.
    pub fn running(&self) -> Vec<Running> {
        let own = self.slots().into_iter().filter_map(|(_, slot)| Slot::running(&*slot.try_lock().ok()?));
        let held = self.daemon().and_then(|daemon| daemon.status()).map(|status| status.servers);
        let mut running: Vec<Running> = own.chain(held.into_iter().flatten()).collect();
        running.sort_by(|one, other| (&one.root, &one.name).cmp(&(&other.root, &other.name)));
        running
    }

    /// The daemon that keeps servers for later; `None` where servers end with this process.
    pub fn daemon(&self) -> Option<&daemon::Client> {
        self.daemon.as_deref()
    }

    /// The server for a root, started if it does not run; or why it does not. If `is_alone`, or if there is no daemon,
    /// it is a server of this process. Otherwise the daemon holds it, if the daemon can be reached.
    pub(crate) fn reach(
        &self,
        entry: &Arc<Entry>,
        root: &Path,
        program: &Path,
        is_alone: bool,
    ) -> Result<Reached, String> {
        let launch = Launch::new(entry, root, program, &self.settings);
        let daemon = self.daemon.as_ref().filter(|_| !is_alone);
        match daemon.and_then(|daemon| daemon.reach(&launch)) {
            Some(reached) => reached.map(|(held, about)| Reached::held(entry, held, about)),
            None => self.server(&launch).map(Reached::own),
        }
    }

    /// The server of this process for a launch, started if it does not run; or why it does not run.
    pub(crate) fn server(&self, launch: &Launch) -> Result<Arc<Server>, String> {
        let slot = {
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(slots.entry(launch.key()).or_default())
        };
        // Other threads that need this server wait here until it has started.
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        slot.used = Instant::now();
        if let Some(server) = slot.server.take().filter(|server| server.launch.is_like(launch)) {
            match server.ended() {
                None => return Ok(Arc::clone(slot.server.insert(server))),
                Some(why) => slot.note_failure(format!("{} ended: {why}", launch.entry.name)),
            }
        }
        if let Some(why) = slot.rests() {
            return Err(why);
        }
        match Server::start(launch, self.settings.supervisor.as_ref()) {
            Ok(server) => {
                slot.started = Some(Instant::now());
                Ok(Arc::clone(slot.server.insert(Arc::new(server))))
            }
            Err(why) => {
                slot.note_failure(why.clone());
                Err(why)
            }
        }
    }

    /// Ends the servers that were not asked anything for `longest`. If more than `most` are left, also ends those that
    /// were asked longest ago. Returns how many still run.
    pub(crate) fn end_unused(&self, longest: Duration, most: usize) -> usize {
        let mut running: Vec<(Duration, Key)> = Vec::new();
        for (key, slot) in self.slots() {
            let Ok(mut slot) = slot.try_lock() else { continue };
            let is_asked = slot.server.as_ref().is_some_and(|server| Arc::strong_count(server) > 1);
            if is_asked {
                slot.used = Instant::now();
            }
            running.push((slot.used.elapsed(), key));
        }
        running.sort();
        let kept = running.iter().take(most).take_while(|(idle, _)| *idle < longest).count();
        for (idle, key) in running.drain(kept..) {
            // The server is dropped after the lock is released, because it may take a moment to end.
            let slot = self.slots.lock().unwrap_or_else(PoisonError::into_inner).remove(&key);
            drop((idle, slot));
        }
        kept
    }

    fn slots(&self) -> Vec<(Key, Arc<Mutex<Slot>>)> {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.iter().map(|(key, slot)| (key.clone(), Arc::clone(slot))).collect()
    }
}

impl Default for Slot {
    fn default() -> Slot {
        Slot { server: None, started: None, used: Instant::now(), n_failures: 0, failed: None }
    }
}

impl Slot {
    fn running(&self) -> Option<Running> {
        let server = self.server.as_ref().filter(|server| server.ended().is_none())?;
        let Launch { entry, root, program, .. } = &server.launch;
        Some(Running {
            name: entry.name.clone(),
            version: server.version.clone(),
            root: root.clone(),
            program: program.clone(),
            memory: server.memory(),
            work: server.work(),
            idle: self.used.elapsed(),
        })
    }

    fn note_failure(&mut self, why: String) {
        // A server that has run well for long is started again as if it had never failed.
        let has_run_well = self.started.take().is_some_and(|started| started.elapsed() > LONGEST_REST);
        self.n_failures = if has_run_well { 1 } else { self.n_failures + 1 };
        self.failed = Some((Instant::now(), why));
    }

    /// Why the server is not started again yet. After its first failure, it is started again at once.
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
