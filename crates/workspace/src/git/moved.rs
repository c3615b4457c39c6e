//! Files that were renamed on disk since a commit.
//!
//! Git is not asked about the working tree, because it would run the repository's monitor and filters. Instead it
//! compares two trees: one with the files that are gone from the disk, and one with the files that are new on disk.
//! Both trees are made in a folder outside of the repository.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ignore::{DirEntry, WalkBuilder};

use super::command::{about, answer, command, not_started, run};
use super::file_at_revision::FileAtRevision;
use crate::failure::{Failure, FailureKind as Kind};
use crate::path::written;

/// How many new files are considered as the new place of a renamed file. If there are more, none of them is considered.
const MOST_NEW: usize = 1_000;

/// Two git trees: the files that are gone from the disk, and the files that are new on disk.
pub(super) struct Moved<'a> {
    file: &'a FileAtRevision,
    aside: Aside,
    /// The folder with the repository's objects. Git only reads from it: writing an object that exists already would
    /// change the time of its file.
    objects: OsString,
    gone: String,
    new: String,
}

impl<'a> Moved<'a> {
    /// Compares a commit with the disk. Returns `None` when no file is gone or none is new, because then no file was
    /// renamed.
    pub(super) fn on_disk(file: &'a FileAtRevision, commit: &str) -> Result<Option<Moved<'a>>, Failure> {
        let there = file.ask(&["ls-tree", "-r", "-z", "--full-tree", commit])?;
        let entries: Vec<(&str, &str)> =
            there.split_terminator('\0').filter_map(|entry| entry.split_once('\t')).collect();
        let known: HashSet<&str> = entries.iter().map(|(_, name)| *name).collect();
        let left_out = left_out(file)?;
        let is_gone = |(about, name): &(&str, &str)| {
            let is_there = fs::symlink_metadata(file.top.join(name)).is_ok();
            about.contains(" blob ") && !is_there && !left_out.contains(*name)
        };
        let gone: Vec<(&str, &str)> = entries.into_iter().filter(is_gone).collect();
        let new = if gone.is_empty() { Vec::new() } else { new_files(&file.top, &known) };
        if new.is_empty() {
            return Ok(None);
        }
        let objects = file.ask(&["rev-parse", "--git-path", "objects"])?;
        let objects = quoted(&file.top.join(objects.trim_end_matches('\n')));
        let aside = Aside::new()?;
        let gone = gone.into_iter().map(|(about, name)| {
            let (mode, id) = about.split_once(" blob ").unwrap_or_default();
            format!("{mode} {id}\t{name}\0")
        });
        let gone = aside.tree(file, &gone.collect::<String>())?;
        let new = aside.tree(file, &aside.keep(file, &new)?)?;
        Ok(Some(Moved { file, aside, objects, gone, new }))
    }

    /// Runs git with these arguments and the two trees; returns what it prints.
    pub(super) fn ask(&self, arguments: &[&str]) -> Result<String, Failure> {
        let mut command = self.aside.command(self.file, &[arguments, &[&self.gone, &self.new]].concat());
        said(self.file, command.env("GIT_ALTERNATE_OBJECT_DIRECTORIES", &self.objects), "")
    }
}

/// The files that a sparse checkout leaves out. They are not on disk, but were not deleted either.
fn left_out(file: &FileAtRevision) -> Result<HashSet<String>, Failure> {
    let is_sparse = run(&file.top, &["config", "--type=bool", "core.sparseCheckout"])?;
    if !is_sparse.stdout.starts_with(b"true") {
        return Ok(HashSet::new());
    }
    // This is the only question for which git needs the index.
    let mut command = command(&file.top, &["ls-files", "-z", "-t", "--cached"]);
    let output = command.env_remove("GIT_INDEX_FILE").output().map_err(|error| not_started(&error))?;
    let output = answer(&file.top, output)?;
    let output = String::from_utf8_lossy(&output);
    let names = output.split_terminator('\0').filter_map(|entry| entry.strip_prefix("S "));
    Ok(names.map(str::to_owned).collect())
}

/// The files on disk that are not in the commit, as names from the top of the repository. `known` has the names of the
/// files in the commit.
fn new_files(top: &Path, known: &HashSet<&str>) -> Vec<String> {
    let new = others(top).filter(|name| !known.contains(name.as_str()));
    let new: Vec<String> = new.take(MOST_NEW + 1).collect();
    // If there are too many, the right file may be missing from the list, and a wrong one might be taken for it.
    if new.len() > MOST_NEW { Vec::new() } else { new }
}

/// The files below the top that are not ignored. Files of nested repositories are left out.
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

/// A temporary folder. Git writes objects and the index into it, and not into the repository.
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
        // This fails if the name is taken: then the folder is not ours.
        let made = builder.create(&folder);
        made.map_err(|error| {
            let message = format!("cannot make a folder in `{}`: {error}", std::env::temp_dir().display());
            Failure::new(Kind::Io, message, "make room there, or name another as TMPDIR")
        })?;
        Ok(Aside { folder })
    }

    /// Stores the bytes of files as git objects, without filters. Returns an index entry for each file.
    fn keep(&self, file: &FileAtRevision, names: &[String]) -> Result<String, Failure> {
        let arguments = ["hash-object", "-w", "--no-filters", "--"];
        // One unreadable file would make git fail for all of them.
        let can_be_read = |name: &&str| fs::File::open(file.top.join(name)).is_ok();
        let names: Vec<&str> = names.iter().map(String::as_str).filter(can_be_read).collect();
        let ids = said(file, &mut self.command(file, &[&arguments[..], &names].concat()), "")?;
        Ok(ids.lines().zip(names).map(|(id, name)| format!("100644 {id}\t{name}\0")).collect())
    }

    /// Makes a tree of these index entries and returns its id.
    fn tree(&self, file: &FileAtRevision, entries: &str) -> Result<String, Failure> {
        // The index of the previous tree may still be there.
        let _ = fs::remove_file(self.folder.join("index"));
        said(file, &mut self.command(file, &["update-index", "-z", "--index-info"]), entries)?;
        let tree = said(file, &mut self.command(file, &["write-tree", "--missing-ok"]), "")?;
        Ok(tree.trim_end().to_owned())
    }

    fn command(&self, file: &FileAtRevision, arguments: &[&str]) -> Command {
        let mut command = command(&file.top, arguments);
        command.env("GIT_INDEX_FILE", self.folder.join("index")).env("GIT_OBJECT_DIRECTORY", &self.folder);
        command
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        // Nothing can be done about a folder that cannot be removed.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Runs git with this input and returns what it prints.
fn said(file: &FileAtRevision, command: &mut Command, input: &str) -> Result<String, Failure> {
    let output = fed(command, input).map_err(|error| not_started(&error))?;
    let output = answer(&file.top, output);
    let output = output.map_err(|failure| about("cannot read what has another name on disk", failure))?;
    Ok(String::from_utf8_lossy(&output).into_owned())
}

/// Runs a program that reads all of its input before it prints anything. With other programs, both sides could block on
/// full pipes.
fn fed(command: &mut Command, input: &str) -> std::io::Result<std::process::Output> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // The program may have ended already; then its standard error says why.
        let _ = stdin.write_all(input.as_bytes());
    }
    child.wait_with_output()
}

/// Quotes a path for git's list of object folders, in which `:` separates the paths.
fn quoted(path: &Path) -> OsString {
    let path = path.to_string_lossy();
    let escaped = path.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"").into()
}
