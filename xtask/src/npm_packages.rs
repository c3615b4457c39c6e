//! Packages of Node that tests need. They are installed once, outside of the project's own folders.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::children::output;
use crate::root;

/// The folder with a package such as `typescript@5.9.3`. Everything that the package needs is in `node_modules` there.
pub(crate) fn installed(package: &str) -> Result<PathBuf> {
    let name = package.trim_start_matches('@').replace('/', "-");
    let folder = root::work().join("tools").join(&name);
    if !folder.exists() {
        // Until the installation is complete, the folder has another name. So an interrupted one is not taken for
        // complete.
        let made = root::work().join("tools").join(format!(".{name}"));
        fs::create_dir_all(&made)?;
        output(npm(&["install", "--prefix"], &made).arg(package))?;
        fs::rename(&made, &folder)?;
    }
    Ok(folder)
}

/// A quiet `npm` command about a folder.
pub(crate) fn npm(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new("npm");
    command.args(arguments).arg(folder).args(["--silent", "--no-audit", "--no-fund"]);
    command
}
