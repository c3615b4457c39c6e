//! Earlier versions of files, as git has them. Git itself is asked, so that whatever it can read, we can.

use std::path::Path;
use std::process::Command;

use crate::failure::{Failure, Kind};
use crate::files::on_disk;
use crate::flags::Flags;

/// A commit that changed a file.
#[derive(Clone, Debug)]
pub(crate) struct Commit {
    pub hash: String,
    /// The day, as 2026-01-31.
    pub date: String,
    pub title: String,
    /// The name of the file after it, from the top of the repository.
    pub path: String,
    /// Its name before.
    old_path: String,
}

/// The text of a file in a revision, in which it may have had another name.
pub(crate) fn show(rev: &str, path: &str, flags: &Flags) -> Result<Vec<u8>, Failure> {
    check(rev)?;
    let (folder, name) = placed(path, flags);
    let what = format!("cannot read `{path}` as it was in `{rev}`");
    let shown = git(&folder, &["show", &format!("{rev}:./{name}")], &what);
    shown.or_else(|failure| match history(rev, path, flags).unwrap_or_default().first() {
        Some(first) => show_from_top(rev, &first.old_path, path, flags).map_err(|_| failure),
        None => Err(failure),
    })
}

/// The text of a file in a revision, by its name from the top of the repository.
pub(crate) fn show_from_top(
    rev: &str,
    from_top: &str,
    path: &str,
    flags: &Flags,
) -> Result<Vec<u8>, Failure> {
    check(rev)?;
    let (folder, _) = placed(path, flags);
    git(&folder, &["show", &format!("{rev}:{from_top}")], &format!("cannot read `{from_top}` in `{rev}`"))
}

/// The commits since a revision that changed a file, under whatever name, the first one first.
pub(crate) fn history(rev: &str, path: &str, flags: &Flags) -> Result<Vec<Commit>, Failure> {
    check(rev)?;
    let (folder, name) = placed(path, flags);
    let range = format!("{rev}..HEAD");
    let format = "--format=%x01%h%x00%as%x00%s%x00";
    let arguments = ["log", "--follow", "--name-status", "-z", format, &range, "--", &name];
    let log = git(&folder, &arguments, &format!("cannot read the history of `{path}`"))?;
    let log = String::from_utf8_lossy(&log);
    let mut commits: Vec<Commit> = log.split('\u{1}').filter_map(commit).collect();
    commits.reverse();
    Ok(commits)
}

/// `hash NUL date NUL title NUL status NUL name NUL [new name NUL]`, with line breaks here and there.
fn commit(entry: &str) -> Option<Commit> {
    let parts: Vec<&str> = entry.split('\0').map(str::trim).filter(|part| !part.is_empty()).collect();
    let [hash, date, title, _status, names @ ..] = parts.as_slice() else { return None };
    Some(Commit {
        hash: (*hash).to_owned(),
        date: (*date).to_owned(),
        title: (*title).to_owned(),
        path: (*names.last()?).to_owned(),
        old_path: (*names.first()?).to_owned(),
    })
}

/// The folder of a file, and its name in it.
fn placed(path: &str, flags: &Flags) -> (std::path::PathBuf, String) {
    let path = on_disk(path, flags);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    (folder.to_owned(), name)
}

/// A revision that looks like a flag would be taken for one.
fn check(rev: &str) -> Result<(), Failure> {
    match rev.is_empty() || rev.starts_with('-') {
        true => Err(Failure::invalid(
            format!("`{rev}` is no revision"),
            "give a commit, a branch or a tag, such as HEAD~5",
        )),
        false => Ok(()),
    }
}

fn git(folder: &Path, arguments: &[&str], what: &str) -> Result<Vec<u8>, Failure> {
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).output();
    let output = output.map_err(|error| {
        Failure::new(Kind::Io, format!("{what}: git could not be started: {error}"), "install git")
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.lines().next().unwrap_or_default().trim_start_matches("fatal: ").to_owned();
    Err(Failure::new(
        Kind::Io,
        format!("{what}: {said}"),
        "check the revision and the path: `git log -- FILE`",
    ))
}
