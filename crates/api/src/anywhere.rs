//! Finds the file for a location that names no file, or only a part of a path.
//!
//! A file is meant if it is the only one that has the place. The bytes of all files are searched first, and only files
//! that contain the words of the location are parsed.

mod hit;
mod paths;
mod readings;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use locant_engine::{self as engine, Document, Location, Offset, Scope, Segment};
use locant_workspace::query::{Place, Query};
use locant_workspace::sweep::{Sweep, may_have_symbols, sweep};

use self::hit::{Hit, Strength, hit};
use self::paths::{Paths, is_foreign};
use self::readings::{Names, Reading, as_printed, as_symbol};
use crate::failure::{Failure, Kind};
use crate::files::{Files, Source};
use crate::flags::Flags;
use crate::path_pattern::is_pattern;
use crate::phrase::{Phrase, phrase, setting};
use crate::symbol_search::{Everything, named_at, ranked};
use crate::whole_tree::WholeTree;
use crate::wire::{self, Candidate};

/// How many places are offered when several fit.
const OFFERED: usize = 10;

/// The file that is meant, and the scope to look for in it. If the scope starts with names of modules, which only say
/// where the file is, they are left out.
struct Meant {
    path: String,
    scope: Option<Scope>,
    /// What the user should know about the choice of this file.
    note: Option<Phrase>,
}

/// Finds the file that is meant by a location without a file, or with a path that does not exist. Returns the location
/// in this file, and what the user should know about the choice; `None` when the location has a path and this path can
/// mean no file. `words` is the location as it was written, if it was written as one string.
///
/// `given` has the texts that came with the request. If it is `Some`, only these are searched.
pub(crate) fn found(
    words: Option<&str>,
    location: &Location,
    given: Option<&BTreeMap<String, String>>,
    flags: &Flags,
    files: &Files,
) -> Result<Option<(Location, Option<Phrase>)>, Failure> {
    let plain = meant(location, given, flags, files);
    let words = words.filter(|_| !location.path.is_empty());
    let (Some(words), Ok(None) | Err(_)) = (words, &plain) else {
        return Ok(plain?.map(|meant| meant.of(location)));
    };
    let tree = WholeTree::around(flags);
    let names = Names::new(&tree, given);
    let mut failure = None;
    for Reading { location, folders } in [as_printed(words, &names), as_symbol(words)].into_iter().flatten() {
        match meant(&location, given, flags, files) {
            Ok(Some(meant)) if folders.as_ref().is_none_or(|folders| folders.hold(&meant.path)) => {
                return Ok(Some(meant.of(&location)));
            }
            Err(error) if matches!(error.kind, Kind::Ambiguous) => failure = failure.or(Some(error)),
            Ok(_) | Err(_) => {}
        }
    }
    match (plain, failure) {
        (Ok(None), Some(failure)) => Err(failure),
        (plain, _) => Ok(plain?.map(|meant| meant.of(location))),
    }
}

impl Meant {
    /// The location in the file that is meant.
    fn of(self, location: &Location) -> (Location, Option<Phrase>) {
        (Location { path: self.path, scope: self.scope, ..location.clone() }, self.note)
    }
}

fn meant(
    location: &Location,
    given: Option<&BTreeMap<String, String>>,
    flags: &Flags,
    files: &Files,
) -> Result<Option<Meant>, Failure> {
    let tree = WholeTree::around(flags);
    if location.path.is_empty()
        && matches!(location.scope, Some(Scope::Lines { .. } | Scope::Coordinate { .. }))
    {
        return Err(line_of_no_file());
    }
    let Some(paths) = Paths::new(&location.path, &tree, given)? else { return Ok(None) };
    if let (Paths::Listed(paths), None, None) = (&paths, &location.scope, &location.find) {
        return only_file(location, paths, &tree);
    }
    let search = Search { location, tree: &tree, given, flags, files };
    let found = search.look(&paths);
    let meant = match (search.choose(found)?, &paths) {
        (Some(meant), _) => meant,
        // If only one file has this path, it is taken although it lacks the place: the failure then shows what the file
        // has instead.
        (None, Paths::Listed(paths)) if paths.len() == 1 => {
            Meant { path: search.shown(&paths[0]), scope: location.scope.clone(), note: None }
        }
        (None, _) => return Err(search.nothing()),
    };
    Ok(Some(Meant { note: foreign(&location.path, &meant.path), ..meant }))
}

/// The note for a path that seems to come from another machine.
fn foreign(path: &str, meant: &str) -> Option<Phrase> {
    is_foreign(path).then(|| format!("`{path}` is not here; this is `{meant}`").into())
}

/// The only file that a path without scope and find can mean.
fn only_file(location: &Location, paths: &[String], tree: &WholeTree) -> Result<Option<Meant>, Failure> {
    match paths {
        [] => Ok(None),
        [path] => {
            let note = foreign(&location.path, path);
            Ok(Some(Meant { path: tree.shown(path), scope: None, note }))
        }
        several => {
            let message = format!("`{}` may be one of {} files", location.path, several.len());
            let candidates = several.iter().take(OFFERED).map(|path| file(&tree.shown(path))).collect();
            Err(Failure::new(Kind::Ambiguous, message, "paste one of these").with_candidates(candidates))
        }
    }
}

fn file(path: &str) -> Candidate {
    let location = Location { path: path.to_owned(), ..Location::default() }.to_string();
    Candidate { location, position: None, offset: None, line_text: None, why: "ends so".into() }
}

/// What to look for, and where.
struct Search<'s> {
    location: &'s Location,
    tree: &'s WholeTree,
    given: Option<&'s BTreeMap<String, String>>,
    flags: &'s Flags,
    files: &'s Files,
}

impl Search<'_> {
    /// How well each file matches the location, with the path of the file.
    fn look(&self, paths: &Paths) -> Vec<(String, Hit)> {
        let needs_symbols = matches!(self.location.scope, Some(Scope::Symbol(_)));
        let wants = |path: &str| paths.have(path) && (!needs_symbols || may_have_symbols(path));
        let look = |path: &str, bytes: &[u8]| hit(self.location, path, bytes);
        match self.given {
            None => sweep(&Sweep { root: &self.tree.root, wants: &wants }, look).found,
            Some(given) => {
                let wanted = given.iter().filter(|(path, _)| wants(path));
                wanted.filter_map(|(path, text)| Some((path.clone(), look(path, text.as_bytes())?))).collect()
            }
        }
    }

    /// The path of a file as the user can use it in the next request.
    fn shown(&self, path: &str) -> String {
        if self.given.is_some() { path.to_owned() } else { self.tree.shown(path) }
    }

    /// The file that is meant, out of those that match a part of the location.
    fn choose(&self, mut found: Vec<(String, Hit)>) -> Result<Option<Meant>, Failure> {
        // Files of the source come before files of tests.
        found.sort_by_key(|(path, hit)| (Reverse(hit.strength), Place::new(path).is_aside()));
        let Some(best) = found.first().map(|(_, hit)| hit.strength) else { return Ok(None) };
        let n_best = found.iter().filter(|(_, hit)| hit.strength == best).count();
        // A single file that has the symbol but not the find is also chosen: the failure then shows what the symbol has
        // instead.
        if n_best == 1 && found[0].1.is_one {
            let (path, hit) = found.swap_remove(0);
            return Ok(Some(Meant { path: self.shown(&path), scope: hit.scope, note: None }));
        }
        found.retain(|(_, hit)| hit.strength > Strength::Symbol || best <= Strength::Symbol);
        Err(self.several(&found))
    }

    /// The failure when several places fit.
    fn several(&self, found: &[(String, Hit)]) -> Failure {
        let n_places: usize = found.iter().map(|(_, hit)| hit.places.len().max(1)).sum();
        let mut candidates = Vec::new();
        for (path, hit) in found {
            if candidates.len() >= OFFERED {
                break;
            }
            candidates.extend(self.candidates(path, hit));
        }
        candidates.truncate(OFFERED);
        let files = if found.len() == 1 { "1 file".to_owned() } else { format!("{} files", found.len()) };
        // If no symbol contains the find, none of them is the place.
        if found.iter().all(|(_, hit)| hit.strength <= Strength::Symbol) {
            let find = self.location.find.as_deref().unwrap_or_default();
            let message =
                format!("`{find}` is in none of the {n_places} symbols in {files} that may be meant");
            let hint = "name one of these with a text that it has";
            return Failure::new(Kind::NotFound, message, hint).with_candidates(candidates);
        }
        let message = format!("`{}` may be one of {n_places} places in {files}", self.location);
        let hint = if n_places > candidates.len() {
            "paste one of these, or name the file or more of the path"
        } else {
            "paste one of these"
        };
        Failure::new(Kind::Ambiguous, message, hint).with_candidates(candidates)
    }

    fn candidates(&self, path: &str, hit: &Hit) -> Vec<Candidate> {
        let shown = self.shown(path);
        let text = self.given.and_then(|given| given.get(path)).map(|text| text.clone().into_bytes());
        let Ok(document) = self.files.open(Source { path: &shown, text }, self.flags) else {
            return Vec::new();
        };
        let has_find = hit.strength > Strength::Symbol;
        let reason = if has_find { engine::Reason::Matches } else { engine::Reason::Resembles };
        let candidates: Vec<engine::Candidate> = hit
            .places
            .iter()
            .take(OFFERED)
            .map(|&offset| engine::Candidate { offset, reason: reason.clone() })
            .collect();
        wire::candidates(&document, &candidates, self.flags.encoding())
    }

    /// The failure when no file has the place.
    fn nothing(&self) -> Failure {
        let root = self.tree.written();
        let place = Location { path: String::new(), ..self.location.clone() };
        let which = match self.location.path.as_str() {
            "" => String::new(),
            pattern if is_pattern(pattern) => format!(" that fits `{pattern}`"),
            end => format!(" whose path ends with `{end}`"),
        };
        let message = format!("no file below `{root}`{which} has `{place}`");
        let near = match (&self.location.scope, self.given) {
            (Some(Scope::Symbol(names)), None) => self.near(names),
            _ => Vec::new(),
        };
        let hint = if near.is_empty() {
            phrase!["look elsewhere with `", setting("root", "DIR"), "`"]
        } else {
            "paste one of these".into()
        };
        Failure::new(Kind::NotFound, message, hint).with_candidates(near)
    }

    /// Symbols with similar names.
    fn near(&self, names: &[Segment]) -> Vec<Candidate> {
        let names: Vec<&str> = names.iter().map(|name| name.name.as_str()).collect();
        // The whole path is tried first. If no symbol resembles it, the last name is tried alone.
        let queries = [names.join("."), names.last().copied().unwrap_or_default().to_owned()];
        let ranked = queries.iter().filter_map(|query| Query::new(query)).find_map(|query| {
            let ranked = ranked(&query, &Everything, self.tree);
            (ranked.len() > 0).then_some(ranked)
        });
        let Some(ranked) = ranked else { return Vec::new() };
        let near = ranked.part(0, ranked.len().min(OFFERED));
        near.filter_map(|(path, start)| self.alike(path, start)).collect()
    }

    fn alike(&self, path: &str, offset: Offset) -> Option<Candidate> {
        let shown = self.tree.shown(path);
        let document = self.files.open(Source { path: &shown, text: None }, self.flags).ok()?;
        named_at(&document, offset)?;
        let candidate = engine::Candidate { offset, reason: engine::Reason::Resembles };
        wire::candidates(&document, &[candidate], self.flags.encoding()).pop()
    }
}

fn line_of_no_file() -> Failure {
    Failure::invalid("a line or a column without a file", "name the file in front of the `:`")
}

/// The names of a symbol path after the first `n_modules`.
fn after(names: &[Segment], n_modules: usize) -> Option<Scope> {
    let rest = &names[n_modules..];
    (!rest.is_empty()).then(|| Scope::Symbol(rest.to_vec()))
}

/// A document of the tree; `None` if the file is not text. Its symbols are skimmed from tokens, which may be inexact.
/// The file that is finally chosen is parsed exactly.
fn document(path: &str, bytes: &[u8]) -> Option<Document> {
    Document::new(path, bytes).ok().map(Document::skimmed)
}
