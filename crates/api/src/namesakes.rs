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

/// How many places in comments and strings are quoted, and up to how many in code are listed.
const QUOTED: usize = 10;

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

fn in_texts(found: &[(String, Kept)]) -> Option<String> {
    let places: Vec<String> = found
        .iter()
        .flat_map(|(path, kept)| kept.texts.iter().map(move |place| (path, place)))
        .map(|(path, (line, text))| format!("{}:{line} {}", show::path(path), show::code(text)))
        .collect();
    let n_more = places.len().saturating_sub(QUOTED);
    let more = if n_more > 0 { format!(" and {n_more} more") } else { String::new() };
    let quoted: Vec<String> = places.into_iter().take(QUOTED).collect();
    (!quoted.is_empty()).then(|| format!("in comments, strings and texts: {}{more}", quoted.join(", ")))
}

/// The places in code: few of them one by one, many as a number.
fn in_code(found: &[(String, Kept)]) -> Option<String> {
    let files: Vec<(&str, &[u32])> = found
        .iter()
        .map(|(path, kept)| (path.as_str(), &kept.in_code[..]))
        .filter(|(_, lines)| !lines.is_empty())
        .collect();
    let n_places: usize = files.iter().map(|(_, lines)| lines.len()).sum();
    let places = match (n_places, files.len()) {
        (0, _) => return None,
        (..=QUOTED, _) => {
            let lines = |(path, lines): &(&str, &[u32])| format!("{}{}", show::path(path), numbers(lines));
            files.iter().map(lines).collect::<Vec<_>>().join(", ")
        }
        (n, 1) => format!("{n} places of {}", show::path(files[0].0)),
        (n, n_files) => format!("{n} places of {n_files} files"),
    };
    Some(format!("in code, not known to be the same name: {places}"))
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
