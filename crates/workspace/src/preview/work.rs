//! Changes files from their old texts to new ones, and back: all files of a change, one after the other.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use super::digest::Digest;
use super::dir::Dir;
use super::file::{File, NotMade};
use super::journal::Plan;
use super::patience::Patience;

/// The files of a change.
pub(super) struct Work {
    root: Dir,
    files: Vec<File>,
    /// The folders that were made for files that are created, the outer ones first.
    folders: Vec<PathBuf>,
}

impl Work {
    /// The files of a plan, with the digests of their new texts.
    pub(super) fn new(root: Dir, plan: &Plan, new: &[Option<Digest>]) -> Work {
        let file = |(file, new): (&super::journal::PlannedFile, &Option<Digest>)| File {
            folder: file.path.parent().unwrap_or(Path::new("")).to_owned(),
            name: file.path.file_name().unwrap_or_default().to_owned(),
            beside: OsString::from(&file.beside),
            old: file.old,
            new: *new,
        };
        let files = plan.files.iter().zip(new).map(file).collect();
        Work { root, files, folders: plan.folders.clone() }
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
            if found != Some(file.after()) {
                return Err(NotMade::Changed(file.path()));
            }
        }
        Ok(())
    }

    /// Whether all new texts are in place.
    pub(super) fn is_made(&self) -> bool {
        self.files.iter().all(|file| match self.dir(file) {
            Ok(Some(dir)) => file.is_made(&dir),
            // A file that is removed may have been the last one of its folder.
            Ok(None) => file.new.is_none(),
            Err(_) => false,
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

    /// Whether any of the files is removed.
    pub(super) fn removes(&self) -> bool {
        self.files.iter().any(|file| file.new.is_none())
    }

    /// Removes the folders that were made for new files, unless someone has put something into them.
    pub(super) fn remove_new_folders(&self) -> Result<(), NotMade> {
        remove_folders(&self.root, &self.folders)
    }

    /// Removes the folders that have become empty because their files were removed.
    pub(super) fn remove_empty_folders(&self) -> Result<(), NotMade> {
        let removed = self.files.iter().filter(|file| file.new.is_none());
        let above = removed.flat_map(|file| file.folder.ancestors());
        let above = above.filter(|folder| !folder.as_os_str().is_empty());
        let folders: BTreeSet<PathBuf> = above.map(Path::to_owned).collect();
        remove_folders(&self.root, &folders.into_iter().collect::<Vec<_>>())
    }

    /// Removes the second files. Returns the paths of those that are kept because they have a text that someone saved.
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

/// Removes those of the folders that are empty. The outer ones come first, so the list is gone through from its end.
pub(super) fn remove_folders(root: &Dir, folders: &[PathBuf]) -> Result<(), NotMade> {
    for folder in folders.iter().rev() {
        let (Some(above), Some(name)) = (folder.parent(), folder.file_name()) else { continue };
        let removed = root.below(above).and_then(|above| above.remove_folder(name));
        match removed {
            // The next command tries again.
            Err(error) if error.kind() == io::ErrorKind::StorageFull => {
                return Err(NotMade::Io(folder.clone(), error));
            }
            // A folder that is not empty, or not ours to remove, stays.
            _ => {}
        }
    }
    Ok(())
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
