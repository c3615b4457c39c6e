//! The project around a file: the folder whose files may use the names in that file.
//!
//! A project is found by marks, such as `.git`, in the folders above the file. A repository is one project, even if it
//! has several packages, because packages use each other's names. Without a repository, the project is the nearest
//! package, or the folder that relative paths start from if that is larger.

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
    /// The folder of the project. Invariant: absolute, without `.` and `..`.
    pub root: PathBuf,
    /// How the project was found.
    pub origin: Origin,
}

/// How a project was found.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Origin {
    /// By the mark of a repository.
    Repository,
    /// By the mark of a package, or because relative paths start there. Files outside of the folder may still use its
    /// names.
    #[default]
    Folder,
    /// By no mark: it is only the folder of a file.
    Guess,
}

impl Project {
    /// The project around a file. If files must be inside of a boundary, and the project reaches out of it, the folder
    /// that relative paths start from is taken instead.
    pub fn around(path: &str, from: &Base) -> Project {
        let project = Project::marked(path, from);
        if from.admits_folder(&project.root) {
            return project;
        }
        Project { root: from.folder(), origin: Origin::Folder }
    }

    fn marked(path: &str, from: &Base) -> Project {
        let base = from.folder();
        let file = from.absolute(path);
        let folder = file.parent().unwrap_or(&base).to_owned();
        // If the request names the folder that paths start from, that folder is the project, and not a repository below
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

    /// The project around a file, when there is no folder that relative paths start from.
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

    /// The key of a file, which does not depend on how its path is written. It is the path from the root if the file is
    /// below the root, and the absolute path otherwise.
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

    /// How deep files of the project are looked for.
    pub fn depth(&self) -> Depth {
        if self.origin == Origin::Guess { Depth::Folder } else { Depth::All }
    }
}

/// The file that a relative path names when it starts from the root of the project around the base, and not from the
/// base. Answers about several files write paths this way. Returns `None` when there is no such file.
pub(crate) fn elsewhere(path: &str, from: &Base) -> Option<PathBuf> {
    if path.is_empty() || Path::new(path).is_absolute() {
        return None;
    }
    let base = from.folder();
    let root = top(&base, &REPOSITORY).or_else(|| top(&base, &PACKAGE))?;
    (root != base).then(|| plain(&root.join(path))).filter(|path| path.starts_with(&root) && path.is_file())
}

/// Whether a folder holds unrelated things and so cannot be a project: a home directory, the folder for temporary
/// files, or the top of the disk.
pub(crate) fn is_shared(folder: &Path) -> bool {
    let shared = [env::home_dir(), Some(env::temp_dir())];
    folder.parent().is_none() || shared.iter().flatten().any(|one| one == folder)
}

/// The nearest folder, starting with this one and going up, that contains one of these marks.
fn top(folder: &Path, marks: &[&str]) -> Option<PathBuf> {
    let is_top = |folder: &&Path| marks.iter().any(|mark| folder.join(mark).exists());
    folder.ancestors().filter(|folder| !is_shared(folder)).find(is_top).map(Path::to_owned)
}
