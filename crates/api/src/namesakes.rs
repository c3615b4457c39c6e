//! Where the old name still stands after a rename: names that mean something else, comments, texts, and files that
//! nobody reads as code.

use std::path::Path;

use locant_engine::Document;
use locant_workspace::sweep::{Sweep, sweep};
use locant_workspace::words;

use crate::phrase::{Phrase, call, phrase};
use crate::preview::Changes;
use crate::show;

/// How many places are named.
const NAMED: usize = 5;

/// How many places of one file are counted, since a file may have millions.
const COUNTED: usize = 10_000;

/// A note that names the first places of the tree where the word stands and does not change.
pub(crate) fn note(word: &str, changes: &Changes) -> Option<Phrase> {
    let root = changes.reach.root.as_deref().filter(|_| !word.is_empty() && !changes.are_texts)?;
    let kept = |path: &str, text: &[u8]| {
        let file = changes.files.iter().find(|file| file.path == path);
        let changed = file.map(|file| &file.replacements[..]).unwrap_or_default();
        let changes = |at: usize| {
            let next = changed.partition_point(|one| one.range.start().index() <= at);
            next.checked_sub(1).is_some_and(|last| at < changed[last].range.end().index())
        };
        let all = words(text, word.as_bytes()).filter(|at| !changes(*at));
        let kept: Vec<usize> = all.take(COUNTED).collect();
        (!kept.is_empty()).then(|| lines(path, text, &kept))
    };
    let swept = sweep(&Sweep { root: Path::new(root), wants: &|_| true }, kept);
    let places: Vec<(&str, u32)> = swept
        .found
        .iter()
        .flat_map(|(path, lines)| lines.iter().map(move |line| (path.as_str(), *line)))
        .collect();
    let n_more = places.len().saturating_sub(NAMED);
    let mut named: Vec<String> =
        places.iter().take(NAMED).map(|(path, line)| format!("{}:{line}", show::path(path))).collect();
    if n_more > 0 {
        named.push(format!("{n_more} more"));
    }
    (!named.is_empty()).then(|| {
        phrase![
            format!("`{word}` also stands in places that do not change: {}; ", show::listed(&named)),
            call("search").with("text", word),
            " shows them",
        ]
    })
}

/// The lines of places in a text.
fn lines(path: &str, text: &[u8], places: &[usize]) -> Vec<u32> {
    let Ok(document) = Document::new(path, text) else { return Vec::new() };
    let place = |at: &usize| u32::try_from(*at).ok().map(locant_engine::Offset::new);
    places.iter().filter_map(place).map(|offset| document.text().line_of(offset)).collect()
}
