//! The places of a tree where a find matches, each with the symbol around it.

use locant_engine::{self as engine, Document, Offset, Range};
use locant_workspace::query::Place;
use locant_workspace::sweep::{Sweep, Tally, sweep};

use super::symbols::Wanted;
use super::{FEW, Found};
use crate::failure::Failure;
use crate::flags::Flags;
use crate::grouped::line_around;
use crate::paging::{Paging, Part};
use crate::symbol_search::Filter as _;
use crate::whole_tree::WholeTree;
use crate::wire;
use crate::word_filter::may_match;

/// How many places of one file are kept, since a file may have millions.
const KEPT: usize = 10_000;

/// Finds the places where a find matches. Returns the requested part of them, and which files were searched.
pub(super) fn search(
    find: &str,
    is_code: bool,
    wanted: &Wanted,
    tree: &WholeTree,
    paging: Paging,
    flags: &Flags,
) -> Result<(Vec<Found>, Part, Tally), Failure> {
    let wants = |path: &str| wanted.has_file(path);
    let swept = sweep(&Sweep { root: &tree.root, wants: &wants }, |path, bytes| {
        if !may_match(bytes, find) {
            return None;
        }
        let document =
            Document::new(path, bytes).ok().filter(|document| wanted.has_language(document.language()))?;
        let found = engine::matches(&document, find, KEPT);
        let found = if is_code && found.total > 0 { in_code(&document, find)? } else { found };
        (found.total > 0 && !found.are_partial).then_some(found)
    });
    let mut files: Vec<&(String, engine::Matches)> = swept.found.iter().collect();
    files.sort_by_key(|(path, _)| (Place::new(path).is_aside(), path));
    let total = files.iter().map(|(_, found)| found.first.len()).sum();
    let part = paging.part_of(total, FEW);
    let all = files.iter().flat_map(|(path, found)| found.first.iter().map(move |one| (path.as_str(), *one)));
    let items = items(all.skip(part.first).take(part.end - part.first), tree, flags);
    Ok((items, part, swept.tally))
}

/// The matches of a find, without those in comments and strings.
fn in_code(document: &Document, find: &str) -> Option<engine::Matches> {
    Some(engine::matches(&document.code_only()?, find, KEPT))
}

fn items<'f>(
    all: impl Iterator<Item = (&'f str, (Range, Offset))>,
    tree: &WholeTree,
    flags: &Flags,
) -> Vec<Found> {
    let mut last: Option<(&str, Document)> = None;
    let mut items = Vec::new();
    for (path, (_, place)) in all {
        if last.as_ref().is_none_or(|(known, _)| *known != path) {
            last = open(path, tree).map(|document| (path, document));
        }
        let document = last.as_ref().filter(|(known, _)| *known == path);
        items.extend(document.map(|(_, document)| found(document, place, flags)));
    }
    items
}

fn open(path: &str, tree: &WholeTree) -> Option<Document> {
    let bytes = locant_workspace::reading::read_text(&tree.on_disk(path)).ok()?;
    Document::new(tree.shown(path), bytes).ok()
}

/// A place in the form of the answer, with the symbol around it.
fn found(document: &Document, place: Offset, flags: &Flags) -> Found {
    let description = engine::describe(document, place);
    let symbol = description.as_ref().and_then(|description| description.symbol);
    let outline = document.outline();
    let kind = symbol.and_then(|symbol| Some(outline?.get(symbol).kind.word()));
    let path = symbol.and_then(|symbol| Some(outline?.path(symbol)));
    let path: Vec<String> = path.unwrap_or_default().into_iter().map(str::to_owned).collect();
    let line_text = wire::line_text(document, place);
    // The line of a declaration says what it declares.
    let declares =
        symbol.zip(outline).is_some_and(|(id, outline)| outline.get(id).name_range.start() == place);
    let n_around = path.len() - usize::from(declares && !path.is_empty());
    Found {
        within: path[..n_around].join("."),
        shown: line_around(document, place),
        name: path.last().cloned().unwrap_or_default(),
        kind: kind.unwrap_or_default(),
        path,
        file_path: document.path().to_owned(),
        position: wire::position(document, place, flags.encoding()),
        offset: place.to_u32(),
        location: match description {
            Some(description) => description.location.to_string(),
            None => wire::location(document, place),
        },
        detail: line_text.trim().to_owned(),
        is_place: true,
        line_text,
    }
}
