//! The symbols of a whole tree that fit a query, ranked.

use std::cmp::Reverse;

use locant_engine::{Document, Offset, Outline, Symbol, SymbolId, SymbolKind};
use locant_workspace::catalog::sweep_symbols;
use locant_workspace::query::{Place, Query, Seen};
use locant_workspace::sweep::{Sweep, Tally, may_have_symbols};

use crate::whole_tree::WholeTree;

/// Which symbols are asked for.
pub(crate) trait Filter: Sync {
    /// Whether a file is, by its path from the root.
    fn has_file(&self, path: &str) -> bool;

    /// Whether a language is.
    fn has_language(&self, language: &str) -> bool;

    /// Whether all files are, so that what is known of others can be forgotten.
    fn is_whole(&self) -> bool;

    /// Whether a kind of symbols is.
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

/// The symbols that fit, and which files were looked at.
pub(crate) struct Ranked {
    files: Vec<String>,
    /// The best first.
    symbols: Vec<Fitting>,
    pub(crate) tally: Tally,
}

/// A symbol that fits. A tree may have millions, so little is kept of each.
struct Fitting {
    score: u32,
    /// The number of its file.
    file: u32,
    /// Where its name starts. Its number among the symbols may be another in the exact outline.
    start: Offset,
}

impl Ranked {
    /// How many fit.
    pub(crate) fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Some of them, by the path of the file from the root.
    pub(crate) fn part(&self, first: usize, end: usize) -> impl Iterator<Item = (&str, Offset)> {
        self.symbols[first..end].iter().map(|one| (self.files[one.file as usize].as_str(), one.start))
    }
}

/// Ranks the symbols of a tree that fit a query.
pub(crate) fn ranked(query: &Query, filter: &dyn Filter, tree: &WholeTree) -> Ranked {
    let wants = |path: &str| filter.has_file(path) && may_have_symbols(path);
    let sweep = Sweep { root: &tree.root, wants: &wants };
    let swept = sweep_symbols(&sweep, filter.is_whole(), |path, language, outline| {
        let is_asked = filter.has_language(language);
        let fitting = if is_asked { fitting(query, filter, path, outline) } else { Vec::new() };
        (!fitting.is_empty()).then_some(fitting)
    });
    let mut ranked = Ranked { files: Vec::new(), symbols: Vec::new(), tally: swept.tally };
    for (file, (path, fitting)) in (0..).zip(swept.found) {
        ranked.files.push(path);
        ranked.symbols.extend(fitting.into_iter().map(|(score, start)| Fitting { score, file, start }));
    }
    // Files are in the order of their paths.
    ranked.symbols.sort_by_key(|one| (Reverse(one.score), one.file, one.start));
    ranked
}

fn fitting(query: &Query, filter: &dyn Filter, path: &str, outline: &Outline) -> Vec<(u32, Offset)> {
    let place = Place::new(path);
    let mut fitting = Vec::new();
    for (symbol, declared) in outline.iter().filter(|(_, declared)| filter.has_kind(declared.kind)) {
        let path = outline.path(symbol);
        let score = query.score(Seen { path: &path, kind: declared.kind, place: &place });
        fitting.extend(score.map(|score| (score, declared.name_range.start())));
    }
    fitting
}

/// The symbol of a document whose name starts at a place.
pub(crate) fn named_at(document: &Document, start: Offset) -> Option<(SymbolId, &Symbol)> {
    document.outline()?.iter().find(|(_, symbol)| symbol.name_range.start() == start)
}
