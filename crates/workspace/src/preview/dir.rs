//! Folders that are held open. If a folder is renamed or replaced in the meantime, work goes on in the old one. Links
//! in these folders are not followed.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata, TryLockError};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::{Component, Path};

use rustix::fs::{self, AtFlags, Mode, OFlags, RenameFlags, XattrFlags};
use rustix::io::Errno;

use super::step::{may_swap, step};

/// A folder that is held open.
#[derive(Debug)]
pub(crate) struct Dir(File);

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
/// Follows no link, and does not wait for the other end of a pipe.
const FILE: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

impl Dir {
    /// The folder at a path. Links on the way are followed.
    pub(crate) fn open(path: &Path) -> io::Result<Dir> {
        Ok(Dir(fs::open(path, FOLDER, Mode::empty())?.into()))
    }

    /// The folder at a relative path from this one. No link on the way is followed.
    pub(crate) fn below(&self, way: &Path) -> io::Result<Dir> {
        let mut dir = Dir(self.0.try_clone()?);
        for component in way.components() {
            let Component::Normal(name) = component else { return Err(io::ErrorKind::InvalidInput.into()) };
            dir = dir.folder(name)?;
        }
        Ok(dir)
    }

    fn folder(&self, name: &OsStr) -> io::Result<Dir> {
        opened(fs::openat(&self.0, name, FOLDER | OFlags::NOFOLLOW, Mode::empty())).map(Dir)
    }

    /// Opens the folder with this name, which only the user can read. Creates the folder if it does not exist.
    pub(crate) fn private(&self, name: &OsStr) -> io::Result<Dir> {
        match fs::mkdirat(&self.0, name, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => self.own(name),
            Err(error) => Err(error.into()),
        }
    }

    /// Opens the folder with this name, and makes it readable for the user alone. Fails if it does not exist or belongs
    /// to another user.
    pub(crate) fn own(&self, name: &OsStr) -> io::Result<Dir> {
        let dir = self.folder(name)?;
        let metadata = dir.0.metadata()?;
        if !is_ours(&metadata) {
            return Err(io::Error::other("it belongs to another user"));
        }
        if metadata.mode() & 0o077 != 0 {
            dir.0.set_permissions(PermissionsExt::from_mode(0o700))?;
        }
        Ok(dir)
    }

    /// Opens a file for reading.
    pub(crate) fn file(&self, name: &OsStr) -> io::Result<File> {
        regular(opened(fs::openat(&self.0, name, FILE | OFlags::RDONLY, Mode::empty()))?)
    }

    /// Opens a file that belongs to the user, for reading and appending. Creates the file if it does not exist.
    pub(crate) fn own_file(&self, name: &OsStr) -> io::Result<File> {
        let flags = FILE | OFlags::RDWR | OFlags::CREATE | OFlags::APPEND;
        let file = regular(opened(fs::openat(&self.0, name, flags, Mode::RUSR | Mode::WUSR))?)?;
        if !is_ours(&file.metadata()?) {
            return Err(io::Error::other("it belongs to another user"));
        }
        Ok(file)
    }

    /// Creates a file that only the user can read. Fails if the name is taken.
    pub(crate) fn create(&self, name: &OsStr) -> io::Result<File> {
        step()?;
        let flags = FILE | OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        Ok(fs::openat(&self.0, name, flags, Mode::RUSR | Mode::WUSR)?.into())
    }

    pub(crate) fn rename(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
        step()?;
        Ok(fs::renameat(&self.0, old, &self.0, new)?)
    }

    /// Creates a file that other users can read if the user's settings allow that. Fails if the name is taken.
    pub(crate) fn create_plain(&self, name: &OsStr) -> io::Result<File> {
        step()?;
        let flags = FILE | OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        Ok(fs::openat(&self.0, name, flags, Mode::from_raw_mode(0o666))?.into())
    }

    /// Creates a folder; `false` if there is one already.
    pub(crate) fn create_folder(&self, name: &OsStr) -> io::Result<bool> {
        step()?;
        match fs::mkdirat(&self.0, name, Mode::from_raw_mode(0o777)) {
            Ok(()) => Ok(true),
            Err(Errno::EXIST) => self.folder(name).map(|_| false),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes a folder. Fails if it is not empty.
    pub(crate) fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
        step()?;
        Ok(fs::unlinkat(&self.0, name, AtFlags::REMOVEDIR)?)
    }

    /// Gives a file another name. Fails with `AlreadyExists` if that name is taken.
    pub(crate) fn give_name(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
        if may_swap() {
            step()?;
            match fs::renameat_with(&self.0, old, &self.0, new, RenameFlags::NOREPLACE) {
                Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
                named => return Ok(named?),
            }
        }
        step()?;
        fs::linkat(&self.0, old, &self.0, new, AtFlags::empty())?;
        self.remove(old)
    }

    pub(crate) fn remove(&self, name: &OsStr) -> io::Result<()> {
        step()?;
        Ok(fs::unlinkat(&self.0, name, AtFlags::empty())?)
    }

    pub(crate) fn exists(&self, name: &OsStr) -> bool {
        fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    /// Swaps the files with these two names, atomically if the system can.
    pub(crate) fn swap(&self, one: &OsStr, other: &OsStr) -> io::Result<()> {
        if may_swap() {
            step()?;
            match fs::renameat_with(&self.0, one, &self.0, other, RenameFlags::EXCHANGE) {
                Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
                swapped => return Ok(swapped?),
            }
        }
        self.swap_in_steps(one, other)
    }

    /// Swaps the files with these two names on systems that cannot do it atomically. At every moment, the name `one`
    /// has one of the two files.
    fn swap_in_steps(&self, one: &OsStr, other: &OsStr) -> io::Result<()> {
        let spare = spare(other);
        step()?;
        fs::linkat(&self.0, one, &self.0, &spare, AtFlags::empty())?;
        // This notices if someone has replaced the first file since the link was made. It does not notice a replacement
        // between this check and the rename.
        let one_now = fs::statat(&self.0, one, AtFlags::SYMLINK_NOFOLLOW)?;
        if one_now.st_ino != fs::statat(&self.0, &spare, AtFlags::SYMLINK_NOFOLLOW)?.st_ino {
            self.remove(&spare)?;
            return Err(io::Error::other("it was replaced"));
        }
        self.rename(other, one)?;
        self.rename(&spare, other)
    }

    /// Finishes or undoes a swap that was interrupted between its steps.
    pub(crate) fn settle(&self, one: &OsStr, other: &OsStr) -> io::Result<()> {
        let spare = spare(other);
        match (self.exists(&spare), self.exists(other), self.exists(one)) {
            (false, ..) => Ok(()),
            (true, true, _) => self.remove(&spare),
            (true, false, true) => self.rename(&spare, other),
            (true, false, false) => self.rename(&spare, one),
        }
    }

    /// Waits until the names in the folder are safe from a power failure.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.0.sync_all()
    }

    /// The identity of the folder: its device and inode.
    pub(crate) fn id(&self) -> io::Result<(u64, u64)> {
        let metadata = self.0.metadata()?;
        Ok((metadata.dev(), metadata.ino()))
    }

    /// Locks the folder for this process. Returns `false` when another process has locked it. The lock is released when
    /// this value is dropped. On file systems without locks this returns `true`.
    pub(crate) fn try_lock(&self) -> bool {
        !matches!(self.0.try_lock(), Err(TryLockError::WouldBlock))
    }

    /// The names in the folder.
    pub(crate) fn names(&self) -> io::Result<Vec<OsString>> {
        let entries = fs::Dir::read_from(&self.0)?;
        let names = entries.flatten().map(|entry| OsString::from_vec(entry.file_name().to_bytes().to_vec()));
        Ok(names.filter(|name| name != "." && name != "..").collect())
    }
}

/// The temporary name that `swap_in_steps` needs.
fn spare(other: &OsStr) -> OsString {
    let mut spare = other.to_owned();
    spare.push("~");
    spare
}

/// Converts the result of opening. For a link, a socket, or a file in place of a folder, the error is `Unsupported`.
fn opened(opened: rustix::io::Result<OwnedFd>) -> io::Result<File> {
    match opened {
        Ok(opened) => Ok(opened.into()),
        Err(Errno::LOOP | Errno::NOTDIR | Errno::NXIO) => {
            Err(io::Error::new(io::ErrorKind::Unsupported, "it is a link, or neither a file nor a folder"))
        }
        Err(error) => Err(error.into()),
    }
}

fn regular(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(io::ErrorKind::Unsupported, "it is not a file"))
    }
}

fn is_ours(metadata: &Metadata) -> bool {
    metadata.uid() == rustix::process::geteuid().as_raw()
}

/// The reason why a file must not be replaced by a new one with the same name; `None` when it may be replaced.
pub(crate) fn must_stay(file: &File) -> io::Result<Option<&'static str>> {
    let metadata = file.metadata()?;
    let is_root = rustix::process::geteuid().is_root();
    Ok(if metadata.mode() & 0o200 == 0 {
        Some("is read-only: `chmod u+w` it first")
    } else if metadata.nlink() > 1 {
        Some("has other hard links, which would keep the old text: make it a file of its own first")
    } else if !is_root && !is_ours(&metadata) {
        Some("belongs to another user, and would be yours afterwards")
    } else {
        None
    })
}

/// Gives a new file the owner, the attributes and the mode of the file that it will replace.
pub(crate) fn like(old: &File, new: &File) -> io::Result<()> {
    let (is, should) = (new.metadata()?, old.metadata()?);
    if (is.uid(), is.gid()) != (should.uid(), should.gid()) {
        fchown(new, Some(should.uid()), Some(should.gid()))?;
    }
    copy_attributes(old, new);
    // The mode comes last, because a change of the owner clears some of its bits.
    new.set_permissions(should.permissions())
}

/// Copies access lists, labels and other extended attributes. Those that this file system or this user cannot set are
/// left out, since they are not part of the file's content.
fn copy_attributes(old: &File, new: &File) {
    let mut names = vec![0; 64 << 10];
    let Ok(n_bytes) = fs::flistxattr(old, &mut names[..]) else { return };
    for name in names[..n_bytes].split(|&byte| byte == 0).filter(|name| !name.is_empty()) {
        let (name, mut value) = (OsStr::from_bytes(name), vec![0; 64 << 10]);
        if let Ok(n_bytes) = fs::fgetxattr(old, name, &mut value[..]) {
            let _ = fs::fsetxattr(new, name, &value[..n_bytes], XattrFlags::empty());
        }
    }
}

/// The part of the mode of a file that can be set.
pub(crate) fn mode_of(file: &File) -> Option<u32> {
    Some(file.metadata().ok()?.mode() & 0o7777)
}

/// Gives a file a mode.
pub(crate) fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    file.set_permissions(PermissionsExt::from_mode(mode & 0o7777))
}
