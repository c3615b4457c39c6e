//! The symbols of a tree, kept between commands.
//!
//! Each tree has one file in the user's cache, the catalog. For every file of the tree, the catalog holds the outline
//! and a stamp of the version that the outline belongs to. As long as the stamp matches, the file is not read again.
//!
//! A new catalog is written under a temporary name and then renamed, so a reader sees either the old one or the new
//! one. If several processes write at once, the last one wins, and the others have only lost time. A catalog may be
//! deleted at any time.

mod bytes;
pub(crate) mod kept;
mod outlines;

use std::collections::HashMap;
use std::fs::Metadata;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use locant_engine::{Document, Outline};

use self::bytes::{Entry, pack, unpack};
pub use self::outlines::KeptOutlines;
use crate::stamp::{STAMP_BYTES, Stamp};
use crate::sweep::{Look, Sweep, Swept, sweep_with};

/// The largest catalog that is kept, in bytes. Reading a larger one would take longer than it saves.
const MOST_BYTES: usize = 256 << 20;

/// Calls `look` with the symbols of each file of a tree: the path from the root, the name of the language (which may be
/// empty) and the outline. Reads only the files that are not in the catalog or have changed. If `is_whole`, the sweep
/// covers the whole tree, and files that it does not meet are removed from the catalog.
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

/// The files of a tree that are in the catalog, and those that were read in this sweep.
struct Catalog<'b, F> {
    files: HashMap<&'b str, Known<'b>>,
    look: F,
    fresh: Mutex<Vec<Fresh>>,
}

struct Known<'b> {
    entry: Entry<'b>,
    /// Whether this sweep has met the file unchanged.
    is_seen: AtomicBool,
}

/// A file that this sweep has read, to be put into the catalog.
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

    /// Writes the catalog for the next command, if it has changed. A failure to write is ignored.
    fn keep(&self, root: &Path, is_whole: bool) {
        let fresh = self.fresh.lock().unwrap_or_else(PoisonError::into_inner);
        let is_seen = |known: &&Known<'_>| known.is_seen.load(Ordering::Relaxed);
        // A sweep over a part of the tree says nothing about the other files, so their entries stay.
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
            // If this fails, the next command makes the catalog anew.
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
