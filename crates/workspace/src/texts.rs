//! What files say, read at most once for each content.
//!
//! Nobody tells of all changes. So a text is kept with what tells two versions of a file apart without reading them,
//! and a file is read again when that differs, or when it had changed so shortly before that the clock may not tell.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use locant_engine::Text;

use crate::reading::read_text;

/// How many bytes of text are kept.
const MOST_BYTES: usize = 512 << 20;

/// A change that was made less than this before a file was read may have been followed by another in the same tick of
/// the clock.
const TICK: Duration = Duration::from_secs(1);

/// The texts of files, by their absolute paths.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    kept: Mutex<Kept>,
    n_reads: AtomicUsize,
}

#[derive(Debug, Default)]
struct Kept {
    files: HashMap<PathBuf, File>,
    /// How many bytes they have.
    n_bytes: usize,
    /// Counts uses, so that what was not used for long can be told.
    n_uses: u64,
}

#[derive(Clone, Debug)]
struct File {
    /// `None` when the file was too fresh to tell its next version from it.
    stamp: Option<Stamp>,
    text: Arc<Text>,
    last_use: u64,
}

/// What tells two versions of a file apart without reading them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    size: u64,
    changed: Option<SystemTime>,
    /// Where the system keeps the file, and when it last changed it: a new file under an old name may have the time
    /// of the old one.
    #[cfg(unix)]
    node: (u64, u64, i64, i64),
}

impl Texts {
    /// The text of a file as it is now.
    pub(crate) fn read(&self, path: &Path) -> io::Result<Arc<Text>> {
        // The stamp is taken first: a change while the file is read is then seen the next time.
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

    /// How often a file was read.
    pub(crate) fn n_reads(&self) -> usize {
        self.n_reads.load(Ordering::Relaxed)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // Safe after a panic elsewhere: files are put in and taken out whole.
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

impl Stamp {
    fn of(path: &Path) -> io::Result<Stamp> {
        let metadata = fs::metadata(path)?;
        Ok(Stamp {
            size: metadata.len(),
            changed: metadata.modified().ok(),
            #[cfg(unix)]
            node: node(&metadata),
        })
    }

    /// The stamp, unless it is so fresh that the next version may have the same.
    fn settled(self) -> Option<Stamp> {
        let is_old = self.last_change()?.elapsed().is_ok_and(|age| age > TICK);
        is_old.then_some(self)
    }

    #[cfg(unix)]
    fn last_change(self) -> Option<SystemTime> {
        let (_, _, seconds, _) = self.node;
        let of_node = SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(seconds).ok()?);
        Some(self.changed?.max(of_node))
    }

    #[cfg(not(unix))]
    fn last_change(self) -> Option<SystemTime> {
        self.changed
    }
}

#[cfg(unix)]
fn node(metadata: &fs::Metadata) -> (u64, u64, i64, i64) {
    use std::os::unix::fs::MetadataExt;

    (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
}
