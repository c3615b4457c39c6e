//! The symbols of a tree, kept between commands.
//!
//! For each tree there is one file in the user's cache, with what tells the version of each file and the outline that
//! was made of it. A file that has not changed since is only looked up, not read. The catalog is written beside its
//! place and then takes it, so that whoever reads it sees the old one or the new one; of several that write at once
//! the last one counts, and nothing is lost but time. It may be deleted whenever one likes.

mod bytes;
mod kept;

use std::collections::HashMap;
use std::fs::Metadata;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use locant_engine::{Document, Outline};

use self::bytes::{Entry, pack, unpack};
use crate::stamp::{STAMP_BYTES, Stamp};
use crate::sweep::{Look, Sweep, Swept, sweep_with};

/// The largest catalog that is kept, in bytes. Beyond that, to read it would take longer than it saves.
const MOST_BYTES: usize = 256 << 20;

/// Looks at the symbols of the files of a tree, of which only those are read that are not known. `look` gets the path
/// from the root, the name of the language, which may be empty, and the outline.
pub fn sweep_symbols<T: Send>(
    sweep: &Sweep<'_>,
    is_whole: bool,
    look: impl Fn(&str, &str, &Outline) -> Option<T> + Sync,
) -> Swept<T> {
    let bytes = kept::read(sweep.root).unwrap_or_default();
    let catalog = Catalog::new(&bytes, sweep.root, look);
    let swept = sweep_with(sweep, &catalog);
    catalog.keep(sweep.root, is_whole);
    swept
}

/// What is known of the files of a tree.
struct Catalog<'b, F> {
    files: HashMap<&'b str, Known<'b>>,
    look: F,
    fresh: Mutex<Vec<Fresh>>,
}

struct Known<'b> {
    entry: Entry<'b>,
    /// Whether it is still as it was.
    is_seen: AtomicBool,
}

/// A file that was read.
struct Fresh {
    path: String,
    stamp: [u8; STAMP_BYTES],
    language: &'static str,
    n_bytes: u32,
    outline: Vec<u8>,
}

impl<'b, F> Catalog<'b, F> {
    fn new(bytes: &'b [u8], root: &Path, look: F) -> Catalog<'b, F> {
        let entries = unpack(bytes, root).unwrap_or_default();
        let known = |entry: Entry<'b>| (entry.path, Known { entry, is_seen: AtomicBool::new(false) });
        Catalog { files: entries.into_iter().map(known).collect(), look, fresh: Mutex::default() }
    }

    /// Keeps what is known now for the next time, if that is more than it was. That it cannot be kept is no failure.
    fn keep(&self, root: &Path, is_whole: bool) {
        let fresh = self.fresh.lock().unwrap_or_else(PoisonError::into_inner);
        let is_seen = |known: &&Known<'_>| known.is_seen.load(Ordering::Relaxed);
        // What was not asked about may still be there.
        let kept: Vec<&Known<'_>> = self.files.values().filter(|known| !is_whole || is_seen(known)).collect();
        if fresh.is_empty() && kept.len() == self.files.len() {
            return;
        }
        let is_replaced: HashMap<&str, ()> = fresh.iter().map(|fresh| (fresh.path.as_str(), ())).collect();
        let old = kept.iter().map(|known| known.entry).filter(|entry| !is_replaced.contains_key(entry.path));
        let new = fresh.iter().map(|fresh| Entry {
            path: &fresh.path,
            stamp: &fresh.stamp,
            language: fresh.language,
            n_bytes: fresh.n_bytes,
            outline: &fresh.outline,
        });
        let packed = pack(root, old.chain(new));
        if packed.len() <= MOST_BYTES {
            // The next command makes it anew.
            let _ = kept::write(root, &packed);
        }
    }
}

impl<T: Send, F: Fn(&str, &str, &Outline) -> Option<T> + Sync> Look for Catalog<'_, F> {
    type Found = T;

    fn known(&self, path: &str, on_disk: &Path) -> Option<Option<T>> {
        let known = self.files.get(path)?;
        let stamp = std::fs::symlink_metadata(on_disk).ok()?;
        if Stamp::of_metadata(&stamp).to_bytes() != *known.entry.stamp {
            return None;
        }
        let outline = known.entry.outline()?;
        known.is_seen.store(true, Ordering::Relaxed);
        Some((self.look)(path, known.entry.language, &outline))
    }

    fn look(&self, path: &str, metadata: &Metadata, bytes: &[u8]) -> Option<T> {
        let document = Document::new(path, bytes).ok()?.skimmed();
        let (language, empty) = (document.language(), Outline::default());
        let outline = document.outline().unwrap_or(&empty);
        if let Some(stamp) = Stamp::of_metadata(metadata).settled() {
            let n_bytes = u32::try_from(bytes.len()).ok()?;
            let outline = outline.to_bytes();
            let fresh = Fresh { path: path.to_owned(), stamp: stamp.to_bytes(), language, n_bytes, outline };
            self.fresh.lock().unwrap_or_else(PoisonError::into_inner).push(fresh);
        }
        (self.look)(path, language, outline)
    }
}
