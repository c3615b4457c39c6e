//! A file as it was in a revision, and what became of it.

use super::blobs::Blobs;
use super::line::{Change, Line};
use super::question::{Question, Trouble};
use crate::failure::{Failure, FailureKind as Kind};
use crate::path::Base;
use crate::shell::shell_word;

/// A file as it was in a revision.
#[derive(Debug)]
pub struct Past {
    /// Its bytes there.
    pub text: Vec<u8>,
    /// The name that it has on disk, or had last. All paths are written as the one that was given.
    pub path: String,
    /// Is it on disk no more?
    pub is_deleted: bool,
    question: Question,
    /// The name that it had in the revision, from the top of the repository.
    old_name: String,
    /// What changed it since, where its names had to be followed.
    trail: Option<Vec<Change>>,
}

/// A commit that changed a file.
#[derive(Debug)]
pub struct Commit {
    /// Its name.
    pub hash: String,
    /// The day, as 2026-01-31.
    pub date: String,
    /// The first line of its message.
    pub title: String,
    /// The name of the file after it.
    pub path: String,
    /// What git keeps the text after it under; `None` when the file was deleted.
    pub blob: Option<String>,
}

/// A file that is here under this name, as it was in a revision.
pub fn before(rev: &str, path: &str, base: &Base) -> Result<Past, Failure> {
    let question = Question::new(rev, path, base)?;
    let name = question.names.from_top.clone();
    let origin = match question.text(&question.rev, &name)? {
        Some(text) => Some(Origin { text, old_name: name, trail: None }),
        None => under_another_name(&question, name)?,
    };
    match origin {
        Some(Origin { text, old_name, trail }) => {
            Ok(Past { text, path: path.to_owned(), is_deleted: false, question, old_name, trail })
        }
        None => Err(not_there(rev, path)),
    }
}

/// A file that had this name in a revision, and is not here under it; `None` if the revision does not have it either.
pub fn since(rev: &str, path: &str, base: &Base) -> Result<Option<Past>, Failure> {
    let question = match Question::new(rev, path, base) {
        Ok(question) => question,
        Err(Trouble::Revision(failure) | Trouble::Repository(failure)) => return Err(failure),
        Err(Trouble::NoRepository(_)) => return Ok(None),
    };
    let old_name = question.names.from_top.clone();
    let Some(text) = question.text(&question.rev, &old_name)? else { return Ok(None) };
    let line = Line::new(&question)?;
    let trail = line.forward(&old_name)?;
    let last = trail.last().map_or(&old_name, |change| &change.name);
    let name = if question.is_on_disk(last) { Some(last.clone()) } else { line.new_name_on_disk(last)? };
    let path = question.as_given(name.as_ref().unwrap_or(last));
    Ok(Some(Past { text, path, is_deleted: name.is_none(), question, old_name, trail: Some(trail) }))
}

impl Past {
    /// What tells since when a file that was deleted is no longer there.
    pub fn since_when(&self) -> String {
        format!("`git log --diff-filter=D -- {}` says since when", shell_word(&self.path))
    }

    /// The name that was asked for.
    pub fn given(&self) -> &str {
        &self.question.names.given
    }

    /// The name that the file had in the revision.
    pub fn old_path(&self) -> String {
        self.question.as_given(&self.old_name)
    }

    /// The commits since the revision that changed the file, the first one first.
    pub fn commits(&self) -> Result<Vec<Commit>, Failure> {
        let trail = match &self.trail {
            Some(trail) => trail.clone(),
            None => Line::new(&self.question)?.changes(&self.old_name)?,
        };
        let commit = |Change { hash, date, title, name, blob, .. }| {
            let path = self.question.as_given(&name);
            Commit { hash, date, title, path, blob }
        };
        Ok(trail.into_iter().map(commit).collect())
    }

    /// What reads the texts of the commits.
    pub fn blobs(&self) -> Result<Blobs, Failure> {
        Blobs::new(&self.question.top)
    }
}

/// What a file was in a revision, and what changed it since, where its names had to be followed.
struct Origin {
    text: Vec<u8>,
    old_name: String,
    trail: Option<Vec<Change>>,
}

/// A file that has this name on disk, and did not have it in the revision.
fn under_another_name(question: &Question, name: String) -> Result<Option<Origin>, Failure> {
    let line = Line::new(question)?;
    let is_committed = question.blob(line.end(), &name)?.is_some();
    let name = if is_committed { Some(name) } else { line.old_name_on_disk(&name)? };
    let Some(name) = name else { return Ok(None) };
    let trail = line.backward(&name)?;
    let old_name = trail.first().map_or(name, |change| change.old_name.clone());
    let text = question.text(&question.rev, &old_name)?;
    Ok(text.map(|text| Origin { text, old_name, trail: Some(trail) }))
}

fn not_there(rev: &str, path: &str) -> Failure {
    Failure::new(
        Kind::NoSuchFile,
        format!("there was no file `{path}` in `{rev}`"),
        format!("`git log --follow -- {path}` says since when it is there"),
    )
}
