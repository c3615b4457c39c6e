//! Finds a place inside of the symbol or file that was moved.

use locant_engine::{self as engine, Document, Offset, Relocation, Stray};

use super::Lost;
use super::hit::{Hit, Of};

/// Where the place is now, in the moved file or symbol. `None` when that is not certain.
pub(super) fn place(lost: &Lost<'_>, strays: &[Stray], hit: &Hit, document: &Document) -> Option<Relocation> {
    let relocation = match (hit.of, lost.old) {
        (Of::File, Some(old)) => engine::relocate_from(old, document, lost.anchor),
        (Of::File, None) => engine::relocate(document, lost.anchor),
        (Of::Stray(at), Some(old)) => in_part(old, &strays[at], lost, hit, document)?,
        (Of::Stray(_), None) => Relocation::Found { offset: hit.place?, confidence: 1.0, is_exact: false },
    };
    match relocation {
        Relocation::Found { .. } | Relocation::Renamed { .. } => Some(relocation),
        Relocation::Ambiguous(_) | Relocation::Gone(_) => None,
    }
}

/// The place to offer as a candidate in something that resembles what was moved: the place itself if it is found, else
/// the name.
pub(super) fn offered(lost: &Lost<'_>, strays: &[Stray], hit: &Hit, document: &Document) -> Offset {
    match place(lost, strays, hit, document) {
        Some(Relocation::Found { offset, .. } | Relocation::Renamed { offset, .. }) => offset,
        _ => hit.name,
    }
}

/// Finds the place using only the texts of the two symbols. The lines around them differ in the new file, and say
/// nothing.
fn in_part(
    old: &Document,
    stray: &Stray,
    lost: &Lost<'_>,
    hit: &Hit,
    document: &Document,
) -> Option<Relocation> {
    let was = stray.extent?;
    let (then, now) = (part(old, was)?, part(document, hit.extent)?);
    let offset = Offset::of_index((lost.anchor.offset as usize).checked_sub(was.start().index())?);
    let location = engine::describe(&then, offset)?.location;
    let anchor = engine::anchor(&then, offset, location)?;
    let start = hit.extent.start().index();
    let moved = |offset: Offset| Offset::of_index(offset.index() + start);
    Some(match engine::relocate_from(&then, &now, &anchor) {
        Relocation::Found { offset, confidence, .. } => {
            Relocation::Found { offset: moved(offset), confidence, is_exact: false }
        }
        Relocation::Renamed { offset, confidence, renaming } => {
            Relocation::Renamed { offset: moved(offset), confidence, renaming }
        }
        lost => lost,
    })
}

/// A part of a document, as a document of its own.
fn part(document: &Document, range: engine::Range) -> Option<Document> {
    let part = Document::new(document.path(), document.text().slice(range)).ok()?;
    Some(match document.reader() {
        Some(reader) => part.in_language(reader),
        None => part,
    })
}
