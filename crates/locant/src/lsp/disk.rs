//! The files of the workspace as they are on disk.
//!
//! A client tells of most changes, but not of all: some do not watch files, and some files are changed while nobody
//! watches. So each file is kept with its time and size, and looked at again when an answer depends on it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::SystemTime;

use ignore::WalkBuilder;
use locant_engine::{Reader, Text, Workspace};

use super::transport::Event;
use super::uri;
use crate::files::read_path;

/// A file as it was read.
#[derive(Clone, Debug)]
pub(super) struct DiskFile {
    stamp: Stamp,
    pub(super) text: Arc<Text>,
}

/// What tells two versions of a file apart without reading them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    size: u64,
    changed: Option<SystemTime>,
}

impl Stamp {
    fn of(path: &str) -> Option<Stamp> {
        let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some(Stamp { size: metadata.len(), changed: metadata.modified().ok() })
    }
}

/// What has become of a file.
pub(super) enum Change {
    /// It is as it was.
    None,
    /// It has another text.
    Changed(DiskFile),
    /// It is not there any more, or cannot be read.
    Gone,
}

impl DiskFile {
    /// Reads a file; `None` when there is none, or it is no text.
    pub(super) fn read(path: &str) -> Option<DiskFile> {
        // The time is taken first: a change while the file is read is then seen the next time.
        let stamp = Stamp::of(path)?;
        let bytes = read_path(Path::new(path)).ok()?.ok()?;
        Some(DiskFile { stamp, text: Arc::new(Text::new(bytes).ok()?) })
    }

    /// What has become of the file since it was read.
    pub(super) fn change(&self, path: &str) -> Change {
        match Stamp::of(path) {
            Some(stamp) if stamp == self.stamp => Change::None,
            _ => DiskFile::read(path).map_or(Change::Gone, Change::Changed),
        }
    }
}

/// How far down files are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// In the folder itself.
    Folder,
    /// In all folders below.
    All,
}

/// Looks for files whose names are known, in a thread of its own. What version control ignores is left out.
pub(super) fn scan(folder: PathBuf, depth: Depth, sender: Sender<Event>) {
    thread::spawn(move || {
        let mut walk = WalkBuilder::new(&folder);
        walk.max_depth((depth == Depth::Folder).then_some(1)).require_git(false);
        for entry in walk.build().flatten() {
            let path = uri::written(entry.path());
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            if !is_file || !is_known(&path) {
                continue;
            }
            let file = DiskFile::read(&path);
            if file.is_some_and(|file| sender.send(Event::Found(path, file)).is_err()) {
                return;
            }
        }
        // That nobody listens any more is the end of the process.
        let _ = sender.send(Event::Scanned);
    });
}

/// Are the names of a file known, by what it is called?
pub(super) fn is_known(path: &str) -> bool {
    Reader::for_file(path, b"").is_some_and(Workspace::knows)
}
