//! Answers about a place that was found again: they say how, whatever they are about.

use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::Answer;
use crate::wire::{self, How};

/// An answer, and how its place was found if not as it was written.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Again<T> {
    #[serde(flatten)]
    answer: T,
    /// How the place was found, if not as it was written.
    #[serde(flatten)]
    how: Option<How>,
}

/// The answer for a place that was found so.
pub(crate) fn found(answer: impl Answer + 'static, how: How) -> Box<dyn Answer> {
    Box::new(Found { answer, how })
}

struct Found<A> {
    answer: A,
    how: How,
}

impl<A: Answer> Answer for Found<A> {
    fn json(&self) -> String {
        if self.how.is_plain() {
            return self.answer.json();
        }
        let (answer, how) = (self.answer.json(), wire::to_json(&self.how));
        let fields = answer.strip_suffix('}').expect("an answer is an object");
        format!("{fields},{}", &how[1..])
    }

    fn text(&self) -> String {
        self.answer.text()
    }

    fn headline(&self) -> String {
        self.answer.headline()
    }

    fn markdown(&self) -> String {
        self.answer.markdown()
    }

    fn how(&self) -> Option<&How> {
        Some(&self.how)
    }

    fn is_found(&self) -> bool {
        self.answer.is_found()
    }

    fn notes(&self) -> Vec<String> {
        self.answer.notes()
    }

    fn lists_places(&self) -> bool {
        self.answer.lists_places()
    }
}
