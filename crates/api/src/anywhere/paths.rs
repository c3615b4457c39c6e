//! Finds the files that a path may mean when no file has exactly this path.

use std::collections::BTreeMap;

use globset::GlobMatcher;
use locant_engine::Reader;
use locant_workspace::query::modules;
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
        let list = |is_called_so: &(dyn Fn(&str) -> bool + Sync)| match given {
            None => names(&tree.root, is_called_so),
            Some(given) => given.keys().filter(|path| is_called_so(path)).cloned().collect(),
        };
        let mut listed = ending(path, list);
        if listed.is_empty() {
            listed = without_extension(path, list);
        }
        Ok((!listed.is_empty()).then_some(Paths::Listed(listed)))
    }

    /// Whether this file is one of those that may be meant.
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
pub(super) fn ending(
    path: &str,
    list: impl Fn(&(dyn Fn(&str) -> bool + Sync)) -> Vec<String>,
) -> Vec<String> {
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

/// The files that a path without an extension means in an import: `web/src/util` means `web/src/util.ts` or
/// `web/src/util/index.ts`. Only files in languages that locant reads count.
fn without_extension(
    path: &str,
    list: impl Fn(&(dyn Fn(&str) -> bool + Sync)) -> Vec<String>,
) -> Vec<String> {
    let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | "." | "..")).collect();
    let Some(last) = parts.last().filter(|last| !last.contains('.')) else { return Vec::new() };
    let is_meant = |found: &str| {
        let modules = modules(found);
        modules.last() == Some(last) && n_common(&modules.join("/"), &parts) == parts.len()
    };
    list(&|found| is_meant(found) && Reader::for_file(found, b"").is_some())
}

/// Whether a path is absolute. If so, its first folders may differ between machines.
pub(super) fn is_foreign(path: &str) -> bool {
    let has_drive = path.as_bytes().get(1) == Some(&b':');
    path.starts_with('/') || has_drive
}

/// How many names at the ends of two paths are equal.
pub(super) fn n_common(found: &str, parts: &[&str]) -> usize {
    found.rsplit('/').zip(parts.iter().rev()).take_while(|(one, other)| one == *other).count()
}
