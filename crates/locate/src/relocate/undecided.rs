//! Decides where a place is if a single fact makes that certain. Otherwise collects the candidates for the model.

use locant_text::{Offset, Range, Text};

use super::by_anchor::{self, AnchorEvidence, N_FEATURES};
use super::by_diff;
use super::holder::{Holder, is_taken_over};
use super::model::{Evidence, Model};
use super::new_text::{NewText, place};
use super::outside::{Outside, outside_of_change};
use super::relocation::{Relocation, answer};
use super::renamed::{self, Renaming};
use super::resolved_now::{ResolvedNow, only_place};
use super::target::{Mapped, Target};
use super::thresholds::Thresholds;
use crate::anchor::Anchor;
use crate::answer::Document;
use crate::lines::Digest;
use crate::tokens;

/// A place whose candidates have to be weighed, with the evidence for each of them.
pub(super) struct Undecided<'a> {
    pub(super) new_text: NewText<'a>,
    target: Target<'a>,
    resolved_now: ResolvedNow,
    candidates: Vec<AnchorEvidence>,
}

impl<'a> Undecided<'a> {
    /// The candidates for the place of an anchor. If the answer is certain, it is returned as the error instead.
    pub(super) fn by_anchor(
        document: &'a dyn Document,
        anchor: &'a Anchor,
        thresholds: &Thresholds,
    ) -> Result<Undecided<'a>, Relocation> {
        let old = Offset::of_index(anchor.offset as usize);
        let target = Target::of_anchor(anchor).ok_or(Relocation::Gone(Vec::new()))?;
        // Comparing one line is faster than digesting the whole text, so the line is compared first.
        let text = document.text();
        if stands_at(text, &target, old) && document.lines().digest_of_text(text) == anchor.text {
            return Err(Relocation::Found { offset: old, confidence: 1.0, is_exact: true });
        }
        Undecided::new(NewText::new(document, *thresholds), anchor, target)
    }

    /// The candidates for the place of an anchor, if the old text is known. If the answer is certain, it is returned as
    /// the error instead.
    pub(super) fn by_old_text(
        old: &'a dyn Document,
        new: &'a dyn Document,
        anchor: &'a Anchor,
        thresholds: &Thresholds,
    ) -> Result<Undecided<'a>, Relocation> {
        let (new_text, mapped) = compare(old, new, anchor, thresholds)?;
        let target = Target::of_anchor(anchor).ok_or(Relocation::Gone(Vec::new()))?;
        Undecided::new(new_text, anchor, Target { mapped, outline: old.outline(), ..target })
    }

    fn new(new_text: NewText<'a>, anchor: &Anchor, target: Target<'a>) -> Result<Undecided<'a>, Relocation> {
        let resolved_now = ResolvedNow::of(new_text.document(), anchor);
        if let Some(relocation) = resolved_now.declared(&new_text, &target) {
            return Err(relocation);
        }
        let target = Target { led: resolved_now.led(), own: resolved_now.own, ..target };
        let candidates = by_anchor::gather(&new_text, &target);
        Ok(Undecided { new_text, target, resolved_now, candidates })
    }

    /// The answer of a model. `renaming` gives the old and the new name of the symbol around a place, if it was
    /// renamed.
    pub(super) fn answer(
        &self,
        model: &Model<N_FEATURES>,
        renaming: impl Fn(Offset) -> Option<Renaming>,
    ) -> Relocation {
        answer(self.resolved_now.exact, &self.candidates, model)
            .or_renamed(renaming)
            .or_other_word(|| renamed::word(&self.new_text, &self.target))
            .or_offer(|| renamed::in_its_place(&self.new_text, &self.target))
            .or_offer(|| self.resolved_now.own)
            .unless_led(self.target.led)
    }

    /// The evidence for each candidate, with the features as lists.
    pub(super) fn listed(self) -> Vec<Evidence> {
        self.candidates.into_iter().map(Evidence::listed).collect()
    }
}

/// Whether the word and the line of an anchor are at a place. An anchor is input from outside, so its parts may
/// contradict each other.
fn stands_at(text: &Text, target: &Target<'_>, offset: Offset) -> bool {
    let word = tokens::pivot(text.bytes(), text.start().index(), offset.index()).map(Range::of_indices);
    let Some(word) = word.filter(|_| text.is_boundary(offset)) else { return false };
    let line = text.line_content(text.line_of(word.start()));
    line.map(|line| Digest::of_line(text.slice(line))) == target.digest
        // An anchor keeps only the start of a very long word.
        && text.lossy(word).as_bytes().starts_with(target.word)
        && place(text, word.start(), target.within) == offset
}

/// Compares the old text with the new text. If that makes the answer certain, it is returned as the error. Otherwise
/// returns the lines where the place can be.
fn compare<'d>(
    old: &dyn Document,
    new: &'d dyn Document,
    anchor: &Anchor,
    thresholds: &Thresholds,
) -> Result<(NewText<'d>, Option<Mapped>), Relocation> {
    let text = new.text();
    let described = Offset::of_index(anchor.offset as usize);
    let found = |offset, confidence| {
        let is_exact = only_place(new, &anchor.location) == Some(offset);
        let found = Relocation::Found { offset, confidence, is_exact };
        Err(found.or_renamed(|offset| renamed::holder_from(old, new, anchor, offset)))
    };
    if old.text().bytes() == text.bytes() && text.is_boundary(described) {
        return Err(Relocation::Found { offset: described, confidence: 1.0, is_exact: true });
    }
    if let Some(word) = by_diff::reformatted(old.text(), text, described) {
        return found(place(text, word, anchor.within), thresholds.unchanged);
    }
    let new_text = NewText::new(new, *thresholds);
    let holder = |offset| match Holder::of(old, new, anchor, offset) {
        Holder::Same if is_taken_over(old, &new_text, anchor, offset) => Holder::Other,
        holder => holder,
    };
    match outside_of_change(old.text(), text, described) {
        Some(Outside::Doubled(places)) => {
            return match places.map(holder) {
                [Holder::Same, Holder::Other] => found(places[0], thresholds.named),
                [Holder::Other, Holder::Same] => found(places[1], thresholds.named),
                _ => Err(Relocation::Ambiguous(places.to_vec())),
            };
        }
        Some(Outside::At(offset)) if holder(offset) != Holder::Other => {
            return found(offset, thresholds.unchanged);
        }
        _ => {}
    }
    let followed = by_diff::follow(old, &new_text, described);
    let sure = followed.as_ref().and_then(|followed| followed.sure);
    let sure = sure.map(|word| place(text, word, anchor.within));
    match sure.filter(|&offset| holder(offset) != Holder::Other) {
        Some(offset) => found(offset, thresholds.unchanged),
        None => Ok((new_text, followed.map(|followed| followed.mapped))),
    }
}
