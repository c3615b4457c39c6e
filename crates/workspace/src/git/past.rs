//! A file as it was in a revision, and its changes since then.

use super::blobs::Blobs;
use super::commit_line::{Change, CommitLine};
use super::file_at_revision::{FileAtRevision, Trouble};
use crate::failure::{Failure, FailureKind as Kind};
use crate::path::Base;
use crate::shell::shell_word;

/// A file as it was in a revision.
#[derive(Debug)]
pub struct Past {
    /// The bytes of the file in the revision.
    pub text: Vec<u8>,
    /// The path of the file on disk, or its last path if it was deleted. It is absolute or relative, as the path in the
    /// request.
    pub path: String,
    /// Whether the file is no longer on disk.
    pub is_deleted: bool,
    file: FileAtRevision,
    /// The name of the file in the revision, from the top of the repository.
    old_name: String,
    /// The changes of the file since the revision. `None` when the file still has its old name: then the changes have
    /// not been read yet.
    trail: Option<Vec<Change>>,
}

/// A commit that changed a file.
#[derive(Debug)]
pub struct Commit {
    /// The short id of the commit.
    pub hash: String,
    /// The day of the commit, such as 2026-01-31.
    pub date: String,
    /// The first line of the commit message.
    pub title: String,
    /// The path of the file after the commit.
    pub path: String,
    /// The id of the text after the commit; `None` when the file was deleted.
    pub blob: Option<String>,
}

/// Finds the version of a file in a revision. `path` is where the file is on disk now.
pub fn before(rev: &str, path: &str, base: &Base) -> Result<Past, Failure> {
    let file = FileAtRevision::new(rev, path, base)?;
    let name = file.names.from_top.clone();
    let origin = match file.text(&file.rev, &name)? {
        Some(text) => Some(Origin { text, old_name: name, trail: None }),
        None => under_another_name(&file, name)?,
    };
    match origin {
        Some(Origin { text, old_name, trail }) => {
            Ok(Past { text, path: path.to_owned(), is_deleted: false, file, old_name, trail })
        }
        None => Err(not_there(rev, path)),
    }
}

/// Finds the version of a file in a revision. `path` is where the file was in the revision, and no file is there now.
/// Returns `None` if the revision has no such file either.
pub fn since(rev: &str, path: &str, base: &Base) -> Result<Option<Past>, Failure> {
    let file = match FileAtRevision::new(rev, path, base) {
        Ok(file) => file,
        Err(Trouble::Revision(failure) | Trouble::Repository(failure)) => return Err(failure),
        Err(Trouble::NoRepository(_)) => return Ok(None),
    };
    let old_name = file.names.from_top.clone();
    let Some(text) = file.text(&file.rev, &old_name)? else { return Ok(None) };
    let line = CommitLine::new(&file)?;
    let trail = line.forward(&old_name)?;
    let last = trail.last().map_or(&old_name, |change| &change.name);
    let name = if file.is_on_disk(last) { Some(last.clone()) } else { line.new_name_on_disk(last)? };
    let path = file.as_given(name.as_ref().unwrap_or(last));
    Ok(Some(Past { text, path, is_deleted: name.is_none(), file, old_name, trail: Some(trail) }))
}

impl Past {
    /// A hint with the command that shows when the file was deleted.
    pub fn since_when(&self) -> String {
        format!("`git log --diff-filter=D -- {}` says since when", shell_word(&self.path))
    }

    /// The path of the file in the request.
    pub fn given(&self) -> &str {
        &self.file.names.given
    }

    /// The path that the file had in the revision.
    pub fn old_path(&self) -> String {
        self.file.as_given(&self.old_name)
    }

    /// The commits since the revision that changed the file, oldest first.
    pub fn commits(&self) -> Result<Vec<Commit>, Failure> {
        let trail = match &self.trail {
            Some(trail) => trail.clone(),
            None => CommitLine::new(&self.file)?.changes(&self.old_name)?,
        };
        let commit = |Change { hash, date, title, name, blob, .. }| {
            let path = self.file.as_given(&name);
            Commit { hash, date, title, path, blob }
        };
        Ok(trail.into_iter().map(commit).collect())
    }

    /// Starts a process that reads the texts of the commits.
    pub fn blobs(&self) -> Result<Blobs, Failure> {
        Blobs::new(&self.file.top)
    }
}

/// A file in a revision. `trail` has its changes since then, if its names had to be followed.
struct Origin {
    text: Vec<u8>,
    old_name: String,
    trail: Option<Vec<Change>>,
}

/// Finds the file that has this name on disk, and had another name in the revision. Returns `None` when there is no
/// such file.
fn under_another_name(file: &FileAtRevision, name: String) -> Result<Option<Origin>, Failure> {
    let line = CommitLine::new(file)?;
    let is_committed = file.blob(line.end(), &name)?.is_some();
    let name = if is_committed { Some(name) } else { line.old_name_on_disk(&name)? };
    let Some(name) = name else { return Ok(None) };
    let trail = line.backward(&name)?;
    let old_name = trail.first().map_or(name, |change| change.old_name.clone());
    let text = file.text(&file.rev, &old_name)?;
    Ok(text.map(|text| Origin { text, old_name, trail: Some(trail) }))
}

fn not_there(rev: &str, path: &str) -> Failure {
    Failure::new(
        Kind::NoSuchFile,
        format!("there was no file `{path}` in `{rev}`"),
        format!("`git log --follow -- {path}` says since when it is there"),
    )
}
