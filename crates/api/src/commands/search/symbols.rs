//! The symbols of a tree that fit a query, ranked.

use std::collections::HashMap;
use std::sync::Arc;

use globset::GlobMatcher;
use locant_engine::{self as engine, Document, Offset, SymbolKind};
use locant_workspace::query::Query;
use locant_workspace::sweep::Tally;

use super::{FEW, Found};
use crate::commands::outline::{kinds, one_line};
use crate::failure::Failure;
use crate::files::{Files, Source, language};
use crate::flags::Flags;
use crate::paging::{Paging, Part};
use crate::path_pattern::{is_pattern, pattern};
use crate::symbol_search::{Filter, named_at, ranked};
use crate::whole_tree::WholeTree;
use crate::wire;

/// Which symbols are requested.
pub(super) struct Wanted {
    kinds: Vec<SymbolKind>,
    within: Vec<Within>,
    language: Option<&'static str>,
}

/// A condition on the path of a file.
enum Within {
    /// The file is below this folder. The path starts from the root and ends with `/`.
    Folder(String),
    /// The path matches this pattern.
    Pattern(GlobMatcher),
}

impl Wanted {
    pub(super) fn new(
        kinds_asked: &[String],
        within: &[String],
        tree: &WholeTree,
        flags: &Flags,
    ) -> Result<Wanted, Failure> {
        let language = language(flags)?.map(engine::Reader::name);
        let within = within.iter().map(|folder| Within::new(folder, tree));
        Ok(Wanted { kinds: kinds(kinds_asked)?, within: within.collect::<Result<_, _>>()?, language })
    }
}

impl Filter for Wanted {
    fn has_file(&self, path: &str) -> bool {
        self.within.is_empty() || self.within.iter().any(|within| within.has(path))
    }

    fn has_language(&self, language: &str) -> bool {
        self.language.is_none_or(|asked| asked == language)
    }

    fn is_whole(&self) -> bool {
        self.within.is_empty()
    }

    fn has_kind(&self, kind: SymbolKind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }
}

impl Within {
    fn new(folder: &str, tree: &WholeTree) -> Result<Within, Failure> {
        if is_pattern(folder) {
            return pattern(folder).map(Within::Pattern);
        }
        let below = tree.below(folder).or_else(|| tree.is_there(folder).then(|| folder.to_owned()));
        let below = below.unwrap_or_else(|| folder.to_owned());
        let below = below.trim_matches('/');
        Ok(Within::Folder(if below.is_empty() || below == "." { String::new() } else { format!("{below}/") }))
    }

    fn has(&self, path: &str) -> bool {
        match self {
            Within::Folder(folder) => path.starts_with(folder) || path == folder.trim_end_matches('/'),
            Within::Pattern(pattern) => pattern.is_match(path),
        }
    }
}

/// Finds the symbols of a tree that fit a query, best first. Returns the requested part of them, and which files were
/// searched.
pub(super) fn search(
    query: &str,
    wanted: &Wanted,
    tree: &WholeTree,
    paging: Paging,
    flags: &Flags,
    files: &Files,
) -> Result<(Vec<Found>, Part, Tally), Failure> {
    let query = Query::new(query).ok_or_else(super::nothing_asked)?;
    let ranked = ranked(&query, wanted, tree);
    let part = paging.part_of(ranked.len(), FEW);
    let mut documents = HashMap::new();
    let items = ranked.part(part.first, part.end).filter_map(|(path, start)| {
        let open = || open(&tree.shown(path), flags, files);
        let document = documents.entry(path).or_insert_with(open).clone()?;
        found(&document, start, flags)
    });
    Ok((items.collect(), part, ranked.tally.clone()))
}

fn open(path: &str, flags: &Flags, files: &Files) -> Option<Arc<Document>> {
    files.open(Source { path, text: None }, flags).ok()
}

/// A symbol in the form of the answer.
fn found(document: &Document, start: Offset, flags: &Flags) -> Option<Found> {
    let (id, symbol) = named_at(document, start)?;
    let outline = document.outline()?;
    Some(Found {
        name: symbol.name.clone(),
        kind: symbol.kind.word(),
        path: outline.path(id).into_iter().map(str::to_owned).collect(),
        file_path: document.path().to_owned(),
        position: wire::position(document, start, flags.encoding()),
        offset: start.to_u32(),
        location: wire::location(document, start),
        line_text: wire::line_text(document, start),
        detail: one_line(&document.text().lossy(symbol.header)),
        is_place: false,
        within: String::new(),
        shown: String::new(),
    })
}
