//! Where the old name still occurs after a rename: as a name that means something else, in comments and texts, and in
//! files that are not read as code.

use std::path::Path;

use locant_engine::Document;
use locant_workspace::preview::Store;
use locant_workspace::sweep::{Sweep, sweep};
use locant_workspace::words;

use crate::phrase::{Phrase, call, phrase};
use crate::preview::{ChangedFile, Changes};
use crate::show;

/// How many places are named.
const NAMED: usize = 5;

/// How many places of one file are counted, since a file may have millions.
const COUNTED: usize = 10_000;

/// A note that names the first places of the tree where the word occurs and does not change.
pub(crate) fn note(word: &str, changes: &Changes) -> Option<Phrase> {
    let root = changes.reach.root.as_deref().filter(|_| !word.is_empty() && !changes.are_texts)?;
    // If the cache is inside of the project, its previews contain the word, too. They do not count.
    let store = Store::of_user().ok();
    let wants = |path: &str| !store.as_ref().is_some_and(|store| store.has(&Path::new(root).join(path)));
    let swept = sweep(&Sweep { root: Path::new(root), wants: &wants }, |path, text| {
        kept(word, path, text, changes.files.iter().find(|file| file.path == path))
    });
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
            format!("`{word}` also stands in lines that do not change: {}; `", show::listed(&named)),
            call("search").with("text", word),
            "` shows them",
        ]
    })
}

/// The lines of a file in which the word occurs and does not change, if there are any.
fn kept(word: &str, path: &str, text: &[u8], file: Option<&ChangedFile>) -> Option<Vec<u32>> {
    let changed = file.map(|file| &file.replacements[..]).unwrap_or_default();
    let changes = |at: usize| {
        let next = changed.partition_point(|one| one.range.start().index() <= at);
        next.checked_sub(1).is_some_and(|last| at < changed[last].range.end().index())
    };
    let all = words(text, word.as_bytes()).filter(|at| !changes(*at));
    let kept: Vec<usize> = all.take(COUNTED).collect();
    (!kept.is_empty()).then(|| lines(path, text, &kept))
}

/// The lines of places in a text, each once.
fn lines(path: &str, text: &[u8], places: &[usize]) -> Vec<u32> {
    let Ok(document) = Document::new(path, text) else { return Vec::new() };
    let place = |at: &usize| u32::try_from(*at).ok().map(locant_engine::Offset::new);
    let mut lines: Vec<u32> =
        places.iter().filter_map(place).map(|offset| document.text().line_of(offset)).collect();
    lines.dedup();
    lines
}
