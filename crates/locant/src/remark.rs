//! What is true of an answer besides what it gives: that it is one of several, that a word was cut, that a name is
//! another one now. Every form of the answer says all of them, since all are made from one list.

use std::fmt::Write as _;

use crate::show;
use crate::wire::{self, Candidate};

/// What should be known besides an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// In one sentence, without a full stop.
    pub said: String,
    /// Places that it is about, to paste.
    pub places: Vec<Candidate>,
    /// What leads over to those.
    pub leads: &'static str,
    /// How many more of those there are, and the command that lists them.
    pub more: Option<(usize, String)>,
}

impl Remark {
    /// A remark that is about no other places.
    pub fn new(said: impl Into<String>) -> Remark {
        Remark { said: said.into(), places: Vec::new(), leads: "", more: None }
    }

    /// As people read it in a terminal.
    pub fn text(&self) -> String {
        if self.places.is_empty() {
            return format!("{}\n", show::visible(&self.said));
        }
        let places: String = self.places.iter().map(show::candidate).collect();
        let more = self.more(str::to_owned).map_or_else(String::new, |more| format!("  {more}\n"));
        show::visible(&format!("{}{}:\n{places}{more}", self.said, self.leads)).into_owned()
    }

    /// As an agent reads it: a paragraph, and a list of the places.
    pub fn markdown(&self) -> String {
        if self.places.is_empty() {
            return format!("{}\n", self.said);
        }
        let mut markdown = format!("{}{}:\n\n", self.said, self.leads);
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
        if let Some(more) = self.more(show::code) {
            let _ = writeln!(markdown, "- {more}");
        }
        markdown
    }

    /// That there are more, with the command as it is written in such a form.
    fn more(&self, written: fn(&str) -> String) -> Option<String> {
        let (n_more, command) = self.more.as_ref()?;
        Some(match command.as_str() {
            "" => format!("and {n_more} more"),
            command => format!("and {n_more} more: {}", written(command)),
        })
    }
}

/// An answer as JSON with its remarks: `"notes": ["…"]` at its end, if there are any.
pub(crate) fn with_notes(json: &str, remarks: &[Remark]) -> String {
    match json.strip_suffix('}') {
        Some(fields) if !remarks.is_empty() => {
            let comma = if fields.ends_with('{') { "" } else { "," };
            format!("{fields}{comma}{}}}", notes_field(remarks))
        }
        _ => json.to_owned(),
    }
}

/// The field with all remarks.
pub(crate) fn notes_field(remarks: &[Remark]) -> String {
    let said: Vec<&str> = remarks.iter().map(|remark| remark.said.as_str()).collect();
    format!("\"notes\":{}", wire::to_json(&said))
}
