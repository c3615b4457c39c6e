//! The line of commits that leads from a revision to `HEAD`, and what a file is called along it.
//!
//! In a history with branches the first parents are followed, and all that a merge brought counts as one change: on
//! another branch the place may never have existed. A revision on a branch that was merged is compared with the merge.

use std::collections::HashSet;

use super::file_at_revision::FileAtRevision;
use super::moved::Moved;
use crate::failure::Failure;

/// The line of commits that leads from a revision to `HEAD`.
pub(super) struct CommitLine<'a> {
    file: &'a FileAtRevision,
    /// The commit that the revision names.
    start: String,
    /// The commit after it; `None` when `HEAD` is the revision, or does not descend from it.
    first: Option<String>,
}

/// A change of a file.
#[derive(Clone, Debug)]
pub(super) struct Change {
    /// The commit: its full id and, as `hash`, its short one.
    pub id: String,
    pub hash: String,
    /// The day, as 2026-01-31.
    pub date: String,
    pub title: String,
    /// The name of the file before and after, from the top of the repository.
    pub old_name: String,
    pub name: String,
    /// The id of the text after the change; `None` when the file was deleted.
    pub blob: Option<String>,
    /// Whether the file did not exist before.
    is_new: bool,
}

/// A file that was renamed.
struct Rename {
    old: String,
    new: String,
    blob: String,
}

/// What git prints about a commit, before its changes.
const FORMAT: &str = "--format=%H%x00%h%x00%as%x00%s";

/// `git log` with flags that keep the user's settings from changing its output.
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

    /// The changes of the file with this name, the oldest first. Renames are not followed.
    pub(super) fn changes(&self, name: &str) -> Result<Vec<Change>, Failure> {
        self.changes_until("HEAD", name)
    }

    /// The changes of the file that has this name at the start of the line. Its later names are followed.
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

    /// The changes of the file that has this name at the end of the line. Its earlier names are followed.
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

    /// The new name of a file that has this name at the end of the line, and was renamed on disk since.
    pub(super) fn new_name_on_disk(&self, name: &str) -> Result<Option<String>, Failure> {
        let rename = self.rename_on_disk(|rename| rename.old == name)?;
        Ok(rename.map(|rename| rename.new))
    }

    /// The old name, at the end of the line, of a file that was since renamed on disk to this name.
    pub(super) fn old_name_on_disk(&self, name: &str) -> Result<Option<String>, Failure> {
        let rename = self.rename_on_disk(|rename| rename.new == name)?;
        Ok(rename.map(|rename| rename.old))
    }

    /// The rename that is meant, among the files that were renamed on disk since the end of the line. Git need not know
    /// of it.
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

    /// The change of the file from the revision to the first commit of the line; nothing when it has not changed. The
    /// revision need not be the first parent of that commit.
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

    /// The rename that is meant, among those in the commit of a change.
    fn rename(&self, change: &Change, is_meant: impl Fn(&Rename) -> bool) -> Result<Option<Rename>, Failure> {
        let parent = format!("{}^1", change.id);
        let before = if Some(&change.id) == self.first.as_ref() { &self.start } else { &parent };
        find_rename(|arguments| self.file.ask(&[arguments, &[before, &change.id]].concat()), is_meant)
    }
}

impl Change {
    /// Makes this the change that renamed the file.
    fn rename(&mut self, Rename { old, new, blob }: Rename) {
        (self.old_name, self.name, self.blob) = (old, new, Some(blob));
    }
}

/// Lists all files that were renamed, and no other changes.
const RENAMES: [&str; 5] = ["diff-tree", "-r", "-z", "--raw", "--diff-filter=R"];

/// Asks git for the renamed files, and takes the one that is meant. Where the texts are not in this clone, only files
/// that were renamed without a change can be found, by their ids.
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

/// The merge that brought the revision: the oldest commit among the first parents of `HEAD` that descends from it.
/// `line` has a commit on each line of text, the newest first.
fn merge_that_brought(file: &FileAtRevision, range: &str, line: &str) -> Result<Option<String>, Failure> {
    // Not with `--first-parent`: git would find nothing, since the revision is no first parent.
    let since = file.ask(&["rev-list", "--ancestry-path", range])?;
    let since: HashSet<&str> = since.lines().collect();
    let mut ids = line.lines().rev().filter_map(|commit| commit.split(' ').next());
    Ok(ids.find(|id| since.contains(id)).map(str::to_owned))
}

/// Reads the changes of the file with this name. The log has for each commit `id NUL hash NUL date NUL title NUL`, and
/// then for each file an optional line break and `:MODE MODE OLD NEW STATUS NUL name NUL`.
fn read_changes(log: &str, name: &str) -> Vec<Change> {
    let mut fields = log.split('\0').peekable();
    let mut changes = Vec::new();
    while let (Some(id), Some(hash), Some(date), Some(title)) =
        (fields.next(), fields.next(), fields.next(), fields.next())
    {
        while let Some(raw) = fields.next_if(|field| field.trim_start().starts_with(':')) {
            // If the name was once that of a folder, git also lists the files in the folder.
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

/// Reads renames: for each file `:MODE MODE OLD NEW STATUS NUL old name NUL new name NUL`.
fn read_renames(raw: &str) -> Vec<Rename> {
    let fields: Vec<&str> = raw.split_terminator('\0').collect();
    let renames = fields.chunks_exact(3).map(|fields| Rename {
        old: fields[1].to_owned(),
        new: fields[2].to_owned(),
        blob: blob(fields[0]).unwrap_or_default(),
    });
    renames.collect()
}

/// The id of the new text, from the fields `:MODE MODE OLD NEW STATUS`; `None` when it is all zeros, which means no
/// text.
fn blob(raw: &str) -> Option<String> {
    let id = raw.trim_start().split(' ').nth(3)?;
    id.contains(|digit| digit != '0').then(|| id.to_owned())
}
