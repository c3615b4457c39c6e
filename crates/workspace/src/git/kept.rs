//! Answers of git that are kept, because git would give the same answers again.
//!
//! A batch asks about many places of one file in one commit, and git takes milliseconds to start. A commit never
//! changes. So the text of a file in a commit is read only once. The repository around a folder is also looked up only
//! once, if the commit is given by its whole id.
//!
//! Invariants:
//! - Only answers about whole ids are kept. A branch or a short id may mean another commit the next time.
//! - The kept place of a repository is used only while no other repository lies between it and the folder.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::failure::Failure;

/// The last answers, the newest first.
static TEXTS: Mutex<VecDeque<Text>> = Mutex::new(VecDeque::new());
static PLACES: Mutex<VecDeque<Place>> = Mutex::new(VecDeque::new());

/// How many answers are kept of each kind, and how long a text may be. In most batches, requests about one file follow
/// each other, and a few batches may run side by side.
const MOST: usize = 16;
const LONGEST: usize = 4 << 20;

/// The text of a file in a commit; `None` if the commit does not have the file.
struct Text {
    commit: String,
    name: String,
    text: Option<Vec<u8>>,
}

/// Where a repository is, seen from a folder.
#[derive(Clone)]
pub(super) struct Place {
    folder: PathBuf,
    /// The folder around it that has a `.git`.
    innermost: PathBuf,
    /// The top of the repository, and the path from there to the folder.
    pub top: String,
    pub prefix: String,
}

/// The text of a file in a commit, which `read` reads if it is not known.
pub(super) fn text(
    commit: &str,
    name: &str,
    read: impl FnOnce() -> Result<Option<Vec<u8>>, Failure>,
) -> Result<Option<Vec<u8>>, Failure> {
    if !is_whole_id(commit) {
        return read();
    }
    let known = locked(&TEXTS)
        .iter()
        .find(|text| text.commit == commit && text.name == name)
        .map(|text| text.text.clone());
    if let Some(text) = known {
        return Ok(text);
    }
    let text = read()?;
    if text.as_ref().is_none_or(|text| text.len() <= LONGEST) {
        keep(&TEXTS, Text { commit: commit.to_owned(), name: name.to_owned(), text: text.clone() });
    }
    Ok(text)
}

/// The place of the repository around a folder, if it is known and a whole id is looked for.
pub(super) fn place(folder: &Path, rev: &str) -> Option<Place> {
    let folder = folder.canonicalize().ok().filter(|_| is_whole_id(rev))?;
    let place = locked(&PLACES).iter().find(|place| place.folder == folder).cloned()?;
    (innermost(&folder)? == place.innermost).then_some(place)
}

/// Remembers where the repository around a folder is.
pub(super) fn keep_place(folder: &Path, top: &str, prefix: &str) {
    let Ok(folder) = folder.canonicalize() else { return };
    let Some(innermost) = innermost(&folder).map(Path::to_owned) else { return };
    locked(&PLACES).retain(|place| place.folder != folder);
    keep(&PLACES, Place { folder, innermost, top: top.to_owned(), prefix: prefix.to_owned() });
}

fn innermost(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|folder| folder.join(".git").exists())
}

/// Whether a revision is the whole id of a commit, which means the same commit for ever.
fn is_whole_id(rev: &str) -> bool {
    [40, 64].contains(&rev.len()) && rev.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn keep<T>(kept: &Mutex<VecDeque<T>>, new: T) {
    let mut kept = locked(kept);
    kept.push_front(new);
    kept.truncate(MOST);
}

fn locked<T>(kept: &Mutex<VecDeque<T>>) -> MutexGuard<'_, VecDeque<T>> {
    // Safe after a panic of another thread: an answer is only stored as a whole.
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_whole_id_is_read_once() {
        let id = "0123456789abcdef0123456789abcdef01234567";
        let read = |said: &'static str| move || Ok(Some(said.as_bytes().to_vec()));
        let said = |commit: &str, name: &str, now| {
            text(commit, name, read(now)).expect("nothing fails").expect("it is there")
        };
        assert_eq!(said(id, "a", "old"), b"old");
        assert_eq!(said(id, "a", "new"), b"old");
        assert_eq!(said(id, "b", "new"), b"new");
        assert_eq!(said("main", "a", "old"), b"old");
        assert_eq!(said("main", "a", "new"), b"new");
    }

    #[test]
    fn a_repository_is_known_until_another_one_lies_inside() {
        let top = std::env::temp_dir().join(format!("locant-kept-{}", std::process::id()));
        let folder = top.join("in/ner");
        std::fs::create_dir_all(folder.join("x")).expect("a folder");
        std::fs::create_dir(top.join(".git")).expect("a folder");
        let id = "0123456789abcdef0123456789abcdef01234567";
        keep_place(&folder, "/top", "in/ner/");
        assert_eq!(place(&folder, id).map(|place| place.prefix).as_deref(), Some("in/ner/"));
        assert!(place(&folder, "main").is_none());
        assert!(place(&folder.join("x"), id).is_none());
        std::fs::create_dir(top.join("in/.git")).expect("a folder");
        assert!(place(&folder, id).is_none());
        std::fs::remove_dir_all(&top).expect("it is ours");
    }
}
