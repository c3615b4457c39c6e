//! How well one file of a tree matches a location: a hit.

use locant_engine::{
    self as engine, Document, Location, Offset, Outline, Resolution, Scope, Segment, SymbolId,
};
use locant_workspace::query::modules;

use super::{after, document};
use crate::word_filter::{has, may_match, words};

/// How many places of a find are kept for one file.
const KEPT: usize = 10;

/// How well a file matches a location, and where.
pub(super) struct Hit {
    pub(super) strength: Strength,
    /// The scope to look for, without the modules in front.
    pub(super) scope: Option<Scope>,
    /// The first places that fit.
    pub(super) places: Vec<Offset>,
    /// Whether the location leads to exactly one place in the file.
    pub(super) is_one: bool,
}

/// How well a file fits the location, from worst to best.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Strength {
    /// It has symbols whose paths end with the given names, but not the find in them.
    SymbolByEnd,
    /// It has the symbol, but not the find in it.
    Symbol,
    /// It has a symbol whose path ends with the given names, or a match that cuts a word in two.
    End,
    /// It has a symbol with this whole path, somewhere below a package that the location names. The package may
    /// re-export it.
    Below,
    /// It has a symbol with this whole path, or a match.
    Whole,
}

/// How well a file matches a location; `None` if it does not contain the words of the location.
pub(super) fn hit(location: &Location, path: &str, bytes: &[u8]) -> Option<Hit> {
    match (&location.scope, &location.find) {
        (Some(Scope::Symbol(names)), _) => of_symbol(names, location, path, bytes),
        (Some(_), _) => of_others(location, path, bytes),
        (None, Some(find)) => of_find(find, path, bytes),
        (None, None) => None,
    }
}

fn of_find(find: &str, path: &str, bytes: &[u8]) -> Option<Hit> {
    if !may_match(bytes, find) {
        return None;
    }
    let found = engine::matches(&Document::new(path, bytes).ok()?, find, KEPT);
    let strength = if found.are_partial { Strength::End } else { Strength::Whole };
    let places: Vec<Offset> = found.first.iter().map(|(_, place)| *place).collect();
    (found.total > 0).then_some(Hit { strength, scope: None, places, is_one: found.total == 1 })
}

fn of_others(location: &Location, path: &str, bytes: &[u8]) -> Option<Hit> {
    let document = Document::new(path, bytes).ok()?;
    let location = Location { path: path.to_owned(), ..location.clone() };
    let Resolution::Found(found) = engine::locate(&document, &location) else { return None };
    let scope = location.scope.clone();
    Some(Hit { strength: Strength::Whole, scope, places: vec![found.offset], is_one: true })
}

fn of_symbol(names: &[Segment], location: &Location, path: &str, bytes: &[u8]) -> Option<Hit> {
    let names = match names.split_first() {
        Some((first, rest)) if !rest.is_empty() && TOPS.contains(&first.name.as_str()) => rest,
        _ => names,
    };
    let n_modules = n_modules(names, path);
    if n_modules > 1 && n_modules == names.len() {
        return Some(Hit {
            strength: Strength::Whole,
            scope: None,
            places: vec![Offset::ZERO],
            is_one: true,
        });
    }
    let own = own_name(&names.last()?.name)?;
    let is_in_path = |name: &str| path.contains(name) || path.replace('-', "_").contains(name);
    let is_here =
        |name: &Segment| own_name(&name.name).is_none_or(|name| has(bytes, name) || is_in_path(name));
    if !has(bytes, own) || !names.iter().all(is_here) {
        return None;
    }
    let document = document(path, bytes)?;
    let outline = document.outline()?;
    if !outline.symbols().iter().any(|symbol| symbol.name.contains(own)) {
        return None;
    }
    // The most module names are tried first, since that reading is the most exact.
    let in_module = (1..=n_modules.min(names.len() - 1)).rev();
    in_module
        .chain([0])
        .find_map(|n| in_document(&document, outline, names, n, location))
        .or_else(|| below_package(&document, outline, names, location))
}

/// Reads the first names of a path as a package, and looks for the others in a file somewhere below that package.
fn below_package(
    document: &Document,
    outline: &Outline,
    names: &[Segment],
    location: &Location,
) -> Option<Hit> {
    let modules = modules(document.path());
    let is_above = |n: &usize| {
        let mut windows = modules.windows(*n);
        windows.any(|some| some.iter().zip(names).all(|(module, name)| is_called(module, &name.name)))
    };
    let n_package = (1..names.len()).rev().find(is_above)?;
    let hit = in_document(document, outline, names, n_package, location)?;
    Some(Hit { strength: hit.strength.min(Strength::Below), ..hit })
}

/// Words of Rust paths that name no module of their own: the top module, the current one, and the one above it.
const TOPS: [&str; 3] = ["crate", "self", "super"];

/// Reads the first `n_modules` names of a path as modules, and looks for the others in the document.
fn in_document(
    document: &Document,
    outline: &Outline,
    names: &[Segment],
    n_modules: usize,
    location: &Location,
) -> Option<Hit> {
    let scope = after(names, n_modules);
    let place = Location { path: document.path().to_owned(), scope: scope.clone(), ..location.clone() };
    match engine::locate(document, &place) {
        Resolution::Found(found) => {
            let is_whole = is_whole(outline, found.symbol, names.len() - n_modules);
            let strength = if is_whole { Strength::Whole } else { Strength::End };
            Some(Hit { strength, scope, places: vec![found.offset], is_one: true })
        }
        Resolution::Ambiguous(diagnosis) => {
            let places = diagnosis.candidates.iter().map(|candidate| candidate.offset).collect();
            let is_there =
                location.find.as_ref().is_none_or(|find| engine::matches(document, find, 1).total > 0);
            let strength = if is_there { Strength::End } else { Strength::SymbolByEnd };
            Some(Hit { strength, scope, places, is_one: false })
        }
        Resolution::NotFound(_) if location.find.is_some() => {
            let symbol = Location { find: None, ..place };
            let Resolution::Found(found) = engine::locate(document, &symbol) else { return None };
            let is_whole = is_whole(outline, found.symbol, names.len() - n_modules);
            let strength = if is_whole { Strength::Symbol } else { Strength::SymbolByEnd };
            Some(Hit { strength, scope, places: vec![found.offset], is_one: true })
        }
        Resolution::NotFound(_) | Resolution::Unsupported(_) | Resolution::Invalid(_) => None,
    }
}

/// Whether a path of `n_names` names is the whole path of a symbol, with or without its package.
fn is_whole(outline: &Outline, symbol: Option<SymbolId>, n_names: usize) -> bool {
    let depth = symbol.map_or(0, |symbol| outline.path(symbol).len());
    depth <= n_names && n_names <= depth + outline.package.len()
}

/// How many names at the start of `names` are the last modules in the path of the file: 2 for `a.b.f` in `x/a/b.py`.
fn n_modules(names: &[Segment], path: &str) -> usize {
    let modules = modules(path);
    (1..=names.len()).rev().find(|&n| end_so(&modules, &names[..n])).unwrap_or(0)
}

/// Whether the last modules of a path have these names.
fn end_so(modules: &[&str], names: &[Segment]) -> bool {
    let mut rest = modules.iter().rev().copied().peekable();
    names.iter().rev().all(|name| {
        // The folder `src` holds the sources of a package and is not a module, so it is skipped unless it is named.
        if name.name != "src" {
            rest.next_if_eq(&"src");
        }
        rest.next().is_some_and(|module| is_called(module, &name.name))
    })
}

/// Whether a module has this name. In names of packages `-` stands for `_`.
fn is_called(module: &str, name: &str) -> bool {
    module == name || module.contains('-') && module.replace('-', "_") == name
}

/// The plain name of a symbol: `f` for `f(String)` and `f/2`.
fn own_name(name: &str) -> Option<&str> {
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit()).strip_suffix('/').unwrap_or(name);
    let plain = match name.find(['(', '<']) {
        None | Some(0) => name,
        Some(end) => &name[..end],
    };
    words(plain).last()
}
