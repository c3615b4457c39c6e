//! Finds the symbols of a whole tree that fit a query, and ranks them.

use std::cmp::Reverse;

use locant_engine::{Document, Offset, Outline, Symbol, SymbolId, SymbolKind};
use locant_workspace::catalog::{Asked, Names, sweep_symbols};
use locant_workspace::query::{Place, Query, Seen};
use locant_workspace::sweep::{Sweep, Tally, may_have_symbols};

use crate::whole_tree::WholeTree;

/// Which symbols are requested.
pub(crate) trait Filter: Sync {
    /// Whether this file is included. The path starts from the root.
    fn has_file(&self, path: &str) -> bool;

    /// Whether files in this language are included.
    fn has_language(&self, language: &str) -> bool;

    /// Whether all files are included. Then the catalog can forget files that are not met.
    fn is_whole(&self) -> bool;

    /// Whether symbols of this kind are included.
    fn has_kind(&self, kind: SymbolKind) -> bool;
}

/// All symbols.
pub(crate) struct Everything;

impl Filter for Everything {
    fn has_file(&self, _: &str) -> bool {
        true
    }

    fn has_language(&self, _: &str) -> bool {
        true
    }

    fn is_whole(&self) -> bool {
        true
    }

    fn has_kind(&self, _: SymbolKind) -> bool {
        true
    }
}

/// The symbols that fit, and which files were searched.
pub(crate) struct Ranked {
    files: Vec<String>,
    /// The symbols, best first.
    symbols: Vec<Fitting>,
    pub(crate) tally: Tally,
}

/// A symbol that fits. It is kept small, since a tree may have millions.
struct Fitting {
    score: u32,
    /// The index of its file.
    file: u32,
    /// Where its name starts. The exact outline finds the symbol by this, because symbol ids may differ there.
    start: Offset,
}

impl Ranked {
    /// How many symbols fit.
    pub(crate) fn len(&self) -> usize {
        self.symbols.len()
    }

    /// A part of the symbols: the path of each file from the root, and where the name starts.
    pub(crate) fn part(&self, first: usize, end: usize) -> impl Iterator<Item = (&str, Offset)> {
        self.symbols[first..end].iter().map(|one| (self.files[one.file as usize].as_str(), one.start))
    }
}

/// Ranks the symbols of a tree that fit a query.
pub(crate) fn ranked(query: &Query, filter: &dyn Filter, tree: &WholeTree) -> Ranked {
    let wants = |path: &str| filter.has_file(path) && may_have_symbols(path);
    let sweep = Sweep { root: &tree.root, wants: &wants };
    let swept = sweep_symbols(&sweep, filter.is_whole(), &Search { query, filter });
    let mut ranked = Ranked { files: Vec::new(), symbols: Vec::new(), tally: swept.tally };
    for (file, (path, fitting)) in (0..).zip(swept.found) {
        ranked.files.push(path);
        ranked.symbols.extend(fitting.into_iter().map(|(score, start)| Fitting { score, file, start }));
    }
    // Files are numbered in the order of their paths.
    ranked.symbols.sort_by_key(|one| (Reverse(one.score), one.file, one.start));
    ranked
}

/// A query, and which symbols it is about.
struct Search<'q> {
    query: &'q Query,
    filter: &'q dyn Filter,
}

impl Asked for Search<'_> {
    /// The score of each symbol that fits, and where its name starts.
    type Found = Vec<(u32, Offset)>;

    fn may_find(&self, language: &str, names: Names<'_>) -> bool {
        self.filter.has_language(language) && names.any(|own, above| self.query.may_fit(own, above))
    }

    fn look(&self, path: &str, language: &str, outline: &Outline) -> Option<Vec<(u32, Offset)>> {
        if !self.filter.has_language(language) {
            return None;
        }
        let place = Place::new(path);
        let mut fitting = Vec::new();
        for (symbol, declared) in outline.iter().filter(|(_, declared)| self.filter.has_kind(declared.kind)) {
            let path = outline.path(symbol);
            let score = self.query.score(Seen { path: &path, kind: declared.kind, place: &place });
            fitting.extend(score.map(|score| (score, declared.name_range.start())));
        }
        (!fitting.is_empty()).then_some(fitting)
    }
}

/// The symbol of a document whose name starts at a place.
pub(crate) fn named_at(document: &Document, start: Offset) -> Option<(SymbolId, &Symbol)> {
    document.outline()?.iter().find(|(_, symbol)| symbol.name_range.start() == start)
}
