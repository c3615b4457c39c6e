//! The tree of files that is searched when a request names no file.

use std::path::{Path, PathBuf};

use locant_workspace::{Project, written};

use crate::flags::Flags;

/// A tree of files.
pub(crate) struct WholeTree {
    /// The top folder. Invariant: absolute, without `.` and `..`.
    pub(crate) root: PathBuf,
    /// The folder that relative paths of requests start from.
    base: PathBuf,
}

impl WholeTree {
    /// The tree below the folder that the request names, or else the project around the working directory.
    pub(crate) fn around(flags: &Flags) -> WholeTree {
        let base = flags.base();
        let folder = base.folder();
        // Any file name will do, because the project depends only on the folder. `Project::around` keeps inside of a
        // boundary.
        let root = if base.is_given() { folder.clone() } else { Project::around("_", &base).root };
        WholeTree { root, base: folder }
    }

    /// The tree below a folder of the request.
    pub(crate) fn at(folder: &str, flags: &Flags) -> WholeTree {
        let base = flags.base();
        WholeTree { root: base.absolute(folder), base: base.folder() }
    }

    /// The path of a file as the next request can use it. It is relative to the folder that requests start from, if the
    /// tree is below that folder. Otherwise it starts from the root, or is absolute if that would mean another file.
    pub(crate) fn shown(&self, path: &str) -> String {
        if let Ok(below) = self.root.strip_prefix(&self.base) {
            return written(&below.join(path));
        }
        if self.base.join(path).exists() { written(&self.root.join(path)) } else { path.to_owned() }
    }

    /// Converts a path of a request to a path from the root; `None` when it is outside of the tree.
    pub(crate) fn below(&self, path: &str) -> Option<String> {
        let whole = self.base.join(path);
        let below = whole.strip_prefix(&self.root).ok()?;
        let parts = below.components().filter(|part| *part != std::path::Component::CurDir);
        Some(written(&parts.collect::<PathBuf>()))
    }

    /// Whether something exists at this path from the root.
    pub(crate) fn is_there(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// Whether the paths of the tree start from another folder than relative paths of requests.
    pub(crate) fn is_elsewhere(&self) -> bool {
        !self.root.starts_with(&self.base)
    }

    /// The top folder as text.
    pub(crate) fn written(&self) -> String {
        written(&self.root)
    }

    /// Where a file is on disk.
    pub(crate) fn on_disk(&self, path: &str) -> PathBuf {
        self.root.join(Path::new(path))
    }
}
