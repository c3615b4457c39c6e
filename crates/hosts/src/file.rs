//! Settings on disk.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

/// A file of this size or more is not read, because no settings are so long.
const MOST_BYTES: u64 = 4 << 20;

/// The settings in a file. `None` if there is no such file.
pub fn read(path: &Path) -> io::Result<Option<String>> {
    let about = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        about => about?,
    };
    // To read a pipe could block for ever.
    if !about.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let mut text = String::new();
    File::open(path)?.take(MOST_BYTES).read_to_string(&mut text)?;
    if text.len() as u64 == MOST_BYTES {
        return Err(io::Error::other("it is too large for settings"));
    }
    Ok(Some(text))
}

/// Makes a new file, and the folders that it is in. If there is a `root`, they must be below it, also after links are
/// followed. Fails if the file exists.
pub fn create(path: &Path, root: Option<&Path>, text: &str) -> io::Result<()> {
    if let Some(root) = root {
        let nearest = path.ancestors().skip(1).find_map(|folder| fs::canonicalize(folder).ok());
        if !nearest.is_some_and(|nearest| fs::canonicalize(root).is_ok_and(|root| nearest.starts_with(root)))
        {
            return Err(io::Error::other("a link leads out of the project"));
        }
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = File::create_new(path)?;
    file.write_all(text.as_bytes()).inspect_err(|_| {
        // Half a file would be read as broken settings.
        let _ = fs::remove_file(path);
    })
}
