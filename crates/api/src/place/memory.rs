//! What is known of a place from an earlier text.

use std::sync::Arc;

use locant_engine::{self as engine, Document};

use super::Place;
use crate::failure::{Failure, Kind};
use crate::flags::Flags;

/// What is known of the place from an earlier text.
pub(crate) enum Memory {
    /// Nothing: the location is meant for this text.
    Nothing,
    /// The words of the location.
    Words,
    /// What was kept of it.
    Anchor(Box<engine::Anchor>),
    /// The text in which the location was written, and what there is to keep of the place in it.
    OldText(Box<OldText>),
    /// Where it is now: it left its file, and was found in this one.
    Elsewhere(engine::Relocation),
}

/// What is known of a place from the text in which its location was written.
pub(crate) struct OldText {
    pub(crate) document: Arc<Document>,
    /// What there is to keep of the place.
    pub(crate) anchor: engine::Anchor,
    /// How many places the location meant, where none was chosen, and some of the others.
    pub(crate) n_meant: usize,
    pub(super) others: Vec<engine::Offset>,
    /// Has the file another name now than the location has? Then that leads nowhere as it was written.
    pub(super) is_elsewhere: bool,
}

impl Memory {
    /// The old text with what there is to keep of the place that a location means in it, or an anchor.
    pub(crate) fn of_old_text(
        place: Place,
        now: &Document,
        is_elsewhere: bool,
        flags: &Flags,
    ) -> Result<Memory, Failure> {
        let found = place.locate(flags).map_err(in_old_text)?;
        let Place { document, location, is_chosen, memory, .. } = place;
        // The location of an anchor may be that of another text.
        let is_kept = matches!(memory, Memory::Anchor(_));
        let described = is_kept.then(|| engine::describe(&document, found.offset)).flatten();
        let location = described.map_or(location, |description| description.location);
        let n_meant = if is_chosen { 1 } else { found.matches };
        let others = found.others.iter().map(|other| other.offset).take(n_meant.saturating_sub(1)).collect();
        match engine::anchor(&document, found.offset, location) {
            Some(anchor) => {
                Ok(Memory::OldText(Box::new(OldText { document, anchor, n_meant, others, is_elsewhere })))
            }
            // The same text has the same places, also where there is nothing to keep of one.
            None if document.text().bytes() == now.text().bytes() => Ok(Memory::Nothing),
            None => Err(Failure::new(
                Kind::Gone,
                "the old text has nothing but blanks, so nothing can be found again",
                "give the text in which the location was written",
            )),
        }
    }

    /// The old text and what was kept of the place in it, if it was given.
    pub(crate) fn old_text(self) -> Option<(Arc<Document>, engine::Anchor)> {
        match self {
            Memory::OldText(old) => Some((old.document, old.anchor)),
            Memory::Nothing | Memory::Words | Memory::Anchor(_) | Memory::Elsewhere(_) => None,
        }
    }
}

/// The failure to find a location where it was written: what to do next is not to be done in the file as it is now.
fn in_old_text(failure: Failure) -> Failure {
    let message = format!("{}, in the text that it was written for", failure.message);
    Failure { message, hint: "give the revision or the text in which it leads somewhere".into(), ..failure }
}
