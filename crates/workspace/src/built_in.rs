//! Copies on disk of the files that come with a compiler, such as `google/protobuf/any.proto`. Most users do not have
//! these files, but want to open them when they go to a definition in them.

use std::fs;
use std::path::{Path, PathBuf};
use std::{env, io};

use locant_engine::NameIndex;

use crate::path::written;

/// The path of the copy of a built-in file. `import` is the path that an import statement names. The copy is written on
/// demand, and is read-only. Returns `None` when there is no such built-in file, or when no copy can be written.
pub fn copy_of(import: &str) -> Option<String> {
    let text = NameIndex::built_in_file(import)?;
    let path = folder()?.join(import);
    let is_there = fs::read(&path).is_ok_and(|there| there == text.as_bytes());
    (is_there || write(&path, &text).is_ok()).then(|| written(&path))
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    // The old file is removed first: if it were a link, writing to it would change the file that the link leads to.
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = fs::File::create_new(path)?;
    io::Write::write_all(&mut file, text.as_bytes())?;
    let mut permissions = file.metadata()?.permissions();
    permissions.set_readonly(true);
    file.set_permissions(permissions)
}

/// The folder in which copies are kept, one for each version of locant.
fn folder() -> Option<PathBuf> {
    let named = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || named("HOME").map(|home| home.join(".cache"));
    let cache = named("XDG_CACHE_HOME").or_else(|| named("LOCALAPPDATA")).or_else(home)?;
    let cache = std::path::absolute(cache).ok()?;
    Some(cache.join("locant").join("protoc").join(env!("CARGO_PKG_VERSION")))
}
