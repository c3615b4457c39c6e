//! Changes to files that are shown first (the preview) and made later (`apply`). In between, they are kept on disk.
//!
//! A preview has a digest of each file as it was, and the root folder of all its files. If one of the files has changed
//! since, nothing is changed. If applying is interrupted, the next command finds the change in the journal and finishes
//! it or takes it back. So either all files have their new texts, or all have their old ones.

mod apply;
mod bytes;
mod digest;
#[cfg(unix)]
pub(crate) mod dir;
#[cfg(not(unix))]
#[path = "preview/dir_plain.rs"]
pub(crate) mod dir;
mod journal;
mod patience;
mod step;
pub(crate) mod store;
#[cfg(all(test, unix))]
mod tests;
mod work;

pub use store::{Applied, ChangedPlaces, Store, recover};

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
    /// The digest of the file's text before the changes.
    sha256: Digest,
    /// Invariant: sorted by place, without overlaps. Several texts may be inserted at one place, one after the other.
    edits: Vec<Edit>,
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
        let change = FileChange { path: below.to_owned(), sha256: Digest::of(text), edits };
        match self.files.iter_mut().find(|file| file.path == change.path) {
            // The same file may have been added before under another path.
            Some(file) if file.sha256 == change.sha256 => file.edits.extend(change.edits),
            Some(_) => return Err(overlapping(path)),
            None => self.files.push(change),
        }
        let file = self.files.iter_mut().find(|file| file.path == below);
        let is_whole = file.is_some_and(FileChange::put_in_order);
        if is_whole { Ok(()) } else { Err(overlapping(path)) }
    }

    fn n_edits(&self) -> usize {
        self.files.iter().map(|file| file.edits.len()).sum()
    }

    /// Whether each path leads to a different file below the root. The stored preview may have been tampered with.
    fn is_inside(&self) -> bool {
        let is_name = |component: Component<'_>| matches!(component, Component::Normal(_));
        let is_way = |path: &Path| path.components().all(is_name) && path.file_name().is_some();
        let paths: BTreeMap<&Path, ()> = self.files.iter().map(|file| (file.path.as_path(), ())).collect();
        self.root.is_absolute()
            && self.files.iter().all(|file| is_way(&file.path))
            && paths.len() == self.files.len()
    }
}

impl FileChange {
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

    /// The changes that lead from the new text, with this digest, back to the old one.
    fn inverse(&self, old: &[u8], new: Digest) -> FileChange {
        let edits = self.edits.iter().zip(self.places()).map(|(edit, place)| Edit {
            start: place.start,
            end: place.end,
            text: old.get(edit.start..edit.end).unwrap_or_default().to_owned(),
        });
        FileChange { path: self.path.clone(), sha256: new, edits: edits.collect() }
    }

    /// The text after the changes; `None` when the changes were made for a text other than `text`.
    fn apply(&self, text: &[u8]) -> Option<Vec<u8>> {
        if Digest::of(text) != self.sha256 {
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
