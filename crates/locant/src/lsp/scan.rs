//! Looking for the files of a workspace.

use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::thread;

use super::transport::Event;
use crate::disk::{Depth, DiskFile, walk};

/// Looks for files whose names are known, for the workspace with this number, in a thread of its own.
pub(super) fn scan(folder: PathBuf, depth: Depth, workspace: usize, sender: Sender<Event>) {
    thread::spawn(move || {
        for path in walk(&folder, depth) {
            let Some(file) = DiskFile::read(&path) else { continue };
            if sender.send(Event::Found { workspace, path, file }).is_err() {
                return;
            }
        }
        // That nobody listens any more is the end of the process.
        let _ = sender.send(Event::Scanned);
    });
}
