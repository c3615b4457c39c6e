//! The symbols of one document as they are serialized: nested, each with its path and its location.

use std::collections::HashMap;

use locant_engine::{self as engine, Document, Location, SymbolId};
use schemars::JsonSchema;
use serde::Serialize;

use super::filter::Filter;
use crate::encoding::Encoding;
use crate::paging::{Paging, Part};
use crate::wire;

/// How deep symbols are nested in an answer. Each level is an object in a list, and many JSON readers refuse more than
/// about 128 levels. Deeper symbols are listed at the last level, with their whole paths.
const DEPTH: usize = 48;

/// How deep a listed symbol may be nested in the source. Without a limit, the paths of all symbols could take the
/// square of the text's size.
const DEEPEST: usize = 1000;

/// How many characters of a signature are quoted.
const DETAIL: usize = 300;

/// One named declaration.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Symbol {
    /// The name of the symbol.
    pub name: String,
    /// The kind of the symbol: class, function, method …
    pub kind: &'static str,
    /// The names of the enclosing symbols, followed by its own name.
    pub path: Vec<String>,
    /// From its first attached comment, decorator or modifier to its end.
    pub range: wire::Range,
    /// The range of the name.
    pub selection_range: wire::Range,
    /// Where the name starts, as a number of bytes from the start of the file.
    pub offset: u32,
    /// The signature on one line.
    pub detail: String,
    /// A location that leads to the name.
    pub location: String,
    /// The scope of `location`: the path, with an index if several symbols have the same path.
    #[serde(skip)]
    pub scope: String,
    /// How many characters of the signature the text for people shows.
    #[serde(skip)]
    pub shown: usize,
    /// The members of the symbol.
    pub children: Vec<Symbol>,
}

/// How many characters of a signature people are shown.
const SHOWN: usize = 100;

impl Symbol {
    /// The line and column of the name.
    pub(super) fn coordinate(&self) -> String {
        let wire::Position { line, character } = self.selection_range.start;
        format!("{line}:{character}")
    }

    /// The name of the symbol, with the index that a location needs if several symbols have the same path. At the last
    /// listed level it is the whole path, since the parent may be listed beside the symbol and not above it.
    pub(super) fn title(&self, depth: usize) -> String {
        let number = self.scope.strip_suffix(']').and_then(|scope| scope.rsplit_once('['));
        match number {
            // The parents of these symbols are not listed above them.
            _ if depth == 0 || depth + 1 >= DEPTH => self.scope.clone(),
            Some((_, number)) if !self.name.ends_with(']') => format!("{}[{number}]", self.name),
            _ => self.name.clone(),
        }
    }

    /// The signature, if it says more than the kind and the name.
    pub(super) fn signature(&self) -> Option<String> {
        let rest = self.detail.replacen(&self.name, " ", 1);
        let mut words = rest.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let says_more = words.any(|word| word != self.kind);
        let cut =
            self.detail.char_indices().nth(self.shown).map(|(cut, _)| format!("{}…", &self.detail[..cut]));
        says_more.then(|| cut.unwrap_or_else(|| self.detail.clone()))
    }
}

/// The symbols that an answer lists.
pub(super) struct Listed {
    pub(super) symbols: Vec<Symbol>,
    /// Which part of all symbols is listed. Parents come before their members.
    pub(super) part: Part,
    /// The note about symbols that are nested too deep.
    pub(super) note: Option<String>,
}

/// Which symbols of a document are requested, and how.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'f> {
    pub(super) encoding: Encoding,
    pub(super) filter: &'f Filter,
    /// If given, only the symbol whose name starts here and its members are listed.
    pub(super) top: Option<engine::Offset>,
    pub(super) paging: Paging,
}

/// How many symbols of a file are listed by default. No file written by people has more.
const MOST: usize = 50_000;

/// The symbols of a document; `None` when locant does not read its language.
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

    // The path is quoted once here, if necessary, and not for each symbol.
    let file = Location { path: document.path().to_owned(), ..Location::default() }.to_string();
    // Going from the last symbol to the first, the members of a symbol are complete before the symbol is reached.
    let mut members: HashMap<Option<SymbolId>, Vec<Symbol>> = HashMap::new();
    for (id, location) in locations.into_iter().rev() {
        let symbol = outline.get(id);
        let scope = location.scope.as_ref().map(ToString::to_string).unwrap_or_default();
        let mut children = members.remove(&Some(id)).unwrap_or_default();
        children.reverse();
        // The parent may be on an earlier page, or outside of the requested symbol.
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

/// For each symbol, whether it is the one whose name starts at `top`, or is inside of that one.
fn below(outline: &engine::Outline, top: engine::Offset) -> Vec<bool> {
    let is_top = |(_, symbol): &(SymbolId, &engine::Symbol)| symbol.name_range.start() == top;
    let top = outline.iter().find(is_top).map(|(id, _)| id);
    let mut is_below: Vec<bool> = Vec::new();
    for (id, symbol) in outline.iter() {
        // A symbol comes after its parent.
        is_below.push(Some(id) == top || symbol.parent.is_some_and(|parent| is_below[parent.index()]));
    }
    is_below
}

/// Visits symbols with their depth, parents first.
pub(super) fn walk(symbols: &[Symbol], visit: &mut dyn FnMut(&Symbol, usize)) {
    go(symbols, 0, visit);

    // The recursion is bounded, because the nesting of the symbols is.
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

/// The symbol under which each symbol is listed: its own parent, unless that would nest too deep.
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
