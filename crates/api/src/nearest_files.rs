//! Finds the files that may be meant by a path that does not exist.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use crate::flags::Flags;
use crate::wire::Candidate;
use locant_workspace::walk::walker;

/// How many files are offered.
const SHOWN: usize = 5;

/// How many directory entries are looked at. A wrong path must not cause a walk over a whole disk.
const LOOKED_AT: usize = 20_000;

/// How similar two names must be, from 0 to 1, for one to be a typo of the other.
const ALIKE: f64 = 0.8;

/// How many files are read to check whether they have the place.
const READ: usize = 30;

/// The files whose paths resemble this one, most similar first. The `location` of each is only its path.
pub(crate) fn nearest(path: &str, flags: &Flags) -> Vec<Candidate> {
    let mut near = resembling(path, flags);
    near.truncate(SHOWN);
    near
}

/// Whether a file with a similar path has a place.
pub(crate) enum Holding {
    /// The file has the place, or several places that may be meant.
    Found(Vec<Candidate>),
    /// The file only has places that resemble it.
    Near(Vec<Candidate>),
}

/// Looks for a place in the files with similar paths. Returns the matches, those of the most similar path first, and
/// the paths of the files without a match. Places that only resemble the place are returned if no file has the place
/// itself.
pub(crate) fn holding(
    path: &str,
    flags: &Flags,
    place: impl Fn(Candidate) -> Holding,
) -> (Vec<Candidate>, Vec<String>) {
    let (mut found, mut near, mut in_vain) = (Vec::new(), Vec::new(), Vec::new());
    for file in resembling(path, flags).into_iter().take(READ) {
        let path = file.location.clone();
        match place(file) {
            Holding::Found(candidates) => found.extend(candidates),
            Holding::Near(candidates) => {
                near.extend(candidates);
                in_vain.push(path);
            }
        }
        if found.len() >= SHOWN {
            break;
        }
    }
    let mut candidates = if found.is_empty() { near } else { found };
    candidates.truncate(SHOWN);
    (candidates, in_vain)
}

fn resembling(path: &str, flags: &Flags) -> Vec<Candidate> {
    let Some(name) = Path::new(path).file_name().map(|name| name.to_string_lossy().to_lowercase()) else {
        return Vec::new();
    };
    let top = if Path::new(path).is_absolute() { nearest_directory(path) } else { flags.base().on_disk("") };
    let top = if top.as_os_str().is_empty() { PathBuf::from(".") } else { top };
    let mut found: Vec<(Reverse<u32>, usize, String)> = walker(&top, |_| ())
        .sort_by_file_name(std::cmp::Ord::cmp)
        .build()
        .take(LOOKED_AT)
        .flatten()
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .filter_map(|entry| {
            let likeness = likeness(&name, &entry.file_name().to_string_lossy().to_lowercase())?;
            let written = written(entry.path(), &top, path)?;
            Some((Reverse(likeness), distance(&written, path), written))
        })
        .collect();
    found.sort();
    let candidate = |(Reverse(likeness), _, path)| Candidate {
        location: path,
        position: None,
        offset: None,
        line_text: None,
        why: if likeness == 1000 { "a file with this name" } else { "a file with a similar name" }.into(),
    };
    found.into_iter().map(candidate).collect()
}

/// How similar two file names are, in thousandths; `None` when they are too different.
fn likeness(asked: &str, name: &str) -> Option<u32> {
    let stem = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    let likeness = strsim::normalized_damerau_levenshtein(asked, name);
    let has_same_stem = !stem(name).is_empty() && stem(name) == stem(asked);
    let likeness = if has_same_stem { likeness.max(ALIKE) } else { likeness };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "likeness is from 0 to 1")]
    let thousandths = (likeness * 1000.0) as u32;
    (likeness >= ALIKE).then_some(thousandths)
}

/// The path as the user would write it: relative to the root, or absolute if the given path is absolute.
fn written(found: &Path, top: &Path, asked: &str) -> Option<String> {
    let path = if Path::new(asked).is_absolute() { found } else { found.strip_prefix(top).ok()? };
    path.to_str().map(str::to_owned)
}

fn distance(found: &str, asked: &str) -> usize {
    strsim::damerau_levenshtein(found, asked)
}

/// The innermost existing directory above a path.
fn nearest_directory(path: &str) -> PathBuf {
    let mut above = Path::new(path).ancestors().skip(1);
    above.find(|directory| directory.is_dir()).map_or_else(|| PathBuf::from("/"), Path::to_path_buf)
}
