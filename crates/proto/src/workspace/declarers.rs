//! A file may use a name that it does not see. This finds the file that declares the name, and the path to import it
//! by.

use std::collections::HashMap;

use locant_text::Range;

use super::linked::{Linked, known_units};
use crate::file::Form;
use crate::flaw::Flaw;
use crate::pool::{Unit, UnitId};
use crate::value;

/// A file that declares a name that another file uses but does not see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Declarer {
    /// The path to import the file by.
    pub(super) import: String,
    /// The full name of the declaration, if the name as written would not mean it even after the import.
    pub(super) otherwise: Option<String>,
    /// Whether the declaring file imports the other file, directly or indirectly. Then the other file cannot import it.
    pub(super) imports_back: bool,
}

/// At most this many names of one file are searched for in other files. There is a limit because each search goes
/// through all files.
const MOST_NAMES: usize = 50;

/// The declarers that have been found for the names in one file.
pub(super) struct Declarers<'l> {
    linked: &'l Linked,
    from: UnitId,
    found: HashMap<(String, bool), Option<Declarer>>,
}

impl<'l> Declarers<'l> {
    pub(super) fn new(linked: &'l Linked, from: UnitId) -> Declarers<'l> {
        Declarers { linked, from, found: HashMap::new() }
    }

    /// The declarer of the unknown name at a range.
    pub(super) fn of(&mut self, range: Range, flaw: Flaw) -> Option<Declarer> {
        let unit = self.linked.pool.unit(self.from);
        let name = value::dotted(&unit.text[range.indices()]);
        if name.is_empty() || !matches!(flaw, Flaw::UnknownType | Flaw::UnknownOption) {
            return None;
        }
        let key = (name, flaw == Flaw::UnknownOption);
        if !self.found.contains_key(&key) && self.found.len() >= MOST_NAMES {
            return None;
        }
        let (linked, from) = (self.linked, self.from);
        let find = |key: &(String, bool)| declarer(linked, from, &key.0, flaw);
        self.found.entry(key).or_insert_with_key(find).clone()
    }
}

fn declarer(linked: &Linked, from: UnitId, name: &str, flaw: Flaw) -> Option<Declarer> {
    let unit = linked.pool.unit(from);
    let visible = linked.pool.visible(from);
    let files = || linked.files().filter(|(id, _)| !visible.contains(id));
    for full_name in meanings(name, &unit.package) {
        if let Some((id, _)) = files().find(|(_, other)| declares(other, &full_name, flaw)) {
            return Some(Declarer::of_file(linked, from, id, None));
        }
        if let Some(other) = hidden_known(linked, visible).find(|other| declares(other, &full_name, flaw)) {
            return Some(Declarer::of_known(other, None));
        }
    }
    let last = name.trim_start_matches('.');
    let in_files = files()
        .find_map(|(id, other)| Some(Declarer::of_file(linked, from, id, Some(ending(other, last, flaw)?))));
    in_files.or_else(|| {
        let mut known = hidden_known(linked, visible);
        known.find_map(|other| Some(Declarer::of_known(other, Some(ending(other, last, flaw)?))))
    })
}

/// The files that come with protoc, except for those that are visible.
fn hidden_known<'a>(linked: &'a Linked, visible: &'a [UnitId]) -> impl Iterator<Item = &'static Unit> + 'a {
    let is_visible = |path: &str| visible.iter().any(|&id| linked.pool.unit(id).path == path);
    known_units().filter(move |other| !is_visible(&other.path))
}

impl Declarer {
    fn of_file(linked: &Linked, from: UnitId, id: UnitId, otherwise: Option<String>) -> Declarer {
        let imports_back = linked.pool.reached(id, |_| true).contains(&from);
        Declarer { import: import_path(linked, from, id), otherwise, imports_back }
    }

    fn of_known(known: &Unit, otherwise: Option<String>) -> Declarer {
        Declarer { import: known.path.clone(), otherwise, imports_back: false }
    }
}

/// The full names that a name may mean in a package: `a.b.X`, `a.X` and `X` for `X` in `a.b`.
fn meanings(name: &str, package: &str) -> Vec<String> {
    if let Some(full_name) = name.strip_prefix('.') {
        return vec![full_name.to_owned()];
    }
    let ends = package.match_indices('.').map(|(at, _)| at).chain([package.len()]);
    let mut meanings: Vec<String> =
        ends.filter(|&end| end > 0).map(|end| format!("{}.{name}", &package[..end])).collect();
    meanings.reverse();
    meanings.push(name.to_owned());
    meanings
}

fn declares(unit: &Unit, full_name: &str, flaw: Flaw) -> bool {
    let form = unit.symbol(full_name).map(|id| unit.file.get(id));
    form.is_some_and(|declaration| match flaw {
        Flaw::UnknownOption => declaration.is_extension(),
        _ => matches!(declaration.form, Form::Message { .. } | Form::Enum),
    })
}

/// The full name of `name` in the package of a file, if the file declares it there.
fn ending(unit: &Unit, name: &str, flaw: Flaw) -> Option<String> {
    let full_name =
        if unit.package.is_empty() { name.to_owned() } else { format!("{}.{name}", unit.package) };
    declares(unit, &full_name, flaw).then_some(full_name)
}

/// The path by which the file `from` would import a file. If an import of any file leads to this file already, its path
/// is used. Otherwise the path is made relative to a folder. Other imports show such folders, those of `from` first. If
/// none of these folders contains the file, it is the folder in which the folders of the file's package start, or else
/// a root.
fn import_path(linked: &Linked, from: UnitId, file: UnitId) -> String {
    let path = &linked.pool.unit(file).path;
    if let Some(written) = linked.written_imports().find_map(|(id, written)| (id == file).then_some(written))
    {
        return written;
    }
    let own = linked.imports_of(from);
    let start = own.chain(linked.written_imports()).find_map(|(id, written)| {
        let start = linked.pool.unit(id).path.strip_suffix(written.as_str())?.to_owned();
        path.starts_with(start.as_str()).then_some(start)
    });
    if let Some(start) = start {
        return path[start.len()..].to_owned();
    }
    let package = linked.pool.unit(file).package.replace('.', "/");
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let is_below = !package.is_empty() && (folder == package || folder.ends_with(&format!("/{package}")));
    if is_below {
        return path[folder.len() - package.len()..].to_owned();
    }
    let roots = linked.roots.iter().filter(|root| !root.is_empty());
    let below = roots.filter_map(|root| path.strip_prefix(root.as_str())?.strip_prefix('/'));
    below.min_by_key(|below| below.len()).unwrap_or(path).to_owned()
}
