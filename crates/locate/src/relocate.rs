//! Finds a place again after its text has changed.
//!
//! The old place was at some word. Every place of the new text with the same word is a candidate. A candidate outside
//! of the old scope is less likely, but possible. The evidence for each candidate is computed as features
//! ([`by_anchor`], [`by_location`]) and weighed by a learned model. The best candidate is the answer only if it is
//! probable enough. Otherwise the answer is that the place is ambiguous or gone, since a wrong place is worse than
//! none.

// The place that is searched for, the new text, and the possible answers.
mod new_text;
mod relocation;
mod target;
pub(crate) mod wording;

// The learned model.
mod features;
pub mod learned;
mod model;
mod thresholds;

// The features of each candidate, computed from an anchor, an old text or a location.
pub mod by_anchor;
pub mod by_location;
mod candidates;

// Comparing lines, tokens and symbols. The features are computed from the results.
mod align;
mod checked_lines;
mod doubled;
mod heirs;
mod known_lines;
mod prefilter;
pub(crate) mod similarity;
mod surviving_scope;
mod symbol_intervals;
mod taken_over;
mod token_context;
mod vetoes;

// Finding a place that was moved to another file.
pub mod elsewhere;

// Answers that need no model, and the search for renamed symbols.
mod by_diff;
mod diff;
mod holder;
mod moved;
mod outside;
pub mod renamed;
mod resolved_now;
mod undecided;

use locant_text::{Offset, Range};

use crate::anchor::Anchor;
use crate::answer::{Document, Resolution, Wanted};
pub use crate::lines::{Digest, Lines};
use crate::location::Location;
use crate::resolve::{resolve, resolve_quietly};
use crate::tokens;
pub use model::{Evidence, Model, N_TREES, Scales, Tree, Verdict, dot, judge};
pub use relocation::Relocation;
use relocation::answer;
pub use renamed::Renaming;
use resolved_now::{only, only_place};
pub use thresholds::Thresholds;
use undecided::Undecided;
use wording::Wording;

/// A text is changed at a place that was found again only if the place has at least this probability. In the real
/// histories that docs/edits.md describes, fewer than one in a thousand of these places are wrong.
pub const WRITING: f64 = 0.982;

/// Finds an anchored place again.
pub fn relocate(document: &dyn Document, anchor: &Anchor) -> Relocation {
    let model = &learned::ANCHOR;
    match Undecided::by_anchor(document, anchor, &model.thresholds) {
        Err(decided) => decided,
        Ok(undecided) => {
            undecided.answer(model, |offset| renamed::holder(&undecided.new_text, anchor, offset))
        }
    }
}

/// Finds a place of an old text again in a new text. Where lines are unchanged, the diff of both texts decides.
/// Elsewhere, the similarity of lines decides.
pub fn relocate_from(old: &dyn Document, new: &dyn Document, anchor: &Anchor) -> Relocation {
    let model = &learned::OLD_TEXT;
    match Undecided::by_old_text(old, new, anchor, &model.thresholds) {
        Err(decided) => decided,
        Ok(undecided) => undecided
            .answer(model, |offset| renamed::holder_from(old, new, anchor, offset))
            .or_other_word(|| moved::with_its_symbol(old, &undecided.new_text, anchor)),
    }
}

/// Finds a place again by its location alone.
pub fn relocate_words(document: &dyn Document, location: &Location) -> Relocation {
    let Some(wording) = Wording::of_location(document, location) else {
        return Relocation::Gone(Vec::new());
    };
    let model = if wording.is_checked() { &learned::CHECK } else { &learned::LOCATION };
    let written = resolve_quietly(document, location, Wanted::Position);
    let exact = only(&written);
    let candidates = by_location::gather(document, &wording, exact, &model.thresholds);
    let answer = answer(exact, &candidates, model);
    let answer = if wording.is_checked() {
        answer.or_renamed(|offset| renamed::holder_of_words(document, location, offset, &model.thresholds))
    } else {
        answer
            .or_renamed(|offset| renamed::holder_by_words(document, location, offset))
            .unless_sure(|offset| renamed::has_left(document, location, offset))
    };
    match written {
        // A location that still matches may be right, so its place is not gone.
        Resolution::Found(found) => match answer.or_offer(|| Some(found.offset)) {
            Relocation::Gone(places) => Relocation::Ambiguous(places),
            answer => answer,
        },
        _ => answer.or_offer_last(|| diagnosed(document, location)),
    }
}

/// The candidates of the diagnosis that a location gets if it has no answer.
fn diagnosed(document: &dyn Document, location: &Location) -> Vec<Offset> {
    match resolve(document, location, Wanted::Position) {
        Resolution::NotFound(diagnosis)
        | Resolution::Ambiguous(diagnosis)
        | Resolution::Unsupported(diagnosis) => {
            diagnosis.candidates.iter().map(|candidate| candidate.offset).collect()
        }
        Resolution::Found(_) | Resolution::Invalid(_) => Vec::new(),
    }
}

/// The evidence for each candidate of an anchored place. If the old text is given, it is used as evidence too. If the
/// answer is clear without weighing the evidence, returns the answer as `Ok` instead.
pub fn evidence(
    old: Option<&dyn Document>,
    new: &dyn Document,
    anchor: &Anchor,
    thresholds: &Thresholds,
) -> Result<Relocation, Vec<Evidence>> {
    let undecided = match old {
        Some(old) => Undecided::by_old_text(old, new, anchor, thresholds),
        None => Undecided::by_anchor(new, anchor, thresholds),
    };
    undecided.map_or_else(Ok, |undecided| Err(undecided.listed()))
}

/// The evidence for each candidate of a place that is known only by its location.
pub fn evidence_of_words(
    document: &dyn Document,
    location: &Location,
    thresholds: &Thresholds,
) -> Vec<Evidence> {
    let wording = Wording::of_location(document, location);
    let exact = only_place(document, location);
    let candidates = wording.map(|wording| by_location::gather(document, &wording, exact, thresholds));
    candidates.into_iter().flatten().map(Evidence::listed).collect()
}

/// The token at a place: the word that the place is in or touches, or else the punctuation mark after it. Empty when
/// the place is between blanks.
pub fn word_at(document: &dyn Document, offset: Offset) -> Range {
    let text = document.text();
    let token = tokens::pivot(text.bytes(), text.start().index(), offset.index()).map(Range::of_indices);
    token.filter(|token| token.touches(offset)).unwrap_or(Range::empty(offset))
}
