//! Remarks on an answer: that it is one of several matches, that a word was cut, that a name has changed. All forms of
//! an answer are written from the same list of remarks, so each form contains all of them.

use std::fmt::Write as _;

use crate::failure::Failure;
use crate::phrase::{Call, Phrase, Voice};
use crate::show;
use crate::wire::Candidate;

/// Something that the reader of an answer should also know.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// The remark in one sentence, without a full stop.
    pub said: Phrase,
    /// The places that the remark is about, to paste.
    pub places: Vec<Candidate>,
    /// The words between the sentence and the list of places.
    pub leads: &'static str,
    /// How many more places there are, and the call that lists them all, if there is one.
    pub more: Option<(usize, Option<Call>)>,
}

impl Remark {
    /// A remark without places.
    pub fn new(said: impl Into<Phrase>) -> Remark {
        Remark { said: said.into(), places: Vec::new(), leads: "", more: None }
    }

    /// The remark for people in a terminal.
    pub fn text(&self, voice: &dyn Voice) -> String {
        let said = self.said.said(voice);
        if self.places.is_empty() {
            return format!("{}\n", show::visible(&said));
        }
        let places: String = self.places.iter().map(show::candidate).collect();
        let more = self.more(voice, str::to_owned).map_or_else(String::new, |more| format!("  {more}\n"));
        show::visible(&format!("{said}{}:\n{places}{more}", self.leads)).into_owned()
    }

    /// The remark for agents: a paragraph, and a list of the places.
    pub fn markdown(&self, voice: &dyn Voice) -> String {
        let said = self.said.said(voice);
        if self.places.is_empty() {
            return format!("{said}\n");
        }
        let mut markdown = format!("{said}{}:\n\n", self.leads);
        for place in &self.places {
            markdown += &show::place_to_paste(place);
        }
        if let Some(more) = self.more(voice, show::code) {
            // Writing to a string does not fail.
            let _ = writeln!(markdown, "- {more}");
        }
        markdown
    }

    /// The line that says how many more places there are. `written` formats the call.
    fn more(&self, voice: &dyn Voice, written: fn(&str) -> String) -> Option<String> {
        let (n_more, call) = self.more.as_ref()?;
        Some(match call {
            None => format!("and {n_more} more"),
            Some(call) => format!("and {n_more} more: {}", written(&voice.call(call))),
        })
    }
}

/// The failure of one part of an answer, reported beside the other parts.
impl From<&Failure> for Remark {
    fn from(failure: &Failure) -> Remark {
        let said = Phrase::from(failure.message.clone());
        let said = if failure.hint.is_empty() { said } else { said.and("; ").and(failure.hint.clone()) };
        Remark { places: failure.candidates.clone(), ..Remark::new(said) }
    }
}
