//! Folders by their paths, for systems that cannot hold them open. The functions are documented in `dir.rs`.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::step::step;

/// A folder.
#[derive(Debug)]
pub(crate) struct Dir(PathBuf);

impl Dir {
    pub(crate) fn open(path: &Path) -> io::Result<Dir> {
        if fs::metadata(path)?.is_dir() {
            Ok(Dir(path.to_owned()))
        } else {
            Err(io::ErrorKind::NotADirectory.into())
        }
    }

    pub(crate) fn below(&self, way: &Path) -> io::Result<Dir> {
        let path = self.0.join(way);
        // A link on the way would lead elsewhere.
        if fs::canonicalize(&path)? == fs::canonicalize(&self.0)?.join(way) {
            Ok(Dir(path))
        } else {
            Err(io::Error::new(io::ErrorKind::Unsupported, "a link is on the way"))
        }
    }

    pub(crate) fn private(&self, name: &OsStr) -> io::Result<Dir> {
        fs::create_dir_all(self.0.join(name))?;
        self.own(name)
    }

    pub(crate) fn own(&self, name: &OsStr) -> io::Result<Dir> {
        self.below(Path::new(name))
    }

    pub(crate) fn file(&self, name: &OsStr) -> io::Result<File> {
        let path = self.0.join(name);
        if fs::symlink_metadata(&path)?.is_file() {
            File::open(path)
        } else {
            Err(io::Error::new(io::ErrorKind::Unsupported, "it is not a file"))
        }
    }

    pub(crate) fn own_file(&self, name: &OsStr) -> io::Result<File> {
        File::options().read(true).append(true).create(true).open(self.0.join(name))
    }

    pub(crate) fn create(&self, name: &OsStr) -> io::Result<File> {
        step()?;
        File::create_new(self.0.join(name))
    }

    pub(crate) fn rename(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
        step()?;
        fs::rename(self.0.join(old), self.0.join(new))
    }

    pub(crate) fn create_plain(&self, name: &OsStr) -> io::Result<File> {
        self.create(name)
    }

    pub(crate) fn create_folder(&self, name: &OsStr) -> io::Result<bool> {
        step()?;
        match fs::create_dir(self.0.join(name)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.below(Path::new(name)).map(|_| false)
            }
            Err(error) => Err(error),
        }
    }

    pub(crate) fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
        step()?;
        fs::remove_dir(self.0.join(name))
    }

    pub(crate) fn give_name(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
        step()?;
        fs::hard_link(self.0.join(old), self.0.join(new))?;
        self.remove(old)
    }

    pub(crate) fn remove(&self, name: &OsStr) -> io::Result<()> {
        step()?;
        fs::remove_file(self.0.join(name))
    }

    pub(crate) fn exists(&self, name: &OsStr) -> bool {
        fs::symlink_metadata(self.0.join(name)).is_ok()
    }

    /// Swaps the files with these two names. At every moment, the name `one` has one of the two files.
    pub(crate) fn swap(&self, one: &OsStr, other: &OsStr) -> io::Result<()> {
        let spare = spare(other);
        step()?;
        fs::hard_link(self.0.join(one), self.0.join(&spare))?;
        self.rename(other, one)?;
        self.rename(&spare, other)
    }

    pub(crate) fn settle(&self, one: &OsStr, other: &OsStr) -> io::Result<()> {
        let spare = spare(other);
        match (self.exists(&spare), self.exists(other), self.exists(one)) {
            (false, ..) => Ok(()),
            (true, true, _) => self.remove(&spare),
            (true, false, true) => self.rename(&spare, other),
            (true, false, false) => self.rename(&spare, one),
        }
    }

    pub(crate) fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn id(&self) -> io::Result<PathBuf> {
        fs::canonicalize(&self.0)
    }

    /// A folder cannot be locked here. Another change at the same time is noticed only by the contents of the files.
    pub(crate) fn try_lock(&self) -> bool {
        true
    }

    pub(crate) fn names(&self) -> io::Result<Vec<OsString>> {
        Ok(fs::read_dir(&self.0)?.flatten().map(|entry| entry.file_name()).collect())
    }
}

fn spare(other: &OsStr) -> OsString {
    let mut spare = other.to_owned();
    spare.push("~");
    spare
}

/// The reason why a file must not be replaced by a new one with the same name; `None` when it may be replaced.
pub(crate) fn must_stay(file: &File) -> io::Result<Option<&'static str>> {
    let is_read_only = file.metadata()?.permissions().readonly();
    Ok(is_read_only.then_some("is read-only"))
}

/// Gives a new file the mode of the file that it will replace.
pub(crate) fn like(old: &File, new: &File) -> io::Result<()> {
    new.set_permissions(old.metadata()?.permissions())
}

/// There are no modes here.
pub(crate) fn mode_of(_: &File) -> Option<u32> {
    None
}

/// There are no modes here.
pub(crate) fn set_mode(_: &File, _: u32) -> io::Result<()> {
    Ok(())
}
