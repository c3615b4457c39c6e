//! What a command gives back, in the forms that doors need.

use std::io::{self, Write};

use crate::remark::{Remark, with_notes};
use crate::wire::How;

/// How an answer is shown.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Form {
    /// For programs.
    Json,
    /// For people in a terminal.
    Text,
    /// For agents.
    Markdown,
}

/// An answer. It is computed only as far as the asked form needs: the text form of a find, for one, does not
/// describe the place, which would parse the file.
///
/// The forms here are those of the answer alone; [`Answer::write`] adds the remarks to each of them.
pub trait Answer {
    /// One JSON object on one line, as the contract gives it.
    fn json(&self) -> String;

    /// What people read in a terminal, with styles; the door strips them where there is no terminal.
    fn text(&self) -> String;

    /// The same as one of many, on one line where that is enough, with what should be known besides.
    fn line(&self) -> String {
        let notes = self.beside(Form::Text).into_iter().map(|remark| format!("note: {}\n", remark.said));
        (self.text() + &notes.collect::<String>()).trim_end_matches('\n').to_owned()
    }

    /// What an agent reads first, on one line: what is not the whole truth follows right after it.
    fn headline(&self) -> String {
        String::new()
    }

    /// What an agent reads after that.
    fn markdown(&self) -> String;

    /// How the place was found, if the answer is about one.
    fn how(&self) -> Option<&How> {
        None
    }

    /// Is there what was asked for? What is lost is an answer for who reads it, and a failure for scripts.
    fn is_found(&self) -> bool {
        true
    }

    /// What should be known besides, whatever place was asked about.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// All that should be known besides, once it is written.
    fn remarks(&self) -> Vec<Remark> {
        let mut remarks: Vec<Remark> = self.how().map(|how| how.remarks.clone()).unwrap_or_default();
        for note in self.notes() {
            if remarks.iter().all(|remark| remark.said != note) {
                remarks.push(Remark::new(note));
            }
        }
        remarks
    }

    /// Are other places a part of the answer for people, rather than a note beside it?
    fn lists_places(&self) -> bool {
        false
    }

    /// Writes one of the forms with the remarks; a long answer piece by piece, as it is made.
    fn write(&self, form: Form, out: &mut dyn Write) -> io::Result<()> {
        let whole = match form {
            Form::Json => with_notes(&self.json(), &self.remarks()),
            Form::Text => self.text() + &listed(self.remarks(), self.lists_places()),
            Form::Markdown => {
                let remarks = self.remarks().iter().map(Remark::markdown).collect::<Vec<_>>();
                let parts = [vec![self.headline()], remarks, vec![self.markdown()]].concat();
                parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
            }
        };
        out.write_all(whole.as_bytes())
    }

    /// What the written text does not say: people read it beside the answer.
    fn beside(&self, form: Form) -> Vec<Remark> {
        let is_beside = |remark: &Remark| !self.lists_places() || remark.places.is_empty();
        match form {
            Form::Text => self.remarks().into_iter().filter(is_beside).collect(),
            Form::Json | Form::Markdown => Vec::new(),
        }
    }
}

fn listed(remarks: Vec<Remark>, lists_places: bool) -> String {
    let has_places = |remark: &&Remark| lists_places && !remark.places.is_empty();
    remarks.iter().filter(has_places).map(Remark::text).collect()
}
