//! Makes the changes of a preview, all or none. Also finishes or takes back changes that were interrupted.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::digest::Digest;
use super::dir::{Dir, like, mode_of, must_stay, set_mode};
use super::file::NotMade;
use super::journal::{Journal, Plan, PlannedFile, State};
use super::patience::Patience;
use super::step::step;
use super::work::{Taken, Work, remove_folders, side_by_side};
use super::{FileChange, Preview, random_name};
use crate::failure::{Failure, FailureKind as Kind};

/// Makes the changes of a preview, all or none. Before they are made, `keep` gets the changes that take them back.
pub(super) fn apply(
    journal: &mut Journal,
    id: &str,
    preview: &Preview,
    keep: impl FnOnce(&Preview) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (_taken, work) = prepare(journal, id, preview, keep).map_err(Failure::unwritten)?;
    make(journal, &work, &preview.root)
}

/// Writes the new texts beside the files, and passes the changes that take them back to `keep`. The files themselves
/// stay as they are.
fn prepare(
    journal: &mut Journal,
    id: &str,
    preview: &Preview,
    keep: impl FnOnce(&Preview) -> Result<(), Failure>,
) -> Result<(Taken, Work), Failure> {
    let root = Dir::open(&preview.root).map_err(|error| unwritten(&preview.root, "open", &error))?;
    let paths: Vec<&Path> = preview.files.iter().map(|file| file.path.as_path()).collect();
    let Some(taken) = Taken::take(&root, &paths, Patience::Some) else { return Err(busy()) };
    let mut files = Vec::new();
    for change in &preview.files {
        read(&root, preview, change)?;
        files.push(PlannedFile { path: change.path.clone(), beside: random_name(), old: change.sha256 });
    }
    let (n_edits, folders) = (preview.n_edits(), new_folders(&root, preview));
    let plan = Plan { id: id.to_owned(), n_edits, root: preview.root.clone(), files, folders };
    journal.begin(plan.clone()).map_err(|error| unwritten(Path::new("the journal"), "write", &error))?;
    let written = write(&root, preview, &plan).and_then(|(new, inverse)| {
        keep(&Preview { root: preview.root.clone(), files: inverse, undoes: Some(id.to_owned()) })?;
        let made = journal.make(new.clone());
        made.map_err(|error| unwritten(Path::new("the journal"), "write", &error)).map(|()| new)
    });
    match written {
        Ok(new) => Ok((taken, Work::new(root, &plan, &new))),
        Err(failure) => {
            // If a file cannot be removed now, the next command tries again.
            if discard(&root, &plan).is_ok() {
                let _ = journal.clear();
            }
            Err(failure)
        }
    }
}

/// A file that is about to be changed.
struct Opened {
    /// `None` for a file that is created.
    file: Option<fs::File>,
    old: Vec<u8>,
    /// `None` for a file that is removed.
    new: Option<Vec<u8>>,
}

/// Opens a file, and computes its text after the changes. Fails if the file has changed since the preview.
fn read(root: &Dir, preview: &Preview, change: &FileChange) -> Result<Opened, Failure> {
    let path = preview.root.join(&change.path);
    if change.sha256.is_none() {
        let (folder, name) = parts(&change.path);
        return match root.below(folder) {
            Ok(dir) if dir.exists(name) => Err(exists(&path)),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(unwritten(&path, "create", &error)),
            _ => Ok(Opened { file: None, old: Vec::new(), new: change.apply(b"") }),
        };
    }
    let unread = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::Unsupported => changed(&path, preview),
        _ => unwritten(&path, "read", &error),
    };
    let (folder, name) = parts(&change.path);
    let mut file = root.below(folder).and_then(|dir| dir.file(name)).map_err(unread)?;
    if let Some(why) = must_stay(&file).map_err(unread)? {
        let message = format!("`{}` {why}", path.display());
        return Err(Failure::new(Kind::Refused, message, "change that, and apply again"));
    }
    let mut old = Vec::new();
    file.read_to_end(&mut old).map_err(unread)?;
    let new = change.apply(&old).ok_or_else(|| changed(&path, preview))?;
    Ok(Opened { file: Some(file), old, new: (!change.is_removed).then_some(new) })
}

/// Writes the new texts beside the files, and waits until they are on disk. Returns their digests, and the changes that
/// lead back to the old texts.
fn write(
    root: &Dir,
    preview: &Preview,
    plan: &Plan,
) -> Result<(Vec<Option<Digest>>, Vec<FileChange>), Failure> {
    let (mut digests, mut inverse) = (Vec::new(), Vec::new());
    for folder in &plan.folders {
        let (above, name) = parts(folder);
        let made = root.below(above).and_then(|above| above.create_folder(name));
        made.map_err(|error| unwritten(&preview.root.join(folder), "create", &error))?;
    }
    let pairs: Vec<_> = preview.files.iter().zip(&plan.files).collect();
    for pairs in pairs.chunks(MOST_OPEN) {
        let mut written = Vec::new();
        for (change, file) in pairs {
            let opened = read(root, preview, change)?;
            let beside = write_beside(root, change, &opened, file.beside.as_ref());
            let path = preview.root.join(&change.path);
            written.extend(beside.map_err(|error| unwritten(&path, "write", &error))?);
            let digest = opened.new.as_deref().map(Digest::of);
            let mode = opened.file.as_ref().and_then(mode_of);
            inverse.push(change.inverse(&opened.old, digest, mode, preview));
            digests.push(digest);
        }
        side_by_side(&written, fs::File::sync_data)
            .map_err(|error| unwritten(&preview.root, "write to", &error))?;
    }
    Ok((digests, inverse))
}

/// Writes the new text of a file beside it. A file that is removed has none.
fn write_beside(
    root: &Dir,
    change: &FileChange,
    opened: &Opened,
    name: &OsStr,
) -> io::Result<Option<fs::File>> {
    let Some(new) = &opened.new else { return Ok(None) };
    let dir = root.below(parts(&change.path).0)?;
    let is_plain = opened.file.is_none() && change.from.is_none();
    let mut beside = if is_plain { dir.create_plain(name)? } else { dir.create(name)? };
    step()?;
    beside.write_all(new)?;
    if let Some(file) = &opened.file {
        like(file, &beside)?;
    } else if let Some(from) = &change.from {
        let (folder, name) = parts(from);
        like(&root.below(folder)?.file(name)?, &beside)?;
    } else if let Some(mode) = change.mode {
        set_mode(&beside, mode)?;
    }
    Ok(Some(beside))
}

/// The folders that must be made for files that are created, the outer ones first.
fn new_folders(root: &Dir, preview: &Preview) -> Vec<PathBuf> {
    let created = preview.files.iter().filter(|file| file.sha256.is_none());
    let above = created.flat_map(|file| file.path.ancestors().skip(1));
    let missing = above.filter(|folder| !folder.as_os_str().is_empty() && root.below(folder).is_err());
    let missing: BTreeSet<PathBuf> = missing.map(Path::to_owned).collect();
    missing.into_iter().collect()
}

/// How many files are held open at once.
const MOST_OPEN: usize = 64;

/// Removes the new texts that were written beside the files.
fn discard(root: &Dir, plan: &Plan) -> Result<(), NotMade> {
    for file in &plan.files {
        let removed = root.below(parts(&file.path).0).and_then(|dir| dir.remove(file.beside.as_ref()));
        match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(NotMade::Io(file.path.clone(), error));
            }
            _ => {}
        }
    }
    remove_folders(root, &plan.folders)
}

/// Puts all new texts in place, or none of them.
fn make(journal: &mut Journal, work: &Work, root: &Path) -> Result<(), Failure> {
    let made = work.forward();
    let after = match made {
        Ok(()) => note_cleaning(journal, work).and_then(|()| clean(work)),
        Err(_) => note_taking_back(journal).and_then(|()| take_back(work)),
    };
    let unfinished = match after {
        Ok(left) => {
            // If the journal cannot be cleared, the next command repeats what it says, which changes nothing.
            let _ = journal.clear();
            left.told(root)
        }
        Err(why) => Some(format!("{}; the next command goes on with it", told(root, &why))),
    };
    if let (Ok(()), Some(what)) = (&made, &unfinished) {
        let message = format!("all changes were made, but not all is well: {what}");
        return Err(Failure::new(Kind::Io, message, "look at these files"));
    }
    let Err(why) = made else { return Ok(()) };
    let (kind, what, hint) = match why {
        NotMade::Changed(path) => {
            let what = format!("`{}` was saved by someone else at the same time", root.join(path).display());
            (Kind::Refused, what, "ask for the change again")
        }
        NotMade::Io(path, error) => {
            let what = format!("cannot write `{}`: {error}", root.join(path).display());
            (Kind::Io, what, "check the file and its permissions")
        }
    };
    Err(match unfinished {
        None => Failure::new(kind, format!("{what}; the changes were taken back"), hint).unwritten(),
        Some(unfinished) => {
            Failure::new(kind, format!("{what}; the changes were taken back; {unfinished}"), hint)
        }
    })
}

fn note_taking_back(journal: &mut Journal) -> Result<(), NotMade> {
    journal.take_back().map_err(|error| NotMade::Io(PathBuf::from("the journal"), error))
}

/// Notes in the journal that all changes are made and that cleaning begins. Without this note, nothing would show
/// whether a file was removed, once its second file is gone.
fn note_cleaning(journal: &mut Journal, work: &Work) -> Result<(), NotMade> {
    if !work.removes() {
        return Ok(());
    }
    journal.clean().map_err(|error| NotMade::Io(PathBuf::from("the journal"), error))
}

fn clean(work: &Work) -> Result<Left, NotMade> {
    let kept = work.clean()?;
    work.remove_empty_folders()?;
    Ok(Left { kept, saved: Vec::new() })
}

fn take_back(work: &Work) -> Result<Left, NotMade> {
    // A swap may have failed between its steps.
    work.settle()?;
    let saved = work.back()?;
    let kept = work.clean()?;
    work.remove_new_folders()?;
    Ok(Left { kept, saved })
}

/// Files that someone else saved while changes were made or taken back.
struct Left {
    /// Files beside the changed ones that hold what someone saved at the same time.
    kept: Vec<PathBuf>,
    /// Files that someone saved after they were changed. These were not taken back.
    saved: Vec<PathBuf>,
}

impl Left {
    fn told(&self, root: &Path) -> Option<String> {
        let all = |paths: &[PathBuf]| {
            paths.iter().map(|path| format!("`{}`", root.join(path).display())).collect::<Vec<_>>().join(", ")
        };
        let kept = format!("what someone saved at the same time is kept in {}", all(&self.kept));
        let saved = format!("but not in what someone has saved after it was changed: {}", all(&self.saved));
        let told = [(saved, &self.saved), (kept, &self.kept)];
        let told: Vec<String> =
            told.into_iter().filter(|(_, paths)| !paths.is_empty()).map(|(told, _)| told).collect();
        (!told.is_empty()).then(|| told.join("; "))
    }
}

/// The interrupted changes that this process has finished. A later request to apply one of them has nothing left to do.
static FINISHED: Mutex<Vec<(Plan, Vec<Option<Digest>>)>> = Mutex::new(Vec::new());

/// Whether this process has finished the interrupted changes of a preview, and the files still have the new texts.
/// Returns `true` only once for each preview.
pub(super) fn is_finished(id: &str) -> bool {
    let mut finished = FINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(at) = finished.iter().position(|(plan, _)| plan.id == id) else { return false };
    let (plan, new) = finished.swap_remove(at);
    Dir::open(&plan.root).is_ok_and(|root| Work::new(root, &plan, &new).is_made())
}

/// What became of an interrupted change.
#[derive(Debug)]
pub(super) enum Recovered {
    /// There was no interrupted change.
    None,
    /// The change was finished or taken back. The text says which.
    Done(String),
    /// The folder of the change does not exist: it was removed, or is on a disk that is not mounted.
    Away,
}

/// Finishes the change in the journal, or takes it back. Fails with a message if neither is possible now.
pub(super) fn recover(journal: &mut Journal, patience: Patience) -> Result<Recovered, String> {
    let pending = journal.pending().map_err(|error| format!("the journal cannot be read: {error}"))?;
    let Some((plan, state)) = pending else {
        // The journal is empty or has only half a line, so no change had begun.
        let _ = journal.clear();
        return Ok(Recovered::None);
    };
    let done = match Dir::open(&plan.root) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Recovered::Away),
        Err(error) => Err(NotMade::Io(PathBuf::new(), error)),
        Ok(root) => finish(journal, root, (&plan, state), patience),
    };
    let what = format!("the changes of {}", plan.id);
    match done {
        Ok(done) => {
            journal.clear().map_err(|error| format!("the journal cannot be written: {error}"))?;
            Ok(Recovered::Done(format!("{what}, {done}")))
        }
        Err(why) => Err(format!(
            "{what} were interrupted, and can neither be finished nor taken back now: {}",
            told(&plan.root, &why)
        )),
    }
}

fn finish(
    journal: &mut Journal,
    root: Dir,
    (plan, state): (&Plan, State),
    patience: Patience,
) -> Result<String, NotMade> {
    let paths: Vec<&Path> = plan.files.iter().map(|file| file.path.as_path()).collect();
    let Some(_taken) = Taken::take(&root, &paths, patience) else {
        return Err(NotMade::Io(PathBuf::new(), io::Error::other("another process is changing files there")));
    };
    let n_files = plan.files.len();
    let new = match &state {
        State::Writing => {
            discard(&root, plan)?;
            return Ok(TAKEN_BACK.to_owned());
        }
        State::Making(new) | State::Cleaning(new) | State::TakingBack(new) => new,
    };
    let work = Work::new(root, plan, new);
    work.settle()?;
    let is_finished = format!("which were interrupted, are finished: {n_files} files");
    let (left, done) = match state {
        State::TakingBack(_) => (take_back(&work)?, TAKEN_BACK.to_owned()),
        State::Cleaning(_) => (finished(&work, plan, new)?, is_finished),
        _ => match work.forward() {
            Ok(()) => {
                note_cleaning(journal, &work)?;
                (finished(&work, plan, new)?, is_finished)
            }
            Err(why) => {
                let left = note_taking_back(journal).and_then(|()| take_back(&work))?;
                (left, format!("{TAKEN_BACK}, since {}", told(&plan.root, &why)))
            }
        },
    };
    let left = left.told(&plan.root).map(|left| format!("; {left}"));
    Ok(done + &left.unwrap_or_default())
}

/// Cleans up after changes that are all made, and remembers that they were finished.
fn finished(work: &Work, plan: &Plan, new: &[Option<Digest>]) -> Result<Left, NotMade> {
    FINISHED.lock().unwrap_or_else(PoisonError::into_inner).push((plan.clone(), new.to_owned()));
    clean(work)
}

const TAKEN_BACK: &str = "which were interrupted, are taken back";

fn told(root: &Path, why: &NotMade) -> String {
    match why {
        NotMade::Changed(path) => format!("`{}` was changed by someone else", root.join(path).display()),
        NotMade::Io(path, error) => format!("`{}`: {error}", root.join(path).display()),
    }
}

/// The folder and the name of a file.
fn parts(path: &Path) -> (&Path, &OsStr) {
    (path.parent().unwrap_or(Path::new("")), path.file_name().unwrap_or_default())
}

fn busy() -> Failure {
    Failure::new(Kind::Refused, "another process is changing the same files", "apply again when it is done")
}

fn changed(path: &Path, preview: &Preview) -> Failure {
    let path = path.display();
    let (message, hint) = match preview.undoes {
        None => (format!("`{path}` has changed since the preview"), "ask for the change again"),
        Some(_) => (
            format!("`{path}` is not as the change left it"),
            "look at what has changed since, and edit that",
        ),
    };
    Failure::new(Kind::Refused, message, hint)
}

fn exists(path: &Path) -> Failure {
    let message = format!("nothing was changed: `{}` would be created, and is there now", path.display());
    Failure::new(Kind::Refused, message, "ask for the change again")
}

fn unwritten(path: &Path, what: &str, error: &io::Error) -> Failure {
    let message = format!("cannot {what} `{}`: {error}", path.display());
    Failure::new(Kind::Io, message, "check the file and its permissions")
}
