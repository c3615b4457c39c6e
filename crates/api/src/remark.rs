//! What is true of an answer besides what it gives: that it is one of several, that a word was cut, that a name has
//! changed. Every form of the answer says all of them, since all are made from one list.

use std::fmt::Write as _;

use crate::failure::Failure;
use crate::phrase::{Call, Phrase, Voice};
use crate::show;
use crate::wire::Candidate;

/// What should be known besides an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// In one sentence, without a full stop.
    pub said: Phrase,
    /// Places that it is about, to paste.
    pub places: Vec<Candidate>,
    /// What leads over to those.
    pub leads: &'static str,
    /// How many more of those there are, and what lists them all, if anything does.
    pub more: Option<(usize, Option<Call>)>,
}

impl Remark {
    /// A remark that is about no other places.
    pub fn new(said: impl Into<Phrase>) -> Remark {
        Remark { said: said.into(), places: Vec::new(), leads: "", more: None }
    }

    /// As people read it in a terminal.
    pub fn text(&self, voice: &dyn Voice) -> String {
        let said = self.said.said(voice);
        if self.places.is_empty() {
            return format!("{}\n", show::visible(&said));
        }
        let places: String = self.places.iter().map(show::candidate).collect();
        let more = self.more(voice, str::to_owned).map_or_else(String::new, |more| format!("  {more}\n"));
        show::visible(&format!("{said}{}:\n{places}{more}", self.leads)).into_owned()
    }

    /// As an agent reads it: a paragraph, and a list of the places.
    pub fn markdown(&self, voice: &dyn Voice) -> String {
        let said = self.said.said(voice);
        if self.places.is_empty() {
            return format!("{said}\n");
        }
        let mut markdown = format!("{said}{}:\n\n", self.leads);
        for place in &self.places {
            let location = show::code(&place.location);
            let line = match (&place.position, &place.line_text) {
                (Some(position), Some(text)) => {
                    format!(" (line {}: {})", position.line, show::code(&show::shortened(text)))
                }
                _ => String::new(),
            };
            // Writing to a string does not fail.
            let _ = writeln!(markdown, "- {location}{line}");
        }
        if let Some(more) = self.more(voice, show::code) {
            let _ = writeln!(markdown, "- {more}");
        }
        markdown
    }

    /// That there are more, with the command as it is written in such a form.
    fn more(&self, voice: &dyn Voice, written: fn(&str) -> String) -> Option<String> {
        let (n_more, call) = self.more.as_ref()?;
        Some(match call {
            None => format!("and {n_more} more"),
            Some(call) => format!("and {n_more} more: {}", written(&voice.call(call))),
        })
    }
}

/// The failure of a part of an answer, beside the rest of it.
impl From<&Failure> for Remark {
    fn from(failure: &Failure) -> Remark {
        let said = Phrase::from(failure.message.clone());
        let said = if failure.hint.is_empty() { said } else { said.and("; ").and(failure.hint.clone()) };
        Remark { places: failure.candidates.clone(), ..Remark::new(said) }
    }
}
