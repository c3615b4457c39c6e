//! The folders of the project, and of the files that are fetched and made.

use std::path::{Path, PathBuf};

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this package lies in a folder of the workspace")
}

/// The folder for files that are fetched and made; version control ignores it.
pub(crate) fn work() -> PathBuf {
    root().join(".work")
}

/// The folder with real sources, which has a folder for each language.
pub(crate) fn sources() -> PathBuf {
    work().join("sources")
}
