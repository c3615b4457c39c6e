//! What is known about a place from an earlier text.

use std::sync::Arc;

use locant_engine::{self as engine, Document};

use super::Place;
use crate::failure::{Failure, Kind};
use crate::flags::Flags;

/// What is known about a place from an earlier text.
pub(crate) enum Memory {
    /// Nothing: the location was written for the current text.
    Nothing,
    /// Marks of its lines, which were found. The location has their numbers in the current text.
    Marks {
        /// Whether the lines had other numbers.
        have_moved: bool,
    },
    /// Only the words of the location.
    Words,
    /// An anchor.
    Anchor(Box<engine::Anchor>),
    /// The text for which the location was written, with an anchor made from it.
    OldText(Box<OldText>),
    /// The place has left its file, and was found in this one.
    Elsewhere(engine::Relocation),
}

/// A place in the text for which its location was written.
pub(crate) struct OldText {
    pub(crate) document: Arc<Document>,
    /// The anchor of the place in that text.
    pub(crate) anchor: engine::Anchor,
    /// How many places the location matched, if none was chosen, and in `others` some of them.
    pub(crate) n_meant: usize,
    pub(super) others: Vec<engine::Offset>,
    /// Whether the file has another name now. Then the location as written leads nowhere.
    pub(super) is_elsewhere: bool,
}

impl Memory {
    /// Makes an anchor for a place in the old text. The place is given by a location or by an anchor.
    pub(crate) fn of_old_text(
        place: Place,
        now: &Document,
        is_elsewhere: bool,
        flags: &Flags,
    ) -> Result<Memory, Failure> {
        let found = place.locate(flags).map_err(in_old_text)?;
        let Place { document, location, is_chosen, memory, .. } = place;
        // The location in an anchor may have been made for yet another text.
        let is_kept = matches!(memory, Memory::Anchor(_));
        let described = is_kept.then(|| engine::describe(&document, found.offset)).flatten();
        let location = described.map_or(location, |description| description.location);
        let n_meant = if is_chosen { 1 } else { found.matches };
        let others = found.others.iter().map(|other| other.offset).take(n_meant.saturating_sub(1)).collect();
        match engine::anchor(&document, found.offset, location) {
            Some(anchor) => {
                Ok(Memory::OldText(Box::new(OldText { document, anchor, n_meant, others, is_elsewhere })))
            }
            // In an identical text the place is where it was, even if no anchor can be made for it.
            None if document.text().bytes() == now.text().bytes() => Ok(Memory::Nothing),
            None => Err(Failure::new(
                Kind::Gone,
                "the old text has nothing but blanks, so nothing can be found again",
                "give the text in which the location was written",
            )),
        }
    }

    /// The old text and the anchor of the place in it, if the old text was given.
    pub(crate) fn old_text(self) -> Option<(Arc<Document>, engine::Anchor)> {
        match self {
            Memory::OldText(old) => Some((old.document, old.anchor)),
            Memory::Nothing
            | Memory::Marks { .. }
            | Memory::Words
            | Memory::Anchor(_)
            | Memory::Elsewhere(_) => None,
        }
    }
}

/// The failure when a location is not found in its old text. A hint about the current file would not help.
fn in_old_text(failure: Failure) -> Failure {
    let message = format!("{}, in the text that it was written for", failure.message);
    Failure { message, hint: "give the revision or the text in which it leads somewhere".into(), ..failure }
}
