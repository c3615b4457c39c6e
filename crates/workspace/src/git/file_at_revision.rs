//! A file and a revision in the repository around the file. All questions to git are about such a pair.

use std::path::{Path, PathBuf};
use std::process::Output;

use super::command::{about, answer, not_in_clone, refused, run};
use super::kept;
use super::names::Names;
use crate::failure::{Failure, FailureKind as Kind};
use crate::path::Base;
use crate::shell::shell_word;

/// A file and a revision, in the repository around the file.
#[derive(Debug)]
pub(super) struct FileAtRevision {
    /// The top folder of the repository.
    pub top: PathBuf,
    /// The names of the file.
    pub names: Names,
    /// The id of the object that the revision names. Because it consists of hexadecimal digits, git cannot read it as a
    /// flag, a range or a pattern.
    pub rev: String,
}

/// Why git cannot be asked about a file and a revision.
pub(super) enum Trouble {
    /// The file is not inside a repository.
    NoRepository(Failure),
    /// Git cannot read the repository.
    Repository(Failure),
    /// The repository does not have the revision.
    Revision(Failure),
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Failure {
        match trouble {
            Trouble::NoRepository(failure) | Trouble::Repository(failure) | Trouble::Revision(failure) => {
                failure
            }
        }
    }
}

impl FileAtRevision {
    /// Finds the repository and the revision in it.
    pub(super) fn new(rev: &str, path: &str, base: &Base) -> Result<FileAtRevision, Trouble> {
        check(rev).map_err(Trouble::Revision)?;
        let file = base.on_disk(path);
        let folder = innermost_folder(&file);
        let made = |top: &str, prefix: &str, id: &str| {
            let rest = file.strip_prefix(folder).unwrap_or(&file);
            let names = Names::new(path, (prefix, rest), base.on_disk("."));
            FileAtRevision { top: PathBuf::from(top), names, rev: id.to_owned() }
        };
        if let Some(place) = kept::place(folder, rev) {
            return Ok(made(&place.top, &place.prefix, rev));
        }
        let output = run(folder, &[&WHERE[..], &["--verify", "--end-of-options", rev]].concat());
        let what = format!("cannot read `{path}` as it was in `{rev}`");
        let output = output.map_err(|failure| Trouble::Repository(about(&what, failure)))?;
        let said = String::from_utf8_lossy(&output.stdout);
        let mut lines = said.lines();
        match (lines.next(), lines.next(), lines.next()) {
            (Some(top), Some(prefix), Some(id)) if output.status.success() => {
                kept::keep_place(folder, top, prefix);
                Ok(made(top, prefix, id))
            }
            (Some(_), Some(_), _) => Err(Trouble::Revision(no_such_revision(rev, folder))),
            _ if is_in_none(&output) => Err(Trouble::NoRepository(about(&what, refused(folder, &output)))),
            _ => Err(Trouble::Repository(about(&what, refused(folder, &output)))),
        }
    }

    /// Runs git in the repository and returns its standard output.
    pub(super) fn ask(&self, arguments: &[&str]) -> Result<String, Failure> {
        let output = run(&self.top, arguments).and_then(|output| answer(&self.top, output));
        let output = output.map_err(|failure| about("cannot read the history", failure))?;
        Ok(String::from_utf8_lossy(&output).into_owned())
    }

    /// The text of a file in a commit; `None` when the commit does not have the file. `name` starts from the top of the
    /// repository.
    pub(super) fn text(&self, commit: &str, name: &str) -> Result<Option<Vec<u8>>, Failure> {
        kept::text(commit, name, || self.read(commit, name))
    }

    fn read(&self, commit: &str, name: &str) -> Result<Option<Vec<u8>>, Failure> {
        let Some(id) = self.blob(commit, name)? else { return Ok(None) };
        let id = id.as_str();
        let output = run(&self.top, &["cat-file", "blob", id])?;
        if output.status.success() {
            return Ok(Some(output.stdout));
        }
        let given = self.as_given(name);
        let how = format!("`git show {}:{}`", self.rev, shell_word(name));
        Err(not_in_clone(&self.top, &format!("the text of `{given}` in `{commit}`"), &how))
    }

    /// The id of the text of a file in a commit; `None` when the commit has no file with this name.
    pub(super) fn blob(&self, commit: &str, name: &str) -> Result<Option<String>, Failure> {
        // Git prints `MODE TYPE ID TAB name NUL`. Any type other than `blob` is a folder or a submodule.
        let entry = self.ask(&["ls-tree", "-z", "--full-tree", commit, "--", name])?;
        let about = entry.split('\t').next().and_then(|about| about.split_once(" blob "));
        Ok(about.map(|(_, id)| id.to_owned()))
    }

    /// Converts a name from the top of the repository to a path in the style of the request.
    pub(super) fn as_given(&self, name: &str) -> String {
        self.names.as_given(name, &self.top)
    }

    /// Whether a file with this name, from the top of the repository, is on disk.
    pub(super) fn is_on_disk(&self, name: &str) -> bool {
        self.top.join(name).is_file()
    }
}

/// Git arguments that print the top of the repository, and the path from there to the folder in which git runs.
pub(super) const WHERE: [&str; 3] = ["rev-parse", "--show-toplevel", "--show-prefix"];

/// Whether git failed because there is no repository.
fn is_in_none(output: &Output) -> bool {
    let said = String::from_utf8_lossy(&output.stderr);
    ["not a git repository", "cannot use bare repository"].iter().any(|none| said.contains(none))
}

/// The innermost existing folder around a file. The file itself may be deleted.
fn innermost_folder(file: &Path) -> &Path {
    let there = file.ancestors().skip(1).find(|folder| folder.is_dir());
    there.unwrap_or(Path::new("."))
}

/// Fails if the text is not a single revision: it is a range, or git would read it as a flag.
fn check(rev: &str) -> Result<(), Failure> {
    let is_other = rev.is_empty() || rev.starts_with(['-', '^']) || rev.contains("..");
    if is_other {
        Err(Failure::new(
            Kind::Invalid,
            format!("`{rev}` is not a revision"),
            "give a commit, a branch or a tag, such as HEAD~5",
        ))
    } else {
        Ok(())
    }
}

fn no_such_revision(rev: &str, folder: &Path) -> Failure {
    let is_shallow = run(folder, &["rev-parse", "--is-shallow-repository"]);
    let hint = match is_shallow {
        Ok(output) if output.stdout.starts_with(b"true") => {
            "older commits were left out of this clone: `git fetch --unshallow` brings them"
        }
        _ => "give a commit, a branch or a tag, such as HEAD~5: `git log` lists them",
    };
    Failure::new(Kind::Io, format!("there is no revision `{rev}` in this repository"), hint)
}
