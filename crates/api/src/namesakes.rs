//! Where the old name still occurs after a rename: as a name that means something else, in comments and texts, and in
//! files that are not read as code.

use std::path::Path;

use locant_engine::{Document, Offset};
use locant_workspace::preview::Store;
use locant_workspace::sweep::{Sweep, sweep};
use locant_workspace::words;

use crate::grouped::{line_around, numbers};
use crate::phrase::{Phrase, call, phrase};
use crate::preview::{ChangedFile, Changes};
use crate::show;

/// Up to how many places are listed one by one.
const FEW: usize = 10;

/// How many places of one file are counted, since a file may have millions.
const COUNTED: usize = 10_000;

/// Where a word stays in a file.
struct Kept {
    /// The lines of the places in code, a line for each place.
    in_code: Vec<u32>,
    /// The other places, in comments, strings and prose: each line with what is near the word.
    texts: Vec<(u32, String)>,
}

/// A note about the places of the tree where the word stands and does not change. Comments and strings are quoted,
/// because they may be about what has a new name. Code is only counted: who answers has read it and left it out.
pub(crate) fn note(word: &str, changes: &Changes) -> Option<Phrase> {
    let may_change = !word.is_empty() && !changes.are_texts && !changes.files.is_empty();
    let root = changes.reach.root.as_deref().filter(|_| may_change)?;
    // If the cache is inside of the project, its previews contain the word, too. They do not count.
    let store = Store::of_user().ok();
    let wants = |path: &str| !store.as_ref().is_some_and(|store| store.has(&Path::new(root).join(path)));
    let swept = sweep(&Sweep { root: Path::new(root), wants: &wants }, |path, text| {
        kept(word, path, text, changes.files.iter().find(|file| file.path == path))
    });
    let said: Vec<String> = [in_texts(&swept.found), in_code(&swept.found)].into_iter().flatten().collect();
    (!said.is_empty()).then(|| {
        phrase![
            format!("`{word}` stays {}; `", said.join("; and ")),
            call("search").with("text", word),
            "` shows all",
        ]
    })
}

/// The places in comments, strings and texts: few of them with their lines, many as a number.
fn in_texts(found: &[(String, Kept)]) -> Option<String> {
    let quoted = |path: &str, kept: &Kept| -> Vec<String> {
        let quote =
            |(line, text): &(u32, String)| format!("{}:{line} {}", show::path(path), show::code(text));
        kept.texts.iter().map(quote).collect()
    };
    let places = few_or_many(found, |kept| kept.texts.len(), quoted)?;
    Some(format!("in comments, strings and texts: {places}"))
}

/// The places in code: few of them by their lines, many as a number.
fn in_code(found: &[(String, Kept)]) -> Option<String> {
    let lines = |path: &str, kept: &Kept| vec![format!("{}{}", show::path(path), numbers(&kept.in_code))];
    let places = few_or_many(found, |kept| kept.in_code.len(), lines)?;
    Some(format!("in code, not known to be the same name: {places}"))
}

/// Places one by one, if they are few. More than a reader looks at are counted.
fn few_or_many(
    found: &[(String, Kept)],
    count: impl Fn(&Kept) -> usize,
    listed: impl Fn(&str, &Kept) -> Vec<String>,
) -> Option<String> {
    let files: Vec<&(String, Kept)> = found.iter().filter(|(_, kept)| count(kept) > 0).collect();
    let n_places: usize = files.iter().map(|(_, kept)| count(kept)).sum();
    Some(match (n_places, &files[..]) {
        (0, _) => return None,
        (..=FEW, _) => {
            files.iter().flat_map(|(path, kept)| listed(path, kept)).collect::<Vec<_>>().join(", ")
        }
        (n, [(path, _)]) => format!("{n} places of {}", show::path(path)),
        (n, files) => format!("{n} places of {} files", files.len()),
    })
}

/// Where the word stays in a file, if it does.
fn kept(word: &str, path: &str, text: &[u8], file: Option<&ChangedFile>) -> Option<Kept> {
    let places: Vec<usize> =
        words(text, word.as_bytes()).filter(|at| !is_changed(file, *at)).take(COUNTED).collect();
    let document = Document::new(path, text).ok().filter(|_| !places.is_empty())?;
    let code = document.code_only();
    let is_code = |at: &usize| {
        let code = code.as_ref().and_then(|code| code.text().bytes().get(*at..at + word.len()));
        code == Some(word.as_bytes())
    };
    let (in_code, in_texts): (Vec<usize>, Vec<usize>) = places.into_iter().partition(is_code);
    let line_of = |at: Offset| document.text().line_of(at);
    let mut texts: Vec<(u32, String)> =
        offsets(in_texts).map(|at| (line_of(at), line_around(&document, at))).collect();
    texts.dedup_by_key(|(line, _)| *line);
    Some(Kept { in_code: offsets(in_code).map(line_of).collect(), texts })
}

/// Whether a change of the file covers this place.
fn is_changed(file: Option<&ChangedFile>, at: usize) -> bool {
    let changed = file.map(|file| &file.replacements[..]).unwrap_or_default();
    let next = changed.partition_point(|one| one.range.start().index() <= at);
    next.checked_sub(1).is_some_and(|last| at < changed[last].range.end().index())
}

fn offsets(places: Vec<usize>) -> impl Iterator<Item = Offset> {
    places.into_iter().filter_map(|at| u32::try_from(at).ok().map(Offset::new))
}
