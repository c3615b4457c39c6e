//! Changes that were shown and may be made: kept on disk between the preview and `apply`.
//!
//! A preview knows the files as they were. When one of them is another by now, nothing is changed; and when one of
//! them cannot be written, those that were are written back.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::failure::{Failure, Kind};

/// How long a preview is kept.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Changes to files.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct Preview {
    pub(crate) files: Vec<FileChange>,
}

/// Changes to a file.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct FileChange {
    /// Where it is on disk.
    pub(crate) path: PathBuf,
    /// What tells its text from others.
    check: Check,
    /// Invariant: in the order of places, without overlaps.
    edits: Vec<Edit>,
}

/// A stretch of text in bytes, and what it gives way to.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Edit {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) text: String,
}

/// The length of a text and a digest of it.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
struct Check {
    len: usize,
    digest: u64,
}

impl Check {
    fn of(bytes: &[u8]) -> Check {
        Check { len: bytes.len(), digest: digest(bytes) }
    }
}

/// The digest of Fowler, Noll and Vo.
fn digest(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |digest, &byte| (digest ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

impl FileChange {
    /// Changes to the file at a path whose text is this.
    pub(crate) fn new(path: PathBuf, text: &[u8], edits: Vec<Edit>) -> FileChange {
        FileChange { path, check: Check::of(text), edits }
    }

    /// A text after the changes; `None` when it is not the text that they are for.
    fn apply(&self, text: &[u8]) -> Option<Vec<u8>> {
        if Check::of(text) != self.check {
            return None;
        }
        let mut new = Vec::with_capacity(text.len());
        let mut behind = 0;
        for edit in &self.edits {
            new.extend_from_slice(text.get(behind..edit.start)?);
            new.extend_from_slice(edit.text.as_bytes());
            behind = edit.end;
        }
        new.extend_from_slice(text.get(behind..)?);
        Some(new)
    }
}

impl Preview {
    /// Keeps a preview; gives the id by which it is found again.
    pub(crate) fn keep(&self) -> io::Result<String> {
        let written = serde_json::to_vec(self)?;
        let id = format!("{:016x}", digest(&written));
        let folder = folder();
        fs::create_dir_all(&folder)?;
        forget_old(&folder);
        fs::write(folder.join(format!("{id}.json")), written)?;
        Ok(id)
    }

    /// The preview with an id.
    pub(crate) fn find(id: &str) -> Result<Preview, Failure> {
        let unknown = || {
            let message = format!("there is no preview `{id}`");
            Failure::new(Kind::NotFound, message, "ask for the change again, and apply the id that it gives")
        };
        // An id is no path.
        if !id.bytes().all(|byte| byte.is_ascii_hexdigit()) || id.is_empty() {
            return Err(unknown());
        }
        let written = fs::read(folder().join(format!("{id}.json"))).map_err(|_| unknown())?;
        serde_json::from_slice(&written).map_err(|_| unknown())
    }

    /// Makes the changes, all or none; gives the number of edits.
    pub(crate) fn apply(&self) -> Result<usize, Failure> {
        let mut texts = Vec::new();
        for file in &self.files {
            let old = fs::read(&file.path).map_err(|error| unwritten(&file.path, "read", &error))?;
            let Some(new) = file.apply(&old) else {
                let message = format!("`{}` has changed since the preview", file.path.display());
                return Err(Failure::new(Kind::Refused, message, "ask for the change again"));
            };
            texts.push((&file.path, old, new));
        }
        for (index, (path, _, new)) in texts.iter().enumerate() {
            if let Err(error) = replace(path, new) {
                let lost = texts[..index].iter().find(|(path, old, _)| replace(path, old).is_err());
                return Err(match lost {
                    None => unwritten(path, "write", &error),
                    Some((lost, ..)) => half_written(path, lost, &error),
                });
            }
        }
        Ok(self.files.iter().map(|file| file.edits.len()).sum())
    }
}

/// Puts a text in place of a file in one step, so that nobody sees half of it.
fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    // Through a link, the file that it leads to is replaced and not the link.
    let path = fs::canonicalize(path)?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".locant-{}", std::process::id()));
    let beside = path.with_file_name(name);
    let permissions = fs::metadata(&path)?.permissions();
    let written = fs::write(&beside, text)
        .and_then(|()| fs::set_permissions(&beside, permissions))
        .and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

fn unwritten(path: &Path, what: &str, error: &io::Error) -> Failure {
    let message = format!("cannot {what} `{}`: {error}; nothing was changed", path.display());
    Failure::new(Kind::Io, message, "check the file and its permissions")
}

fn half_written(path: &Path, lost: &Path, error: &io::Error) -> Failure {
    let message = format!(
        "cannot write `{}`: {error}; and `{}`, which was changed already, could not be written back",
        path.display(),
        lost.display()
    );
    Failure::new(Kind::Io, message, "look at what changed in your files, and undo it there")
}

/// Forgets previews that nobody will apply any more.
fn forget_old(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let age = entry.metadata().and_then(|data| data.modified()).map(|time| time.elapsed());
        if age.is_ok_and(|age| age.is_ok_and(|age| age > KEPT)) {
            // Another process may have been faster.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Where previews are kept.
fn folder() -> PathBuf {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || named("HOME").map(|home| home.join(".cache"));
    let cache = named("XDG_CACHE_HOME").or_else(|| named("LOCALAPPDATA")).or_else(home);
    cache.unwrap_or_else(std::env::temp_dir).join("locant").join("previews")
}
