//! The line of commits that leads from a revision to here, and what a file is called along it.
//!
//! Of a history with branches the first parents are followed, and what a merge brought is one change: on another branch
//! the place may never have been. A revision that a merge brought is compared with that merge.

use std::collections::HashSet;

use super::moved::Moved;
use super::question::Question;
use crate::failure::Failure;

/// The line of commits that leads from a revision to here.
pub(super) struct Line<'a> {
    question: &'a Question,
    /// The commit that the revision names.
    start: String,
    /// The next one; `None` when the line ends at once, or the revision does not lead to here at all.
    first: Option<String>,
}

/// A change of a file.
#[derive(Clone, Debug)]
pub(super) struct Change {
    /// The commit, in full and as people write it.
    pub id: String,
    pub hash: String,
    /// The day, as 2026-01-31.
    pub date: String,
    pub title: String,
    /// The name of the file before and after, from the top of the repository.
    pub old_name: String,
    pub name: String,
    /// What git keeps the text under; `None` when the file was deleted.
    pub blob: Option<String>,
    /// Was it not there before?
    is_new: bool,
}

/// A file that has another name.
struct Rename {
    old: String,
    new: String,
    blob: String,
}

/// What is said of a commit, before its changes.
const FORMAT: &str = "--format=%H%x00%h%x00%as%x00%s";

/// The settings of a user must not change what is read here.
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

impl<'a> Line<'a> {
    pub(super) fn new(question: &'a Question) -> Result<Line<'a>, Failure> {
        let start = question.ask(&["rev-list", "-1", &question.rev])?.trim_end().to_owned();
        let range = format!("{start}..HEAD");
        let line = question.ask(&["rev-list", "--first-parent", "--parents", &range])?;
        let first = match line.lines().last().map(|oldest| oldest.split(' ')) {
            None => None,
            Some(mut oldest) => match (oldest.next(), oldest.next()) {
                (Some(first), Some(parent)) if parent == start => Some(first.to_owned()),
                _ => first_behind_a_merge(question, &range, &line)?,
            },
        };
        Ok(Line { question, start, first })
    }

    /// The changes of a file that keeps its name, the first one first.
    pub(super) fn changes(&self, name: &str) -> Result<Vec<Change>, Failure> {
        self.changes_until("HEAD", name)
    }

    /// The changes of a file that has this name at the start.
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

    /// The changes of a file that has this name at the end.
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

    /// The name on disk of a file that has this name at the end of the line, and another one since.
    pub(super) fn new_name_on_disk(&self, name: &str) -> Result<Option<String>, Failure> {
        let rename = self.rename_on_disk(|rename| rename.old == name)?;
        Ok(rename.map(|rename| rename.new))
    }

    /// The name at the end of the line of a file that has this name on disk, and had another one before.
    pub(super) fn old_name_on_disk(&self, name: &str) -> Result<Option<String>, Failure> {
        let rename = self.rename_on_disk(|rename| rename.new == name)?;
        Ok(rename.map(|rename| rename.old))
    }

    /// A file that has another name on disk than in the last commit. Git need not know of it.
    fn rename_on_disk(&self, is_meant: impl Fn(&Rename) -> bool) -> Result<Option<Rename>, Failure> {
        let Some(moved) = Moved::on_disk(self.question, self.end())? else { return Ok(None) };
        find_rename(|arguments| moved.ask(arguments), is_meant)
    }

    fn changes_until(&self, end: &str, name: &str) -> Result<Vec<Change>, Failure> {
        let Some(first) = &self.first else { return Ok(Vec::new()) };
        let mut changes = self.first_change(first, name)?;
        changes.extend(self.log(&format!("{first}..{end}"), name)?);
        Ok(changes)
    }

    /// The first change on the line is one since the revision, also where that is not the first parent.
    fn first_change(&self, first: &str, name: &str) -> Result<Vec<Change>, Failure> {
        let raw = ["diff-tree", "-r", "-z", "--raw", "--no-renames", &self.start, first, "--", name];
        let raw = self.question.ask(&raw)?;
        let about = self.question.ask(&[&LOG[..], &["-1", "--no-patch", first]].concat())?;
        Ok(read_changes(&format!("{about}{raw}"), name))
    }

    fn log(&self, range: &str, name: &str) -> Result<Vec<Change>, Failure> {
        let line = ["--first-parent", "--diff-merges=first-parent", "--reverse", "--raw", "--no-renames"];
        let log = self.question.ask(&[&LOG[..], &line, &[range, "--", name]].concat())?;
        Ok(read_changes(&log, name))
    }

    /// What a change of names was in a commit.
    fn rename(&self, change: &Change, is_meant: impl Fn(&Rename) -> bool) -> Result<Option<Rename>, Failure> {
        let parent = format!("{}^1", change.id);
        let before = if Some(&change.id) == self.first.as_ref() { &self.start } else { &parent };
        find_rename(|arguments| self.question.ask(&[arguments, &[before, &change.id]].concat()), is_meant)
    }
}

impl Change {
    /// The change was one of names.
    fn rename(&mut self, Rename { old, new, blob }: Rename) {
        (self.old_name, self.name, self.blob) = (old, new, Some(blob));
    }
}

/// What asks for all files that have another name, and nothing else.
const RENAMES: [&str; 5] = ["diff-tree", "-r", "-z", "--raw", "--diff-filter=R"];

/// Asks for the files that have another name, and takes the one that is meant. Where the texts are not in this clone,
/// those that were not changed are still told by their ids.
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

/// The first commit of a line that leads to here from a revision which a merge brought.
fn first_behind_a_merge(question: &Question, range: &str, line: &str) -> Result<Option<String>, Failure> {
    // Asked for the first parents too, git takes such a revision for none of the line.
    let since = question.ask(&["rev-list", "--ancestry-path", range])?;
    let since: HashSet<&str> = since.lines().collect();
    let mut ids = line.lines().rev().filter_map(|commit| commit.split(' ').next());
    Ok(ids.find(|id| since.contains(id)).map(str::to_owned))
}

/// For each commit `id NUL hash NUL date NUL title NUL`, and after it for each file a line break or none,
/// `:MODE MODE OLD NEW STATUS NUL name NUL`.
fn read_changes(log: &str, name: &str) -> Vec<Change> {
    let mut fields = log.split('\0').peekable();
    let mut changes = Vec::new();
    while let (Some(id), Some(hash), Some(date), Some(title)) =
        (fields.next(), fields.next(), fields.next(), fields.next())
    {
        while let Some(raw) = fields.next_if(|field| field.trim_start().starts_with(':')) {
            // Where the name was one of a folder, there are those of the files in it too.
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

/// For each file `:MODE MODE OLD NEW STATUS NUL old name NUL new name NUL`.
fn read_renames(raw: &str) -> Vec<Rename> {
    let fields: Vec<&str> = raw.split_terminator('\0').collect();
    let renames = fields.chunks_exact(3).map(|fields| Rename {
        old: fields[1].to_owned(),
        new: fields[2].to_owned(),
        blob: blob(fields[0]).unwrap_or_default(),
    });
    renames.collect()
}

/// What git keeps the new text under, which is all zeros where there is none.
fn blob(raw: &str) -> Option<String> {
    let id = raw.trim_start().split(' ').nth(3)?;
    id.contains(|digit| digit != '0').then(|| id.to_owned())
}
