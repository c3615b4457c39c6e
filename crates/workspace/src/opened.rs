//! Documents of files on disk that answers have named, kept from one request to the next.
//!
//! The symbols of a file are needed for every place in it that an answer names. Reading them anew for each request
//! would take longer than the question itself.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use locant_engine::{Document, Text};

use crate::catalog::KeptOutlines;

/// How many bytes of text the kept documents may have together.
const MOST_BYTES: usize = 4 << 20;

/// Documents by the paths of their files.
#[derive(Debug, Default)]
pub(crate) struct Opened(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    documents: HashMap<PathBuf, Arc<Document>>,
    n_bytes: usize,
}

impl Opened {
    /// The document of a file that has this text now; `None` when it is no document. `shown` is its path as locations
    /// write it.
    pub(crate) fn document(&self, path: &Path, shown: &str, text: &Arc<Text>) -> Option<Arc<Document>> {
        let fits = |known: &&Arc<Document>| Arc::ptr_eq(known.shared_text(), text) && known.path() == shown;
        // Safe after a panic elsewhere, because documents are inserted as a whole.
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().documents.get(path).filter(fits) {
            return Some(Arc::clone(known));
        }
        let document = Document::of_text(shown, Arc::clone(text)).ok()?.kept_in(Arc::new(KeptOutlines));
        let document = Arc::new(document);
        let mut kept = lock();
        if kept.n_bytes > MOST_BYTES {
            *kept = Kept::default();
        }
        kept.n_bytes += text.bytes().len();
        kept.documents.insert(path.to_owned(), Arc::clone(&document));
        Some(document)
    }
}
