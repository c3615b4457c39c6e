//! Finds the files that a path may mean when no file has exactly this path.

use std::collections::BTreeMap;

use globset::GlobMatcher;
use locant_workspace::sweep::names;

use crate::failure::Failure;
use crate::path_pattern::{is_pattern, pattern};
use crate::whole_tree::WholeTree;

/// The files that a path may mean.
pub(super) enum Paths {
    /// All files.
    All,
    /// The files that match a pattern.
    Fitting(GlobMatcher),
    /// These files, as paths from the root.
    Listed(Vec<String>),
}

impl Paths {
    /// The files that may be meant by this path; `None` if there are none.
    pub(super) fn new(
        path: &str,
        tree: &WholeTree,
        given: Option<&BTreeMap<String, String>>,
    ) -> Result<Option<Paths>, Failure> {
        if path.is_empty() {
            return Ok(Some(Paths::All));
        }
        if is_pattern(path) {
            return pattern(path).map(|pattern| Some(Paths::Fitting(pattern)));
        }
        let listed = ending(path, |is_called_so| match given {
            None => names(&tree.root, is_called_so),
            Some(given) => given.keys().filter(|path| is_called_so(path)).cloned().collect(),
        });
        Ok((!listed.is_empty()).then_some(Paths::Listed(listed)))
    }

    /// Whether this file is one of them.
    pub(super) fn have(&self, path: &str) -> bool {
        match self {
            Paths::All => true,
            Paths::Fitting(pattern) => pattern.is_match(path),
            Paths::Listed(paths) => paths.binary_search_by(|listed| listed.as_str().cmp(path)).is_ok(),
        }
    }
}

/// The files whose paths end like this path. An absolute path may come from another machine with other folders in
/// front: for it, the files with the longest common end are returned.
fn ending(path: &str, list: impl Fn(&(dyn Fn(&str) -> bool + Sync)) -> Vec<String>) -> Vec<String> {
    let plain = path.replace('\\', "/");
    let parts: Vec<&str> = plain.split('/').filter(|part| !matches!(*part, "" | "." | "..")).collect();
    let Some(last) = parts.last() else { return Vec::new() };
    let is_called_so = |found: &str| found.rsplit('/').next() == Some(*last);
    let mut called_so = list(&is_called_so);
    if !is_foreign(&plain) {
        called_so.retain(|found| n_common(found, &parts) == parts.len());
        return called_so;
    }
    let most = called_so.iter().map(|found| n_common(found, &parts)).max().unwrap_or(0);
    called_so.retain(|found| n_common(found, &parts) == most);
    // A matching file name alone says little, unless the file is directly in the root.
    called_so.retain(|found| most > 1 || !found.contains('/'));
    called_so
}

/// Whether a path is absolute. If so, its first folders may differ between machines.
pub(super) fn is_foreign(path: &str) -> bool {
    let has_drive = path.as_bytes().get(1) == Some(&b':');
    path.starts_with('/') || has_drive
}

/// How many names at the ends of two paths are equal.
fn n_common(found: &str, parts: &[&str]) -> usize {
    found.rsplit('/').zip(parts.iter().rev()).take_while(|(one, other)| one == *other).count()
}
