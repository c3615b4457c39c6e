//! Files whose names are known, as they are on disk.
//!
//! Nobody tells of all changes. So each file is kept with its time and size, and looked at again when an answer depends
//! on it.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use ignore::WalkBuilder;
use locant_engine::{NameIndex, Reader, Text};

use crate::reading::{is_special, read_text};

/// A file as it was read.
#[derive(Clone, Debug)]
pub(crate) struct DiskFile {
    stamp: Stamp,
    pub(crate) text: Arc<Text>,
}

/// What tells two versions of a file apart without reading them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    size: u64,
    changed: Option<SystemTime>,
}

impl Stamp {
    fn of(path: &str) -> Option<Stamp> {
        let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some(Stamp { size: metadata.len(), changed: metadata.modified().ok() })
    }
}

/// What has become of a file.
pub(crate) enum DiskChange {
    /// It is as it was.
    None,
    /// It has another text.
    Changed(DiskFile),
    /// It is not there any more, or cannot be read.
    Gone,
}

impl DiskFile {
    /// Reads a file; `None` when there is none, or it is no text.
    pub(crate) fn read(path: &str) -> Option<DiskFile> {
        // The time is taken first: a change while the file is read is then seen the next time.
        let stamp = Stamp::of(path)?;
        let bytes = read_text(Path::new(path)).ok()?;
        Some(DiskFile { stamp, text: Arc::new(Text::new(bytes).ok()?) })
    }

    /// What has become of the file since it was read.
    pub(crate) fn change(&self, path: &str) -> DiskChange {
        match Stamp::of(path) {
            Some(stamp) if stamp == self.stamp => DiskChange::None,
            _ => DiskFile::read(path).map_or(DiskChange::Gone, DiskChange::Changed),
        }
    }
}

/// How far down files are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// In the folder itself.
    Folder,
    /// In all folders below.
    All,
}

/// The files in a folder whose names are known, by their paths with `/`. What version control ignores is left out.
pub(crate) fn walk(folder: &Path, depth: Depth) -> impl Iterator<Item = String> + use<> {
    let mut walk = walker(folder, |_| ());
    walk.max_depth((depth == Depth::Folder).then_some(1)).require_git(false);
    let files = walk.build().flatten().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
    files.map(|entry| written(entry.path())).filter(|path| is_known(path))
}

/// What is looked at on a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sight {
    /// What is neither hidden nor ignored by version control.
    Shown,
    /// All but what version control keeps for itself.
    All,
}

/// The files that were found on a walk, and what kept it from finding more.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    /// The paths with `/`, in the order of names.
    pub(crate) files: Vec<String>,
    /// Why there may be others.
    pub(crate) gaps: Vec<String>,
}

/// How many files and folders one walk looks at.
const MOST_ENTRIES: usize = 500_000;

/// The files in a folder whose names are known.
pub(crate) fn list(folder: &Path, depth: Depth, sight: Sight) -> Listing {
    list_some(folder, depth, sight, MOST_ENTRIES)
}

/// The same, among as many files and folders as are looked at.
pub(crate) fn list_some(folder: &Path, depth: Depth, sight: Sight, most: usize) -> Listing {
    let left_out = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&left_out);
    let leave_out =
        move |path: &Path| told.lock().unwrap_or_else(PoisonError::into_inner).push(written(path));
    let mut walk = walker(folder, leave_out);
    walk.max_depth((depth == Depth::Folder).then_some(1)).require_git(false);
    walk.sort_by_file_name(std::cmp::Ord::cmp);
    if sight == Sight::All {
        walk.standard_filters(false).filter_entry(|entry| entry.file_name() != ".git");
    }
    let mut listing = Listing::default();
    for (n_seen, entry) in walk.build().enumerate() {
        if n_seen == most {
            let gap = format!("there are more than {most} files and folders in `{}`", written(folder));
            listing.gaps.push(gap);
            break;
        }
        match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                listing.files.extend(Some(written(entry.path())).filter(|path| is_known(path)));
            }
            // A second walk, over all there is, would only say the same again.
            Ok(entry) if sight == Sight::Shown => listing.gaps.extend(link_out_of(folder, entry.path())),
            Ok(_) => {}
            // What has gone meanwhile is not there.
            Err(error) if error.io_error().is_none_or(|why| why.kind() == ErrorKind::NotFound) => {}
            Err(error) => listing.gaps.push(format!("a folder cannot be read: {error}")),
        }
    }
    let left_out = std::mem::take(&mut *left_out.lock().unwrap_or_else(PoisonError::into_inner));
    let why = "the list of what to ignore is a pipe or a device";
    listing.gaps.extend(left_out.into_iter().map(|folder| format!("`{folder}` was left out: {why}")));
    listing
}

/// A walk through a directory, which leaves out what version control ignores, and follows no links.
///
/// Where the list of what to ignore is a pipe or a device, reading it may wait for ever. At the top and above it, such
/// a list makes the walk ignore nothing; directories below that have one are left out, and told to `leave_out`.
pub(crate) fn walker(directory: &Path, leave_out: impl Fn(&Path) + Send + Sync + 'static) -> WalkBuilder {
    let mut walk = WalkBuilder::new(directory);
    let top = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
    if top.ancestors().any(has_endless_list) {
        walk.standard_filters(false).hidden(true);
    }
    walk.filter_entry(move |entry| {
        let is_below = entry.depth() > 0 && entry.file_type().is_some_and(|kind| kind.is_dir());
        let is_left_out = is_below && has_endless_list(entry.path());
        if is_left_out {
            leave_out(entry.path());
        }
        !is_left_out
    });
    walk
}

fn has_endless_list(directory: &Path) -> bool {
    [".gitignore", ".ignore", ".git/info/exclude"].iter().any(|name| is_special(&directory.join(name)))
}

/// What to say of a link that leads out of a folder to more files that may matter. Links are not followed; those that
/// stay inside lead to what is looked at anyway.
fn link_out_of(folder: &Path, path: &Path) -> Option<String> {
    if !path.is_symlink() {
        return None;
    }
    let (target, folder) = (path.canonicalize().ok()?, folder.canonicalize().ok()?);
    let matters = !target.starts_with(folder) && (target.is_dir() || is_known(&written(path)));
    matters.then(|| format!("the link `{}` leads outside, and is not followed", written(path)))
}

/// When something was put into a directory or taken out of it last; `None` when it cannot be told.
pub(crate) fn changed(directory: &Path) -> Option<SystemTime> {
    fs::metadata(directory).ok()?.modified().ok()
}

/// The same, but `None` while that is so fresh that the clock may not tell another change from it.
pub(crate) fn settled(directory: &Path) -> Option<SystemTime> {
    changed(directory).filter(|time| time.elapsed().is_ok_and(|age| age > Duration::from_secs(1)))
}

/// A path as it is written here, with `/`.
pub(crate) fn written(path: &Path) -> String {
    let path = path.to_string_lossy();
    if cfg!(windows) { path.replace('\\', "/") } else { path.into_owned() }
}

/// Are the names of a file known, by what it is called?
pub(crate) fn is_known(path: &str) -> bool {
    Reader::for_file(path, b"").is_some_and(NameIndex::knows)
}
