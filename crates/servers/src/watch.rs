//! Which files of a project have changed since they were last looked at, so that a server can be told.
//!
//! On Linux the system notes changes for us. The notes are read right before a question, so no change is missed, and an
//! unchanged project costs nothing. On other systems, or if there are too many folders to watch, all files are looked
//! at.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// How many folders are watched at most.
const MOST_FOLDERS: usize = 20_000;

/// How many files are known at most.
const MOST_FILES: usize = 200_000;

/// What has become of a file, in the numbers of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Created = 1,
    Changed = 2,
    Deleted = 3,
}

/// The files of a project as they were last looked at.
#[derive(Debug)]
pub(crate) struct Watch {
    root: PathBuf,
    files: HashMap<PathBuf, Stamp>,
    #[cfg(target_os = "linux")]
    notes: Option<notes::Notes>,
}

/// What shows that a file was written: its time and its length.
type Stamp = Option<(SystemTime, u64)>;

/// What a walk over folders finds.
#[derive(Debug, Default)]
struct Found {
    folders: Vec<PathBuf>,
    files: Vec<PathBuf>,
}

impl Watch {
    /// Begins to watch a project.
    pub(crate) fn new(root: &Path) -> Watch {
        // Folders are watched before they are read: what appears in between is found in one of the two ways.
        #[cfg(target_os = "linux")]
        let mut notes = notes::Notes::new();
        let found = walk(root, |folder| {
            #[cfg(target_os = "linux")]
            if notes.as_mut().is_some_and(|notes| !notes.watch(folder)) {
                notes = None;
            }
            let _ = folder;
        });
        let mut watch = Watch {
            root: root.to_owned(),
            files: HashMap::new(),
            #[cfg(target_os = "linux")]
            notes,
        };
        watch.files = found.files.into_iter().map(|path| (path.clone(), watch.stamp(&path))).collect();
        watch
    }

    /// The files that were created, changed or deleted since the last call.
    pub(crate) fn changes(&mut self) -> BTreeMap<PathBuf, Fate> {
        #[cfg(target_os = "linux")]
        if let Some(notes) = &mut self.notes {
            match notes.touched() {
                Some(touched) => return self.sort_out(touched),
                // More has changed than the system keeps notes of, so all files are looked at.
                None => *self = Watch { files: std::mem::take(&mut self.files), ..Watch::new(&self.root) },
            }
            let found = walk(&self.root, |_| {});
            return self.sort_out(found.files.into_iter().chain(self.files.keys().cloned()).collect());
        }
        let found = walk(&self.root, |_| {});
        let all: BTreeSet<PathBuf> = found.files.into_iter().chain(self.files.keys().cloned()).collect();
        let has_changed = |path: &PathBuf| self.files.get(path) != Some(&self.stamp(path));
        let touched = all.into_iter().filter(has_changed).collect();
        self.sort_out(touched)
    }

    /// Tells what has become of files and folders that were touched.
    fn sort_out(&mut self, touched: BTreeSet<PathBuf>) -> BTreeMap<PathBuf, Fate> {
        let mut fates = BTreeMap::new();
        for path in touched {
            match fs::symlink_metadata(&path) {
                Ok(about) if about.is_dir() => {
                    for file in self.enter(&path) {
                        fates.entry(file.clone()).or_insert_with(|| self.note(file));
                    }
                }
                Ok(_) => drop(fates.insert(path.clone(), self.note(path))),
                Err(_) => {
                    // A folder that is gone has taken its files with it.
                    let is_gone = |file: &&PathBuf| file.starts_with(&path);
                    let gone: Vec<PathBuf> = self.files.keys().filter(is_gone).cloned().collect();
                    for file in gone {
                        self.files.remove(&file);
                        fates.insert(file, Fate::Deleted);
                    }
                }
            }
        }
        fates
    }

    /// Watches a new folder, with those below it, and returns the files in it.
    fn enter(&mut self, folder: &Path) -> Vec<PathBuf> {
        if is_left_out(folder) {
            return Vec::new();
        }
        let found = walk(folder, |folder| {
            #[cfg(target_os = "linux")]
            if self.notes.as_mut().is_some_and(|notes| !notes.watch(folder)) {
                self.notes = None;
            }
            let _ = folder;
        });
        found.files
    }

    fn note(&mut self, file: PathBuf) -> Fate {
        let stamp = self.stamp(&file);
        if self.files.insert(file, stamp).is_some() { Fate::Changed } else { Fate::Created }
    }

    /// The stamp of a file; `None` if the system notes changes, because no stamps are needed then.
    fn stamp(&self, path: &Path) -> Stamp {
        #[cfg(target_os = "linux")]
        if self.notes.is_some() {
            return None;
        }
        let about = fs::symlink_metadata(path).ok()?;
        Some((about.modified().ok()?, about.len()))
    }
}

/// The files below a folder. `enter` is called with each folder before it is read.
fn walk(root: &Path, mut enter: impl FnMut(&Path)) -> Found {
    let mut found = Found { folders: vec![root.to_owned()], files: Vec::new() };
    let mut next = 0;
    while let Some(folder) = found.folders.get(next).cloned() {
        next += 1;
        enter(&folder);
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let has_room =
                if is_folder { found.folders.len() < MOST_FOLDERS } else { found.files.len() < MOST_FILES };
            if !has_room || is_folder && is_left_out(&path) {
                continue;
            }
            if is_folder { &mut found.folders } else { &mut found.files }.push(path);
        }
    }
    found
}

/// Whether a folder holds what tools have made or fetched.
fn is_left_out(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.')
        || matches!(&*name, "node_modules" | "__pycache__")
        || folder.join("CACHEDIR.TAG").exists()
}

/// The notes of Linux about changes.
#[cfg(target_os = "linux")]
mod notes {
    use std::collections::{BTreeSet, HashMap};
    use std::ffi::OsStr;
    use std::mem::MaybeUninit;
    use std::os::fd::OwnedFd;
    use std::os::unix::ffi::OsStrExt;
    use std::path::{Path, PathBuf};

    use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init};
    use rustix::io::Errno;

    /// The notes, and the folders that they are about.
    #[derive(Debug)]
    pub(super) struct Notes {
        queue: OwnedFd,
        folders: HashMap<i32, PathBuf>,
    }

    impl Notes {
        pub(super) fn new() -> Option<Notes> {
            let queue = init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
            Some(Notes { queue, folders: HashMap::new() })
        }

        /// Watches a folder; `false` if the system watches no more.
        pub(super) fn watch(&mut self, folder: &Path) -> bool {
            let wanted = WatchFlags::CREATE
                | WatchFlags::DELETE
                | WatchFlags::MODIFY
                | WatchFlags::MOVED_FROM
                | WatchFlags::MOVED_TO
                | WatchFlags::ONLYDIR;
            match add_watch(&self.queue, folder, wanted) {
                Ok(id) => drop(self.folders.insert(id, folder.to_owned())),
                // It is gone again, or is not ours to read.
                Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS) => {}
                Err(_) => return false,
            }
            true
        }

        /// The files and folders that were touched since the last call; `None` when there were too many to note.
        pub(super) fn touched(&mut self) -> Option<BTreeSet<PathBuf>> {
            let mut touched = BTreeSet::new();
            let mut room = [MaybeUninit::uninit(); 16 << 10];
            let mut notes = Reader::new(&self.queue, &mut room);
            loop {
                let note = match notes.next() {
                    Ok(note) => note,
                    Err(Errno::AGAIN) => return Some(touched),
                    Err(Errno::INTR) => continue,
                    Err(_) => return None,
                };
                if note.events().contains(ReadFlags::QUEUE_OVERFLOW) {
                    return None;
                }
                if note.events().contains(ReadFlags::IGNORED) {
                    self.folders.remove(&note.wd());
                    continue;
                }
                let folder = self.folders.get(&note.wd());
                if let Some((folder, name)) = folder.zip(note.file_name()) {
                    touched.insert(folder.join(OsStr::from_bytes(name.to_bytes())));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("locant-watch-{name}-{}", std::process::id()));
            fs::create_dir_all(path.join("sub")).expect("the temporary folder can be written to");
            Folder(path)
        }

        fn write(&self, name: &str, text: &str) {
            fs::write(self.0.join(name), text).expect("it can be written");
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// Changes files in many ways, and checks after each change what is noticed.
    fn check(name: &str, make: fn(&Path) -> Watch) {
        let folder = Folder::new(name);
        folder.write("a", "1");
        let mut watch = make(&folder.0);
        let at = |name: &str| folder.0.join(name);
        let mut expect = |when: &str, expected: &[(&str, Fate)]| {
            let changes = watch.changes();
            let expected: BTreeMap<PathBuf, Fate> =
                expected.iter().map(|(name, fate)| (at(name), *fate)).collect();
            assert_eq!(changes, expected, "{when}");
        };
        expect("nothing was done", &[]);
        folder.write("a", "two");
        folder.write("sub/b", "1");
        expect("written", &[("a", Fate::Changed), ("sub/b", Fate::Created)]);
        fs::rename(at("a"), at("sub/c")).expect("both are ours");
        expect("moved", &[("a", Fate::Deleted), ("sub/c", Fate::Created)]);
        fs::create_dir_all(at("new/deep")).expect("there is room");
        folder.write("new/deep/d", "1");
        expect("in a new folder", &[("new/deep/d", Fate::Created)]);
        folder.write("new/deep/d", "two");
        folder.write("new/deep/e", "1");
        expect("in it again", &[("new/deep/d", Fate::Changed), ("new/deep/e", Fate::Created)]);
        fs::remove_dir_all(at("new")).expect("it is ours");
        expect("removed", &[("new/deep/d", Fate::Deleted), ("new/deep/e", Fate::Deleted)]);
        folder.write("x", "1");
        fs::remove_file(at("x")).expect("it is ours");
        expect("there and gone", &[]);
    }

    #[test]
    fn changes_are_noticed() {
        check("notes", Watch::new);
    }

    #[test]
    fn changes_are_noticed_where_the_system_notes_none() {
        check("looks", |root| {
            let mut watch = Watch::new(root);
            #[cfg(target_os = "linux")]
            {
                watch.notes = None;
            }
            let files: Vec<PathBuf> = watch.files.keys().cloned().collect();
            watch.files = files.into_iter().map(|path| (path.clone(), watch.stamp(&path))).collect();
            watch
        });
    }
}
