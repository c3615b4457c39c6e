//! The texts of files on disk. A file is read again only when it may have changed.
//!
//! Not every change is reported, so each text is kept with the stamp of its file. The file is read again when its stamp
//! differs. It is also read again if it was kept right after a change, since the clock may not show the next change.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use locant_engine::Text;

use crate::reading::read_text;
use crate::stamp::Stamp;

/// How many bytes of text are kept, at most.
const MOST_BYTES: usize = 512 << 20;

/// The texts of files, by their absolute paths.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    kept: Mutex<Kept>,
    n_reads: AtomicUsize,
}

#[derive(Debug, Default)]
struct Kept {
    files: HashMap<PathBuf, File>,
    /// How many bytes these texts have together.
    n_bytes: usize,
    /// Counts uses, so that the least recently used files can be dropped.
    n_uses: u64,
}

#[derive(Clone, Debug)]
struct File {
    /// `None` when the file had changed so recently that its next version may have the same stamp.
    stamp: Option<Stamp>,
    text: Arc<Text>,
    last_use: u64,
}

impl Texts {
    /// The text of a file as it is now.
    pub(crate) fn read(&self, path: &Path) -> io::Result<Arc<Text>> {
        // The stamp is taken first, so that a change during the read is noticed the next time.
        let stamp = Stamp::of(path)?;
        let known = self.known(path);
        if let Some(File { stamp: Some(known), text, .. }) = &known
            && *known == stamp
        {
            return Ok(Arc::clone(text));
        }
        self.n_reads.fetch_add(1, Ordering::Relaxed);
        let bytes = read_text(path)?;
        let text = match known.filter(|known| known.text.bytes() == bytes) {
            Some(known) => known.text,
            None => Arc::new(Text::new(bytes).map_err(io::Error::other)?),
        };
        self.keep(path, stamp.settled(), Arc::clone(&text));
        Ok(text)
    }

    /// How many times files were read from disk.
    pub(crate) fn n_reads(&self) -> usize {
        self.n_reads.load(Ordering::Relaxed)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // Safe after a panic elsewhere, because files are inserted and removed as a whole.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self, path: &Path) -> Option<File> {
        let mut kept = self.kept();
        kept.n_uses += 1;
        let now = kept.n_uses;
        let file = kept.files.get_mut(path)?;
        file.last_use = now;
        Some(file.clone())
    }

    fn keep(&self, path: &Path, stamp: Option<Stamp>, text: Arc<Text>) {
        let mut kept = self.kept();
        kept.n_bytes += text.bytes().len();
        let last_use = kept.n_uses;
        if let Some(old) = kept.files.insert(path.to_owned(), File { stamp, text, last_use }) {
            kept.n_bytes -= old.text.bytes().len();
        }
        if kept.n_bytes > MOST_BYTES {
            kept.drop_older_half();
        }
    }
}

impl Kept {
    fn drop_older_half(&mut self) {
        let mut uses: Vec<u64> = self.files.values().map(|file| file.last_use).collect();
        uses.sort_unstable();
        let Some(&median) = uses.get(uses.len() / 2) else { return };
        self.files.retain(|_, file| file.last_use >= median);
        self.n_bytes = self.files.values().map(|file| file.text.bytes().len()).sum();
    }
}
