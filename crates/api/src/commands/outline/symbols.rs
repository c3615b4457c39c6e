//! The symbols of one document as they travel: nested, each with its path and its location.

use std::collections::HashMap;

use locant_engine::{self as engine, Document, Location, SymbolId};
use schemars::JsonSchema;
use serde::Serialize;

use super::filter::Filter;
use crate::encoding::Encoding;
use crate::paging::{Paging, Part};
use crate::wire;

/// How deep symbols are nested in an answer. Each level is an object in a list, and readers of JSON refuse
/// more than about 128 levels; what lies deeper is listed at the last level, with its whole path.
const DEPTH: usize = 48;

/// In how many others a listed symbol may be nested. The paths of all would be the square of the text.
const DEEPEST: usize = 1000;

/// How many characters of a signature are quoted.
const DETAIL: usize = 300;

/// One named declaration.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Symbol {
    /// Its name.
    pub name: String,
    /// What it is: class, function, method …
    pub kind: &'static str,
    /// The names that lead to it, its own last.
    pub path: Vec<String>,
    /// From its first attached comment, decorator or modifier to its end.
    pub range: wire::Range,
    /// Its name.
    pub selection_range: wire::Range,
    /// Where that starts, as a number of bytes from the start of the file.
    pub offset: u32,
    /// Its signature on one line.
    pub detail: String,
    /// A location that leads to its name.
    pub location: String,
    /// The scope of that location: the path with an index where several symbols have it.
    #[serde(skip)]
    pub scope: String,
    /// How many characters of the signature people are shown.
    #[serde(skip)]
    pub shown: usize,
    /// Its members.
    pub children: Vec<Symbol>,
}

/// How many characters of a signature people are shown.
const SHOWN: usize = 100;

impl Symbol {
    /// Line and column of its name.
    pub(super) fn coordinate(&self) -> String {
        let wire::Position { line, character } = self.selection_range.start;
        format!("{line}:{character}")
    }

    /// Its name, with the number that a location needs where several symbols have one path. At the last level that is
    /// listed, where it may be a member of a symbol that stands beside it, the whole path.
    pub(super) fn title(&self, depth: usize) -> String {
        let number = self.scope.strip_suffix(']').and_then(|scope| scope.rsplit_once('['));
        match number {
            // What stands around these is not listed above them.
            _ if depth == 0 || depth + 1 >= DEPTH => self.scope.clone(),
            Some((_, number)) if !self.name.ends_with(']') => format!("{}[{number}]", self.name),
            _ => self.name.clone(),
        }
    }

    /// Its signature, where that says more than its kind and its name.
    pub(super) fn signature(&self) -> Option<String> {
        let rest = self.detail.replacen(&self.name, " ", 1);
        let mut words = rest.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let says_more = words.any(|word| word != self.kind);
        let cut =
            self.detail.char_indices().nth(self.shown).map(|(cut, _)| format!("{}…", &self.detail[..cut]));
        says_more.then(|| cut.unwrap_or_else(|| self.detail.clone()))
    }
}

/// What an answer lists.
pub(super) struct Listed {
    pub(super) symbols: Vec<Symbol>,
    /// Which of all symbols these are; parents come before their members.
    pub(super) part: Part,
    /// What to say of those that are nested too deep.
    pub(super) note: Option<String>,
}

/// What is asked for of the symbols of a document.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'f> {
    pub(super) encoding: Encoding,
    pub(super) filter: &'f Filter,
    /// Only the symbol whose name starts here, and its members.
    pub(super) top: Option<engine::Offset>,
    pub(super) paging: Paging,
}

/// How many symbols of a file are listed unless another number is asked for: more than any file has that people write.
const MOST: usize = 50_000;

/// The symbols of a document; `None` when its language is not read.
pub(super) fn outline(document: &Document, wanted: Wanted<'_>) -> Option<Listed> {
    let Wanted { encoding, filter, top, paging } = wanted;
    let outline = document.outline()?;
    let parents = parents(outline);
    let mut locations = engine::symbol_locations(document, DEEPEST);
    let n_deeper = outline.symbols().len() - locations.len();
    if let Some(top) = top {
        let is_below = below(outline, top);
        locations.retain(|(id, _)| is_below[id.index()]);
    }
    let is_listed = filter.listed(document, outline, top);
    locations.retain(|(id, _)| is_listed[id.index()]);
    let part = paging.part_of(locations.len(), MOST);
    locations.truncate(part.end);
    locations.drain(..part.first);
    let first = locations.first().map(|(id, _)| id.index());
    let note = (n_deeper > 0).then(|| {
        format!("{n_deeper} symbols that are nested more than {DEEPEST} levels deep are not listed")
    });

    // Whether the path needs quotes is looked into once, not for each symbol.
    let file = Location { path: document.path().to_owned(), ..Location::default() }.to_string();
    // From the last symbol to the first, members are complete before the symbol they belong to is reached.
    let mut members: HashMap<Option<SymbolId>, Vec<Symbol>> = HashMap::new();
    for (id, location) in locations.into_iter().rev() {
        let symbol = outline.get(id);
        let scope = location.scope.as_ref().map(ToString::to_string).unwrap_or_default();
        let mut children = members.remove(&Some(id)).unwrap_or_default();
        children.reverse();
        // What stands around the first ones may be on another page, or not be asked for.
        let parent = parents[id.index()].filter(|parent| Some(parent.index()) >= first);
        members.entry(parent).or_default().push(Symbol {
            name: symbol.name.clone(),
            kind: symbol.kind.word(),
            path: outline.path(id).into_iter().map(str::to_owned).collect(),
            range: wire::range(document, symbol.extent, encoding),
            selection_range: wire::range(document, symbol.name_range, encoding),
            offset: symbol.name_range.start().to_u32(),
            detail: one_line(&document.text().lossy(symbol.header)),
            location: match location.find {
                None => format!("{file}:{scope}"),
                Some(_) => location.to_string(),
            },
            scope,
            shown: if filter.signatures { DETAIL + 1 } else { SHOWN },
            children,
        });
    }
    let mut symbols = members.remove(&None).unwrap_or_default();
    symbols.reverse();
    Some(Listed { symbols, part, note })
}

/// For each symbol, whether it is the one whose name starts at a place, or is inside of that one.
fn below(outline: &engine::Outline, top: engine::Offset) -> Vec<bool> {
    let is_top = |(_, symbol): &(SymbolId, &engine::Symbol)| symbol.name_range.start() == top;
    let top = outline.iter().find(is_top).map(|(id, _)| id);
    let mut is_below: Vec<bool> = Vec::new();
    for (id, symbol) in outline.iter() {
        // A symbol comes after the one that it is a member of.
        is_below.push(Some(id) == top || symbol.parent.is_some_and(|parent| is_below[parent.index()]));
    }
    is_below
}

/// Visits symbols with their depth, parents first.
pub(super) fn walk(symbols: &[Symbol], visit: &mut dyn FnMut(&Symbol, usize)) {
    go(symbols, 0, visit);

    // The depth is bounded by how the symbols were nested.
    fn go(symbols: &[Symbol], depth: usize, visit: &mut dyn FnMut(&Symbol, usize)) {
        for symbol in symbols {
            visit(symbol, depth);
            go(&symbol.children, depth + 1, visit);
        }
    }
}

/// A signature on one line: whitespace runs become one blank, and a very long one is cut.
pub(crate) fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(DETAIL) {
        Some((cut, _)) => format!("{}…", &line[..cut]),
        None => line,
    }
}

/// Under which symbol each one is listed: its own parent, unless that would nest too deep.
fn parents(outline: &engine::Outline) -> Vec<Option<SymbolId>> {
    let mut depths: Vec<usize> = Vec::new();
    let mut parents: Vec<Option<SymbolId>> = Vec::new();
    for (_, symbol) in outline.iter() {
        let is_too_deep = |parent: SymbolId| depths[parent.index()] + 1 >= DEPTH;
        let parent = match symbol.parent {
            Some(parent) if is_too_deep(parent) => parents[parent.index()],
            parent => parent,
        };
        depths.push(parent.map_or(0, |parent| depths[parent.index()] + 1));
        parents.push(parent);
    }
    parents
}
