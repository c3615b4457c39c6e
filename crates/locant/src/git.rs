//! Earlier versions of files, as git has them. Git itself is asked, so that whatever it can read, we can.

use std::collections::HashSet;
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
    pub old_path: String,
    /// Was the file deleted?
    pub is_deletion: bool,
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
    git(
        existing(&folder),
        &["show", &format!("{rev}:{from_top}")],
        &format!("cannot read `{from_top}` in `{rev}`"),
    )
}

/// The commits since a revision that changed a file, under whatever name, the first one first.
///
/// Of a history with branches the line is followed that leads from the revision to here, and what a merge brought is
/// one change: on another branch the place may never have been.
pub(crate) fn history(rev: &str, path: &str, flags: &Flags) -> Result<Vec<Commit>, Failure> {
    check(rev)?;
    let (folder, name) = placed(path, flags);
    // Its folder may be gone by now.
    let there = existing(&folder);
    let name = folder.strip_prefix(there).unwrap_or(&folder).join(name).to_string_lossy().into_owned();
    let range = format!("{rev}..HEAD");
    let what = format!("cannot read the history of `{path}`");
    // Asked for both at once, git takes a revision that a merge brought for none of the line.
    let since = git(there, &["rev-list", "--ancestry-path", "--abbrev-commit", &range], &what)?;
    let since = String::from_utf8_lossy(&since);
    let since: HashSet<&str> = since.lines().collect();
    let format = "--format=%x01%h%x00%as%x00%s%x00";
    let line = ["log", "--first-parent", "-m", "--follow"];
    let arguments = [&line[..], &["--name-status", "-z", format, &range, "--", &name]].concat();
    let log = git(there, &arguments, &what)?;
    let log = String::from_utf8_lossy(&log);
    let commits = log.split('\u{1}').filter_map(commit);
    let mut commits: Vec<Commit> = commits.filter(|commit| since.contains(commit.hash.as_str())).collect();
    commits.reverse();
    Ok(commits)
}

/// The name that a file of a revision has now, if it was given another one since then. Both as they are given to us.
pub(crate) fn renamed(rev: &str, path: &str, flags: &Flags) -> Option<String> {
    check(rev).ok()?;
    let (folder, _) = placed(path, flags);
    let folder = existing(&folder);
    let what = "cannot read the history";
    let renames = ["--diff-filter=R", "--name-status", "-M", "-z"];
    let range = format!("{rev}..HEAD");
    let committed = git(
        folder,
        &[&["log", "--first-parent", "-m", "--reverse", "--format=", &range][..], &renames].concat(),
        what,
    )
    .ok()?;
    let on_disk = git(folder, &[&["diff", "HEAD"][..], &renames].concat(), what).ok()?;
    let all = [committed, on_disk].concat();
    let all = String::from_utf8_lossy(&all);
    let parts: Vec<&str> =
        all.split('\0').map(|part| part.trim_start_matches('\n')).filter(|part| !part.is_empty()).collect();
    let prefix = prefix(flags);
    let old = format!("{prefix}{path}");
    let now = parts.chunks_exact(3).fold(old.as_str(), |now, rename| match rename {
        [_, from, to] if *from == now => to,
        _ => now,
    });
    (now != old).then(|| without_prefix(now, &prefix))
}

/// The text of a file in a revision that had it under this very name. Its folder may be gone by now.
pub(crate) fn show_as_written(rev: &str, path: &str, flags: &Flags) -> Result<Vec<u8>, Failure> {
    check(rev)?;
    let object = format!("{rev}:{}{path}", prefix(flags));
    git(&on_disk(".", flags), &["show", &object], &format!("cannot read `{path}` as it was in `{rev}`"))
}

/// A name from the top of the repository, written as another path was: from the root of all, or from where paths start.
pub(crate) fn as_given(from_top: &str, path: &str, flags: &Flags) -> String {
    if !Path::new(path).is_absolute() {
        return without_prefix(from_top, &prefix(flags));
    }
    let (folder, _) = placed(path, flags);
    let top = git(existing(&folder), &["rev-parse", "--show-toplevel"], "cannot find the repository");
    match top.ok().and_then(|top| String::from_utf8(top).ok()) {
        Some(top) => Path::new(top.trim_end_matches('\n')).join(from_top).to_string_lossy().into_owned(),
        None => from_top.to_owned(),
    }
}

/// What leads from the top of the repository to the folder that paths start from.
fn prefix(flags: &Flags) -> String {
    let prefix = git(&on_disk(".", flags), &["rev-parse", "--show-prefix"], "cannot find the repository");
    prefix
        .map(|prefix| String::from_utf8_lossy(&prefix).trim_end_matches('\n').to_owned())
        .unwrap_or_default()
}

fn without_prefix(from_top: &str, prefix: &str) -> String {
    match from_top.strip_prefix(prefix) {
        Some(path) => path.to_owned(),
        None => format!("{}{from_top}", "../".repeat(prefix.matches('/').count())),
    }
}

/// `hash NUL date NUL title NUL`, then a line break or a NUL, then `status NUL name NUL [new name NUL]`.
fn commit(entry: &str) -> Option<Commit> {
    let mut parts = entry.split('\0');
    let [hash, date, title] = [parts.next()?, parts.next()?, parts.next()?];
    let mut parts = parts.skip_while(|part| part.trim().is_empty());
    let is_deletion = parts.next()?.trim() == "D";
    let names: Vec<&str> = parts.take_while(|name| !matches!(*name, "" | "\n")).collect();
    Some(Commit {
        hash: hash.trim().to_owned(),
        date: date.to_owned(),
        title: title.to_owned(),
        path: (*names.last()?).to_owned(),
        old_path: (*names.first()?).to_owned(),
        is_deletion,
    })
}

/// The innermost folder around one that is still there.
fn existing(folder: &Path) -> &Path {
    let there = folder.ancestors().find(|folder| folder.is_dir());
    there.unwrap_or(Path::new("."))
}

/// The folder of a file, and its name in it.
fn placed(path: &str, flags: &Flags) -> (std::path::PathBuf, String) {
    let path = on_disk(path, flags);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    (folder.to_owned(), name)
}

/// A revision that looks like a flag would be taken for one, and a range names two.
fn check(rev: &str) -> Result<(), Failure> {
    if rev.is_empty() || rev.starts_with('-') || rev.contains("..") {
        Err(Failure::invalid(
            format!("`{rev}` is no revision"),
            "give a commit, a branch or a tag, such as HEAD~5",
        ))
    } else {
        Ok(())
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
