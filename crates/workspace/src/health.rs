//! Whether the folders that locant needs can be used.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use crate::catalog::kept::{CATALOGS, folder, write_whole};
use crate::preview::random_name;
use crate::preview::store::{FOLDER, cache};

/// The folder of what is kept between commands.
#[derive(Debug)]
pub struct Cache {
    /// Where it is.
    pub folder: PathBuf,
    /// How many bytes the symbols of trees take in it.
    pub n_bytes: u64,
}

/// Tries out the cache: makes it if it does not exist, and writes a file that is removed again.
pub fn try_cache() -> io::Result<Cache> {
    let path = cache().ok_or_else(|| io::Error::other("the user has no folder for caches"))?.join(FOLDER);
    let catalogs = folder(CATALOGS)?;
    let name = random_name();
    write_whole(&catalogs, OsStr::new(&name), b"tried")?;
    catalogs.remove(OsStr::new(&name))?;
    let length = |name| Some(catalogs.file(name).ok()?.metadata().ok()?.len());
    let n_bytes = catalogs.names()?.iter().filter_map(|name| length(name.as_os_str())).sum();
    Ok(Cache { folder: path, n_bytes })
}

/// Whether this user may make files in a folder.
#[cfg(unix)]
pub fn may_write(folder: &Path) -> bool {
    use rustix::fs::{Access, access};
    access(folder, Access::WRITE_OK | Access::EXEC_OK).is_ok()
}

/// Whether this user may make files in a folder.
#[cfg(not(unix))]
pub fn may_write(folder: &Path) -> bool {
    folder.metadata().is_ok_and(|about| !about.permissions().readonly())
}
