//! What a request is about: a file, and a place in it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use clap::Args;
use locant_engine::{self as engine, Document, Location, Scope, Segment};
use locant_workspace::git::{self, Past};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::anywhere;
use crate::coordinates;
use crate::encoding::Encoding;
use crate::failure::{Failure, Kind};
use crate::files::{Files, Source};
use crate::flags::Flags;
use crate::moved::{self, Elsewhere, Lost};
use crate::nearest_files::{self, Holding};
use crate::phrase::{Phrase, call, phrase, setting};
use crate::place::{Memory, Place};
use crate::uri;
use crate::wire::{self, Candidate, GivenAnchor, Spoken};

/// What a request is about: a file, and a place in it. On the command line, this is the location alone.
#[derive(Args, Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Subject {
    /// The place: FILE:SCOPE@FIND, where SCOPE is a symbol path or lines and FIND is text with `<|>` at the place
    #[arg(value_name = "LOCATION", required_unless_present = "anchor")]
    pub locate: Option<Spoken>,
    /// The file: in place of the one the location names, or together with `position` or `range`.
    #[arg(skip)]
    pub file_path: Option<String>,
    /// A place by line and character, in place of a location.
    #[arg(skip)]
    pub position: Option<wire::Position>,
    /// A stretch of text by its two ends, in place of a location.
    #[arg(skip)]
    pub range: Option<wire::Range>,
    /// The text of the file, in place of what is on disk.
    #[arg(skip)]
    pub text: Option<String>,
    /// What `describe` gave, or its `anchor`, in place of a location: finds the place again after its file has changed;
    /// on the command line the name of a file that holds it
    #[arg(long, value_name = "FILE", value_parser = GivenAnchor::of_argument)]
    #[schemars(with = "Option<wire::Anchor>")]
    pub anchor: Option<GivenAnchor>,
    /// The text in which the location was written: its place is found again in the text as it is now.
    #[arg(skip)]
    pub old_text: Option<String>,
    /// Find only in code: leave comments and strings out
    #[arg(long)]
    pub code: bool,
    /// The texts of several files by their paths, in place of what is on disk.
    #[arg(skip)]
    pub files: Option<BTreeMap<String, String>>,
}

/// A place in a file, before it is searched for in other files.
pub(crate) struct Opened {
    pub place: Place,
    /// The file in the revision of `--from`, if that flag is given.
    pub past: Option<Past>,
    /// Why the file does not exist, if the place is known from an earlier text.
    pub missing: Option<Failure>,
}

/// How the request gives the place.
enum Said {
    /// As a location, or only as a file.
    Words,
    /// As a location whose symbol path is this list of names. A name such as `x[1]` may be an index, or really be the
    /// name.
    Names(Vec<String>),
    /// As a position, or as the two ends of a range.
    Coordinate(wire::Position, Option<wire::Position>),
    /// As an anchor.
    Anchor(Box<engine::Anchor>),
}

/// A file in its current and its old version.
struct Texts {
    now: Arc<Document>,
    /// The text for which the location was written, if it is not the current one.
    old: Option<Arc<Document>>,
    /// The file in the revision of `--from`, if that flag is given.
    past: Option<Past>,
    /// Why the file does not exist, if the place is known from an earlier text.
    missing: Option<Failure>,
}

impl Subject {
    /// Opens the file and reads the location. If the place is no longer in its file, the other files are searched.
    pub(crate) fn open(&self, flags: &Flags, files: &Files) -> Result<Place, Failure> {
        let Opened { place, past, missing } = self.open_also_deleted(flags, files)?;
        let missing = missing.or_else(|| {
            let (past, rev) = (past.as_ref().filter(|past| past.is_deleted)?, flags.from.as_ref()?);
            Some(deleted(past, rev))
        });
        let place = if self.looks_nowhere_else() {
            place
        } else {
            self.followed(place, missing.is_some(), flags, files)?
        };
        match missing {
            Some(failure) if !matches!(place.memory, Memory::Elsewhere(_)) => {
                let candidates =
                    if place.elsewhere.is_empty() { failure.candidates } else { place.elsewhere };
                Err(Failure { candidates, ..failure })
            }
            _ => Ok(place),
        }
    }

    /// Whether other files must not be searched. If the request brings texts, there are no other files; and a file
    /// given with an anchor is the one that is meant.
    fn looks_nowhere_else(&self) -> bool {
        let is_named = self.anchor.is_some() && (self.file_path.is_some() || self.locate.is_some());
        self.text.is_some() || self.files.is_some() || is_named
    }

    /// The place. If it is gone from its own file and was found in another one, the place in that file.
    fn followed(
        &self,
        place: Place,
        is_missing: bool,
        flags: &Flags,
        files: &Files,
    ) -> Result<Place, Failure> {
        let (anchor, old) = match &place.memory {
            Memory::Anchor(anchor) => (&**anchor, None),
            Memory::OldText(old) if old.n_meant == 1 => (&old.anchor, Some(&*old.document)),
            Memory::Nothing
            | Memory::Marks { .. }
            | Memory::Words
            | Memory::OldText(_)
            | Memory::Elsewhere(_) => return Ok(place),
        };
        let is_found = matches!(
            place.again(),
            Some(engine::Relocation::Found { .. } | engine::Relocation::Renamed { .. })
        );
        if !is_missing && is_found {
            return Ok(place);
        }
        let now = (!is_missing).then_some(&*place.document);
        let path = place.document.path();
        match moved::look(&Lost { anchor, old, now, path, rev: flags.from.as_deref() }, flags, files) {
            Elsewhere::Like(elsewhere) => Ok(Place { elsewhere, ..place }),
            Elsewhere::Several(elsewhere) => {
                let again = OnceLock::from(Some(engine::Relocation::Ambiguous(Vec::new())));
                Ok(Place { elsewhere, again, ..place })
            }
            Elsewhere::Found(document, relocation) => {
                let note = format!("it is not in `{path}` any more");
                let location = Location { path: document.path().to_owned(), ..place.location.clone() };
                let (searched, memory) = (self.searched(&document)?, Memory::Elsewhere(relocation));
                let (note, again) = (Some(note.into()), OnceLock::new());
                Ok(Place { document, searched, location, memory, note, again, ..place })
            }
        }
    }

    /// Opens the file as `open` does, but does not search other files. If the file was deleted since the revision of
    /// `--from`, its old version is used.
    pub(crate) fn open_also_deleted(&self, flags: &Flags, files: &Files) -> Result<Opened, Failure> {
        let (location, said) = self.words(flags, files)?;
        let (location, note) = self.in_some_file(location, flags, files)?;
        if self.given_text(&location.path).is_none() {
            flags.admit(&location.path)?;
        }
        let Texts { now, old, past, missing } = self.texts(&location, flags, files)?;
        let written_in = old.as_ref().unwrap_or(&now);
        let scope = match &said {
            Said::Names(names) => as_named(written_in, names),
            Said::Coordinate(start, end) => Some(coordinate_scope(written_in, *start, *end, flags)?),
            Said::Words | Said::Anchor(_) => None,
        };
        let is_elsewhere = past.as_ref().is_some_and(|past| past.path != location.path);
        let location = Location { path: now.path().to_owned(), scope: scope.or(location.scope), ..location };
        let is_chosen = flags.find_index.is_some() || location.find_index > 0;
        let kept = match said {
            Said::Anchor(anchor) => {
                Memory::Anchor(Box::new(engine::Anchor { location: location.clone(), ..*anchor }))
            }
            Said::Words | Said::Names(_) | Said::Coordinate(..) => Memory::Nothing,
        };
        let (location, kept) = match kept {
            Memory::Nothing => found_marks(location, written_in, flags)?,
            kept => (location, kept),
        };
        let memory = match (kept, old) {
            (memory, Some(document)) => {
                let searched = self.searched(&document)?;
                let location = location.clone();
                let place = Place {
                    document,
                    searched,
                    location,
                    is_chosen,
                    memory,
                    note: None,
                    again: OnceLock::new(),
                    elsewhere: Vec::new(),
                };
                Memory::of_old_text(place, &now, is_elsewhere, flags)?
            }
            (Memory::Nothing, None) if flags.fuzzy && location.says_what_is_there() => Memory::Words,
            (kept, None) => kept,
        };
        let searched = self.searched(&now)?;
        let (again, elsewhere) = (OnceLock::new(), Vec::new());
        let place = Place { document: now, searched, location, is_chosen, memory, note, again, elsewhere };
        Ok(Opened { place, past, missing })
    }

    /// The document in which finds are searched.
    fn searched(&self, document: &Arc<Document>) -> Result<Arc<Document>, Failure> {
        if !self.code {
            return Ok(Arc::clone(document));
        }
        document.code_only().map(Arc::new).ok_or_else(|| no_code(document.path()))
    }

    /// The location, and how the request gives it.
    fn words(&self, flags: &Flags, files: &Files) -> Result<(Location, Said), Failure> {
        let file_path = self.file_path.as_deref().map(uri::path);
        let exists = |path: &str| {
            // A text in the request must mean the same in every folder, so the disk is not looked at.
            let is_on_disk = || self.text.is_none() && files.exists(path, flags);
            file_path.as_deref() == Some(path) || self.is_given(path) || is_on_disk()
        };
        let (mut location, said) = self.said(&exists)?;
        let names_nothing = location.path.is_empty() && location.scope.is_none() && location.find.is_none();
        match &file_path {
            Some(path) => location.path.clone_from(path),
            None if names_nothing && self.locate.is_some() => return Err(empty_location()),
            None if names_nothing => return Err(no_place()),
            None => {}
        }
        match (flags.find_index, &said) {
            (Some(_), Said::Anchor(_)) => return Err(anchor_and_number()),
            (Some(index), _) => location.find_index = index as usize,
            (None, _) => {}
        }
        Ok((location, said))
    }

    /// If the location names no existing file, finds the file that is meant.
    fn in_some_file(
        &self,
        location: Location,
        flags: &Flags,
        files: &Files,
    ) -> Result<(Location, Option<Phrase>), Failure> {
        let path = &location.path;
        let is_there = !path.is_empty() && (self.is_given(path) || files.exists(path, flags));
        // A place from a revision or an anchor may have been in a file with another name.
        let is_kept = self.anchor.is_some() || self.old_text.is_some();
        let is_of_past = !path.is_empty() && (flags.from.is_some() || is_kept);
        if self.text.is_some() || is_there || is_of_past {
            return Ok((location, None));
        }
        let given = self.files.as_ref();
        if let Some(module) = self.locate.as_ref().and_then(Spoken::module_path)
            && engine::Reader::for_file(path, b"").is_none()
            && let Ok(module) = Location::parse(&module, &|_| false)
            && let Some(found) = anywhere::found(None, &module, given, flags, files)?
        {
            return Ok(found);
        }
        let words = self.locate.as_ref().and_then(Spoken::words);
        let found = anywhere::found(words, &location, given, flags, files)?;
        Ok(found.unwrap_or((location, None)))
    }

    /// Whether the request brings the text of this file.
    fn is_given(&self, path: &str) -> bool {
        self.files.as_ref().is_some_and(|texts| texts.contains_key(path))
    }

    /// Reads the place in the one way in which the request gives it.
    fn said(&self, exists: &dyn Fn(&str) -> bool) -> Result<(Location, Said), Failure> {
        match (&self.locate, self.coordinate()?, &self.anchor) {
            (None, None, None) => Ok((Location::default(), Said::Words)),
            (Some(spoken), None, None) => {
                let said = spoken.names().map_or(Said::Words, |names| Said::Names(names.to_vec()));
                Ok((spoken.clone().location(exists)?, said))
            }
            (None, Some(_), None) if self.file_path.is_none() => Err(no_file()),
            (None, Some((start, end)), None) => Ok((Location::default(), Said::Coordinate(start, end))),
            (None, None, Some(anchor)) => {
                let anchor = anchor.read(exists)?;
                Ok((anchor.location.clone(), Said::Anchor(Box::new(anchor))))
            }
            // A file without a place, given with an anchor, is the file to look in.
            (Some(spoken), None, Some(anchor)) => match spoken.clone().location(exists)? {
                Location { path, scope: None, find: None, .. } => {
                    let anchor = anchor.read(exists)?;
                    Ok((Location { path, ..anchor.location.clone() }, Said::Anchor(Box::new(anchor))))
                }
                _ => Err(two_places()),
            },
            (Some(_), Some(_), _) => Err(location_and_position()),
            (None, Some(_), Some(_)) => Err(anchor_and_position()),
        }
    }

    /// The position, or the two ends of the range.
    fn coordinate(&self) -> Result<Option<(wire::Position, Option<wire::Position>)>, Failure> {
        match (self.position, self.range) {
            (None, None) => Ok(None),
            (Some(position), None) => Ok(Some((position, None))),
            (None, Some(range)) => Ok(Some((range.start, Some(range.end)))),
            (Some(_), Some(_)) => {
                Err(Failure::invalid("the request has a position and a range", "give one of them"))
            }
        }
    }

    /// The current version of the file, and the version for which the location was written.
    fn texts(&self, location: &Location, flags: &Flags, files: &Files) -> Result<Texts, Failure> {
        let old_text = self.given_old_text(flags)?;
        let past = self.past_elsewhere(&location.path, flags, files)?;
        let path = past.as_ref().map_or(&location.path, |past| &past.path);
        let given = self.given_text(path).map(|text| text.clone().into_bytes());
        let deleted = past.as_ref().filter(|past| past.is_deleted).map(|past| past.text.clone());
        let now = files.open(Source { path, text: given.or(deleted) }, flags);
        let now = now.map_err(|failure| self.with_new_name(with_places(failure, location, flags, files)));
        let (now, missing) = match now {
            Ok(now) => (now, None),
            // The place may be found in another file, so an empty document stands in for the missing one until then.
            Err(failure) if failure.kind == Kind::NoSuchFile && self.remembers(flags) => {
                let text = old_text.clone().unwrap_or_default();
                (files.open(Source { path, text: Some(text) }, flags)?, Some(failure))
            }
            Err(failure) => return Err(failure),
        };
        let past = match (past, &flags.from) {
            (None, Some(rev)) => Some(git::before(rev, now.path(), &flags.base())?),
            (past, _) => past,
        };
        let old_text = old_text.or_else(|| past.as_ref().map(|past| past.text.clone()));
        let old = old_text.map(|text| files.open(Source { path: now.path(), text: Some(text) }, flags));
        Ok(Texts { old: old.transpose()?, now, past, missing })
    }

    /// Whether the place is known without its file, and may be in another file.
    fn remembers(&self, flags: &Flags) -> bool {
        let is_kept = self.anchor.is_some() || self.old_text.is_some();
        is_kept && flags.from.is_none() && !self.looks_nowhere_else()
    }

    /// If the file named in an anchor does not exist, the hint says how to give its new name.
    fn with_new_name(&self, failure: Failure) -> Failure {
        if failure.kind != Kind::NoSuchFile || self.anchor.is_none() || self.file_path.is_some() {
            return failure;
        }
        let with_name = call("locate").with("file_path", "NEW").with("anchor", "FILE");
        let new_name = phrase!["; if it has another name now, give that beside the anchor: ", with_name];
        Failure { hint: failure.hint.and(new_name), ..failure }
    }

    /// The file in the revision of `--from`, if no file has this path now.
    fn past_elsewhere(&self, path: &str, flags: &Flags, files: &Files) -> Result<Option<Past>, Failure> {
        let is_here = path.is_empty() || self.given_text(path).is_some() || files.exists(path, flags);
        match &flags.from {
            Some(rev) if !is_here => Ok(git::since(rev, path, &flags.base())?),
            _ => Ok(None),
        }
    }

    /// The text of a file, if the request brings it.
    fn given_text(&self, path: &str) -> Option<&String> {
        self.text.as_ref().or_else(|| self.files.as_ref()?.get(path))
    }

    fn given_old_text(&self, flags: &Flags) -> Result<Option<Vec<u8>>, Failure> {
        match (&self.old_text, &flags.from) {
            (Some(_), Some(_)) => {
                Err(Failure::invalid("the request has `old_text` and `from`", "give one of them"))
            }
            (old_text, _) => Ok(old_text.as_ref().map(|text| text.clone().into_bytes())),
        }
    }
}

/// The location with the numbers that its marked lines have in a text.
fn found_marks(
    location: Location,
    document: &Document,
    flags: &Flags,
) -> Result<(Location, Memory), Failure> {
    let Some(Scope::Marked(marked)) = &location.scope else { return Ok((location, Memory::Nothing)) };
    let marks = engine::Marks::new(document.text());
    match marks.find(marked) {
        Ok(engine::MarkedLines { first, last, have_moved }) => {
            let scope = Some(Scope::Lines { first, last: Some(last) });
            Ok((Location { scope, ..location }, Memory::Marks { have_moved }))
        }
        Err(_) => Err(unmarked(&location, document, &marks, flags)),
    }
}

/// The failure for lines whose marks are gone, with the line that has the number now and its mark.
fn unmarked(location: &Location, document: &Document, marks: &engine::Marks, flags: &Flags) -> Failure {
    let (engine::Resolution::NotFound(diagnosis), checks) =
        (engine::locate(document, location), marks.checks())
    else {
        return Failure::new(Kind::Gone, format!("`{location}` is gone"), "read the lines again");
    };
    let with_mark = |candidate: Candidate| {
        let line = candidate.position.map(|position| position.line);
        let check = line.and_then(|line| Some((line, checks.get(line as usize - 1)?)));
        let scope = check.map(|(line, check)| {
            Scope::Marked(engine::Marked { first: engine::Mark { line, check: check.clone() }, last: None })
        });
        let now = Location { path: document.path().to_owned(), scope, ..Location::default() };
        Candidate { location: now.to_string(), ..candidate }
    };
    let candidates = wire::candidates(document, &diagnosis.candidates, flags.encoding());
    let hint = crate::hints::words(&diagnosis.hints, document.path());
    Failure::new(Kind::Gone, diagnosis.message, hint)
        .with_candidates(candidates.into_iter().map(with_mark).collect())
}

/// The scope for a list of names in which `x[1]` is a name and not an index. `None` if no symbol has these names.
fn as_named(document: &Document, names: &[String]) -> Option<Scope> {
    let outline =
        if names.iter().any(|name| name.ends_with(']')) { document.outline()? } else { return None };
    let is_called_so = |id| outline.path(id).ends_with(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let is_there = outline.iter().any(|(id, _)| is_called_so(id));
    let segment = |name: &String| Segment { name: name.clone(), index: None };
    is_there.then(|| Scope::Symbol(names.iter().map(segment).collect()))
}

/// A coordinate as a scope of a location, in UTF-16 units.
fn coordinate_scope(
    document: &Document,
    start: wire::Position,
    end: Option<wire::Position>,
    flags: &Flags,
) -> Result<Scope, Failure> {
    let in_utf16 = |position: wire::Position| {
        let offset = coordinates::offset(document, position, flags.encoding())?;
        let in_utf16 = document.text().position(offset, engine::Encoding::Utf16);
        in_utf16.ok_or_else(|| coordinates::no_such_position(document, position, flags.encoding()))
    };
    Ok(Scope::Coordinate { start: in_utf16(start)?, end: end.map(in_utf16).transpose()? })
}

fn deleted(past: &Past, rev: &str) -> Failure {
    Failure::new(
        Kind::Gone,
        format!("the file `{}` was there in `{rev}` and is not any more", past.given()),
        past.since_when(),
    )
}

/// Adds similar files to the failure for a missing file. If the location has a scope or a find, only files that have
/// the place are offered, each with the whole location to paste.
fn with_places(failure: Failure, location: &Location, flags: &Flags, files: &Files) -> Failure {
    if failure.kind != Kind::NoSuchFile {
        return failure;
    }
    let written = |path: String| Location { path, ..location.clone() };
    if location.scope.is_none() && location.find.is_none() {
        let quoted = |near: Candidate| Candidate { location: written(near.location).to_string(), ..near };
        let candidates = failure.candidates.into_iter().map(quoted).collect();
        return Failure { candidates, ..failure };
    }
    let (candidates, in_vain) = nearest_files::holding(&location.path, flags, |near| {
        let location = written(near.location);
        match files.open(Source { path: &location.path, text: None }, flags) {
            Ok(document) => held(&document, &location, near.why, flags.encoding()),
            Err(_) => Holding::Near(Vec::new()),
        }
    });
    let hint = match in_vain.as_slice() {
        [first, ..] if candidates.is_empty() => {
            failure.hint.and(format!("; `{first}` was looked into, but does not have this place"))
        }
        _ => failure.hint,
    };
    Failure { hint, candidates, ..failure }
}

/// Whether a file with a similar name has the place.
fn held(document: &Document, location: &Location, why: Cow<'static, str>, encoding: Encoding) -> Holding {
    let all = |diagnosis: engine::Diagnosis| wire::candidates(document, &diagnosis.candidates, encoding);
    match engine::locate(document, location) {
        engine::Resolution::Found(found) => Holding::Found(vec![Candidate {
            location: location.to_string(),
            position: Some(wire::position(document, found.offset, encoding)),
            offset: Some(found.offset.to_u32()),
            line_text: Some(wire::line_text(document, found.offset)),
            why,
        }]),
        engine::Resolution::Ambiguous(diagnosis) => Holding::Found(all(diagnosis)),
        engine::Resolution::NotFound(diagnosis) => Holding::Near(all(diagnosis)),
        engine::Resolution::Unsupported(_) | engine::Resolution::Invalid(_) => Holding::Near(Vec::new()),
    }
}

fn anchor_and_number() -> Failure {
    Failure::invalid(
        "the request has an anchor and the number of a match",
        phrase!["an anchor means one place: leave `", setting("find_index", "N"), "` out"],
    )
}

fn two_places() -> Failure {
    Failure::invalid(
        "the request has a location and an anchor",
        "give one of them: the anchor has a location in it, and a bare file beside it says where to look",
    )
}

fn location_and_position() -> Failure {
    Failure::invalid(
        "the request has a location and a position",
        "give `locate`, or `file_path` with `position`",
    )
}

fn anchor_and_position() -> Failure {
    Failure::invalid(
        "the request has an anchor and a position",
        "give one of them: an anchor means one place",
    )
}

fn no_code(path: &str) -> Failure {
    Failure::new(
        Kind::Unsupported,
        format!("`{path}` cannot be parsed, so that its comments and strings are not known"),
        phrase![
            "leave `",
            setting("code", ""),
            "` out, or name the language with `",
            setting("language", "NAME"),
            "`"
        ],
    )
}

fn no_file() -> Failure {
    Failure::invalid("the position has no file", "give `file_path` beside it")
}

fn empty_location() -> Failure {
    Failure::invalid(
        "the location names no file and no place",
        "write both: FILE:42, FILE:SYMBOL or FILE@TEXT",
    )
}

fn no_place() -> Failure {
    Failure::invalid(
        "the request names no place",
        "give `locate`: \"FILE:SCOPE@FIND\", or `file_path` with `position`",
    )
}
