//! The project around a file: the folder whose files may use its names.
//!
//! It is found by marks, such as `.git`, in the folders above the file. A repository is one project, whatever packages
//! are in it: names go from one package to another. Where there is no repository, the nearest package is the project,
//! or the folder that relative paths start from if that is wider.

use std::env;
use std::path::{Path, PathBuf};

use crate::path::{Base, plain, written};
use crate::walk::Depth;

/// Names of entries in the top folder of a repository.
const REPOSITORY: [&str; 4] = [".git", ".hg", ".jj", ".svn"];

/// Names of files in the top folder of a package.
const PACKAGE: [&str; 20] = [
    "buf.work.yaml",
    "buf.yaml",
    "Cargo.toml",
    "package.json",
    "go.work",
    "go.mod",
    "pyproject.toml",
    "setup.py",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "build.sbt",
    "MODULE.bazel",
    "WORKSPACE",
    "CMakeLists.txt",
    "Gemfile",
    "composer.json",
    "mix.exs",
    "Package.swift",
    "pubspec.yaml",
];

/// A project.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Project {
    /// Its folder. Invariant: absolute, without `.` and `..`.
    pub root: PathBuf,
    /// How it was found.
    pub origin: Origin,
}

/// How a project was found.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Origin {
    /// By a repository.
    Repository,
    /// By a package, or because paths start there. Files outside of the folder may still use its names.
    #[default]
    Folder,
    /// By nothing: it is only the folder of a file.
    Guess,
}

impl Project {
    /// The project around a file.
    pub fn around(path: &str, from: &Base) -> Project {
        let base = from.folder();
        let file = from.absolute(path);
        let folder = file.parent().unwrap_or(&base).to_owned();
        // The folder that paths start from is the project, rather than the repository below it, if the request names
        // it.
        if let Some(root) = top(&folder, &REPOSITORY)
            && !(from.is_given() && root != base && root.starts_with(&base))
        {
            return Project { root, origin: Origin::Repository };
        }
        match top(&folder, &PACKAGE) {
            Some(root) if !root.starts_with(&base) => Project { root, origin: Origin::Folder },
            _ if folder.starts_with(&base) => Project { root: base, origin: Origin::Folder },
            _ => Project { root: folder, origin: Origin::Guess },
        }
    }

    /// The project around a file, where there is no folder that paths start from.
    pub fn around_lone(file: &Path) -> Project {
        let folder = file.parent().unwrap_or(file);
        if let Some(root) = top(folder, &REPOSITORY) {
            return Project { root, origin: Origin::Repository };
        }
        match top(folder, &PACKAGE) {
            Some(root) => Project { root, origin: Origin::Folder },
            None => Project { root: folder.to_owned(), origin: Origin::Guess },
        }
    }

    /// The key of a file, which is the same however its path is written: the path from the root if the file is below
    /// it, otherwise the absolute one.
    pub fn key(&self, path: &str, from: &Base) -> String {
        self.below(&from.absolute(path))
    }

    /// The key of a file by its absolute path.
    pub fn below(&self, path: &Path) -> String {
        let path = plain(path);
        written(path.strip_prefix(&self.root).unwrap_or(&path))
    }

    /// The path on disk of a file with this key.
    pub fn on_disk(&self, key: &str) -> PathBuf {
        self.root.join(key)
    }

    /// How deep its files are looked for.
    pub fn depth(&self) -> Depth {
        if self.origin == Origin::Guess { Depth::Folder } else { Depth::All }
    }
}

/// The file that a relative path names when it starts from the project around the base, rather than from the base
/// itself; `None` when there is none. Answers over several files write their paths so.
pub(crate) fn elsewhere(path: &str, from: &Base) -> Option<PathBuf> {
    if path.is_empty() || Path::new(path).is_absolute() {
        return None;
    }
    let base = from.folder();
    let root = top(&base, &REPOSITORY).or_else(|| top(&base, &PACKAGE))?;
    (root != base).then(|| plain(&root.join(path))).filter(|path| path.starts_with(&root) && path.is_file())
}

/// Whether a folder holds unrelated things, so that it is no project: a home directory, the folder for temporary files,
/// the top of the disk.
pub(crate) fn is_shared(folder: &Path) -> bool {
    let shared = [env::home_dir(), Some(env::temp_dir())];
    folder.parent().is_none() || shared.iter().flatten().any(|one| one == folder)
}

/// The nearest folder, this one or above, that has one of these marks in it.
fn top(folder: &Path, marks: &[&str]) -> Option<PathBuf> {
    let is_top = |folder: &&Path| marks.iter().any(|mark| folder.join(mark).exists());
    folder.ancestors().filter(|folder| !is_shared(folder)).find(is_top).map(Path::to_owned)
}
