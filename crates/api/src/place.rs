//! Finds a place: the target of its location in the current text, or where it has moved.

mod listing;
mod memory;

use std::iter;
use std::sync::{Arc, OnceLock};

use locant_engine::{self as engine, Document, Location, Reason, Relocation, Resolution, Scope, Wanted};

use crate::encoding::Encoding;
use crate::failure::{Failure, Kind, left_out};
use crate::flags::Flags;
use crate::hints;
use crate::how::{How, Status};
use crate::phrase::{Phrase, call, phrase, setting};
use crate::remark::Remark;
use crate::wire::{self, Candidate};
pub(crate) use listing::Listing;
pub(crate) use memory::Memory;
use memory::OldText;

/// A document and the location to look for in it.
pub(crate) struct Place {
    /// The file.
    pub document: Arc<Document>,
    /// The document in which finds are searched: the same, or only the code in it.
    pub searched: Arc<Document>,
    /// The location to look for. Its path is that of the document.
    pub location: Location,
    /// Whether the request chose a match by its number.
    pub is_chosen: bool,
    /// What is known about the place from an earlier text.
    pub memory: Memory,
    /// What the user should know about the choice of the file.
    pub note: Option<Phrase>,
    /// The result of looking for the place again, kept because the search takes long.
    pub again: OnceLock<Option<Relocation>>,
    /// Similar places in other files, if the place is gone from its own.
    pub elsewhere: Vec<Candidate>,
}

/// A place, and how it was found.
pub(crate) struct Located {
    /// The place.
    pub found: engine::Found,
    /// How the place was found.
    pub how: How,
}

impl Place {
    /// The place, or why there is none.
    pub(crate) fn locate(&self, flags: &Flags) -> Result<engine::Found, Failure> {
        Ok(self.sought(flags)?.found)
    }

    /// The place and how it was found, or why there is none.
    pub(crate) fn located(&self, flags: &Flags) -> Result<Located, Failure> {
        self.located_among(flags, Listing::default())
    }

    /// Finds the place as `located` does, with as many of the other matches as `listing` requests.
    pub(crate) fn located_among(&self, flags: &Flags, listing: Listing) -> Result<Located, Failure> {
        let located = self.sought(flags)?;
        let found = &located.found;
        let n_wanted = listing.n_listed(found, &self.document);
        let others = if n_wanted > found.others.len() && located.how.status == Status::Exact {
            let numbers = self.other_numbers(found).take(n_wanted);
            let matches = numbers.filter_map(|find_index| {
                let location = Location { find_index, ..self.location.clone() };
                let Resolution::Found(found) = engine::locate(&self.searched, &location) else { return None };
                Some(engine::Candidate { offset: found.offset, reason: Reason::MatchesAsWell })
            });
            matches.collect()
        } else {
            found.others.iter().take(n_wanted).cloned().collect::<Vec<_>>()
        };
        let others = wire::candidates(&self.document, &others, flags.encoding());
        let remarked = self.remarked(located, others);
        Ok(self.with_call("locate", listing, flags, remarked))
    }

    /// If not all other matches are listed, adds the call that lists them all.
    fn with_call(&self, command: &'static str, listing: Listing, flags: &Flags, located: Located) -> Located {
        // With `all`, no call would list more. For a place from an earlier text, no call lists the others.
        if listing.all || !matches!(self.memory, Memory::Nothing | Memory::Marks { .. }) {
            return located;
        }
        let Located { found, mut how } = located;
        let location = Location { find_index: 0, ..self.location.clone() };
        let mut all = call(command).with("locate", location.to_string());
        if !Arc::ptr_eq(&self.document, &self.searched) {
            all = all.with("code", "");
        }
        for (field, value) in [("root", &flags.root), ("language", &flags.language)] {
            all = value.iter().fold(all, |all, value| all.with(field, value));
        }
        let all = all.with("all", "");
        for (_, call) in how.remarks.iter_mut().filter_map(|remark| remark.more.as_mut()) {
            *call = Some(all.clone());
        }
        Located { found, how }
    }

    /// The indices of all matches except the one that was found.
    fn other_numbers(&self, found: &engine::Found) -> impl Iterator<Item = usize> {
        let chosen = self.location.find_index;
        (0..found.matches).filter(move |index| *index != chosen)
    }

    /// Adds all remarks on how the place was found.
    fn remarked(&self, Located { found, mut how }: Located, others: Vec<Candidate>) -> Located {
        let several = (found.matches > 1).then(|| Remark {
            said: self.number_of(found.matches).into(),
            leads: "; the others",
            more: Some((found.matches - 1).saturating_sub(others.len()))
                .filter(|n_more| *n_more > 0)
                .map(|n_more| (n_more, None)),
            places: others,
        });
        let partial = found.partial.then_some("the match cuts a word in two");
        let parameters = found.has_unread_parameters.then_some(UNREAD_PARAMETERS);
        how.remarks.extend(several);
        how.remarks.extend(self.note.clone().map(Remark::new));
        how.remarks.extend(partial.into_iter().chain(parameters).map(Remark::new));
        how.remarks.extend(wire::note(&self.document).map(Remark::new));
        how.note_misread(found.symbol.and_then(|symbol| engine::misread(&self.document, symbol)));
        how.note_change();
        Located { found, how }
    }

    /// Says which of several matches this is.
    fn number_of(&self, n_matches: usize) -> String {
        match self.location.find_index {
            0 => format!("this is the first of {n_matches} matches"),
            index => format!("this is number {index} of {n_matches} matches, counted from 0"),
        }
    }

    /// Finds the place, without remarks.
    fn sought(&self, flags: &Flags) -> Result<Located, Failure> {
        // If the request gives a number, it counts the matches in the current text.
        if matches!(self.memory, Memory::Words)
            && self.is_chosen
            && let Ok(found) = self.as_written(flags)
        {
            return Ok(Located { found, how: How::EXACT });
        }
        let Some(relocation) = self.again() else {
            return Ok(Located { found: self.as_written(flags)?, how: self.by_marks() });
        };
        let mut located = self.relocated(relocation.clone(), flags)?;
        if let Memory::OldText(old) = &self.memory {
            if old.is_elsewhere && located.how.status == Status::Exact {
                located.how.status = Status::Relocated;
            }
            if old.n_meant > 1 {
                return Ok(self.one_of_several(located, old));
            }
        }
        Ok(located)
    }

    /// How a place was found without a search for its surroundings: as written, or by the marks of its lines.
    fn by_marks(&self) -> How {
        match self.memory {
            Memory::Marks { have_moved: true } => {
                How { status: Status::Relocated, confidence: Some(BY_MARKS), ..How::EXACT }
            }
            _ => How::EXACT,
        }
    }

    /// The result of looking for the place again; `None` if the location was written for the current text.
    pub(crate) fn again(&self) -> Option<&Relocation> {
        let look = || match &self.memory {
            Memory::Nothing | Memory::Marks { .. } => None,
            Memory::Words => Some(engine::relocate_words(&self.document, &self.location)),
            Memory::Anchor(anchor) => Some(engine::relocate(&self.document, anchor)),
            Memory::OldText(old) => Some(engine::relocate_from(&old.document, &self.document, &old.anchor)),
            Memory::Elsewhere(relocation) => Some(relocation.clone()),
        };
        self.again.get_or_init(look).as_ref()
    }

    /// A place that was found again, whose location also matched other places in the old text.
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
        let others = others.map(|offset| engine::Candidate { offset, reason: Reason::Matches }).collect();
        // Each of these places is equally likely to be the one that was meant.
        let confidence = how.confidence.map(|confidence| rounded(confidence / old.n_meant as f64));
        let found = engine::Found { matches: old.n_meant, others, ..found };
        Located { found, how: How { confidence, ..how } }
    }

    /// The answer for the result of looking for a place again.
    fn relocated(&self, relocation: Relocation, flags: &Flags) -> Result<Located, Failure> {
        match relocation {
            Relocation::Found { offset, confidence, is_exact } => {
                let status = if is_exact { Status::Exact } else { Status::Relocated };
                let confidence = Some(rounded(confidence));
                let how = How { status, confidence, ..How::EXACT };
                Ok(Located { found: self.word_at(offset), how })
            }
            Relocation::Renamed { offset, confidence, renaming } => {
                let found = self.word_at(offset);
                let around = self.renamed_around(&found, &renaming);
                let (confidence, renamed) = (confidence.map(rounded), Some(renaming.into()));
                let how = How { status: Status::Renamed, confidence, renamed, around, ..How::EXACT };
                Ok(Located { found, how })
            }
            Relocation::Ambiguous(places) => {
                let hint = match self.as_written(flags) {
                    Ok(found) if places.first() == Some(&found.offset) => {
                        "it still leads to the first of these, but says too little to be sure that this is the same \
                         place"
                    }
                    _ => NONE_IS_SURE,
                };
                Err(self.lost(Kind::Ambiguous, "is not sure in this text", hint, &places, flags))
            }
            Relocation::Gone(places) => {
                let hint = if places.is_empty() && self.elsewhere.is_empty() {
                    "what stood there is nowhere in this text"
                } else {
                    NONE_IS_LIKELY
                };
                Err(self.lost(Kind::Gone, "is gone", hint, &places, flags))
            }
        }
    }

    /// A place that was found again, with the range of the word there.
    fn word_at(&self, offset: engine::Offset) -> engine::Found {
        let range = engine::word_at(&self.document, offset);
        engine::Found {
            offset,
            range,
            matches: 1,
            partial: false,
            has_unread_parameters: false,
            symbol: None,
            others: Vec::new(),
        }
    }

    /// The kind of the symbol that was renamed, if it is a symbol around the place and not the word at the place.
    fn renamed_around(&self, found: &engine::Found, renaming: &engine::Renaming) -> Option<&'static str> {
        if self.document.text().lossy(found.range) == renaming.new {
            return None;
        }
        let symbols = self.document.outline()?.symbols();
        let is_it =
            |symbol: &&engine::Symbol| symbol.name == renaming.new && symbol.extent.touches(found.offset);
        symbols.iter().find(is_it).map(|symbol| symbol.kind.word())
    }

    fn lost(
        &self,
        kind: Kind,
        what: &str,
        hint: &'static str,
        places: &[engine::Offset],
        flags: &Flags,
    ) -> Failure {
        let candidate = |&offset| engine::Candidate { offset, reason: self.reason(offset) };
        let candidates: Vec<engine::Candidate> = places.iter().map(candidate).collect();
        let here = wire::candidates(&self.document, &candidates, flags.encoding());
        let candidates = self.elsewhere.iter().cloned().chain(here).collect();
        // Two texts say less than all versions between them, so this suggests to go through the history.
        let in_history = match flags.from {
            Some(_) => phrase!["; `", call("track"), "` with the same words goes commit by commit"],
            None => Phrase::default(),
        };
        let hint = Phrase::from(hint).and(in_history);
        Failure::new(kind, format!("`{}` {what}", self.location), hint).with_candidates(candidates)
    }

    /// Why a place is offered instead of the one that was not found.
    fn reason(&self, offset: engine::Offset) -> Reason {
        match &self.memory {
            Memory::Anchor(anchor) => resemblance(anchor, &self.document, offset),
            Memory::OldText(old) => resemblance(&old.anchor, &self.document, offset),
            Memory::Nothing | Memory::Marks { .. } | Memory::Words | Memory::Elsewhere(_) => {
                Reason::Resembles
            }
        }
    }

    /// The place that the location means in the current text, or why there is none.
    fn as_written(&self, flags: &Flags) -> Result<engine::Found, Failure> {
        let resolution = engine::locate(&self.searched, &self.location);
        self.found(resolution, Wanted::Position, flags)
    }

    /// Whether the request names a file and no place in it.
    pub(crate) fn is_whole_file(&self) -> bool {
        let names_nothing = self.location.scope.is_none() && self.location.find.is_none();
        names_nothing && matches!(self.memory, Memory::Nothing)
    }

    /// The range that the location means and how it was found, or why there is none.
    pub(crate) fn range(&self, flags: &Flags) -> Result<Located, Failure> {
        self.range_among(flags, Listing::default())
    }

    /// Finds the range as `range` does, with as many of the other matches as `listing` requests.
    pub(crate) fn range_among(&self, flags: &Flags, listing: Listing) -> Result<Located, Failure> {
        let located = self.sought_range(flags)?;
        let n_listed = match located.how.status {
            Status::Exact => listing.n_listed(&located.found, &self.document),
            Status::Relocated | Status::Renamed => located.found.others.len(),
        };
        let numbers = self.other_numbers(&located.found).take(n_listed);
        let others = self.ranges(numbers, flags.encoding());
        let remarked = self.remarked(located, others);
        Ok(self.with_call("range", listing, flags, remarked))
    }

    fn sought_range(&self, flags: &Flags) -> Result<Located, Failure> {
        let mut how = self.by_marks();
        if !matches!(self.memory, Memory::Nothing | Memory::Marks { .. }) {
            let located = self.sought(flags)?;
            how = located.how;
            if self.is_changed(how.confidence) && self.is_long() {
                return Err(only_start_is_found(&self.location));
            }
            if how.status != Status::Exact {
                return Ok(Located { found: self.stretch_at(located.found), how });
            }
        }
        let resolution = engine::range(&self.searched, &self.location);
        Ok(Located { found: self.found(resolution, Wanted::Range, flags)?, how })
    }

    /// Whether the text has changed since the place was remembered. An anchor has full confidence only in an unchanged
    /// text.
    fn is_changed(&self, confidence: Option<f64>) -> bool {
        match &self.memory {
            Memory::Nothing | Memory::Marks { .. } => false,
            Memory::Words | Memory::Elsewhere(_) => true,
            Memory::Anchor(_) => confidence != Some(1.0),
            Memory::OldText(old) => old.document.text().bytes() != self.document.text().bytes(),
        }
    }

    /// Whether the location means a range whose end does not follow from its start.
    pub(crate) fn is_long(&self) -> bool {
        match (&self.location.scope, &self.location.find) {
            (Some(Scope::Lines { first, last }), None) => *last != Some(*first),
            (Some(Scope::Coordinate { end, .. }), None) => end.is_some(),
            _ => false,
        }
    }

    /// The range that the location means, at a place that was found again.
    fn stretch_at(&self, found: engine::Found) -> engine::Found {
        let text = self.document.text();
        match (&self.location.scope, &self.location.find) {
            (Some(Scope::Symbol(_)), None) => {
                let is_named = |symbol: &engine::Symbol| symbol.name_range.start() == found.offset;
                let named = self.document.outline().and_then(|outline| {
                    outline
                        .iter()
                        .find(|(_, symbol)| is_named(symbol))
                        .map(|(id, symbol)| (id, symbol.extent))
                });
                let (symbol, extent) = named.unzip();
                engine::Found { range: extent.unwrap_or(found.range), symbol, ..found }
            }
            (Some(Scope::Lines { .. }), None) => {
                let line = text.line_with_break(text.line_of(found.offset));
                engine::Found { range: line.unwrap_or(found.range), ..found }
            }
            _ => found,
        }
    }

    /// The ranges of the matches with these indices. Each is located by its index: the engine returns only the places
    /// of other matches, and a location made for a place could have another range.
    pub(crate) fn ranges(&self, indices: impl Iterator<Item = usize>, encoding: Encoding) -> Vec<Candidate> {
        let document = &*self.document;
        let candidate = |find_index| {
            let location = Location { find_index, ..self.location.clone() };
            let Resolution::Found(found) = engine::range(&self.searched, &location) else { return None };
            Some(Candidate {
                location: wire::range_location(document, found.range, found.offset),
                position: Some(wire::position(document, found.offset, encoding)),
                offset: Some(found.offset.to_u32()),
                line_text: Some(wire::line_text(document, found.offset)),
                why: "matches".into(),
            })
        };
        indices.filter_map(candidate).collect()
    }

    /// The first matches, for the failure when there are several and only one is allowed.
    fn first_matches(&self, found: &engine::Found, wanted: Wanted, flags: &Flags) -> Vec<Candidate> {
        match wanted {
            Wanted::Range => self.ranges(0..found.matches.min(10), flags.encoding()),
            Wanted::Position => {
                let first = engine::Candidate { offset: found.offset, reason: Reason::Matches };
                let all: Vec<_> = iter::once(first).chain(found.others.iter().cloned()).take(10).collect();
                wire::candidates(&self.document, &all, flags.encoding())
            }
        }
    }

    /// The place, or the failure for why there is none.
    fn found(&self, resolution: Resolution, wanted: Wanted, flags: &Flags) -> Result<engine::Found, Failure> {
        match resolution {
            // A request that gives the number of a match has chosen one.
            Resolution::Found(found) if flags.strict && found.matches > 1 && !self.is_chosen => {
                Err(self.too_many(found.matches).with_candidates(self.first_matches(&found, wanted, flags)))
            }
            Resolution::Found(found) => Ok(found),
            Resolution::NotFound(diagnosis) => {
                Err(self.without_place(Kind::NotFound, &diagnosis, wanted, flags))
            }
            Resolution::Ambiguous(diagnosis) => {
                Err(self.without_place(Kind::Ambiguous, &diagnosis, wanted, flags))
            }
            Resolution::Unsupported(diagnosis) => {
                Err(self.without_place(Kind::Unsupported, &diagnosis, wanted, flags))
            }
            Resolution::Invalid(invalid) => Err(invalid.into()),
        }
    }

    /// Whether only code is searched, and the place is in a comment or a string.
    fn is_outside_of_code(&self) -> bool {
        !Arc::ptr_eq(&self.document, &self.searched)
            && matches!(engine::locate(&self.document, &self.location), Resolution::Found(_))
    }

    fn too_many(&self, n_matches: usize) -> Failure {
        Failure::new(
            Kind::Ambiguous,
            format!("`{}` matches {n_matches} places", self.location),
            phrase!["paste one of these, or pick by number: `", setting("find_index", "N"), "`, from 0"],
        )
    }

    fn without_place(
        &self,
        kind: Kind,
        diagnosis: &engine::Diagnosis,
        wanted: Wanted,
        flags: &Flags,
    ) -> Failure {
        let missing = (kind == Kind::Unsupported).then(|| left_out(self.document.path())).flatten();
        if let Some(failure) = missing {
            return failure;
        }
        let is_nameless = kind == Kind::Unsupported && self.document.path() == STDIN;
        let hint = if is_nameless {
            let (name, language) = (setting("stdin_path", "NAME"), setting("language", "NAME"));
            phrase!["say what file it would be: `", name, "`, or name the language with `", language, "`"]
        } else if kind == Kind::NotFound && self.is_outside_of_code() {
            phrase!["it stands in a comment or a string: leave `", setting("code", ""), "` out"]
        } else {
            hints::words(&diagnosis.hints, self.document.path())
        };
        let candidates = self.offered(&diagnosis.candidates, wanted, flags.encoding());
        Failure::new(kind, diagnosis.message.clone(), hint).with_candidates(candidates)
    }

    /// Places that may be meant. If a range is wanted, their locations mean ranges, too: the location of a place alone
    /// may include words around it.
    fn offered(
        &self,
        candidates: &[engine::Candidate],
        wanted: Wanted,
        encoding: Encoding,
    ) -> Vec<Candidate> {
        let document = &*self.document;
        let mut written = wire::candidates(document, candidates, encoding);
        for (written, candidate) in written.iter_mut().zip(candidates) {
            if wanted == Wanted::Range && candidate.reason == Reason::NameAsText {
                let word = engine::word_at(document, candidate.offset);
                written.location = wire::range_location(document, word, candidate.offset);
            }
        }
        written
    }
}

/// How probable it is that lines found by their marks are the right ones, rounded down from docs/edits.md.
const BY_MARKS: f64 = 0.999;

/// The message for places that are offered when none is certain.
pub(crate) const NONE_IS_SURE: &str = "it could be one of these, but none is sure enough";

/// The message for places that are offered when the place is gone.
pub(crate) const NONE_IS_LIKELY: &str = "these are most like it, but it is not likely to be one of them";

const UNREAD_PARAMETERS: &str =
    "the parameters of this declaration were not compared with what is written beside its name";

/// How a place resembles the one that an anchor was made for.
pub(crate) fn resemblance(anchor: &engine::Anchor, document: &Document, offset: engine::Offset) -> Reason {
    let new = document.text().lossy(engine::word_at(document, offset));
    match anchor.word_text() {
        Some(old) if old != new => Reason::OtherWord { old: old.to_owned(), new: new.to_string() },
        _ => Reason::Resembles,
    }
}

/// A confidence in thousandths, rounded down.
fn rounded(confidence: f64) -> f64 {
    (confidence * 1000.0).floor() / 1000.0
}

/// The path of standard input if the request gives it no name. Its language cannot be seen from this path.
const STDIN: &str = "-";

fn only_start_is_found(location: &Location) -> Failure {
    Failure::new(
        Kind::Unsupported,
        format!("the file has changed, and of `{location}` only the start can be found again"),
        phrase!["ask `", call("locate"), "` for it, or name a symbol"],
    )
}
