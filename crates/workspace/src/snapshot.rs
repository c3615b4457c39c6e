//! The files as one request sees them.
//!
//! A snapshot has three layers: texts that came with the request, texts that an editor has open, and files on disk. A
//! file on disk is read when it is first asked for. From then on, its text stays the same for the lifetime of the
//! snapshot.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use locant_engine::{Document, Text};

use crate::opened::Opened;
use crate::texts::Texts;

/// Documents by their absolute paths.
pub type Documents = BTreeMap<PathBuf, Arc<Document>>;

/// The files as one request sees them.
#[derive(Debug)]
pub struct Snapshot {
    /// The documents that came with the request.
    given: Documents,
    /// The documents that an editor has open; empty when all files came with the request.
    open: Arc<Documents>,
    disk: Disk,
    /// How many changes of files had been reported to the workspace when the snapshot was made.
    state: usize,
    /// The documents made from files on disk, kept so that each file is parsed only once for the whole request.
    documents: Mutex<HashMap<PathBuf, Arc<Document>>>,
}

#[derive(Debug)]
pub(crate) enum Disk {
    /// Files that are in neither of the other layers are read from disk, once each.
    Read { texts: Arc<Texts>, opened: Arc<Opened>, seen: Mutex<HashMap<PathBuf, Option<Arc<Text>>>> },
    /// There are no other files than those that came with the request.
    Closed,
}

impl Disk {
    /// Files on disk. A file is read only if `texts` does not have it.
    pub(crate) fn read(texts: &Arc<Texts>, opened: &Arc<Opened>) -> Disk {
        Disk::Read { texts: Arc::clone(texts), opened: Arc::clone(opened), seen: Mutex::default() }
    }
}

impl Snapshot {
    pub(crate) fn new(given: Documents, open: Arc<Documents>, disk: Disk, state: usize) -> Snapshot {
        Snapshot { state, given, open, disk, documents: Mutex::default() }
    }

    /// A snapshot that has only these files.
    pub fn of_given(given: Documents) -> Snapshot {
        Snapshot { given, open: Arc::default(), disk: Disk::Closed, state: 0, documents: Mutex::default() }
    }

    /// The same files with other documents on top.
    pub fn with(&self, documents: Documents) -> Snapshot {
        let given = self.given.iter().map(|(path, document)| (path.clone(), Arc::clone(document)));
        let disk = match &self.disk {
            Disk::Read { texts, opened, seen } => {
                let seen = seen.lock().unwrap_or_else(PoisonError::into_inner).clone();
                Disk::Read { texts: Arc::clone(texts), opened: Arc::clone(opened), seen: Mutex::new(seen) }
            }
            Disk::Closed => Disk::Closed,
        };
        Snapshot {
            given: given.chain(documents).collect(),
            open: Arc::clone(&self.open),
            disk,
            state: self.state,
            documents: Mutex::default(),
        }
    }

    /// A number that differs between two snapshots if changes were reported in between.
    pub(crate) fn state(&self) -> usize {
        self.state
    }

    /// Whether there are no other files than those that came with the request.
    pub fn is_closed(&self) -> bool {
        matches!(self.disk, Disk::Closed)
    }

    /// A document that came with the request, or is open in an editor.
    pub fn layered(&self, path: &Path) -> Option<&Arc<Document>> {
        self.given.get(path).or_else(|| self.open.get(path))
    }

    /// The documents that an editor has open; `None` if some came with the request.
    pub(crate) fn only_open(&self) -> Option<&Arc<Documents>> {
        (self.given.is_empty() && !self.is_closed()).then_some(&self.open)
    }

    /// All documents that came with the request or are open in an editor, with their paths.
    pub fn all_layered(&self) -> impl Iterator<Item = (&PathBuf, &Arc<Document>)> {
        let open = self.open.iter().filter(|(path, _)| !self.given.contains_key(*path));
        self.given.iter().chain(open)
    }

    /// The text of a file; `None` when there is no such file, or it cannot be read.
    pub fn text(&self, path: &Path) -> Option<Arc<Text>> {
        match self.layered(path) {
            Some(document) => Some(Arc::clone(document.shared_text())),
            None => self.text_on_disk(path),
        }
    }

    fn text_on_disk(&self, path: &Path) -> Option<Arc<Text>> {
        let Disk::Read { texts, seen, .. } = &self.disk else { return None };
        if let Some(text) = seen.lock().unwrap_or_else(PoisonError::into_inner).get(path) {
            return text.clone();
        }
        let text = texts.read(path).ok();
        // If two threads read the file at the same time, the text of the first to finish counts.
        let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.entry(path.to_owned()).or_insert(text).clone()
    }

    /// Opens a document; `None` when there is no such file, or it is not text. `shown` is the path as locations write
    /// it.
    pub fn document(&self, path: &Path, shown: &str) -> Option<Arc<Document>> {
        if let Some(document) = self.layered(path) {
            return Some(Arc::clone(document));
        }
        let known = self.documents.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
        if let Some(known) = known.filter(|known| known.path() == shown) {
            return Some(known);
        }
        let Disk::Read { opened, .. } = &self.disk else { return None };
        let document = opened.document(path, shown, &self.text_on_disk(path)?)?;
        let mut documents = self.documents.lock().unwrap_or_else(PoisonError::into_inner);
        documents.insert(path.to_owned(), Arc::clone(&document));
        Some(document)
    }
}
