//! The line of commits that leads from a revision to `HEAD`, and what a file is called along it.
//!
//! Only first parents are followed, so everything that a merge brought in counts as one change: on the merged branch
//! the place may never have existed. If the revision is itself on a merged branch, the line starts with the merge.

use std::collections::HashSet;

use super::file_at_revision::FileAtRevision;
use super::moved::Moved;
use crate::failure::Failure;

/// The line of commits that leads from a revision to `HEAD`.
pub(super) struct CommitLine<'a> {
    file: &'a FileAtRevision,
    /// The id of the commit that the revision names.
    start: String,
    /// The commit after `start`. `None` when `HEAD` is that commit, or does not descend from it.
    first: Option<String>,
}

/// A change of one file in one commit.
#[derive(Clone, Debug)]
pub(super) struct Change {
    /// The full id of the commit, and in `hash` its short id.
    pub id: String,
    pub hash: String,
    /// The day of the commit, such as 2026-01-31.
    pub date: String,
    pub title: String,
    /// The name of the file before the change, and in `name` after it. Both start from the top of the repository.
    pub old_name: String,
    pub name: String,
    /// The id of the text after the change; `None` when the file was deleted.
    pub blob: Option<String>,
    /// Whether the commit added the file.
    is_new: bool,
}

/// A file that was renamed.
struct Rename {
    old: String,
    new: String,
    blob: String,
}

/// What git prints about a commit, before the list of its changes.
const FORMAT: &str = "--format=%H%x00%h%x00%as%x00%s";

/// `git log` with flags that make its output independent of the user's settings.
const LOG: [&str; 8] = [
    "log",
    "-z",
    "--no-show-signature",
    "--no-follow",
    "--no-ext-diff",
    "--no-textconv",
    "--encoding=UTF-8",
    FORMAT,
];

impl<'a> CommitLine<'a> {
    pub(super) fn new(file: &'a FileAtRevision) -> Result<CommitLine<'a>, Failure> {
        let start = file.ask(&["rev-list", "-1", &file.rev])?.trim_end().to_owned();
        let range = format!("{start}..HEAD");
        let line = file.ask(&["rev-list", "--first-parent", "--parents", &range])?;
        let first = match line.lines().last().map(|oldest| oldest.split(' ')) {
            None => None,
            Some(mut oldest) => match (oldest.next(), oldest.next()) {
                (Some(first), Some(parent)) if parent == start => Some(first.to_owned()),
                _ => merge_that_brought(file, &range, &line)?,
            },
        };
        Ok(CommitLine { file, start, first })
    }

    /// The changes of the file with this name, oldest first. Renames are not followed.
    pub(super) fn changes(&self, name: &str) -> Result<Vec<Change>, Failure> {
        self.changes_until("HEAD", name)
    }

    /// The changes of the file that has this name at the start of the line, oldest first. Renames are followed towards
    /// `HEAD`.
    pub(super) fn forward(&self, name: &str) -> Result<Vec<Change>, Failure> {
        let mut trail = self.changes(name)?;
        let mut n_seen = 0;
        while let Some(at) = trail.iter().skip(n_seen).position(|change| change.blob.is_none()) {
            let at = n_seen + at;
            if let Some(rename) = self.rename(&trail[at], |rename| rename.old == trail[at].name)? {
                trail.truncate(at + 1);
                let later = self.log(&format!("{}..HEAD", trail[at].id), &rename.new)?;
                trail[at].rename(rename);
                trail.extend(later);
            }
            n_seen = at + 1;
        }
        Ok(trail)
    }

    /// The changes of the file that has this name at the end of the line, oldest first. Renames are followed back
    /// towards the start.
    pub(super) fn backward(&self, name: &str) -> Result<Vec<Change>, Failure> {
        let mut trail = self.changes(name)?;
        let mut n_unseen = trail.len();
        while let Some(mut at) = trail[..n_unseen].iter().rposition(|change| change.is_new) {
            if let Some(rename) = self.rename(&trail[at], |rename| rename.new == trail[at].name)? {
                let earlier = match &trail[at].id {
                    id if Some(id) == self.first.as_ref() => Vec::new(),
                    id => self.changes_until(&format!("{id}^1"), &rename.old)?,
                };
                trail[at].rename(rename);
                let n_earlier = earlier.len();
                trail.splice(..at, earlier);
                at = n_earlier;
            }
            n_unseen = at;
        }
        Ok(trail)
    }

    /// The commit at the end of the line.
    pub(super) fn end(&self) -> &str {
        if self.first.is_some() { "HEAD" } else { &self.start }
    }

    /// The name on disk of a file that has this name at the end of the line and was renamed since.
    pub(super) fn new_name_on_disk(&self, name: &str) -> Result<Option<String>, Failure> {
        let rename = self.rename_on_disk(|rename| rename.old == name)?;
        Ok(rename.map(|rename| rename.new))
    }

    /// The name, at the end of the line, of a file that was since renamed on disk to this name.
    pub(super) fn old_name_on_disk(&self, name: &str) -> Result<Option<String>, Failure> {
        let rename = self.rename_on_disk(|rename| rename.new == name)?;
        Ok(rename.map(|rename| rename.old))
    }

    /// Finds the first rename that `is_meant` accepts among the files that were renamed on disk since the end of the
    /// line. The rename need not be staged in git.
    fn rename_on_disk(&self, is_meant: impl Fn(&Rename) -> bool) -> Result<Option<Rename>, Failure> {
        let Some(moved) = Moved::on_disk(self.file, self.end())? else { return Ok(None) };
        find_rename(|arguments| moved.ask(arguments), is_meant)
    }

    fn changes_until(&self, end: &str, name: &str) -> Result<Vec<Change>, Failure> {
        let Some(first) = &self.first else { return Ok(Vec::new()) };
        let mut changes = self.first_change(first, name)?;
        changes.extend(self.log(&format!("{first}..{end}"), name)?);
        Ok(changes)
    }

    /// The change of the file from the revision to the first commit after it; empty when the file did not change. The
    /// two commits are compared directly, because the revision need not be the first parent.
    fn first_change(&self, first: &str, name: &str) -> Result<Vec<Change>, Failure> {
        let raw = ["diff-tree", "-r", "-z", "--raw", "--no-renames", &self.start, first, "--", name];
        let raw = self.file.ask(&raw)?;
        let about = self.file.ask(&[&LOG[..], &["-1", "--no-patch", first]].concat())?;
        Ok(read_changes(&format!("{about}{raw}"), name))
    }

    fn log(&self, range: &str, name: &str) -> Result<Vec<Change>, Failure> {
        let line = ["--first-parent", "--diff-merges=first-parent", "--reverse", "--raw", "--no-renames"];
        let log = self.file.ask(&[&LOG[..], &line, &[range, "--", name]].concat())?;
        Ok(read_changes(&log, name))
    }

    /// Finds the first rename that `is_meant` accepts in the commit of a change.
    fn rename(&self, change: &Change, is_meant: impl Fn(&Rename) -> bool) -> Result<Option<Rename>, Failure> {
        let parent = format!("{}^1", change.id);
        let before = if Some(&change.id) == self.first.as_ref() { &self.start } else { &parent };
        find_rename(|arguments| self.file.ask(&[arguments, &[before, &change.id]].concat()), is_meant)
    }
}

impl Change {
    /// Turns this change into one that renamed the file.
    fn rename(&mut self, Rename { old, new, blob }: Rename) {
        (self.old_name, self.name, self.blob) = (old, new, Some(blob));
    }
}

/// Git arguments that list all renamed files, and no other changes.
const RENAMES: [&str; 5] = ["diff-tree", "-r", "-z", "--raw", "--diff-filter=R"];

/// Asks git for the renamed files, and returns the first that `is_meant` accepts. If texts are missing from this clone,
/// git cannot compare them: then only files that were renamed without any other change are found, by their ids.
fn find_rename(
    ask: impl Fn(&[&str]) -> Result<String, Failure>,
    is_meant: impl Fn(&Rename) -> bool,
) -> Result<Option<Rename>, Failure> {
    let with = |how| ask(&[&RENAMES[..], &[how]].concat()).map(|raw| read_renames(&raw));
    match with("-M") {
        Ok(renames) => Ok(renames.into_iter().find(is_meant)),
        Err(failure) => match with("-M100%")?.into_iter().find(is_meant) {
            Some(rename) => Ok(Some(rename)),
            None => Err(failure),
        },
    }
}

/// The merge that brought the revision into the line: the oldest commit among the first parents of `HEAD` that descends
/// from the revision. `line` has one commit on each line of text, newest first.
fn merge_that_brought(file: &FileAtRevision, range: &str, line: &str) -> Result<Option<String>, Failure> {
    // Without `--first-parent`, which would find nothing: the revision is not a first parent.
    let since = file.ask(&["rev-list", "--ancestry-path", range])?;
    let since: HashSet<&str> = since.lines().collect();
    let mut ids = line.lines().rev().filter_map(|commit| commit.split(' ').next());
    Ok(ids.find(|id| since.contains(id)).map(str::to_owned))
}

/// Reads the changes of the file with this name. For each commit, the log has `id NUL hash NUL date NUL title NUL`,
/// followed for each file by an optional line break and `:MODE MODE OLD NEW STATUS NUL name NUL`.
fn read_changes(log: &str, name: &str) -> Vec<Change> {
    let mut fields = log.split('\0').peekable();
    let mut changes = Vec::new();
    while let (Some(id), Some(hash), Some(date), Some(title)) =
        (fields.next(), fields.next(), fields.next(), fields.next())
    {
        while let Some(raw) = fields.next_if(|field| field.trim_start().starts_with(':')) {
            // If a folder once had this name, git also lists the files in that folder.
            if fields.next() == Some(name) {
                changes.push(Change {
                    id: id.to_owned(),
                    hash: hash.to_owned(),
                    date: date.to_owned(),
                    title: title.to_owned(),
                    old_name: name.to_owned(),
                    name: name.to_owned(),
                    blob: blob(raw),
                    is_new: raw.ends_with('A'),
                });
            }
        }
    }
    changes
}

/// Reads renames. For each file, git prints `:MODE MODE OLD NEW STATUS NUL old name NUL new name NUL`.
fn read_renames(raw: &str) -> Vec<Rename> {
    let fields: Vec<&str> = raw.split_terminator('\0').collect();
    let renames = fields.chunks_exact(3).map(|fields| Rename {
        old: fields[1].to_owned(),
        new: fields[2].to_owned(),
        blob: blob(fields[0]).unwrap_or_default(),
    });
    renames.collect()
}

/// The id `NEW` from the fields `:MODE MODE OLD NEW STATUS`; `None` when it is all zeros, which means that the file was
/// deleted.
fn blob(raw: &str) -> Option<String> {
    let id = raw.trim_start().split(' ').nth(3)?;
    id.contains(|digit| digit != '0').then(|| id.to_owned())
}
