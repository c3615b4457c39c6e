//! Finds the text that an edit means, also after the file has changed since the edit was written.
//!
//! An edit may carry what its author saw: a check in the location, an anchor, the old text, the revision, or the digest
//! of the file. If the file has changed since, the place is found again. If the result is not certain enough to write
//! there, the edit is refused, and the failure names the place as it is now.

use std::sync::Arc;

use locant_engine::{self as engine, Change, Document, Location, Offset, Resolution, Scope, Stretch};
use locant_workspace::preview::sha256;

use super::pasted;
use crate::failure::{Failure, Kind};
use crate::files::Files;
use crate::flags::Flags;
use crate::how::{How, Status};
use crate::phrase::Phrase;
use crate::place::{Located, Memory, Place};
use crate::subject::Subject;
use crate::wire;

/// The text that an edit means.
pub(crate) struct Target {
    /// The location as it was given.
    pub(crate) said: String,
    pub(crate) document: Arc<Document>,
    pub(crate) how: How,
    pub(crate) stretch: Stretch,
}

impl Target {
    /// Finds the text for this change. `sha256` is the digest of the file for which the location was written.
    pub(crate) fn find(
        subject: &Subject,
        change: &Change,
        sha256: Option<&str>,
        flags: &Flags,
        files: &Files,
    ) -> Result<Target, Failure> {
        // A command that changes files acts only if the location cannot mean another place.
        let flags = &Flags { strict: true, ..flags.clone() };
        let mut place =
            subject.open(flags, files).map_err(|failure| stale(failure, is_dated(subject, flags)))?;
        let is_known = sha256.map(|sha256| is_of(&place.document, sha256));
        if matches!(place.memory, Memory::Nothing) && is_known != Some(true) {
            place = remembered(place, is_known == Some(false), flags)?;
        }
        let remembers = !matches!(place.memory, Memory::Nothing);
        let (stretch, how) = found(&place, change, flags).map_err(|failure| stale(failure, remembers))?;
        let said = match &subject.locate {
            Some(spoken) => spoken.to_string(),
            None => place.location.to_string(),
        };
        Ok(Target { said, document: place.document, how, stretch })
    }
}

/// Whether the request says what its author saw.
fn is_dated(subject: &Subject, flags: &Flags) -> bool {
    subject.anchor.is_some() || subject.old_text.is_some() || flags.from.is_some()
}

fn is_of(document: &Document, sha256: &str) -> bool {
    self::sha256(document.text().bytes()).eq_ignore_ascii_case(sha256)
}

/// The place, to be found again by its words if it may have moved.
fn remembered(place: Place, is_stale: bool, flags: &Flags) -> Result<Place, Failure> {
    if engine::without_check(&place.document, &place.location).is_some() {
        return Ok(Place { memory: Memory::Words, ..place });
    }
    match is_stale {
        false => Ok(place),
        true if place.location.says_what_is_there() => Ok(Place { memory: Memory::Words, ..place }),
        true => Err(changed(&place, flags)),
    }
}

/// The failure for a location that says nothing by which it could be found again.
fn changed(place: &Place, flags: &Flags) -> Failure {
    let message = format!(
        "`{}` has changed since, and `{}` does not say what stood there",
        place.document.path(),
        place.location
    );
    let hint = "if the place below is the one, give it without the digest";
    // The candidate has the location as it was written, because the text there is what the edit would change.
    let now = place.locate(flags).ok().map(|found| wire::Candidate {
        location: place.location.to_string(),
        ..pasted(&place.document, found.offset, "stands there now")
    });
    Failure::new(Kind::Refused, message, hint).with_candidates(now.into_iter().collect())
}

/// If a place from an earlier text is not found again, the failure becomes a refusal of the edit.
fn stale(failure: Failure, remembers: bool) -> Failure {
    let is_about_place =
        matches!(failure.kind, Kind::Gone | Kind::Ambiguous | Kind::NotFound | Kind::Unsupported);
    if (remembers || failure.kind == Kind::Gone) && is_about_place {
        Failure { kind: Kind::Refused, ..failure }
    } else {
        failure
    }
}

fn found(place: &Place, change: &Change, flags: &Flags) -> Result<(Stretch, How), Failure> {
    let Located { found, how } = place.located(flags)?;
    refuse_unsure(place, found.offset, &how)?;
    let lines = match &place.location {
        Location { scope: Some(Scope::Lines { first, last }), find: None, .. } if *last != Some(*first) => {
            Some((*first, last.unwrap_or(u32::MAX)))
        }
        _ => None,
    };
    let stretch = match (&place.memory, how.status, lines) {
        (Memory::Nothing | Memory::Marks { .. }, ..) | (_, Status::Exact, None) => {
            let range = place.range(flags)?.found;
            engine::stretch(&place.document, &place.location, &range, found.offset)
        }
        (Memory::OldText(old), _, Some((first, last))) => {
            same_lines(&old.document, first, last, place, found.offset)?
        }
        (_, _, Some(_)) => return Err(only_start(place, found.offset)),
        (_, _, None) => stretch_again(place, change, found.offset)?,
    };
    Ok((stretch, how))
}

fn refuse_unsure(place: &Place, offset: Offset, how: &How) -> Result<(), Failure> {
    match how.confidence {
        Some(confidence) if confidence >= engine::WRITING => return Ok(()),
        // Another word is at the place. It may be the old one under a new name, but it is not what the author saw.
        None if how.status == Status::Renamed => return Err(other_text(place, offset)),
        None => return Ok(()),
        Some(_) => {}
    }
    let message = format!("`{}` is not sure enough in the text as it is now", place.location);
    let hint = "if it is the place below that you mean, give that";
    let now = pasted(&place.document, offset, "most probably the same place");
    Err(Failure::new(Kind::Refused, message, hint).with_candidates(vec![now]))
}

/// What the location means at a place that was found again.
fn stretch_again(place: &Place, change: &Change, offset: Offset) -> Result<Stretch, Failure> {
    let document = &place.document;
    let plain = engine::without_check(document, &place.location);
    let location = plain.as_ref().unwrap_or(&place.location);
    let is_insertion = matches!(change, Change::Before(_) | Change::After(_));
    match (&location.scope, &location.find) {
        (_, Some(find)) => match match_at(document, find, offset) {
            Some(found) => Ok(engine::stretch(document, location, &found, offset)),
            // Text is inserted at the marker. So it does not matter that the words around it have changed.
            None if is_insertion && engine::marker(find).is_some() => {
                Ok(Stretch::Text { range: engine::Range::empty(offset), mark: Some(offset) })
            }
            None => Err(other_text(place, offset)),
        },
        (Some(Scope::Lines { .. } | Scope::Marked(_)), None) => {
            let line = document.text().line_of(offset);
            Ok(Stretch::Lines { first: line, last: line })
        }
        (Some(Scope::Coordinate { end: None, .. }), None) => {
            Ok(Stretch::Text { range: engine::Range::empty(offset), mark: None })
        }
        (Some(Scope::Coordinate { .. }), None) => Err(only_start(place, offset)),
        (Some(Scope::Symbol(_) | Scope::Descriptor(_)) | None, None) => {
            let mut symbols = document.outline().into_iter().flat_map(|outline| outline.iter());
            let named = symbols.find(|(_, symbol)| symbol.name_range.start() == offset);
            named.map(|(id, _)| Stretch::Symbol(id)).ok_or_else(|| other_text(place, offset))
        }
    }
}

/// The match of a find that has its marker at this place.
fn match_at(document: &Document, find: &str, offset: Offset) -> Option<engine::Found> {
    let n_lines = u32::try_from(find.matches('\n').count()).unwrap_or(u32::MAX);
    let line = document.text().line_of(offset);
    let first = line.saturating_sub(n_lines).max(1);
    let last = line.saturating_add(n_lines).min(document.text().n_lines());
    let scope = Some(Scope::Lines { first, last: Some(last) });
    let location = |find_index| Location {
        path: document.path().to_owned(),
        scope: scope.clone(),
        find: Some(find.to_owned()),
        find_index,
    };
    let Resolution::Found(all) = engine::locate(document, &location(0)) else { return None };
    (0..all.matches).map(location).find_map(|location| match engine::locate(document, &location) {
        Resolution::Found(found) if found.offset == offset => match engine::range(document, &location) {
            Resolution::Found(range) => Some(range),
            _ => None,
        },
        _ => None,
    })
}

/// The same lines in the text as it is now, if none of them has changed.
fn same_lines(
    old: &Document,
    first: u32,
    last: u32,
    place: &Place,
    offset: Offset,
) -> Result<Stretch, Failure> {
    let (old, new) = (old.text(), place.document.text());
    let (last, start) = (last.min(old.n_lines()), new.line_of(offset));
    let are_same = (first..=last).zip(start..).all(|(old_line, new_line)| {
        match (old.line_content(old_line), new.line_content(new_line)) {
            (Some(one), Some(other)) => old.slice(one) == new.slice(other),
            _ => false,
        }
    });
    if are_same {
        Ok(Stretch::Lines { first: start, last: start + (last - first) })
    } else {
        Err(other_text(place, offset))
    }
}

fn other_text(place: &Place, offset: Offset) -> Failure {
    let message = format!("the text that `{}` means is another now", place.location);
    let hint = Phrase::from("look at it again; it stood at the place below");
    let now = pasted(&place.document, offset, "stands there now");
    Failure::new(Kind::Refused, message, hint).with_candidates(vec![now])
}

fn only_start(place: &Place, offset: Offset) -> Failure {
    let message =
        format!("the file has changed, and of `{}` only the start can be found again", place.location);
    let now: wire::Candidate = pasted(&place.document, offset, "starts there now");
    Failure::new(Kind::Refused, message, "name a symbol, or give the old text").with_candidates(vec![now])
}
