//! The tree of files that is asked when no file is named.

use std::path::{Path, PathBuf};

use locant_workspace::{Project, written};

use crate::flags::Flags;

/// A tree of files.
pub(crate) struct WholeTree {
    /// Its top: absolute, without `.` and `..`.
    pub(crate) root: PathBuf,
    /// The folder that relative paths start from in requests.
    base: PathBuf,
}

impl WholeTree {
    /// The folder that was named; else the project around the working directory.
    pub(crate) fn around(flags: &Flags) -> WholeTree {
        let base = flags.base();
        let folder = base.folder();
        // What the file would be called does not matter.
        let root = if base.is_given() { folder.clone() } else { Project::around("_", &base).root };
        WholeTree { root, base: folder }
    }

    /// The tree below a folder, as it was given.
    pub(crate) fn at(folder: &str, flags: &Flags) -> WholeTree {
        let base = flags.base();
        WholeTree { root: base.absolute(folder), base: base.folder() }
    }

    /// The path of a file as it can be given back: from where paths start if it is below, else from the root, unless
    /// that leads elsewhere.
    pub(crate) fn shown(&self, path: &str) -> String {
        if let Ok(below) = self.root.strip_prefix(&self.base) {
            return written(&below.join(path));
        }
        if self.base.join(path).exists() { written(&self.root.join(path)) } else { path.to_owned() }
    }

    /// The path from the root of what is written from where paths start; `None` when it lies elsewhere.
    pub(crate) fn below(&self, path: &str) -> Option<String> {
        let whole = self.base.join(path);
        let below = whole.strip_prefix(&self.root).ok()?;
        let parts = below.components().filter(|part| *part != std::path::Component::CurDir);
        Some(written(&parts.collect::<PathBuf>()))
    }

    /// Whether something is there, from the root.
    pub(crate) fn is_there(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// Whether its paths start elsewhere than relative paths do.
    pub(crate) fn is_elsewhere(&self) -> bool {
        !self.root.starts_with(&self.base)
    }

    /// The top as it is written.
    pub(crate) fn written(&self) -> String {
        written(&self.root)
    }

    /// Where a file is.
    pub(crate) fn on_disk(&self, path: &str) -> PathBuf {
        self.root.join(Path::new(path))
    }
}
