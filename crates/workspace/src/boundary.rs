//! The folders that requests may name files in. Without a boundary they may name any file.

use std::path::{Path, PathBuf};

use crate::path::plain;

/// The folders that requests may name files in.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Boundary {
    /// Invariant: absolute, without links. A link inside of such a folder that leads out of it is outside.
    folders: Vec<PathBuf>,
}

impl Boundary {
    /// The boundary around these folders. Those that do not exist are left out.
    pub fn around(folders: impl IntoIterator<Item = PathBuf>) -> Boundary {
        let folders = folders.into_iter().filter_map(|folder| folder.canonicalize().ok()).collect();
        Boundary { folders }
    }

    /// Whether a path leads to a place inside. The file need not exist.
    pub fn has(&self, path: &Path) -> bool {
        let real = real(path);
        self.folders.iter().any(|folder| real.starts_with(folder))
    }
}

/// A path without links. What does not exist has none.
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
