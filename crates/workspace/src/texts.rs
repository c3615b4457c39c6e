//! The texts of files on disk. A file is read again only when it may have changed.
//!
//! Not every change is reported, so each text is kept with the stamp of its file. The file is read again when its stamp
//! differs. It is also read again if it was kept right after a change, since the clock may not show the next change.
//!
//! Only the texts that were used last are kept for their own sake. A text that somebody else still holds, such as an
//! index of names, is known for as long as that lasts.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use locant_engine::Text;

use crate::reading::read_text;
use crate::stamp::Stamp;

/// How many bytes of text are kept for their own sake. A process that is asked about one place after the other must not
/// come to hold the whole project.
const MOST_BYTES: usize = 4 << 20;

/// How many files are known at most, with or without their texts, before those without are forgotten.
const MOST_FILES: usize = 4096;

/// The texts of files, by their absolute paths.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    kept: Mutex<Kept>,
    n_reads: AtomicUsize,
}

#[derive(Debug, Default)]
struct Kept {
    files: HashMap<PathBuf, File>,
    /// How many bytes the texts have together that are kept.
    n_bytes: usize,
    /// Counts uses, so that the least recently used files can be dropped.
    n_uses: u64,
}

#[derive(Debug)]
struct File {
    /// `None` when the file had changed so recently that its next version may have the same stamp.
    stamp: Option<Stamp>,
    text: Weak<Text>,
    /// The same text, if it is kept.
    kept: Option<Arc<Text>>,
    last_use: u64,
}

/// A text that was read before, and the stamp that its file had then.
type Known = (Option<Stamp>, Arc<Text>);

impl Texts {
    /// The text of a file as it is now.
    pub(crate) fn read(&self, path: &Path) -> io::Result<Arc<Text>> {
        // The stamp is taken first, so that a change during the read is noticed the next time.
        let stamp = Stamp::of(path)?;
        let known = self.known(path);
        if let Some((Some(known), text)) = &known
            && *known == stamp
        {
            return Ok(Arc::clone(text));
        }
        self.n_reads.fetch_add(1, Ordering::Relaxed);
        let bytes = read_text(path)?;
        let text = match known.filter(|(_, text)| text.bytes() == bytes) {
            Some((_, text)) => text,
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

    fn known(&self, path: &Path) -> Option<Known> {
        let mut kept = self.kept();
        kept.n_uses += 1;
        let now = kept.n_uses;
        let file = kept.files.get_mut(path)?;
        file.last_use = now;
        let text = file.text.upgrade()?;
        Some((file.stamp, text))
    }

    fn keep(&self, path: &Path, stamp: Option<Stamp>, text: Arc<Text>) {
        let mut kept = self.kept();
        kept.n_bytes += text.bytes().len();
        let last_use = kept.n_uses;
        let file = File { stamp, text: Arc::downgrade(&text), kept: Some(text), last_use };
        if let Some(File { kept: Some(old), .. }) = kept.files.insert(path.to_owned(), file) {
            kept.n_bytes -= old.bytes().len();
        }
        if kept.n_bytes > MOST_BYTES {
            kept.drop_older_half();
        }
    }
}

impl Kept {
    /// Drops the older half of the texts that are kept.
    fn drop_older_half(&mut self) {
        let kept = self.files.values().filter(|file| file.kept.is_some());
        let mut uses: Vec<u64> = kept.map(|file| file.last_use).collect();
        uses.sort_unstable();
        let Some(&median) = uses.get(uses.len() / 2) else { return };
        for file in self.files.values_mut().filter(|file| file.last_use < median) {
            file.kept = None;
        }
        if self.files.len() > MOST_FILES {
            self.files.retain(|_, file| file.text.strong_count() > 0);
        }
        let kept = self.files.values().filter_map(|file| file.kept.as_ref());
        self.n_bytes = kept.map(|text| text.bytes().len()).sum();
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn texts_are_kept_up_to_a_bound_and_for_as_long_as_somebody_holds_them() {
        let folder = std::env::temp_dir().join(format!("locant-texts-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("the temporary folder can be written to");
        let paths: Vec<PathBuf> = (0..40).map(|n| folder.join(n.to_string())).collect();
        for path in &paths {
            fs::write(path, vec![b'a'; 1 << 20]).expect("there is room");
        }
        let texts = Texts::default();
        let held = texts.read(&paths[0]).expect("it is there");
        for path in &paths {
            texts.read(path).expect("it is there");
            assert!(texts.kept().n_bytes <= MOST_BYTES);
        }
        let is_known = |n: usize| texts.known(&paths[n]).is_some();
        assert_eq!([is_known(0), is_known(1), is_known(39)], [true, false, true]);
        assert!(Arc::ptr_eq(&held, &texts.read(&paths[0]).expect("it is there")));
        fs::remove_dir_all(&folder).expect("the folder is ours");
    }
}
