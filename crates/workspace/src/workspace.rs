//! The files as they are now.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use locant_engine::{Document, Text};

use crate::opened::Opened;
use crate::snapshot::{Disk, Documents, Snapshot};
use crate::texts::Texts;

/// The files as they are now: on disk, and as an editor has them open.
#[derive(Debug, Default)]
pub struct Workspace {
    texts: Arc<Texts>,
    opened: Arc<Opened>,
    /// The documents that an editor has open. The map is replaced as a whole, so that snapshots keep the old one.
    open: Mutex<Arc<Documents>>,
    /// How many times changes of files were reported.
    state: AtomicUsize,
}

impl Workspace {
    /// Makes a snapshot for a request that brings these documents.
    pub fn snapshot(&self, given: Documents) -> Snapshot {
        let state = self.state.load(Ordering::Relaxed);
        let disk = Disk::read(&self.texts, &self.opened);
        Snapshot::new(given, Arc::clone(&self.open()), disk, state)
    }

    /// Records that files were added, removed or changed on disk.
    pub fn note_changes(&self) {
        self.state.fetch_add(1, Ordering::Relaxed);
    }

    /// Sets the document that an editor has open for a path.
    pub fn set_open(&self, path: PathBuf, document: Arc<Document>) {
        Arc::make_mut(&mut self.open()).insert(path, document);
    }

    /// Removes an open document, so that the file on disk is used again.
    pub fn close(&self, path: &Path) {
        Arc::make_mut(&mut self.open()).remove(path);
    }

    /// The text of a file on disk, as it is now.
    pub fn read(&self, path: &Path) -> std::io::Result<Arc<Text>> {
        self.texts.read(path)
    }

    /// How many times files were read from disk, which shows the cost of a question.
    pub fn n_reads(&self) -> usize {
        self.texts.n_reads()
    }

    fn open(&self) -> MutexGuard<'_, Arc<Documents>> {
        // Safe after a panic elsewhere, because documents are inserted and removed as a whole.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
