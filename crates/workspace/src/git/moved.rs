//! Files that have another name on disk than in a commit.
//!
//! Git is not asked about the working tree: for that it would run the repository's monitor and filters. What is on disk
//! is told to it instead, as two trees: that of the files which are gone from the disk, and that of those which are new
//! there. Both are made in a folder outside of the repository.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ignore::{DirEntry, WalkBuilder};

use super::command::{about, answer, command, not_started, run};
use super::question::Question;
use crate::failure::{Failure, FailureKind as Kind};
use crate::path::written;

/// How many new files are looked at for one that had another name.
const MOST_NEW: usize = 1_000;

/// Files that are gone from the disk and files that are new there, as two trees.
pub(super) struct Moved<'a> {
    question: &'a Question,
    aside: Aside,
    /// The objects of the repository, which are only read: who writes what is there already changes its time.
    objects: OsString,
    gone: String,
    new: String,
}

impl<'a> Moved<'a> {
    /// What is on disk beside a commit; `None` when nothing can have another name.
    pub(super) fn on_disk(question: &'a Question, commit: &str) -> Result<Option<Moved<'a>>, Failure> {
        let there = question.ask(&["ls-tree", "-r", "-z", "--full-tree", commit])?;
        let entries: Vec<(&str, &str)> =
            there.split_terminator('\0').filter_map(|entry| entry.split_once('\t')).collect();
        let known: HashSet<&str> = entries.iter().map(|(_, name)| *name).collect();
        let left_out = left_out(question)?;
        let is_gone = |(about, name): &(&str, &str)| {
            let is_there = fs::symlink_metadata(question.top.join(name)).is_ok();
            about.contains(" blob ") && !is_there && !left_out.contains(*name)
        };
        let gone: Vec<(&str, &str)> = entries.into_iter().filter(is_gone).collect();
        let new = if gone.is_empty() { Vec::new() } else { new_files(&question.top, &known) };
        if new.is_empty() {
            return Ok(None);
        }
        let objects = question.ask(&["rev-parse", "--git-path", "objects"])?;
        let objects = quoted(&question.top.join(objects.trim_end_matches('\n')));
        let aside = Aside::new()?;
        let gone = gone.into_iter().map(|(about, name)| {
            let (mode, id) = about.split_once(" blob ").unwrap_or_default();
            format!("{mode} {id}\t{name}\0")
        });
        let gone = aside.tree(question, &gone.collect::<String>())?;
        let new = aside.tree(question, &aside.keep(question, &new)?)?;
        Ok(Some(Moved { question, aside, objects, gone, new }))
    }

    /// What git says of the two trees.
    pub(super) fn ask(&self, arguments: &[&str]) -> Result<String, Failure> {
        let mut command = self.aside.command(self.question, &[arguments, &[&self.gone, &self.new]].concat());
        said(self.question, command.env("GIT_ALTERNATE_OBJECT_DIRECTORIES", &self.objects), "")
    }
}

/// The files that a sparse checkout leaves out: they are not gone.
fn left_out(question: &Question) -> Result<HashSet<String>, Failure> {
    let is_sparse = run(&question.top, &["config", "--type=bool", "core.sparseCheckout"])?;
    if !is_sparse.stdout.starts_with(b"true") {
        return Ok(HashSet::new());
    }
    // The one question that the index is needed for.
    let mut command = command(&question.top, &["ls-files", "-z", "-t", "--cached"]);
    let output = command.env_remove("GIT_INDEX_FILE").output().map_err(|error| not_started(&error))?;
    let output = answer(&question.top, output)?;
    let output = String::from_utf8_lossy(&output);
    let names = output.split_terminator('\0').filter_map(|entry| entry.strip_prefix("S "));
    Ok(names.map(str::to_owned).collect())
}

/// Files on disk that are not in the commit, by their names from the top.
fn new_files(top: &Path, known: &HashSet<&str>) -> Vec<String> {
    let new = others(top).filter(|name| !known.contains(name.as_str()));
    let new: Vec<String> = new.take(MOST_NEW + 1).collect();
    // Of too many the one that is meant may be missing, and another be taken for it.
    if new.len() > MOST_NEW { Vec::new() } else { new }
}

/// The files below the top that are not ignored, without those of other repositories.
fn others(top: &Path) -> impl Iterator<Item = String> + use<'_> {
    let is_ours = |entry: &DirEntry| {
        let is_other = entry.depth() > 0 && entry.path().join(".git").exists();
        entry.file_name() != ".git" && !is_other
    };
    let mut walk = WalkBuilder::new(top);
    walk.hidden(false).parents(false).ignore(false).filter_entry(is_ours);
    let files = walk.build().flatten().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
    files.filter_map(move |entry| entry.path().strip_prefix(top).ok().map(written))
}

/// A folder of our own that git writes to in place of the repository.
struct Aside {
    folder: PathBuf,
}

impl Aside {
    fn new() -> Result<Aside, Failure> {
        let random = RandomState::new().hash_one(std::process::id());
        let folder = std::env::temp_dir().join(format!("locant-{random:016x}"));
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        // What has this name already is not ours, and fails.
        let made = builder.create(&folder);
        made.map_err(|error| {
            let message = format!("cannot make a folder in `{}`: {error}", std::env::temp_dir().display());
            Failure::new(Kind::Io, message, "make room there, or name another as TMPDIR")
        })?;
        Ok(Aside { folder })
    }

    /// Keeps files as they are on disk, as git would without filters; gives a line for each.
    fn keep(&self, question: &Question, names: &[String]) -> Result<String, Failure> {
        let arguments = ["hash-object", "-w", "--no-filters", "--"];
        // One that may not be read would fail all of them.
        let can_be_read = |name: &&str| fs::File::open(question.top.join(name)).is_ok();
        let names: Vec<&str> = names.iter().map(String::as_str).filter(can_be_read).collect();
        let ids = said(question, &mut self.command(question, &[&arguments[..], &names].concat()), "")?;
        Ok(ids.lines().zip(names).map(|(id, name)| format!("100644 {id}\t{name}\0")).collect())
    }

    /// A tree of these entries.
    fn tree(&self, question: &Question, entries: &str) -> Result<String, Failure> {
        // An index of another tree may be there.
        let _ = fs::remove_file(self.folder.join("index"));
        said(question, &mut self.command(question, &["update-index", "-z", "--index-info"]), entries)?;
        let tree = said(question, &mut self.command(question, &["write-tree", "--missing-ok"]), "")?;
        Ok(tree.trim_end().to_owned())
    }

    fn command(&self, question: &Question, arguments: &[&str]) -> Command {
        let mut command = command(&question.top, arguments);
        command.env("GIT_INDEX_FILE", self.folder.join("index")).env("GIT_OBJECT_DIRECTORY", &self.folder);
        command
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        // Nothing is left to be done about what cannot be removed.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// What git says to this input.
fn said(question: &Question, command: &mut Command, input: &str) -> Result<String, Failure> {
    let output = fed(command, input).map_err(|error| not_started(&error))?;
    let output = answer(&question.top, output);
    let output = output.map_err(|failure| about("cannot read what has another name on disk", failure))?;
    Ok(String::from_utf8_lossy(&output).into_owned())
}

/// Runs a program that reads all of its input before it says anything.
fn fed(command: &mut Command, input: &str) -> std::io::Result<std::process::Output> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // It may have ended already; then it says why.
        let _ = stdin.write_all(input.as_bytes());
    }
    child.wait_with_output()
}

/// A path in a list with `:` between them.
fn quoted(path: &Path) -> OsString {
    let path = path.to_string_lossy();
    let escaped = path.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"").into()
}
