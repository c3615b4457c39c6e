//! Folders that are made to be measured.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Removes a folder and everything in it, if it exists.
pub(super) fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("could not remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// Links all files of a folder into another one.
pub(super) fn link_all(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("could not read {}", from.display()))? {
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            link_all(&entry.path(), &target)?;
        } else if kind.is_file() {
            fs::hard_link(entry.path(), &target)
                .with_context(|| format!("could not link {}", target.display()))?;
        }
    }
    Ok(())
}
