//! Reads the real sources that `cargo xtask sources` has fetched. There is a folder for each language.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use locant_engine::Reader;

use crate::random::Random;

/// A file of real source.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its path in the folder of its language, as locations name it.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The names of the languages that have a folder with sources.
pub fn languages(root: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(root).with_context(|| {
        format!("there are no sources in {}: cargo xtask sources fetches them", root.display())
    })?;
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() && !name.starts_with('.') {
            names.push(name);
        }
    }
    names.sort();
    ensure!(!names.is_empty(), "the folder {} is empty", root.display());
    Ok(names)
}

/// The files of a language in a random order that is the same in every run.
///
/// The order is random, so that the first few megabytes come from all packages and all folders in them.
pub fn sources(root: &Path, language: &str) -> Result<Vec<Source>> {
    let folder = root.join(language);
    let mut paths = Vec::new();
    collect(&mut paths, &folder)?;
    // There may also be files that are not sources, such as notes.
    paths.retain(|path| is_read(path));
    paths.sort();
    Random::new(17).shuffle(&mut paths);
    paths.into_iter().map(|path| read(&folder, &path)).collect()
}

/// The first files, until they have at least `n_bytes` bytes together.
pub fn up_to(sources: Vec<Source>, n_bytes: usize) -> Vec<Source> {
    let mut total = 0;
    sources
        .into_iter()
        .take_while(|source| {
            let is_room = total < n_bytes;
            total += source.bytes.len();
            is_room
        })
        .collect()
}

fn collect(paths: &mut Vec<PathBuf>, folder: &Path) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("could not read {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            collect(paths, &entry.path())?;
        } else {
            paths.push(entry.path());
        }
    }
    Ok(())
}

/// Whether a file is in a language that locant reads.
fn is_read(path: &Path) -> bool {
    let bytes = fs::read(path).unwrap_or_default();
    let first_line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    Reader::for_file(&path.to_string_lossy(), first_line).is_some()
}

fn read(folder: &Path, path: &Path) -> Result<Source> {
    let bytes = fs::read(path).with_context(|| format!("could not read {}", path.display()))?;
    let name = path.strip_prefix(folder).unwrap_or(path).to_string_lossy().replace('\\', "/");
    Ok(Source { name, bytes })
}
