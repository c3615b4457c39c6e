//! What one file of a tree has of a location.

use locant_engine::{
    self as engine, Document, Location, Offset, Outline, Resolution, Scope, Segment, SymbolId,
};
use locant_workspace::query::modules;

use super::{after, document};
use crate::word_filter::{has, may_match, words};

/// How many places of a find in one file are kept.
const KEPT: usize = 10;

/// What a file has of a location.
pub(super) struct Hit {
    pub(super) strength: Strength,
    /// What is left to look for, once the modules in front are taken away.
    pub(super) scope: Option<Scope>,
    /// The places that fit, the first ones.
    pub(super) places: Vec<Offset>,
    /// Whether the location leads to one place of the file.
    pub(super) is_one: bool,
}

/// How well a file has it.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Strength {
    /// Symbols whose paths end so, but not what is to be found in them.
    SymbolByEnd,
    /// The symbol, but not what is to be found in it.
    Symbol,
    /// By the end of a path, or by a match that cuts a word in two.
    End,
    /// By its whole path below a package that is named, which may pass it on.
    Below,
    /// By its whole path, or by a match.
    Whole,
}

/// What a file has of a location, if it has the words of it.
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
    let is_here =
        |name: &Segment| own_name(&name.name).is_none_or(|name| has(bytes, name) || path.contains(name));
    if !has(bytes, own) || !names.iter().all(is_here) {
        return None;
    }
    let document = document(path, bytes)?;
    let outline = document.outline()?;
    if !outline.symbols().iter().any(|symbol| symbol.name.contains(own)) {
        return None;
    }
    // The longest row of modules in front comes first: what is named most exactly.
    let in_module = (1..=n_modules.min(names.len() - 1)).rev();
    in_module
        .chain([0])
        .find_map(|n| in_document(&document, outline, names, n, location))
        .or_else(|| below_package(&document, outline, names, location))
}

/// What a document has of a path whose first names are a package that the file is somewhere below.
fn below_package(
    document: &Document,
    outline: &Outline,
    names: &[Segment],
    location: &Location,
) -> Option<Hit> {
    let modules = modules(document.path());
    let is_above = |n: &usize| {
        modules
            .windows(*n)
            .any(|some| some.iter().copied().eq(names[..*n].iter().map(|name| name.name.as_str())))
    };
    let n_package = (1..names.len()).rev().find(is_above)?;
    let hit = in_document(document, outline, names, n_package, location)?;
    Some(Hit { strength: hit.strength.min(Strength::Below), ..hit })
}

/// Words that stand for the top of a tree of modules.
const TOPS: [&str; 3] = ["crate", "self", "super"];

/// What a document has of a path whose first names are modules.
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

/// Whether a path of `n_names` names is the whole one of a symbol, with or without its package.
fn is_whole(outline: &Outline, symbol: Option<SymbolId>, n_names: usize) -> bool {
    let depth = symbol.map_or(0, |symbol| outline.path(symbol).len());
    depth <= n_names && n_names <= depth + outline.package.len()
}

/// How many of the first names are the last modules that a path names.
fn n_modules(names: &[Segment], path: &str) -> usize {
    let modules = modules(path);
    let is_there = |n: &usize| {
        let names = names[..*n].iter().map(|name| name.name.as_str());
        modules.len() >= *n && modules[modules.len() - n..].iter().copied().eq(names)
    };
    (1..=names.len()).rev().find(is_there).unwrap_or(0)
}

/// The word that a symbol is called by: `f` of `def f(String)`.
fn own_name(name: &str) -> Option<&str> {
    let plain = match name.find(['(', '<']) {
        None | Some(0) => name,
        Some(end) => &name[..end],
    };
    words(plain).last()
}
