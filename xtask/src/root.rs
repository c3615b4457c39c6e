//! Where the project is, and where its ignored files go.

use std::path::{Path, PathBuf};

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this package lies in a folder of the workspace")
}

/// The folder for what is fetched and made; version control ignores it.
pub(crate) fn work() -> PathBuf {
    root().join(".work")
}

/// Where real sources are, in a folder for each language.
pub(crate) fn sources() -> PathBuf {
    work().join("sources")
}
