//! What git is asked about: a file and a revision, in the repository around the file.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::names::Names;
use crate::failure::{Failure, Kind};
use crate::files::on_disk;
use crate::flags::Flags;

/// A file and a revision that were asked about.
#[derive(Debug)]
pub(super) struct Question {
    /// The top folder of the repository.
    pub top: PathBuf,
    /// The file, by the names that it has.
    pub names: Names,
    /// The object that the revision names, in digits: no flag, no range and no pattern.
    pub rev: String,
}

/// Why nothing can be asked.
pub(super) enum Trouble {
    /// There is no repository, or no git.
    Repository(Failure),
    /// The repository does not have the revision.
    Revision(Failure),
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Failure {
        match trouble {
            Trouble::Repository(failure) | Trouble::Revision(failure) => failure,
        }
    }
}

impl Question {
    /// Finds the repository and the revision in it.
    pub(super) fn new(rev: &str, path: &str, flags: &Flags) -> Result<Question, Trouble> {
        check(rev).map_err(Trouble::Revision)?;
        let file = on_disk(path, flags);
        let folder = innermost_folder(&file);
        let output = run(folder, &[&WHERE[..], &["--verify", "--end-of-options", rev]].concat());
        let what = format!("cannot read `{path}` as it was in `{rev}`");
        let output = output.map_err(|failure| Trouble::Repository(about(&what, failure)))?;
        let said = String::from_utf8_lossy(&output.stdout);
        let mut lines = said.lines();
        match (lines.next(), lines.next(), lines.next()) {
            (Some(top), Some(prefix), Some(id)) if output.status.success() => {
                let rest = file.strip_prefix(folder).unwrap_or(&file);
                let names = Names::new(path, (prefix, rest), on_disk(".", flags));
                Ok(Question { top: PathBuf::from(top), names, rev: id.to_owned() })
            }
            (Some(_), Some(_), _) => Err(Trouble::Revision(no_such_revision(rev, folder))),
            _ => Err(Trouble::Repository(about(&what, refused(&output)))),
        }
    }

    /// What git answers.
    pub(super) fn ask(&self, arguments: &[&str]) -> Result<String, Failure> {
        let output = run(&self.top, arguments).and_then(answer);
        let output = output.map_err(|failure| about("cannot read the history", failure))?;
        Ok(String::from_utf8_lossy(&output).into_owned())
    }

    /// The text of a file in a commit, by its name from the top; `None` where it is not there.
    pub(super) fn text(&self, commit: &str, name: &str) -> Option<Vec<u8>> {
        run(&self.top, &["cat-file", "blob", &format!("{commit}:{name}")]).and_then(answer).ok()
    }

    /// A name from the top, written as the file was given.
    pub(super) fn as_given(&self, name: &str) -> String {
        self.names.as_given(name, &self.top)
    }

    /// Is there a file on disk with this name from the top?
    pub(super) fn is_on_disk(&self, name: &str) -> bool {
        self.top.join(name).is_file()
    }
}

/// What asks for the top of a repository, and for what leads from there to a folder.
pub(super) const WHERE: [&str; 3] = ["rev-parse", "--show-toplevel", "--show-prefix"];

/// Git in a folder, ready to be started. Names mean what they say, whatever characters they have.
pub(super) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).arg("--literal-pathspecs").args(arguments);
    command
}

pub(super) fn run(folder: &Path, arguments: &[&str]) -> Result<Output, Failure> {
    command(folder, arguments).output().map_err(|error| not_started(&error))
}

pub(super) fn answer(output: Output) -> Result<Vec<u8>, Failure> {
    if output.status.success() { Ok(output.stdout) } else { Err(refused(&output)) }
}

pub(super) fn not_started(error: &std::io::Error) -> Failure {
    Failure::new(Kind::Io, format!("git could not be started: {error}"), "install git")
}

fn refused(output: &Output) -> Failure {
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.lines().next().unwrap_or_default().trim_start_matches("fatal: ");
    Failure::new(Kind::Io, said, "check the revision and the path: `git log -- FILE`")
}

/// The failure, with what was tried in front.
pub(super) fn about(what: &str, failure: Failure) -> Failure {
    Failure { message: format!("{what}: {}", failure.message), ..failure }
}

/// The innermost folder around a file that is still there.
fn innermost_folder(file: &Path) -> &Path {
    let there = file.ancestors().skip(1).find(|folder| folder.is_dir());
    there.unwrap_or(Path::new("."))
}

/// A revision that looks like a flag would be taken for one, and a range names two.
fn check(rev: &str) -> Result<(), Failure> {
    let is_other = rev.is_empty() || rev.starts_with(['-', '^']) || rev.contains("..");
    if is_other {
        Err(Failure::invalid(
            format!("`{rev}` is no revision"),
            "give a commit, a branch or a tag, such as HEAD~5",
        ))
    } else {
        Ok(())
    }
}

fn no_such_revision(rev: &str, folder: &Path) -> Failure {
    let is_shallow = run(folder, &["rev-parse", "--is-shallow-repository"]).and_then(answer);
    let hint = match is_shallow {
        Ok(said) if said.starts_with(b"true") => {
            "older commits were left out of this clone: `git fetch --unshallow` brings them"
        }
        _ => "give a commit, a branch or a tag, such as HEAD~5: `git log` lists them",
    };
    Failure::new(Kind::Io, format!("there is no revision `{rev}` in this repository"), hint)
}
