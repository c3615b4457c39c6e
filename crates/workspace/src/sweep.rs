//! Reads all files of a folder, on all cores.
//!
//! A question about a whole tree first searches the bytes of every file, which takes little longer than reading them.
//! Only files that contain the words of the question are worth parsing. So each file is read into a reused buffer, and
//! only what was found in it is kept.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use ignore::{DirEntry, Error, ParallelVisitor, ParallelVisitorBuilder, WalkState};
use locant_engine::Reader;
use locant_stop::{Stop, Stopped, unharmed, until};

use crate::gap::Gap;
use crate::path::written;
use crate::reading::{Unread, read_into};
use crate::walk::walker;

/// Which files of a folder are looked at.
pub struct Sweep<'s> {
    /// The folder.
    pub root: &'s Path,
    /// Whether to look at the file with this path from the root.
    pub wants: &'s (dyn Fn(&str) -> bool + Sync),
}

/// The result of a sweep.
#[derive(Debug)]
pub struct Swept<T> {
    /// The files in which something was found, with what was found. The paths start from the root, and are sorted.
    pub found: Vec<(String, T)>,
    /// How many files were looked at, and why others were not.
    pub tally: Tally,
}

/// How many files were looked at, and why others were not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many were read.
    pub n_read: usize,
    /// How many were not read, because the catalog has them.
    pub n_cached: usize,
    /// How many were left out, for each reason.
    pub skipped: BTreeMap<&'static str, usize>,
    /// Why some files may have been missed.
    pub gaps: Vec<Gap>,
}

/// Looks at all files of a folder that version control does not ignore, on all cores. Keeps what `look` returns for
/// each file. If `look` panics, the file counts as left out.
pub fn sweep<T: Send>(sweep: &Sweep<'_>, look: impl Fn(&str, &[u8]) -> Option<T> + Sync) -> Swept<T> {
    sweep_with(sweep, &Bytes(look))
}

/// How many files all sweeps of this process have looked at so far. It shows progress to a person who waits.
pub fn n_looked_at() -> usize {
    LOOKED_AT.load(Ordering::Relaxed)
}

static LOOKED_AT: AtomicUsize = AtomicUsize::new(0);

/// How a sweep looks at files.
pub(crate) trait Look: Sync {
    /// What `look` returns for a file.
    type Found: Send;

    /// The result for a file, without reading it. The outer `None` means that the file must be read; the inner `None`
    /// means that nothing is found in it.
    fn known(&self, path: &str, on_disk: &Path) -> Option<Option<Self::Found>>;

    /// The result for a file that was read.
    fn look(&self, path: &str, metadata: &Metadata, bytes: &[u8]) -> Option<Self::Found>;
}

/// Looks at the bytes of each file. No file is known without reading it.
struct Bytes<F>(F);

impl<T: Send, F: Fn(&str, &[u8]) -> Option<T> + Sync> Look for Bytes<F> {
    type Found = T;

    fn known(&self, _: &str, _: &Path) -> Option<Option<T>> {
        None
    }

    fn look(&self, path: &str, _: &Metadata, bytes: &[u8]) -> Option<T> {
        (self.0)(path, bytes)
    }
}

/// Looks at the files of a folder as [`sweep`] does, but does not read files that [`Look::known`] answers for.
pub(crate) fn sweep_with<L: Look>(sweep: &Sweep<'_>, look: &L) -> Swept<L::Found> {
    let all = Mutex::new(Swept { found: Vec::new(), tally: Tally::default() });
    let endless = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&endless);
    let leave_out =
        move |path: &Path| told.lock().unwrap_or_else(PoisonError::into_inner).push(written(path));
    let n_threads = thread::available_parallelism().map_or(2, usize::from);
    let walk = walker(sweep.root, leave_out).require_git(false).threads(n_threads).build_parallel();
    let mut workers = Workers { sweep, look, all: &all, stop: Stop::current() };
    walk.visit(&mut workers);
    locant_stop::check();
    let mut swept = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    swept.found.sort_by(|(one, _), (other, _)| one.cmp(other));
    let endless = std::mem::take(&mut *endless.lock().unwrap_or_else(PoisonError::into_inner));
    swept.tally.gaps.extend(endless.into_iter().map(|folder| Gap::EndlessIgnoreList { folder }));
    swept
}

impl Tally {
    /// Counts a file that was left out.
    pub fn skip(&mut self, why: &'static str) {
        *self.skipped.entry(why).or_default() += 1;
    }

    /// Adds the counts of another tally.
    pub fn add(&mut self, other: Tally) {
        self.n_read += other.n_read;
        self.n_cached += other.n_cached;
        for (why, n) in other.skipped {
            *self.skipped.entry(why).or_default() += n;
        }
        self.gaps.extend(other.gaps);
    }
}

/// Makes a worker for each thread of the walk.
struct Workers<'w, L: Look> {
    sweep: &'w Sweep<'w>,
    look: &'w L,
    all: &'w Mutex<Swept<L::Found>>,
    stop: Stop,
}

impl<'w, L: Look> ParallelVisitorBuilder<'w> for Workers<'w, L> {
    fn build(&mut self) -> Box<dyn ParallelVisitor + 'w> {
        Box::new(Worker {
            root: self.sweep.root,
            wants: self.sweep.wants,
            look: self.look,
            all: self.all,
            stop: self.stop.clone(),
            own: Swept { found: Vec::new(), tally: Tally::default() },
            bytes: Vec::new(),
        })
    }
}

/// One thread of the walk. Its results are added to `all` when it ends.
struct Worker<'w, L: Look> {
    root: &'w Path,
    wants: &'w (dyn Fn(&str) -> bool + Sync),
    look: &'w L,
    all: &'w Mutex<Swept<L::Found>>,
    stop: Stop,
    own: Swept<L::Found>,
    /// The buffer that files are read into.
    bytes: Vec<u8>,
}

impl<L: Look> ParallelVisitor for Worker<'_, L> {
    fn visit(&mut self, entry: Result<DirEntry, Error>) -> WalkState {
        if self.stop.is_asked() {
            return WalkState::Quit;
        }
        match entry {
            Ok(entry) => self.take(&entry),
            // Files that were removed in the meantime do not matter.
            Err(error) if error.io_error().is_some_and(|why| why.kind() == std::io::ErrorKind::NotFound) => {}
            Err(error) => self.own.tally.gaps.push(Gap::UnreadableFolder { error: error.to_string() }),
        }
        WalkState::Continue
    }
}

impl<L: Look> Worker<'_, L> {
    fn take(&mut self, entry: &DirEntry) {
        let Some(kind) = entry.file_type() else { return };
        if kind.is_symlink() {
            return self.own.tally.skip("link");
        }
        if !kind.is_file() {
            if !kind.is_dir() {
                self.own.tally.skip("special");
            }
            return;
        }
        let Some(path) = below(entry.path(), self.root) else { return self.own.tally.skip("name") };
        if !(self.wants)(&path) {
            return self.own.tally.skip("no_reader");
        }
        LOOKED_AT.fetch_add(1, Ordering::Relaxed);
        let look = self.look;
        match self.guarded(|| look.known(&path, entry.path())) {
            Some(known) => {
                self.own.tally.n_cached += 1;
                self.own.found.extend(known.map(|found| (path, found)));
            }
            None => self.read(&path, entry.path()),
        }
    }

    /// Does work that may panic or be asked to stop; both give `None`. After a panic the file counts as left out. A
    /// request to stop ends the whole sweep.
    fn guarded<T>(&mut self, work: impl FnOnce() -> Option<T>) -> Option<T> {
        match until(&self.stop, || unharmed(work)) {
            Ok(Ok(done)) => done,
            Ok(Err(_)) => {
                self.own.tally.skip("defect");
                None
            }
            Err(Stopped) => None,
        }
    }

    fn read(&mut self, path: &str, on_disk: &Path) {
        let metadata = match read_into(on_disk, &mut self.bytes) {
            Ok(Some(metadata)) => metadata,
            Ok(None) => return self.own.tally.skip("binary"),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return self.own.tally.skip("vanished");
            }
            Err(error) => {
                let why = match Unread::of(&error) {
                    Some(Unread::TooLarge | Unread::Endless) => "too_large",
                    Some(Unread::Special(_)) => "special",
                    None => "unreadable",
                };
                self.own.tally.gaps.push(Gap::UnreadableFile { path: path.to_owned() });
                return self.own.tally.skip(why);
            }
        };
        self.own.tally.n_read += 1;
        let (look, bytes) = (self.look, std::mem::take(&mut self.bytes));
        let found = self.guarded(|| look.look(path, &metadata, &bytes));
        self.bytes = bytes;
        self.own.found.extend(found.map(|found| (path.to_owned(), found)));
    }
}

impl<L: Look> Drop for Worker<'_, L> {
    fn drop(&mut self) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.found.append(&mut self.own.found);
        all.tally.add(std::mem::take(&mut self.own.tally));
    }
}

/// The path of a file from the root, with `/`; `None` when it is not valid Unicode.
fn below(path: &Path, root: &Path) -> Option<String> {
    let inside = path.strip_prefix(root).unwrap_or(path);
    let path = inside.to_str()?;
    Some(if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() })
}

/// Whether a file may have symbols, judging by its name. A file without an extension may, because its first line can
/// name the language.
pub fn may_have_symbols(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    !name.contains('.') || Reader::for_file(path, b"").is_some()
}

/// The paths, from the root, of all files that `wants` accepts and that version control does not ignore, sorted.
pub fn names(root: &Path, wants: &(dyn Fn(&str) -> bool + Sync)) -> Vec<String> {
    let mut names = Vec::new();
    for entry in walker(root, |_| ()).require_git(false).build().flatten() {
        locant_stop::check();
        if entry.file_type().is_some_and(|kind| kind.is_file()) {
            names.extend(below(entry.path(), root).filter(|path| wants(path)));
        }
    }
    names.sort();
    names
}
