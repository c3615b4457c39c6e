//! Changes files from their old texts to new ones, and back.
//!
//! The new text of each file is written to a second file in the same folder. To make the change, the two files swap
//! names, so the old file still exists under the second name. To take the change back, they are swapped again. After a
//! swap, the old file is read once more: if someone saved an edit a moment before the swap, the edit is noticed and put
//! back.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use super::digest::Digest;
use super::dir::Dir;
use super::journal::Plan;
use super::patience::Patience;

/// The files of a change.
pub(super) struct Work {
    root: Dir,
    files: Vec<File>,
}

/// A file that is to be changed.
pub(super) struct File {
    /// The path of its folder, from the root.
    folder: PathBuf,
    name: OsString,
    /// The name of the second file. It has the new text, and after the swap the old text.
    beside: OsString,
    old: Digest,
    new: Digest,
}

/// Which text is found in a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Found {
    Nothing,
    Old,
    New,
    /// Another text, which someone has saved.
    Other,
}

/// Why a change is not made.
#[derive(Debug)]
pub(super) enum NotMade {
    /// Someone else has changed the file at this path.
    Changed(PathBuf),
    Io(PathBuf, io::Error),
}

impl File {
    pub(super) fn path(&self) -> PathBuf {
        self.folder.join(&self.name)
    }

    fn failed(&self) -> impl Fn(io::Error) -> NotMade {
        let path = self.path();
        move |error| NotMade::Io(path.clone(), error)
    }

    /// Which texts are found under `name` and under `beside`.
    fn look(&self, dir: &Dir) -> io::Result<(Found, Found)> {
        Ok((self.found(dir, &self.name)?, self.found(dir, &self.beside)?))
    }

    fn found(&self, dir: &Dir, name: &OsStr) -> io::Result<Found> {
        if !dir.exists(name) {
            return Ok(Found::Nothing);
        }
        // A change never puts a folder or a link there.
        let Ok(file) = dir.file(name) else { return Ok(Found::Other) };
        Ok(match Digest::of_reader(file)? {
            digest if digest == self.old => Found::Old,
            digest if digest == self.new => Found::New,
            _ => Found::Other,
        })
    }

    /// Puts the new text in place. Returns `false` when it was in place already.
    fn forward(&self, dir: &Dir) -> Result<bool, NotMade> {
        let failed = self.failed();
        match self.look(dir).map_err(&failed)? {
            (Found::Old, Found::New) => {
                dir.swap(&self.name, &self.beside).map_err(&failed)?;
                match self.found(dir, &self.beside).map_err(&failed)? {
                    Found::Old => Ok(true),
                    // Someone saved the file between the look and the swap. Taking the change back puts that text in
                    // place again.
                    _ => Err(NotMade::Changed(self.path())),
                }
            }
            // The change was made already. Whatever happened to the file after that is left as it is.
            (Found::New | Found::Other | Found::Nothing, Found::Old | Found::Nothing) => Ok(false),
            (Found::New, Found::New) => Ok(false),
            _ => Err(NotMade::Changed(self.path())),
        }
    }

    /// Puts the text from before the change back in place, if necessary. Returns `false` when someone saved the file
    /// after it was changed: then the saved text stays.
    fn back(&self, dir: &Dir) -> io::Result<bool> {
        match self.look(dir)? {
            (Found::New, Found::Old | Found::Other) => {
                dir.swap(&self.name, &self.beside)?;
                if self.found(dir, &self.beside)? == Found::New {
                    return Ok(true);
                }
                // Someone saved the file between the look and the swap.
                dir.swap(&self.name, &self.beside)?;
                Ok(false)
            }
            // The file was not changed yet: it has the old text, or one that someone saved before the change.
            (Found::Old, _) | (_, Found::New) => Ok(true),
            _ => Ok(false),
        }
    }

    /// Removes the second file. Returns `false` when it has a text that someone saved, which must not be lost.
    fn clean(&self, dir: &Dir) -> io::Result<bool> {
        match self.found(dir, &self.beside)? {
            Found::Nothing => Ok(true),
            Found::Old | Found::New => dir.remove(&self.beside).map(|()| true),
            Found::Other => Ok(false),
        }
    }
}

impl Work {
    /// The files of a plan, with the digests of their new texts.
    pub(super) fn new(root: Dir, plan: &Plan, new: &[Digest]) -> Work {
        let file = |(file, new): (&super::journal::PlannedFile, &Digest)| File {
            folder: file.path.parent().unwrap_or(Path::new("")).to_owned(),
            name: file.path.file_name().unwrap_or_default().to_owned(),
            beside: OsString::from(&file.beside),
            old: file.old,
            new: *new,
        };
        Work { root, files: plan.files.iter().zip(new).map(file).collect() }
    }

    /// The folder of a file; `None` when the folder is gone, and the file with it.
    fn dir(&self, file: &File) -> io::Result<Option<Dir>> {
        match self.root.below(&file.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            dir => dir.map(Some),
        }
    }

    /// Finishes or undoes swaps that were interrupted.
    pub(super) fn settle(&self) -> Result<(), NotMade> {
        self.each(|file, dir| dir.settle(&file.name, &file.beside))
    }

    /// Puts all new texts in place. After a failure, some are in place and some are not.
    pub(super) fn forward(&self) -> Result<(), NotMade> {
        let mut made = Vec::new();
        for file in &self.files {
            match self.dir(file).map_err(file.failed())? {
                Some(dir) => made.extend(file.forward(&dir)?.then_some(file)),
                None => return Err(NotMade::Changed(file.path())),
            }
        }
        // In the meantime, someone may have saved a file that was already changed, or written to an old file that they
        // had open.
        for file in made {
            let failed = file.failed();
            let dir = self.dir(file).map_err(&failed)?;
            let found = dir.map(|dir| file.look(&dir)).transpose().map_err(&failed)?;
            if found != Some((Found::New, Found::Old)) {
                return Err(NotMade::Changed(file.path()));
            }
        }
        Ok(())
    }

    /// Whether all new texts are in place.
    pub(super) fn is_made(&self) -> bool {
        self.files.iter().all(|file| {
            let found = self.root.below(&file.folder).and_then(|dir| file.found(&dir, &file.name));
            found.is_ok_and(|found| found == Found::New)
        })
    }

    /// Puts all texts from before the change back in place. Returns the files that someone saved after they were
    /// changed.
    pub(super) fn back(&self) -> Result<Vec<PathBuf>, NotMade> {
        let mut saved = Vec::new();
        for file in &self.files {
            let dir = self.dir(file).map_err(file.failed())?;
            let is_back = dir.map(|dir| file.back(&dir)).transpose().map_err(file.failed())?;
            saved.extend((is_back == Some(false)).then(|| file.path()));
        }
        Ok(saved)
    }

    /// Removes the second files. Returns the paths of those that are kept because someone saved them.
    pub(super) fn clean(&self) -> Result<Vec<PathBuf>, NotMade> {
        let mut kept = Vec::new();
        for file in &self.files {
            let Some(dir) = self.dir(file).map_err(file.failed())? else { continue };
            if !file.clean(&dir).map_err(file.failed())? {
                kept.push(file.folder.join(&file.beside));
            }
        }
        self.sync();
        Ok(kept)
    }

    fn each(&self, work: impl Fn(&File, &Dir) -> io::Result<()>) -> Result<(), NotMade> {
        for file in &self.files {
            let Some(dir) = self.dir(file).map_err(file.failed())? else { continue };
            work(file, &dir).map_err(file.failed())?;
        }
        Ok(())
    }

    /// Waits until all names are safe from a power failure. If this fails, nothing can be done about it.
    fn sync(&self) {
        let sync = |folder: &&Path| self.root.below(folder)?.sync();
        let _ = side_by_side(&self.folders(), sync);
    }

    fn folders(&self) -> Vec<&Path> {
        let mut folders: Vec<&Path> = self.files.iter().map(|file| file.folder.as_path()).collect();
        folders.sort();
        folders.dedup();
        folders
    }
}

/// How many threads wait for the disk at once. More do not help, because the disk combines most of the work.
const MOST_WAITING: usize = 8;

/// Calls `wait` for each item, on several threads. `wait` blocks until the disk is done.
pub(super) fn side_by_side<T: Sync>(
    all: &[T],
    wait: impl Fn(&T) -> io::Result<()> + Copy + Send,
) -> io::Result<()> {
    let share = all.len().div_ceil(MOST_WAITING).max(1);
    std::thread::scope(|scope| {
        let shares = all.chunks(share);
        let waiting: Vec<_> =
            shares.map(|share| scope.spawn(move || share.iter().try_for_each(wait))).collect();
        let failed = |_| Err(io::Error::other("a thread failed"));
        waiting.into_iter().try_for_each(|one| one.join().unwrap_or_else(failed))
    })
}

/// How many folders are locked at most. Each locked folder is held open.
const MOST_TAKEN: usize = 256;

/// Locked folders. The locks keep out other changes, including those of users with another journal.
pub(super) struct Taken(#[allow(dead_code, reason = "they are given back when this is dropped")] Vec<Dir>);

impl Taken {
    /// Locks the folders of files, given by their paths from the root. Returns `None` when another change has locked
    /// one of them.
    pub(super) fn take(root: &Dir, paths: &[&Path], patience: Patience) -> Option<Taken> {
        let folders: BTreeSet<&Path> = paths.iter().filter_map(|path| path.parent()).collect();
        let with_id = |folder: &Path| {
            let dir = root.below(folder).ok()?;
            Some((dir.id().ok()?, dir))
        };
        // All processes lock the folders in the same order, so no two processes wait for each other.
        let dirs: BTreeMap<_, Dir> = folders.into_iter().filter_map(with_id).collect();
        let dirs: Vec<Dir> = dirs.into_values().take(MOST_TAKEN).collect();
        let is_taken = |dir: &Dir| patience.until(|| Ok::<_, Infallible>(dir.try_lock())) == Ok(true);
        dirs.iter().all(is_taken).then_some(Taken(dirs))
    }
}
