//! Looking for the files of a workspace.

use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::thread;

use super::transport::Event;
use crate::disk::{Depth, DiskFile, walk};

/// Looks for files whose names are known, in a thread of its own.
pub(super) fn scan(folder: PathBuf, depth: Depth, sender: Sender<Event>) {
    thread::spawn(move || {
        for path in walk(&folder, depth) {
            let file = DiskFile::read(&path);
            if file.is_some_and(|file| sender.send(Event::Found(path, file)).is_err()) {
                return;
            }
        }
        // That nobody listens any more is the end of the process.
        let _ = sender.send(Event::Scanned);
    });
}
