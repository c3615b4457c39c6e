//! The answer to where a place is now, made from the verdict of the model and from renamed symbols and words.

use locant_text::Offset;

use super::model::{Evidence, Model, Verdict};
use super::renamed::Renaming;

/// Where a described place is now.
#[derive(Clone, Debug, PartialEq)]
pub enum Relocation {
    /// At this place.
    Found {
        /// The place.
        offset: Offset,
        /// How probable it is that this is right, from 0 to 1.
        confidence: f64,
        /// Whether the location as it was written leads there.
        is_exact: bool,
    },
    /// At this place, but the symbol around it or the word at it has another name now.
    Renamed {
        /// The place.
        offset: Offset,
        /// How probable it is that this is right; `None` if the word itself was replaced, which no model judges.
        confidence: Option<f64>,
        /// The old and the new name.
        renaming: Renaming,
    },
    /// At one of these places, the most probable first.
    Ambiguous(Vec<Offset>),
    /// Nowhere. These places are the most similar ones.
    Gone(Vec<Offset>),
}

/// How many places are offered.
const MOST_OFFERED: usize = 5;

/// A location alone can give at most this confidence to a place whose symbol has another name, or whose line is also in
/// another symbol. In such cases the old symbol may have been renamed, or may have had a twin.
const MOST_BY_LOCATION: f64 = 0.89;

/// The answer of a model for some candidates. `exact` is the place that the location alone leads to.
pub(super) fn answer<const N_FEATURES: usize>(
    exact: Option<Offset>,
    candidates: &[Evidence<[f64; N_FEATURES]>],
    model: &Model<N_FEATURES>,
) -> Relocation {
    let Some(Verdict { order, confidence, .. }) = model.judge(candidates) else {
        return Relocation::Gone(Vec::new());
    };
    let best = order.first().map(|&best| &candidates[best]);
    let is_possible = confidence >= model.possible || best.is_some_and(|best| best.is_possible);
    let is_shared = best.is_some_and(|best| best.is_shared);
    let mut places = order.into_iter().map(|index| candidates[index].place);
    match places.next() {
        Some(offset) if confidence >= model.accepted => {
            let confidence = if is_shared { confidence.min(MOST_BY_LOCATION) } else { confidence };
            Relocation::Found { offset, confidence, is_exact: exact == Some(offset) }
        }
        best => {
            let offered = best.into_iter().chain(places).take(MOST_OFFERED).collect();
            if is_possible { Relocation::Ambiguous(offered) } else { Relocation::Gone(offered) }
        }
    }
}

impl Relocation {
    /// All places in the answer: where the place is, or could be.
    pub fn places(&self) -> &[Offset] {
        match self {
            Relocation::Found { offset, .. } | Relocation::Renamed { offset, .. } => {
                std::slice::from_ref(offset)
            }
            Relocation::Ambiguous(places) | Relocation::Gone(places) => places,
        }
    }

    /// If a place was found that the location does not lead to, and the symbol around it was renamed, adds the new
    /// name.
    pub(super) fn or_renamed(self, renaming: impl Fn(Offset) -> Option<Renaming>) -> Relocation {
        let Relocation::Found { offset, confidence, is_exact: false } = self else { return self };
        match renaming(offset) {
            Some(renaming) => Relocation::Renamed { offset, confidence: Some(confidence), renaming },
            None => self,
        }
    }

    /// Limits the confidence to [`MOST_BY_LOCATION`] if the symbol was renamed or may not be the old one.
    pub(super) fn unless_sure(mut self, is_other: impl Fn(Offset) -> bool) -> Relocation {
        match &mut self {
            Relocation::Renamed { confidence: Some(confidence), .. } => {
                *confidence = confidence.min(MOST_BY_LOCATION);
            }
            Relocation::Found { offset, confidence, is_exact: false } if is_other(*offset) => {
                *confidence = confidence.min(MOST_BY_LOCATION);
            }
            _ => {}
        }
        self
    }

    /// If no place was found, uses the place at which the word was replaced by another word, if there is one.
    pub(super) fn or_other_word(self, place: impl Fn() -> Option<(Offset, Renaming)>) -> Relocation {
        match self {
            Relocation::Found { .. } | Relocation::Renamed { .. } => self,
            Relocation::Ambiguous(_) | Relocation::Gone(_) => match place() {
                Some((offset, renaming)) => Relocation::Renamed { offset, confidence: None, renaming },
                None => self,
            },
        }
    }

    /// If no place was found, offers one more place, before all others.
    pub(super) fn or_offer(mut self, place: impl Fn() -> Option<Offset>) -> Relocation {
        if let Relocation::Ambiguous(places) | Relocation::Gone(places) = &mut self
            && let Some(place) = place()
        {
            places.retain(|other| *other != place);
            places.insert(0, place);
            places.truncate(MOST_OFFERED);
        }
        self
    }

    /// If the location still leads to one place, turns the answer "gone" into "ambiguous", with that place offered
    /// first.
    pub(super) fn unless_led(self, led: Option<Offset>) -> Relocation {
        match (self, led) {
            (Relocation::Gone(places), Some(led)) => Relocation::Ambiguous(places).or_offer(|| Some(led)),
            (answer, _) => answer,
        }
    }

    /// If no place was found, offers more places, after all others.
    pub(super) fn or_offer_last(mut self, offered: impl FnOnce() -> Vec<Offset>) -> Relocation {
        if let Relocation::Ambiguous(places) | Relocation::Gone(places) = &mut self
            && places.len() < MOST_OFFERED
        {
            for place in offered() {
                if places.len() < MOST_OFFERED && !places.contains(&place) {
                    places.push(place);
                }
            }
        }
        self
    }
}
