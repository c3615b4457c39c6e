//! Paths as text, and the folder that relative ones start from.

use std::env;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::boundary::Boundary;
use crate::project;

/// The folder that relative paths start from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Base {
    /// The path as the request has it; `None` for the working directory.
    given: Option<String>,
    /// The folders that files must be in; `None` when they may be anywhere.
    boundary: Option<Arc<Boundary>>,
}

impl Base {
    /// The folder that a request names, or the working directory.
    pub fn new(given: Option<&str>) -> Base {
        Base { given: given.map(str::to_owned), boundary: None }
    }

    /// The same folder, for requests that may name only files inside of a boundary.
    #[must_use]
    pub fn within(self, boundary: Option<Arc<Boundary>>) -> Base {
        Base { boundary, ..self }
    }

    /// Whether a request may name the file at this path.
    pub fn admits(&self, path: &str) -> bool {
        self.boundary.as_ref().is_none_or(|boundary| boundary.has(&self.on_disk(path)))
    }

    /// Whether files of requests may be in this folder.
    pub(crate) fn admits_folder(&self, folder: &Path) -> bool {
        self.boundary.as_ref().is_none_or(|boundary| boundary.has(folder))
    }

    /// Whether the request names the folder. Otherwise it is the working directory.
    pub fn is_given(&self) -> bool {
        self.given.is_some()
    }

    /// The folder: absolute, without `.` and `..`.
    pub fn folder(&self) -> PathBuf {
        let here = env::current_dir().unwrap_or_default();
        match self.given.as_deref() {
            None | Some("") => here,
            Some(given) => plain(&here.join(given)),
        }
    }

    /// Where a path is on disk. A relative path starts from this folder. If nothing is there, it starts from the root
    /// of the project around the folder.
    pub fn on_disk(&self, path: &str) -> PathBuf {
        let here = self.here(path);
        if here.exists() {
            return here;
        }
        project::elsewhere(path, self).filter(|path| self.admits_folder(path)).unwrap_or(here)
    }

    /// Whether there is a file at a path on disk.
    pub fn has_file(&self, path: &str) -> bool {
        // Mostly the first test finds the file, and the system is asked only once.
        self.here(path).is_file() || self.on_disk(path).is_file()
    }

    fn here(&self, path: &str) -> PathBuf {
        match &self.given {
            Some(given) => Path::new(given).join(path),
            None => PathBuf::from(path),
        }
    }

    /// The absolute path of a file.
    pub fn absolute(&self, path: &str) -> PathBuf {
        let base = self.folder();
        let file = plain(&env::current_dir().unwrap_or_default().join(self.on_disk(path)));
        if file.starts_with(&base) {
            return file;
        }
        // One of the two paths may lead through a link.
        let real = file.parent().and_then(|folder| folder.canonicalize().ok()).zip(file.file_name());
        let real = real.map(|(folder, name)| folder.join(name));
        let is_below = |real: &PathBuf| base.canonicalize().is_ok_and(|base| real.starts_with(base));
        real.filter(is_below).unwrap_or(file)
    }
}

/// A path as it is written in answers, with `/`.
pub fn written(path: &Path) -> String {
    let path = path.to_string_lossy();
    if cfg!(windows) { path.replace('\\', "/") } else { path.into_owned() }
}

/// A path without `.` and `..`.
pub(crate) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}
