//! An answer of any kind, together with how its place was found.

use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::Answer;
use crate::how::How;
use crate::phrase::{Phrase, Voice};
use crate::wire::Position;

/// An answer, with how its place was found.
#[derive(Debug, JsonSchema, Serialize)]
pub struct HowFound<T> {
    #[serde(flatten)]
    answer: T,
    /// How the place was found. Absent if it was found as written, in a part of the file that could be parsed.
    #[serde(flatten)]
    told: Option<How>,
    /// How the place was found; `None` if the request has no place.
    #[serde(skip)]
    how: Option<How>,
}

impl<T> HowFound<T> {
    /// An answer about a place, and how the place was found.
    pub(crate) fn new(answer: T, how: How) -> HowFound<T> {
        let told = (!how.is_plain()).then(|| how.clone());
        HowFound { answer, told, how: Some(how) }
    }

    /// An answer to a request without a place.
    pub(crate) fn of_file(answer: T) -> HowFound<T> {
        HowFound { answer, told: None, how: None }
    }
}

impl<T: Answer> Answer for HowFound<T> {
    fn text(&self, voice: &dyn Voice) -> String {
        self.answer.text(voice)
    }

    fn headline(&self) -> String {
        self.answer.headline()
    }

    fn markdown(&self, voice: &dyn Voice) -> String {
        self.answer.markdown(voice)
    }

    fn how(&self) -> Option<&How> {
        self.how.as_ref()
    }

    fn leads_to(&self) -> Option<(&str, Position)> {
        self.answer.leads_to()
    }

    fn is_found(&self) -> bool {
        self.answer.is_found()
    }

    fn n_listed(&self) -> Option<usize> {
        self.answer.n_listed()
    }

    fn notes(&self) -> Vec<Phrase> {
        self.answer.notes()
    }

    fn lists_places(&self) -> bool {
        self.answer.lists_places()
    }
}
