//! The symbols of a tree, kept between commands.
//!
//! Each tree has one file in the user's cache, the catalog. For every file of the tree, the catalog holds the outline
//! and a stamp of the version that the outline belongs to. As long as the stamp matches, the file is not read again.
//! The names of its symbols tell whether its outline matters to a question. If not, the outline is not read either.
//!
//! A new catalog is written under a temporary name and then renamed, so a reader sees either the old one or the new
//! one. If several processes write at once, the last one wins, and the others have only lost time. A catalog may be
//! deleted at any time.

mod bytes;
pub(crate) mod kept;
mod names;
mod outlines;

use std::collections::{HashMap, HashSet};
use std::fs::{File, Metadata};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use locant_engine::{Document, Offset, Outline, check_of};

use self::bytes::{Entry, Kept, START_BYTES, len_of_head, pack, unpack};
pub use self::names::Names;
use self::names::pack_names;
pub use self::outlines::KeptOutlines;
use crate::stamp::{STAMP_BYTES, Stamp};
use crate::sweep::{Look, Sweep, Swept, sweep_with};

/// The largest catalog that is kept, in bytes. Writing a larger one would take longer than it saves.
const MOST_BYTES: u64 = 512 << 20;

/// A question about the symbols of a tree.
pub trait Asked: Sync {
    /// What is kept of a file.
    type Found: Send;

    /// Whether [`Asked::look`] may find something in a file in this language, whose symbols have these names. If it may
    /// not, the outline is not read.
    fn may_find(&self, language: &str, names: Names<'_>) -> bool;

    /// What is found in a file: its path from the root, the name of its language (which may be empty) and its outline.
    fn look(&self, path: &str, language: &str, outline: &Outline) -> Option<Self::Found>;
}

/// Asks about the symbols of each file of a tree. Reads only the files that are not in the catalog or have changed. If
/// `is_whole`, the sweep covers the whole tree, and files that it does not meet are removed from the catalog.
pub fn sweep_symbols<A: Asked>(sweep: &Sweep<'_>, is_whole: bool, asked: &A) -> Swept<A::Found> {
    let old = Old::open(sweep.root);
    let entries = old.as_ref().and_then(|old| old.entries(sweep.root)).unwrap_or_default();
    let files = entries.into_iter().map(|entry| (entry.path, Known::new(entry))).collect();
    let catalog = Catalog { old: old.as_ref(), files, asked, fresh: Mutex::default() };
    let swept = sweep_with(sweep, &catalog);
    catalog.keep(sweep.root, is_whole);
    swept
}

/// The catalog of an earlier command.
struct Old {
    file: File,
    /// Everything before the outlines.
    head: Vec<u8>,
}

impl Old {
    fn open(root: &Path) -> Option<Old> {
        let file = kept::open(root)?;
        let start = kept::read_at(&file, 0, START_BYTES).ok()?;
        let len = len_of_head(start.first_chunk()?)?;
        if len > file.metadata().ok()?.len() {
            return None;
        }
        let head = kept::read_at(&file, 0, usize::try_from(len).ok()?).ok()?;
        Some(Old { file, head })
    }

    /// The files of the catalog; `None` when it is that of another tree, or is not whole.
    fn entries(&self, root: &Path) -> Option<Vec<Entry<'_>>> {
        let entries = unpack(&self.head, root)?;
        let n_outlines: u64 = entries.iter().map(|entry| u64::from(entry.outline.len)).sum();
        let len = self.file.metadata().ok()?.len();
        (len == self.head.len() as u64 + n_outlines).then_some(entries)
    }

    /// The bytes of an outline; `None` when they are damaged.
    fn outline(&self, kept: Kept) -> Option<Vec<u8>> {
        let bytes = kept::read_at(&self.file, kept.start, usize::try_from(kept.len).ok()?).ok()?;
        (check_of(&bytes) == kept.check).then_some(bytes)
    }
}

/// The files of a tree that are in the catalog, and those that were read in this sweep.
struct Catalog<'b, A> {
    old: Option<&'b Old>,
    files: HashMap<&'b str, Known<'b>>,
    asked: &'b A,
    fresh: Mutex<Vec<Fresh>>,
}

struct Known<'b> {
    entry: Entry<'b>,
    /// Whether this sweep has met the file unchanged.
    is_seen: AtomicBool,
}

impl<'b> Known<'b> {
    fn new(entry: Entry<'b>) -> Known<'b> {
        Known { entry, is_seen: AtomicBool::new(false) }
    }
}

/// A file that this sweep has read, to be put into the catalog.
struct Fresh {
    path: Box<str>,
    stamp: [u8; STAMP_BYTES],
    language: &'static str,
    n_bytes: u32,
    names: Box<[u8]>,
    outline: Box<[u8]>,
}

impl Fresh {
    fn entry(&self) -> Entry<'_> {
        let len = u32::try_from(self.outline.len()).expect("an outline has fewer than 2^32 bytes");
        Entry {
            path: &self.path,
            stamp: &self.stamp,
            language: self.language,
            n_bytes: self.n_bytes,
            names: Names::new(&self.names),
            outline: Kept { start: 0, len, check: check_of(&self.outline) },
        }
    }
}

impl<A: Asked> Catalog<'_, A> {
    /// Writes the catalog for the next command, if it has changed. A failure to write is ignored.
    fn keep(&self, root: &Path, is_whole: bool) {
        let fresh = self.fresh.lock().unwrap_or_else(PoisonError::into_inner);
        let is_seen = |known: &&Known<'_>| known.is_seen.load(Ordering::Relaxed);
        // A sweep over a part of the tree says nothing about the other files, so their entries stay.
        let kept: Vec<&Known<'_>> = self.files.values().filter(|known| !is_whole || is_seen(known)).collect();
        if fresh.is_empty() && kept.len() == self.files.len() {
            return;
        }
        let is_replaced: HashSet<&str> = fresh.iter().map(|fresh| &*fresh.path).collect();
        let old = kept.iter().map(|known| known.entry).filter(|entry| !is_replaced.contains(entry.path));
        let old: Vec<Entry<'_>> = old.collect();
        let head = pack(root, old.iter().copied().chain(fresh.iter().map(Fresh::entry)));
        let n_old: u64 = old.iter().map(|entry| u64::from(entry.outline.len)).sum();
        let n_fresh: usize = fresh.iter().map(|fresh| fresh.outline.len()).sum();
        let n_bytes = head.len() as u64 + n_old + n_fresh as u64;
        if n_bytes <= MOST_BYTES {
            // If this fails, the next command makes the catalog anew.
            let _ = kept::write(root, n_bytes, |file| {
                let mut file = BufWriter::with_capacity(1 << 16, file);
                file.write_all(&head)?;
                old.iter().try_for_each(|entry| self.copy(entry, &mut file))?;
                fresh.iter().try_for_each(|fresh| file.write_all(&fresh.outline))?;
                file.flush()
            });
        }
    }

    /// Copies an outline of the old catalog into the new one. If it is damaged, it stays so, and is noticed when it is
    /// read.
    fn copy(&self, entry: &Entry<'_>, into: &mut BufWriter<&mut File>) -> io::Result<()> {
        let Some(old) = self.old else { return Err(io::ErrorKind::NotFound.into()) };
        into.write_all(&kept::read_at(&old.file, entry.outline.start, entry.outline.len as usize)?)
    }
}

impl<A: Asked> Look for Catalog<'_, A> {
    type Found = A::Found;

    fn known(&self, path: &str, on_disk: &Path) -> Option<Option<A::Found>> {
        let known = self.files.get(path)?;
        let stamp = std::fs::symlink_metadata(on_disk).ok()?;
        if Stamp::of_metadata(&stamp).to_bytes() != *known.entry.stamp {
            return None;
        }
        let Entry { language, names, n_bytes, outline, .. } = known.entry;
        let found = if self.asked.may_find(language, names) {
            let outline = Outline::from_bytes(&self.old?.outline(outline)?, Offset::new(n_bytes))?;
            self.asked.look(path, language, &outline)
        } else {
            None
        };
        known.is_seen.store(true, Ordering::Relaxed);
        Some(found)
    }

    fn look(&self, path: &str, metadata: &Metadata, bytes: &[u8]) -> Option<A::Found> {
        let document = Document::new(path, bytes).ok()?.skimmed();
        let (language, empty) = (document.language(), Outline::default());
        let outline = document.outline().unwrap_or(&empty);
        if let Some(stamp) = Stamp::of_metadata(metadata).settled() {
            let fresh = Fresh {
                path: path.into(),
                stamp: stamp.to_bytes(),
                language,
                n_bytes: u32::try_from(bytes.len()).ok()?,
                names: pack_names(outline).into(),
                outline: outline.to_bytes().into(),
            };
            self.fresh.lock().unwrap_or_else(PoisonError::into_inner).push(fresh);
        }
        self.asked.look(path, language, outline)
    }
}
