//! The root of the project, and the folders for fetched and generated files.

use std::path::{Path, PathBuf};

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this package lies in a folder of the workspace")
}

/// The folder for fetched and generated files. Version control ignores it.
pub(crate) fn work() -> PathBuf {
    root().join(".work")
}

/// The folder with real sources, which has a folder for each language.
pub(crate) fn sources() -> PathBuf {
    work().join("sources")
}
