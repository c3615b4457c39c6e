//! Changes to files that are shown first (the preview) and made later (`apply`). In between, they are kept on disk.
//!
//! A preview has a digest of each file as it was, and the root folder of all its files. If one of the files has
//! changed since, nothing is changed. If applying is interrupted, the next command finds the change in the journal and
//! finishes it or takes it back. So either all files have their new texts, or all have their old ones. Files may also
//! be created, removed and moved.

mod apply;
mod bytes;
mod digest;
#[cfg(unix)]
pub(crate) mod dir;
#[cfg(not(unix))]
#[path = "preview/dir_plain.rs"]
pub(crate) mod dir;
mod file;
mod journal;
mod patience;
mod step;
pub(crate) mod store;
#[cfg(all(test, unix))]
mod tests;
mod work;

pub use store::{Applied, ChangedPlaces, SHORT_ID, Store, recover};

use std::collections::BTreeMap;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use self::digest::Digest;
use crate::failure::{Failure, FailureKind as Kind};

/// Changes to files below one folder.
#[derive(Debug, Deserialize, Serialize)]
pub struct Preview {
    /// The folder that contains all files. Its path has no links in it.
    root: PathBuf,
    /// Invariant: each file is listed once.
    files: Vec<FileChange>,
    /// The id of the change that this one takes back; absent when it takes none back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    undoes: Option<String>,
}

/// Changes to one file.
#[derive(Debug, Deserialize, Serialize)]
struct FileChange {
    /// The path from the root. Invariant: only plain names, without `..`, none of which is a link.
    path: PathBuf,
    /// The digest of the file's text before the changes; absent for a file that is created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sha256: Option<Digest>,
    /// Invariant: sorted by place, without overlaps. Several texts may be inserted at one place, one after the other.
    edits: Vec<Edit>,
    /// Whether the file is removed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_removed: bool,
    /// For a file that takes the place of a removed one: the path of that one, from the root. The new file gets its
    /// owner, mode and attributes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<PathBuf>,
    /// For any other file that is created: its mode, if the file is brought back after it was removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mode: Option<u32>,
}

/// A range of bytes, and the text that replaces it.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Edit {
    /// Where the range starts.
    pub start: usize,
    /// Where the range ends.
    pub end: usize,
    /// The new text. It is bytes, since what an edit has replaced need not be UTF-8 when it is put back.
    #[serde(with = "bytes")]
    pub text: Vec<u8>,
}

impl Preview {
    /// A preview without changes, for files below a folder.
    pub fn new(root: &Path) -> io::Result<Preview> {
        // An empty path means the working directory.
        let root = if root.as_os_str().is_empty() { Path::new(".") } else { root };
        Ok(Preview { root: fs::canonicalize(root)?, files: Vec::new(), undoes: None })
    }

    /// Adds changes to a file, whose current content is `text`. If the path is a link to a file inside of the root,
    /// that file is changed and the link stays. Fails if the file is outside of the root, or the changes overlap.
    pub fn change(&mut self, path: &Path, text: &[u8], edits: Vec<Edit>) -> Result<(), Failure> {
        let real = fs::canonicalize(path).map_err(|error| {
            let message = format!("cannot read `{}`: {error}", path.display());
            Failure::new(Kind::Io, message, "check the file and ask again")
        })?;
        let below = real.strip_prefix(&self.root).map_err(|_| outside(path, &self.root))?;
        let change = FileChange { edits, ..FileChange::of(below, Some(Digest::of(text))) };
        match self.files.iter_mut().find(|file| file.path == change.path) {
            // The same file may have been added before under another path.
            Some(file) if file.sha256 == change.sha256 && !file.is_removed => file.edits.extend(change.edits),
            Some(_) => return Err(overlapping(path)),
            None => self.files.push(change),
        }
        let file = self.files.iter_mut().find(|file| file.path == below);
        let is_whole = file.is_some_and(FileChange::put_in_order);
        if is_whole { Ok(()) } else { Err(overlapping(path)) }
    }

    /// Adds a file that is created, with its text. The folders above it may be missing. Fails if it would be outside of
    /// the root, or if there is such a file.
    pub fn create(&mut self, path: &Path, text: &[u8]) -> Result<(), Failure> {
        let path = self.new_path(path)?;
        let edits = vec![Edit { start: 0, end: 0, text: text.to_owned() }];
        self.add(FileChange { edits, ..FileChange::of(&path, None) })
    }

    /// Adds a file that is removed. `text` is its current content.
    pub fn remove(&mut self, path: &Path, text: &[u8]) -> Result<(), Failure> {
        let path = self.old_path(path)?;
        self.add(FileChange { is_removed: true, ..FileChange::of(&path, Some(Digest::of(text))) })
    }

    /// Adds a file that gets another path, and a new text. `old` is its current content. It keeps its owner, mode and
    /// attributes.
    pub fn move_file(&mut self, from: &Path, old: &[u8], to: &Path, new: &[u8]) -> Result<(), Failure> {
        let (from_path, to_path) = (self.old_path(from)?, self.new_path(to)?);
        self.remove(from, old)?;
        let edits = vec![Edit { start: 0, end: 0, text: new.to_owned() }];
        self.add(FileChange { edits, from: Some(from_path), ..FileChange::of(&to_path, None) })
    }

    fn add(&mut self, change: FileChange) -> Result<(), Failure> {
        if self.files.iter().any(|file| file.path == change.path) {
            return Err(overlapping(&self.root.join(&change.path)));
        }
        self.files.push(change);
        Ok(())
    }

    /// The path of an existing file, starting from the root. Fails if the file is a link.
    fn old_path(&self, path: &Path) -> Result<PathBuf, Failure> {
        let about = fs::symlink_metadata(path);
        let is_file = about.as_ref().is_ok_and(fs::Metadata::is_file);
        let real = about.and_then(|_| fs::canonicalize(path)).map_err(|error| {
            let message = format!("cannot read `{}`: {error}", path.display());
            Failure::new(Kind::Io, message, "check the file and ask again")
        })?;
        if !is_file {
            let message = format!("`{}` would be moved or removed, and is no plain file", path.display());
            return Err(Failure::new(Kind::Refused, message, "change that by hand"));
        }
        let below = real.strip_prefix(&self.root).map_err(|_| outside(path, &self.root))?;
        Ok(below.to_owned())
    }

    /// The path of a file that is not there yet, starting from the root.
    fn new_path(&self, path: &Path) -> Result<PathBuf, Failure> {
        if fs::symlink_metadata(path).is_ok() {
            let message = format!("`{}` would be created, and is there already", path.display());
            return Err(Failure::new(Kind::Refused, message, "move it away, and ask again"));
        }
        // The nearest folder that is there decides where the path leads.
        let there = path.ancestors().skip(1).find_map(|above| Some((above, fs::canonicalize(above).ok()?)));
        let (above, real) = there.ok_or_else(|| outside(path, &self.root))?;
        let rest = path.strip_prefix(above).unwrap_or(path);
        let is_plain = rest.components().all(|component| matches!(component, Component::Normal(_)));
        let below = real.strip_prefix(&self.root).ok().filter(|_| is_plain);
        Ok(below.ok_or_else(|| outside(path, &self.root))?.join(rest))
    }

    /// How many places change. A file that is removed counts as one.
    fn n_edits(&self) -> usize {
        self.files.iter().map(|file| file.edits.len() + usize::from(file.is_removed)).sum()
    }

    /// Whether the paths lead to different files, all of them below the root. The stored preview may have been tampered
    /// with.
    fn is_inside(&self) -> bool {
        let is_name = |component: Component<'_>| matches!(component, Component::Normal(_));
        let is_way = |path: &Path| path.components().all(is_name) && path.file_name().is_some();
        let paths: BTreeMap<&Path, ()> = self.files.iter().map(|file| (file.path.as_path(), ())).collect();
        self.root.is_absolute()
            && self.files.iter().all(|file| is_way(&file.path) && file.from.as_deref().is_none_or(is_way))
            && paths.len() == self.files.len()
    }
}

impl FileChange {
    /// A change that leaves the file as it is. The caller fills in the rest.
    fn of(path: &Path, sha256: Option<Digest>) -> FileChange {
        let path = path.to_owned();
        FileChange { path, sha256, edits: Vec::new(), is_removed: false, from: None, mode: None }
    }

    /// Puts the edits in order; `false` when they overlap. Texts that are inserted at the same place stay in the order
    /// in which they were given.
    fn put_in_order(&mut self) -> bool {
        self.edits.sort_by_key(|edit| (edit.start, edit.end));
        self.edits.dedup_by(|next, one| next == one && one.start < one.end);
        let are_whole = self.edits.iter().all(|edit| edit.start <= edit.end);
        are_whole && self.edits.is_sorted_by(|one, next| one.end <= next.start)
    }

    /// The ranges of the new texts after the changes.
    fn places(&self) -> Vec<Range<usize>> {
        let mut shift = 0_isize;
        let place = |edit: &Edit| {
            let start = edit.start.saturating_add_signed(shift);
            shift += edit.text.len().cast_signed() - (edit.end - edit.start).cast_signed();
            start..start + edit.text.len()
        };
        self.edits.iter().map(place).collect()
    }

    /// The changes that lead from the new text, with this digest, back to the old one. `mode` is that of the old file.
    fn inverse(&self, old: &[u8], new: Option<Digest>, mode: Option<u32>, all: &Preview) -> FileChange {
        if self.is_removed {
            let edits = vec![Edit { start: 0, end: 0, text: old.to_owned() }];
            // A file that was moved is brought back from its new path.
            let moved = all.files.iter().find(|file| file.from.as_ref() == Some(&self.path));
            let from = moved.map(|file| file.path.clone());
            let mode = mode.filter(|_| from.is_none());
            return FileChange { edits, from, mode, ..FileChange::of(&self.path, None) };
        }
        if self.sha256.is_none() {
            return FileChange { is_removed: true, ..FileChange::of(&self.path, new) };
        }
        let edits = self.edits.iter().zip(self.places()).map(|(edit, place)| Edit {
            start: place.start,
            end: place.end,
            text: old.get(edit.start..edit.end).unwrap_or_default().to_owned(),
        });
        FileChange { edits: edits.collect(), ..FileChange::of(&self.path, new) }
    }

    /// The text after the changes; `None` when the changes were made for a text other than `text`.
    fn apply(&self, text: &[u8]) -> Option<Vec<u8>> {
        if self.sha256.is_some_and(|expected| Digest::of(text) != expected) {
            return None;
        }
        let mut new = Vec::with_capacity(text.len());
        let mut after = 0;
        for edit in &self.edits {
            new.extend_from_slice(text.get(after..edit.start)?);
            new.extend_from_slice(&edit.text);
            after = edit.end.max(edit.start);
        }
        new.extend_from_slice(text.get(after..)?);
        Some(new)
    }
}

/// The SHA-256 of a text, in hexadecimal digits. It shows whether a file has changed since.
pub fn sha256(text: &[u8]) -> String {
    Digest::of(text).to_string()
}

/// A name that nobody can guess.
pub(crate) fn random_name() -> String {
    // Each `RandomState` has keys that come from the random numbers of the system.
    let random = || RandomState::new().hash_one(std::process::id());
    format!("{UNFINISHED}{:016x}{:016x}", random(), random())
}

/// How the names of unfinished files start.
pub(crate) const UNFINISHED: &str = ".locant-";

/// The failure for a file outside of the folder in which files may change.
pub fn outside(path: &Path, root: &Path) -> Failure {
    let message = format!("`{}` would change, and is outside of `{}`", path.display(), root.display());
    Failure::new(Kind::OutsideRoot, message, "name a folder around all files that may change")
}

fn overlapping(path: &Path) -> Failure {
    let message = format!("the changes to `{}` overlap", path.display());
    Failure::new(Kind::Refused, message, "ask for one change after the other")
}
