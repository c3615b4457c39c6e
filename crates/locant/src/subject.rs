//! What a request is about: a file, and a place in it.

mod memory;

use std::collections::BTreeMap;
use std::sync::Arc;

use clap::Args;
use locant_engine::{self as engine, Document, Location, Relocation, Resolution, Scope, Segment};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::failure::{Failure, Kind};
use crate::files::{Files, Source};
use crate::flags::{Encoding, Flags};
use crate::git;
use crate::wire::{self, Candidate, How, Spoken, Status};
use memory::{Memory, OldText};

/// What a request is about. On the command line this is the location alone.
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
    /// What `describe` gave as `anchor`, in place of a location: finds the place again after its file has changed;
    /// on the command line the name of a file that holds it
    #[arg(long, value_name = "FILE", value_parser = wire::Anchor::of_argument)]
    pub anchor: Option<wire::Anchor>,
    /// The text in which the location was written: its place is found again in the text as it is now.
    #[arg(skip)]
    pub old_text: Option<String>,
    /// The texts of several files by their paths, in place of what is on disk.
    #[arg(skip)]
    pub files: Option<BTreeMap<String, String>>,
}

/// A document and the location to look for in it.
pub(crate) struct Place {
    /// The file.
    pub document: Arc<Document>,
    /// What to look for. Its path is the document's.
    pub location: Location,
    /// Was a match chosen by its number?
    is_chosen: bool,
    /// What is known of it from before.
    pub memory: Memory,
}

/// A place in a file.
pub(crate) struct Opened {
    pub place: Place,
    /// The name that the file had, if it is deleted.
    pub was: Option<String>,
}

/// A place and how it was found.
pub(crate) struct Located {
    /// The place.
    pub found: engine::Found,
    /// How.
    pub how: How,
}

impl Subject {
    /// Reads the file and the words.
    pub(crate) fn open(self, flags: &Flags, files: &Files) -> Result<Place, Failure> {
        match (self.open_also_deleted(flags, files)?, &flags.from) {
            (Opened { place, was: Some(was) }, Some(rev)) => Err(deleted(&was, rev, place.document.path())),
            (Opened { place, .. }, _) => Ok(place),
        }
    }

    /// The same also for a file that was deleted since the revision of `--from`: then it is read as it was there.
    pub(crate) fn open_also_deleted(mut self, flags: &Flags, files: &Files) -> Result<Opened, Failure> {
        let coordinates = self.coordinates()?;
        let names = self.locate.as_ref().and_then(Spoken::names).map(<[String]>::to_vec);
        let (mut location, anchor) = self.words(flags, files)?;
        let mut old_text = self.take_old_text(flags)?;
        let mut was = None;
        if let (Some(rev), None) = (&flags.from, &self.text)
            && !location.path.is_empty()
            && !files.exists(&location.path, flags)
            && let Some((text, last)) = renamed(&location.path, rev, flags)
        {
            old_text = Some(text);
            let path = std::mem::replace(&mut location.path, last);
            was = Some(path).filter(|_| !files.exists(&location.path, flags));
        }
        let given = self.text.or_else(|| self.files.as_mut()?.remove(&location.path));
        let given = given.map(String::into_bytes).or_else(|| was.as_ref().and(old_text.clone()));
        let source = Source { path: &location.path, text: given };
        let document = files.open(source, flags).map_err(|failure| with_paths(failure, &location))?;
        location.path = document.path().to_owned();
        if let (Some(rev), None) = (&flags.from, &old_text) {
            old_text = Some(git::show(rev, &location.path, flags)?);
        }
        let old_source = old_text.map(|text| Source { path: &location.path, text: Some(text) });
        let old = old_source.map(|source| files.open(source, flags)).transpose()?;
        let written_in = old.as_ref().unwrap_or(&document);
        if let Some(path) = names.and_then(|names| as_named(written_in, names)) {
            location.scope = Some(Scope::Symbol(path));
        }
        if let Some((start, end)) = coordinates {
            location.scope = Some(coordinate_scope(written_in, start, end, flags)?);
        }
        let is_chosen = flags.find_index.is_some() || location.find_index > 0;
        let memory = match (anchor, old) {
            (Some(_), Some(_)) => return Err(anchor_and_old_text()),
            (None, Some(old)) => {
                let place =
                    Place { document: old, location: location.clone(), is_chosen, memory: Memory::Nothing };
                Memory::of_old_text(place, &document, flags)?
            }
            (Some(anchor), None) => {
                Memory::Anchor(Box::new(engine::Anchor { location: location.clone(), ..anchor }))
            }
            (None, None) if flags.fuzzy && location.says_what_is_there() => Memory::Words,
            (None, None) => Memory::Nothing,
        };
        Ok(Opened { place: Place { document, location, is_chosen, memory }, was })
    }

    /// The location that was said or is in the anchor, and the anchor.
    fn words(&mut self, flags: &Flags, files: &Files) -> Result<(Location, Option<engine::Anchor>), Failure> {
        let (named, texts) = (self.file_path.take(), self.files.as_ref());
        // A text that came with the request means the same in every folder, so nothing on disk is asked about.
        let is_on_disk = |path: &str| self.text.is_none() && files.exists(path, flags);
        let exists = |path: &str| {
            named.as_deref() == Some(path)
                || texts.is_some_and(|texts| texts.contains_key(path))
                || is_on_disk(path)
        };
        let anchor = self.anchor.take().map(|anchor| anchor.read(&exists)).transpose()?;
        let is_spoken = self.locate.is_some();
        let spoken = self.locate.take().map(|spoken| spoken.location(&exists)).transpose()?;
        let mut location = meant(spoken, anchor.as_ref())?.unwrap_or_default();
        let names_nothing = location.path.is_empty() && location.scope.is_none() && location.find.is_none();
        match named {
            Some(path) => location.path = path,
            None if names_nothing && is_spoken => return Err(empty_location()),
            None if names_nothing => return Err(no_place()),
            None => {}
        }
        match (flags.find_index, &anchor) {
            (Some(_), Some(_)) => return Err(anchor_and_number()),
            (Some(index), None) => location.find_index = index as usize,
            (None, _) => {}
        }
        Ok((location, anchor))
    }

    fn take_old_text(&mut self, flags: &Flags) -> Result<Option<Vec<u8>>, Failure> {
        match self.old_text.take() {
            Some(_) if flags.from.is_some() => {
                Err(Failure::invalid("the request has `old_text` and `from`", "give one of them"))
            }
            old_text => Ok(old_text.map(String::into_bytes)),
        }
    }

    /// The coordinates given in place of a location.
    fn coordinates(&self) -> Result<Option<(wire::Position, Option<wire::Position>)>, Failure> {
        let coordinates = match (self.position, self.range) {
            (None, None) => return Ok(None),
            (Some(position), None) => (position, None),
            (None, Some(range)) => (range.start, Some(range.end)),
            (Some(_), Some(_)) => {
                return Err(Failure::invalid("the request has a position and a range", "give one of them"));
            }
        };
        match (&self.locate, &self.file_path) {
            (Some(_), _) => Err(Failure::invalid(
                "the request has a location and a position",
                "give `locate`, or `file_path` with `position`",
            )),
            (None, None) => Err(Failure::invalid("the position has no file", "give `file_path` beside it")),
            (None, Some(_)) => Ok(Some(coordinates)),
        }
    }
}

impl Place {
    /// The place, or why there is none.
    pub(crate) fn locate(&self, flags: &Flags) -> Result<engine::Found, Failure> {
        Ok(self.located(flags)?.found)
    }

    /// The place and how it was found, or why there is none.
    pub(crate) fn located(&self, flags: &Flags) -> Result<Located, Failure> {
        let relocation = match &self.memory {
            Memory::Nothing => {
                let found = self.as_written(flags)?;
                return Ok(Located { found, how: How::EXACT });
            }
            // A number says which of those that are there now.
            Memory::Words
                if self.is_chosen
                    && let Ok(found) = self.as_written(flags) =>
            {
                return Ok(Located { found, how: How::EXACT });
            }
            Memory::Words => engine::relocate_words(&self.document, &self.location),
            Memory::Anchor(anchor) => engine::relocate(&self.document, anchor),
            Memory::OldText(old) => engine::relocate_from(&old.document, &self.document, &old.anchor),
        };
        let located = self.relocated(relocation, flags)?;
        Ok(match &self.memory {
            Memory::OldText(old) if old.n_meant > 1 => self.one_of_several(located, old),
            _ => located,
        })
    }

    /// A place that is found again, where its location meant others too.
    fn one_of_several(&self, Located { found, how }: Located, old: &OldText) -> Located {
        let found_again = |&offset: &engine::Offset| {
            let location = engine::describe(&old.document, offset)?.location;
            let anchor = engine::anchor(&old.document, offset, location)?;
            match engine::relocate_from(&old.document, &self.document, &anchor) {
                Relocation::Found { offset, .. } | Relocation::Renamed { offset, .. } => Some(offset),
                Relocation::Ambiguous(_) | Relocation::Gone(_) => None,
            }
        };
        let others = old.others.iter().filter_map(found_again);
        let others = others.map(|offset| engine::Candidate { offset, why: "matches".to_owned() }).collect();
        // Each of them is meant as probably as the others.
        let confidence = how.confidence.map(|confidence| rounded(confidence / old.n_meant as f64));
        let found = engine::Found { matches: old.n_meant, others, ..found };
        Located { found, how: How { confidence, ..how } }
    }

    /// What came of looking for a place again.
    fn relocated(&self, relocation: Relocation, flags: &Flags) -> Result<Located, Failure> {
        match relocation {
            Relocation::Found { offset, confidence, is_exact } => {
                let status = if is_exact { Status::Exact } else { Status::Relocated };
                let confidence = Some(rounded(confidence));
                let how = How { status, confidence, renamed: None };
                Ok(Located { found: self.word_at(offset), how })
            }
            Relocation::Renamed { offset, confidence, renaming } => {
                let (confidence, renamed) = (confidence.map(rounded), Some(renaming.into()));
                let how = How { status: Status::Renamed, confidence, renamed };
                Ok(Located { found: self.word_at(offset), how })
            }
            Relocation::Ambiguous(places) => {
                let hint = match self.as_written(flags) {
                    Ok(found) if places.first() == Some(&found.offset) => {
                        "it still leads to the first of these, but says too little to be sure that this is the same place"
                    }
                    _ => "it could be one of these, but none is sure enough",
                };
                Err(self.lost(Kind::Ambiguous, "is not sure in this text", hint, &places, flags))
            }
            Relocation::Gone(places) => {
                let hint = if places.is_empty() {
                    "what stood there is nowhere in this text"
                } else {
                    "these are most like it, but it is not likely to be one of them"
                };
                Err(self.lost(Kind::Gone, "is gone", hint, &places, flags))
            }
        }
    }

    /// A place that was found again, with the word that stands there.
    fn word_at(&self, offset: engine::Offset) -> engine::Found {
        let range = engine::word_at(&self.document, offset);
        engine::Found {
            offset,
            range,
            matches: 1,
            partial: false,
            has_other_parameters: false,
            symbol: None,
            others: Vec::new(),
        }
    }

    fn lost(&self, kind: Kind, what: &str, hint: &str, places: &[engine::Offset], flags: &Flags) -> Failure {
        let candidate = |&offset| engine::Candidate { offset, why: self.why(offset) };
        let candidates: Vec<engine::Candidate> = places.iter().map(candidate).collect();
        let candidates = wire::candidates(&self.document, &candidates, flags.encoding());
        Failure::new(kind, format!("`{}` {what}", self.location), hint).with_candidates(candidates)
    }

    /// Why a place is offered in place of one that was not found.
    fn why(&self, offset: engine::Offset) -> String {
        let old = match &self.memory {
            Memory::Anchor(anchor) => anchor.word_text(),
            Memory::OldText(old) => old.anchor.word_text(),
            Memory::Nothing | Memory::Words => None,
        };
        let new = self.document.text().lossy(engine::word_at(&self.document, offset));
        match old {
            Some(old) if old != new => format!("`{new}` stands where `{old}` was"),
            _ => "resembles it".to_owned(),
        }
    }

    /// The place that the location means in this text, or why there is none.
    fn as_written(&self, flags: &Flags) -> Result<engine::Found, Failure> {
        let resolution = engine::locate(&self.document, &self.location);
        self.found(resolution, flags, |found| {
            let first = engine::Candidate { offset: found.offset, why: "matches".to_owned() };
            let all: Vec<_> = std::iter::once(first).chain(found.others.iter().cloned()).take(10).collect();
            wire::candidates(&self.document, &all, flags.encoding())
        })
    }

    /// The stretch of text and how it was found, or why there is none.
    pub(crate) fn range(&self, flags: &Flags) -> Result<Located, Failure> {
        let mut how = How::EXACT;
        if !matches!(self.memory, Memory::Nothing) {
            let located = self.located(flags)?;
            how = located.how;
            if self.is_changed(how.confidence) && self.is_long() {
                return Err(only_start_is_found(&self.location));
            }
            if how.status != Status::Exact {
                return Ok(Located { found: self.stretch_at(located.found), how });
            }
        }
        let resolution = engine::range(&self.document, &self.location);
        let all = |found: &engine::Found| self.ranges(0..found.matches.min(10), flags.encoding());
        Ok(Located { found: self.found(resolution, flags, all)?, how })
    }

    /// Is the text another one than that which is remembered? An anchor is sure of its place only in the same.
    fn is_changed(&self, confidence: Option<f64>) -> bool {
        match &self.memory {
            Memory::Nothing => false,
            Memory::Words => true,
            Memory::Anchor(_) => confidence != Some(1.0),
            Memory::OldText(old) => old.document.text().bytes() != self.document.text().bytes(),
        }
    }

    /// Does the location mean a stretch of which a place does not tell the end?
    fn is_long(&self) -> bool {
        match (&self.location.scope, &self.location.find) {
            (Some(Scope::Lines { first, last }), None) => *last != Some(*first),
            (Some(Scope::Coordinate { end, .. }), None) => end.is_some(),
            _ => false,
        }
    }

    /// The stretch that the location means at a place which was found again.
    fn stretch_at(&self, found: engine::Found) -> engine::Found {
        let text = self.document.text();
        let range = match (&self.location.scope, &self.location.find) {
            (Some(Scope::Symbol(_)), None) => {
                let symbols = self.document.outline().map(engine::Outline::symbols).unwrap_or_default();
                let named = symbols.iter().find(|symbol| symbol.name_range.start() == found.offset);
                named.map(|symbol| symbol.extent)
            }
            (Some(Scope::Lines { .. }), None) => text.line_with_break(text.line_of(found.offset)),
            _ => None,
        };
        engine::Found { range: range.unwrap_or(found.range), ..found }
    }

    /// The stretches of text with these numbers. Each is found by its number, since the engine names other
    /// matches by their place only, and a location for the place would lead to another stretch.
    pub(crate) fn ranges(&self, indices: impl Iterator<Item = usize>, encoding: Encoding) -> Vec<Candidate> {
        let document = &*self.document;
        let candidate = |find_index| {
            let location = Location { find_index, ..self.location.clone() };
            let Resolution::Found(found) = engine::range(document, &location) else { return None };
            Some(Candidate {
                location: wire::range_location(document, found.range, found.offset),
                position: Some(wire::position(document, found.offset, encoding)),
                offset: Some(found.offset.to_u32()),
                line_text: Some(wire::line_text(document, found.offset)),
                why: "matches".to_owned(),
            })
        };
        indices.filter_map(candidate).collect()
    }

    /// The answer; `all` gives the candidates when there must be only one.
    fn found(
        &self,
        resolution: Resolution,
        flags: &Flags,
        all: impl Fn(&engine::Found) -> Vec<Candidate>,
    ) -> Result<engine::Found, Failure> {
        match resolution {
            // Who asks for a match by its number has chosen.
            Resolution::Found(found) if flags.strict && found.matches > 1 && !self.is_chosen => {
                Err(self.too_many(found.matches).with_candidates(all(&found)))
            }
            Resolution::Found(found) => Ok(found),
            Resolution::NotFound(doubt) => Err(self.doubtful(Kind::NotFound, doubt, flags)),
            Resolution::Ambiguous(doubt) => Err(self.doubtful(Kind::Ambiguous, doubt, flags)),
            Resolution::Unsupported(doubt) => Err(self.doubtful(Kind::Unsupported, doubt, flags)),
            Resolution::Invalid(invalid) => Err(invalid.into()),
        }
    }

    fn too_many(&self, n_matches: usize) -> Failure {
        Failure::new(
            Kind::Ambiguous,
            format!("`{}` matches {n_matches} places", self.location),
            "paste one of these, or pick by number: `--nth N` (`find_index`), from 0",
        )
    }

    fn doubtful(&self, kind: Kind, doubt: engine::Doubt, flags: &Flags) -> Failure {
        let candidates = wire::candidates(&self.document, &doubt.candidates, flags.encoding());
        let is_nameless = kind == Kind::Unsupported && self.document.path() == STDIN;
        let hint = if is_nameless { NAME_STDIN.to_owned() } else { doubt.hint };
        Failure::new(kind, doubt.message, hint).with_candidates(candidates)
    }
}

/// A confidence in thousandths, never more than it is.
fn rounded(confidence: f64) -> f64 {
    (confidence * 1000.0).floor() / 1000.0
}

/// The path of the names as they are, when one looks like a name with an index and a symbol is really called so.
fn as_named(document: &Document, names: Vec<String>) -> Option<Vec<Segment>> {
    let outline =
        if names.iter().any(|name| name.ends_with(']')) { document.outline()? } else { return None };
    let is_called_so = |id| outline.path(id).ends_with(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let is_there = outline.iter().any(|(id, _)| is_called_so(id));
    is_there.then(|| names.into_iter().map(|name| Segment { name, index: None }).collect())
}

/// Standard input, where it has no name that would tell its language.
const STDIN: &str = "-";
const NAME_STDIN: &str =
    "say what file it would be: `--stdin-path NAME`, or name the language with `--language`";

/// The coordinate as a location would write it, which counts in UTF-16.
fn coordinate_scope(
    document: &Document,
    start: wire::Position,
    end: Option<wire::Position>,
    flags: &Flags,
) -> Result<Scope, Failure> {
    let in_utf16 = |position: wire::Position| {
        let offset = offset(document, position, flags)?;
        let in_utf16 = document.text().position(offset, engine::Encoding::Utf16);
        in_utf16.ok_or_else(|| no_such_position(document, position, flags))
    };
    Ok(Scope::Coordinate { start: in_utf16(start)?, end: end.map(in_utf16).transpose()? })
}

pub(crate) fn offset(
    document: &Document,
    position: wire::Position,
    flags: &Flags,
) -> Result<engine::Offset, Failure> {
    if position.line == 0 || position.character == 0 {
        return Err(Failure::invalid(
            format!("there is no position {}:{}", position.line, position.character),
            "lines and characters count from 1",
        ));
    }
    let offset = document.text().offset(position.into(), flags.encoding().into());
    offset.ok_or_else(|| no_such_position(document, position, flags))
}

fn no_such_position(document: &Document, position: wire::Position, flags: &Flags) -> Failure {
    let text = document.text();
    let encoding = engine::Encoding::from(flags.encoding());
    let hint = match text.line_content(position.line) {
        None => format!("the last line is {}", text.n_lines()),
        Some(line) => match text.position(line.end(), encoding) {
            Some(end) if position.character > end.character => {
                format!("line {} ends at {end} in {encoding}", position.line)
            }
            _ => format!("that is inside a character when counted in {encoding}"),
        },
    };
    let message = format!("{} has no position {}:{}", document.path(), position.line, position.character);
    Failure::new(Kind::NotFound, message, hint)
}

/// The location that is meant. A bare file beside an anchor says where to look.
fn meant(spoken: Option<Location>, anchor: Option<&engine::Anchor>) -> Result<Option<Location>, Failure> {
    match (spoken, anchor) {
        (spoken, None) => Ok(spoken),
        (None, Some(anchor)) => Ok(Some(anchor.location.clone())),
        (Some(Location { path, scope: None, find: None, .. }), Some(anchor)) => {
            Ok(Some(Location { path, ..anchor.location.clone() }))
        }
        (Some(_), Some(_)) => Err(two_places()),
    }
}

/// The text of a file in a revision, and the last name that it had since; `None` where it was not there.
fn renamed(path: &str, rev: &str, flags: &Flags) -> Option<(Vec<u8>, String)> {
    let text = git::show_as_written(rev, path, flags).ok()?;
    Some((text, git::renamed(rev, path, flags).unwrap_or_else(|| path.to_owned())))
}

fn deleted(path: &str, rev: &str, last: &str) -> Failure {
    Failure::new(
        Kind::Gone,
        format!("the file `{path}` was there in `{rev}` and is not any more"),
        format!("`git log --diff-filter=D -- {last}` says since when"),
    )
}

/// Missing files are suggested as paths; in the answer they become the whole location, ready to paste.
fn with_paths(mut failure: Failure, location: &Location) -> Failure {
    for candidate in &mut failure.candidates {
        let path = std::mem::take(&mut candidate.location);
        candidate.location = Location { path, ..location.clone() }.to_string();
    }
    failure
}

fn only_start_is_found(location: &Location) -> Failure {
    Failure::new(
        Kind::Unsupported,
        format!("the file has changed, and of `{location}` only the start can be found again"),
        "ask `locate` for it, or name a symbol",
    )
}

fn anchor_and_old_text() -> Failure {
    Failure::invalid(
        "the request has an anchor and an old text",
        "give one of them: an anchor needs no old text",
    )
}

fn anchor_and_number() -> Failure {
    Failure::invalid(
        "the request has an anchor and the number of a match",
        "an anchor means one place: leave `--nth` (`find_index`) out",
    )
}

fn two_places() -> Failure {
    Failure::invalid(
        "the request has a location and an anchor",
        "give one of them: the anchor has a location in it, and a bare file beside it says where to look",
    )
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
