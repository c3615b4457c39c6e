//! The folders that requests may name files in. Without a boundary they may name any file.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::path::plain;

/// The folders that requests may name files in.
#[derive(Debug, Default)]
pub struct Boundary {
    /// Invariant: absolute, without links. A link inside of such a folder that leads out of it is outside.
    folders: Vec<PathBuf>,
    /// The paths that were looked at, and whether they are inside. To follow links takes a call of the system for each
    /// folder above, and a request asks several times about the same file.
    known: Mutex<Vec<(PathBuf, bool)>>,
}

impl PartialEq for Boundary {
    fn eq(&self, other: &Boundary) -> bool {
        self.folders == other.folders
    }
}

impl Eq for Boundary {}

impl Boundary {
    /// The boundary around these folders. Those that do not exist are left out.
    pub fn around(folders: impl IntoIterator<Item = PathBuf>) -> Boundary {
        let folders = folders.into_iter().filter_map(|folder| folder.canonicalize().ok()).collect();
        Boundary { folders, known: Mutex::default() }
    }

    /// The same boundary for another request: a link may have changed since the last one.
    #[must_use]
    pub fn for_request(&self) -> Boundary {
        Boundary { folders: self.folders.clone(), known: Mutex::default() }
    }

    /// Whether a path leads to a place inside. The file need not exist.
    pub fn has(&self, path: &Path) -> bool {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, is_inside)) = known.iter().find(|(one, _)| one == path) {
            return *is_inside;
        }
        let real = real(path);
        let is_inside = self.folders.iter().any(|folder| real.starts_with(folder));
        if known.len() < MOST_KNOWN {
            known.push((path.to_owned(), is_inside));
        }
        is_inside
    }
}

/// How many paths are kept. A request that names more files asks about each of them only once.
const MOST_KNOWN: usize = 8;

/// The path without links. Only the part of the path that exists can have links, so they are followed there.
fn real(path: &Path) -> PathBuf {
    let path = std::env::current_dir().unwrap_or_default().join(path);
    let there = path.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    match there {
        Some((above, real)) => {
            let missing = path.strip_prefix(above).unwrap_or(Path::new(""));
            if missing.as_os_str().is_empty() { real } else { plain(&real.join(missing)) }
        }
        None => plain(&path),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_and_dots_do_not_lead_out() {
        let top = std::env::temp_dir().join(format!("locant-boundary-{}", std::process::id()));
        let (inside, outside) = (top.join("in"), top.join("out"));
        fs::create_dir(&top).expect("it does not exist yet");
        for folder in [&inside, &outside] {
            fs::create_dir(folder).expect("it does not exist yet");
        }
        fs::write(outside.join("secret"), "x").expect("the folder exists");
        symlink(&outside, inside.join("link")).expect("the folder exists");
        symlink(&inside, top.join("another")).expect("the folder exists");
        let boundary = Boundary::around([inside.clone(), top.join("missing")]);
        for path in ["in", "in/a.py", "in/new/a.py", "in/x/../a.py", "another/a.py", "out/../in/a.py"] {
            assert!(boundary.has(&top.join(path)), "{path}");
        }
        for path in
            ["", "out/secret", "in/../out/secret", "in/link/secret", "in/link/new", "in/new/../../out"]
        {
            assert!(!boundary.has(&top.join(path)), "{path}");
        }
        assert!(!Boundary::default().has(&inside), "no folder has anything in it");
        fs::remove_dir_all(&top).expect("it was made above");
    }
}
