//! Where catalogs are kept: in a folder of the user's cache that no other user can read.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::time::SystemTime;

use locant_engine::check_of;

use crate::path::written;
use crate::preview::dir::Dir;
use crate::preview::random_name;
use crate::preview::store::{FOLDER, cache};

const CATALOGS: &str = "catalogs";

/// How many bytes all catalogs together may have. Those that were written longest ago are removed first.
const MOST_BYTES: u64 = 1 << 30;

/// Reads the bytes of the catalog of a tree.
pub(super) fn read(root: &Path) -> Option<Vec<u8>> {
    let folder = Dir::open(&cache()?).ok()?.own(OsStr::new(FOLDER)).ok()?.own(OsStr::new(CATALOGS)).ok()?;
    let mut file = folder.file(&name(root)).ok()?;
    let mut bytes = Vec::with_capacity(usize::try_from(file.metadata().ok()?.len()).ok()? + 1);
    file.read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Writes the catalog of a tree: all of its bytes or none.
pub(super) fn write(root: &Path, bytes: &[u8]) -> io::Result<()> {
    let cache = cache().ok_or(io::ErrorKind::NotFound)?;
    std::fs::create_dir_all(&cache)?;
    let folder = Dir::open(&cache)?.private(OsStr::new(FOLDER))?.private(OsStr::new(CATALOGS))?;
    make_room(&folder, bytes.len() as u64);
    let unfinished = OsString::from(random_name());
    let written = folder.create(&unfinished).and_then(|mut file| file.write_all(bytes));
    let written = written.and_then(|()| folder.rename(&unfinished, &name(root)));
    if written.is_err() {
        // This fails if the file was never created, which does no harm.
        let _ = folder.remove(&unfinished);
    }
    written
}

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
