//! Changes one file from its old text to a new one, and back. The file may also be created or removed.
//!
//! The new text is written to a second file in the same folder. To make the change, the two files swap names, so the
//! old file still exists under the second name. To take the change back, they are swapped again. After a swap, the old
//! file is read once more: if someone saved an edit a moment before the swap, the edit is noticed and put back.
//!
//! A file that is created has no old text: the second file gets its name. A file that is removed has no new text: it
//! gets the second name, until all is done.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;

use super::digest::Digest;
use super::dir::Dir;

/// A file that is to be changed.
pub(super) struct File {
    /// The path of its folder, from the root.
    pub(super) folder: PathBuf,
    pub(super) name: OsString,
    /// The name of the second file. It has the new text, and after the swap the old text.
    pub(super) beside: OsString,
    /// `None` for a file that is created.
    pub(super) old: Option<Digest>,
    /// `None` for a file that is removed.
    pub(super) new: Option<Digest>,
}

/// Which text is found in a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Found {
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

    pub(super) fn failed(&self) -> impl Fn(io::Error) -> NotMade {
        let path = self.path();
        move |error| NotMade::Io(path.clone(), error)
    }

    /// Which texts are found under `name` and under `beside`.
    pub(super) fn look(&self, dir: &Dir) -> io::Result<(Found, Found)> {
        Ok((self.found(dir, &self.name)?, self.found(dir, &self.beside)?))
    }

    /// What is found under `name` and under `beside` once the change is made.
    pub(super) fn after(&self) -> (Found, Found) {
        let old = if self.old.is_some() { Found::Old } else { Found::Nothing };
        let new = if self.new.is_some() { Found::New } else { Found::Nothing };
        (new, old)
    }

    /// Whether the new text is in place.
    pub(super) fn is_made(&self, dir: &Dir) -> bool {
        self.found(dir, &self.name).is_ok_and(|found| found == self.after().0)
    }

    fn found(&self, dir: &Dir, name: &OsStr) -> io::Result<Found> {
        if !dir.exists(name) {
            return Ok(Found::Nothing);
        }
        // A change never puts a folder or a link there.
        let Ok(file) = dir.file(name) else { return Ok(Found::Other) };
        let digest = Some(Digest::of_reader(file)?);
        Ok(match digest {
            digest if digest == self.old => Found::Old,
            digest if digest == self.new => Found::New,
            _ => Found::Other,
        })
    }

    /// Puts the new text in place. Returns `false` when it was in place already.
    pub(super) fn forward(&self, dir: &Dir) -> Result<bool, NotMade> {
        let failed = self.failed();
        let found = self.look(dir).map_err(&failed)?;
        let (is_created, is_removed) = (self.old.is_none(), self.new.is_none());
        match found {
            (Found::Nothing, Found::New) if is_created => {
                dir.give_name(&self.beside, &self.name).map_err(|error| match error.kind() {
                    // Someone has made a file of that name a moment ago.
                    io::ErrorKind::AlreadyExists => NotMade::Changed(self.path()),
                    _ => failed(error),
                })?;
                Ok(true)
            }
            (Found::Old, Found::Nothing) if is_removed => {
                dir.give_name(&self.name, &self.beside).map_err(&failed)?;
                self.is_old_beside(dir)
            }
            // An earlier run was interrupted while it gave the file its second name, when the file had both names.
            (Found::Old, Found::Old) if is_removed => {
                dir.remove(&self.name).map_err(&failed)?;
                Ok(true)
            }
            // The file was removed already. If someone has saved a file under its name since, that is another file.
            (Found::Nothing | Found::Other, Found::Old) if is_removed => Ok(false),
            (Found::Other, Found::Nothing) if is_removed => Err(NotMade::Changed(self.path())),
            (Found::Old, Found::New) if !is_created && !is_removed => {
                dir.swap(&self.name, &self.beside).map_err(&failed)?;
                self.is_old_beside(dir)
            }
            // The change was made already. Whatever happened to the file after that is left as it is.
            (Found::New | Found::Other | Found::Nothing, Found::Old | Found::Nothing) => Ok(false),
            (Found::New, Found::New) => Ok(false),
            _ => Err(NotMade::Changed(self.path())),
        }
    }

    /// Whether the second file has the old text. If not, someone saved the file between the look and the swap. Taking
    /// the change back puts that text in place again.
    fn is_old_beside(&self, dir: &Dir) -> Result<bool, NotMade> {
        match self.found(dir, &self.beside).map_err(self.failed())? {
            Found::Old => Ok(true),
            _ => Err(NotMade::Changed(self.path())),
        }
    }

    /// Puts the text from before the change back in place, if necessary. Returns `false` when someone saved the file
    /// after it was changed: then the saved text stays.
    pub(super) fn back(&self, dir: &Dir) -> io::Result<bool> {
        if self.old.is_none() {
            return self.create_back(dir);
        }
        if self.new.is_none() {
            return self.remove_back(dir);
        }
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

    /// Takes away a file that was created.
    fn create_back(&self, dir: &Dir) -> io::Result<bool> {
        match self.look(dir)? {
            (Found::New, Found::Nothing) => {
                dir.give_name(&self.name, &self.beside)?;
                if self.found(dir, &self.beside)? == Found::New {
                    return Ok(true);
                }
                // Someone saved the file between the look and now.
                dir.give_name(&self.beside, &self.name)?;
                Ok(false)
            }
            // An earlier run was interrupted while it gave the new file its name, when the file had both names.
            (Found::New, Found::New) => dir.remove(&self.name).map(|()| true),
            (Found::Nothing, _) | (_, Found::New) => Ok(true),
            _ => Ok(false),
        }
    }

    /// Brings back a file that was removed.
    fn remove_back(&self, dir: &Dir) -> io::Result<bool> {
        match self.look(dir)? {
            (Found::Nothing, Found::Old | Found::Other) => {
                dir.give_name(&self.beside, &self.name)?;
                Ok(true)
            }
            // The file was not removed yet. A text that someone saved before that stays.
            (Found::Old, _) | (_, Found::Nothing) => Ok(true),
            _ => Ok(false),
        }
    }

    /// Removes the second file. Returns `false` when it has a text that someone saved, which must not be lost.
    pub(super) fn clean(&self, dir: &Dir) -> io::Result<bool> {
        match self.found(dir, &self.beside)? {
            Found::Nothing => Ok(true),
            Found::Old | Found::New => dir.remove(&self.beside).map(|()| true),
            Found::Other => Ok(false),
        }
    }
}
