//! Where catalogs and single outlines are kept: in folders of the user's cache that no other user can read.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

use locant_engine::check_of;

use crate::path::written;
use crate::preview::dir::Dir;
use crate::preview::store::{FOLDER, cache};
use crate::preview::{UNFINISHED, random_name};

pub(crate) const CATALOGS: &str = "catalogs";

/// How many bytes all catalogs together may have. Those that were written longest ago are removed first.
const MOST_BYTES: u64 = 1 << 30;

/// Opens the catalog of a tree.
pub(super) fn open(root: &Path) -> Option<File> {
    open_in(CATALOGS, &name(root))
}

/// Writes the catalog of a tree, which has this length: all of its bytes or none.
pub(super) fn write(
    root: &Path,
    n_bytes: u64,
    bytes: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let folder = folder(CATALOGS)?;
    make_room(&folder, n_bytes);
    write_all(&folder, &name(root), n_bytes, bytes)
}

/// Reads so many bytes of a file, from the byte `start` on. Others may read the file at the same time.
#[cfg(unix)]
pub(super) fn read_at(file: &File, start: u64, len: usize) -> io::Result<Vec<u8>> {
    use std::os::unix::fs::FileExt as _;

    let mut bytes = vec![0; len];
    file.read_exact_at(&mut bytes, start)?;
    Ok(bytes)
}

/// Reads so many bytes of a file, from the byte `start` on. Others may read the file at the same time.
#[cfg(windows)]
pub(super) fn read_at(file: &File, start: u64, len: usize) -> io::Result<Vec<u8>> {
    use std::os::windows::fs::FileExt as _;

    let (mut bytes, mut n_read) = (vec![0; len], 0);
    while n_read < len {
        match file.seek_read(&mut bytes[n_read..], start + n_read as u64)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            n => n_read += n,
        }
    }
    Ok(bytes)
}

fn open_in(folder: &str, name: &OsStr) -> Option<File> {
    let folder = Dir::open(&cache()?).ok()?.own(OsStr::new(FOLDER)).ok()?.own(OsStr::new(folder)).ok()?;
    folder.file(name).ok()
}

/// Reads a file of one of the folders of the cache.
pub(super) fn read_from(folder: &str, name: &OsStr) -> Option<Vec<u8>> {
    let mut file = open_in(folder, name)?;
    let mut bytes = Vec::with_capacity(usize::try_from(file.metadata().ok()?.len()).ok()? + 1);
    file.read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Opens one of the folders of the cache. Makes it if it does not exist.
pub(crate) fn folder(name: &str) -> io::Result<Dir> {
    let cache = cache().ok_or(io::ErrorKind::NotFound)?;
    std::fs::create_dir_all(&cache)?;
    Dir::open(&cache)?.private(OsStr::new(FOLDER))?.private(OsStr::new(name))
}

/// Writes a file: all of its bytes or none. A process that is killed meanwhile leaves an unfinished file.
pub(crate) fn write_whole(folder: &Dir, name: &OsStr, bytes: &[u8]) -> io::Result<()> {
    write_all(folder, name, bytes.len() as u64, |file| file.write_all(bytes))
}

fn write_all(
    folder: &Dir,
    name: &OsStr,
    n_bytes: u64,
    bytes: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    if !may_be_written(n_bytes) {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let unfinished = OsString::from(random_name());
    let written = folder.create(&unfinished).and_then(|mut file| bytes(&mut file));
    let written = written.and_then(|()| folder.rename(&unfinished, name));
    if written.is_err() {
        // This fails if the file was never created, which does no harm.
        let _ = folder.remove(&unfinished);
    }
    written
}

/// Whether this process may write a file of this length. The system ends a process that tries to write a longer one.
#[cfg(unix)]
fn may_be_written(n_bytes: u64) -> bool {
    use rustix::process::{Resource, getrlimit};
    getrlimit(Resource::Fsize).current.is_none_or(|most| n_bytes <= most)
}

#[cfg(not(unix))]
fn may_be_written(_: u64) -> bool {
    true
}

/// Removes the unfinished files that killed processes have left in a folder.
pub(super) fn remove_unfinished(folder: &Dir) {
    let is_unfinished = |name: &OsString| name.to_string_lossy().starts_with(UNFINISHED);
    for name in folder.names().unwrap_or_default().iter().filter(|name| is_unfinished(name)) {
        let modified = folder.file(name).and_then(|file| file.metadata()).and_then(|about| about.modified());
        if modified.is_ok_and(|modified| modified.elapsed().is_ok_and(|age| age > ABANDONED)) {
            let _ = folder.remove(name);
        }
    }
}

/// After this time, no process writes to an unfinished file any more.
const ABANDONED: Duration = Duration::from_secs(60);

/// The file name of a tree's catalog: a checksum of the root. If two trees have the same checksum, the root inside the
/// catalog tells them apart.
fn name(root: &Path) -> OsString {
    format!("{:016x}", check_of(written(root).as_bytes())).into()
}

/// Removes the oldest files of the folder until there is room for this many bytes. These may be catalogs, or unfinished
/// files that killed processes have left.
fn make_room(folder: &Dir, n_bytes: u64) {
    let mut files: Vec<(SystemTime, u64, OsString)> = Vec::new();
    for name in folder.names().unwrap_or_default() {
        let Ok(metadata) = folder.file(&name).and_then(|file| file.metadata()) else { continue };
        files.push((metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH), metadata.len(), name));
    }
    files.sort();
    let mut total: u64 = files.iter().map(|(_, len, _)| len).sum::<u64>() + n_bytes;
    for (_, len, name) in files {
        if total <= MOST_BYTES {
            break;
        }
        // This fails if another process has just removed the file, which does no harm.
        let _ = folder.remove(&name);
        total -= len;
    }
}
