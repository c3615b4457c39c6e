//! Walks through folders. Most walks leave out the files that version control ignores.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use ignore::WalkBuilder;
use locant_engine::{NameIndex, Reader};

use crate::gap::Gap;
use crate::path::written;
use crate::reading::is_special;

/// How deep files are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// In the folder itself.
    Folder,
    /// In all folders below.
    All,
}

/// Which files and folders a walk includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// Everything that is neither hidden nor ignored by version control.
    Shown,
    /// Everything except the folder `.git`.
    All,
}

/// The files that a walk found, and the reasons why it may have missed some.
#[derive(Debug, Default)]
pub struct Listing {
    /// The paths with `/`, sorted by name.
    pub files: Vec<String>,
    /// Why files may be missing.
    pub gaps: Vec<Gap>,
}

/// How many files and folders one walk looks at, at most.
const MOST_ENTRIES: usize = 500_000;

/// Lists the files in a folder that are in a language in which locant itself knows what names mean.
pub fn list(folder: &Path, depth: Depth, sight: Sight) -> Listing {
    list_some(folder, depth, sight, MOST_ENTRIES)
}

/// Lists these files like [`list`], but stops after `most` files and folders.
pub fn list_some(folder: &Path, depth: Depth, sight: Sight, most: usize) -> Listing {
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
        locant_stop::check();
        if n_seen == most {
            listing.gaps.push(Gap::TooManyEntries { folder: written(folder), most });
            break;
        }
        match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                listing.files.extend(Some(written(entry.path())).filter(|path| is_known(path)));
            }
            // A walk over all files comes after a walk over the shown ones, which has already reported the links.
            Ok(entry) if sight == Sight::Shown => listing.gaps.extend(link_out_of(folder, entry.path())),
            Ok(_) => {}
            // Files that were removed in the meantime do not matter, and faults in ignore files do not either.
            Err(error) if error.io_error().is_none_or(|why| why.kind() == ErrorKind::NotFound) => {}
            Err(error) => listing.gaps.push(Gap::UnreadableFolder { error: error.to_string() }),
        }
    }
    let left_out = std::mem::take(&mut *left_out.lock().unwrap_or_else(PoisonError::into_inner));
    listing.gaps.extend(left_out.into_iter().map(|folder| Gap::EndlessIgnoreList { folder }));
    listing
}

/// A walk through a directory that leaves out what version control ignores, and follows no links.
///
/// If an ignore file is a pipe or a device, reading it may block for ever. If such a file is in the directory itself or
/// above it, the walk ignores nothing. Directories below that contain one are left out and reported to `leave_out`.
pub fn walker(directory: &Path, leave_out: impl Fn(&Path) + Send + Sync + 'static) -> WalkBuilder {
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

/// The gap for a link that leads out of a folder, since its target may matter. A link that stays inside leads to files
/// that are looked at anyway.
fn link_out_of(folder: &Path, path: &Path) -> Option<Gap> {
    if !path.is_symlink() {
        return None;
    }
    let (target, folder) = (path.canonicalize().ok()?, folder.canonicalize().ok()?);
    let matters = !target.starts_with(folder) && (target.is_dir() || is_known(&written(path)));
    matters.then(|| Gap::OutwardLink { path: written(path) })
}

/// Whether a file is in a language in which locant itself knows what names mean, judging by its file name.
pub fn is_known(path: &str) -> bool {
    Reader::for_file(path, b"").is_some_and(NameIndex::knows)
}
