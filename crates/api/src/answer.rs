//! The answer of a command: a value, and the forms in which it is written.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use crate::how::How;
use crate::phrase::{Phrase, Voice};
use crate::remark::Remark;
use crate::wire::Position;

/// The form in which an answer is written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Form {
    /// For programs.
    Json,
    /// For people in a terminal.
    Text,
    /// For people, as one answer in a list of many, mostly on a single line.
    Line,
    /// For agents.
    Markdown,
}

/// What a written answer consists of.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ink {
    /// Text with colors and styles. The command line strips them if the output is not a terminal.
    Styled,
    /// A text file for other programs, written unchanged.
    Plain,
    /// A binary file.
    Bytes,
}

/// An answer: a value with a schema, and the texts that people and agents read.
///
/// The methods here give the answer without its remarks; [`Reply`] adds the remarks to each form.
pub trait Answer: Serialize + JsonSchema {
    /// The text for people in a terminal, with styles. The command line strips the styles if the output is not a
    /// terminal.
    fn text(&self, voice: &dyn Voice) -> String;

    /// The text as one answer in a list of many, on one line if possible, followed by its remarks.
    fn line(&self, voice: &dyn Voice) -> String {
        let notes =
            self.beside_text().into_iter().map(|remark| format!("note: {}\n", remark.said.said(voice)));
        (self.text(voice) + &notes.collect::<String>()).trim_end_matches('\n').to_owned()
    }

    /// The first line of the Markdown. The remarks come right after it.
    fn headline(&self) -> String {
        String::new()
    }

    /// The rest of the Markdown, after the remarks.
    fn markdown(&self, voice: &dyn Voice) -> String;

    /// How the place was found; `None` if the answer is not about a place.
    fn how(&self) -> Option<&How> {
        None
    }

    /// The location and the position of the place that the answer is about.
    fn leads_to(&self) -> Option<(&str, Position)> {
        None
    }

    /// Whether the answer contains what was asked for. A place that is gone is an answer for the reader, but a failure
    /// for scripts.
    fn is_found(&self) -> bool {
        true
    }

    /// How many items of a list the answer has; `None` if it is not a page of a list.
    fn n_listed(&self) -> Option<usize> {
        None
    }

    /// Notes that do not depend on how the place was found.
    fn notes(&self) -> Vec<Phrase> {
        Vec::new()
    }

    /// All remarks on the answer. Some are known only after the answer is written.
    fn remarks(&self) -> Vec<Remark> {
        let mut remarks: Vec<Remark> = self.how().map(|how| how.remarks.clone()).unwrap_or_default();
        for note in self.notes() {
            if remarks.iter().all(|remark| remark.said != note) {
                remarks.push(Remark::new(note));
            }
        }
        remarks
    }

    /// Whether the text for people lists other places itself, so that no remark has to.
    fn lists_places(&self) -> bool {
        false
    }

    /// The remarks that the text does not contain. People read them on standard error.
    fn beside_text(&self) -> Vec<Remark> {
        self.remarks().into_iter().filter(|remark| !self.lists_places() || remark.places.is_empty()).collect()
    }

    /// What the text of this answer consists of.
    fn ink(&self) -> Ink {
        Ink::Styled
    }

    /// Writes the text or the Markdown, with the remarks. Long answers are written piece by piece, while they are made.
    fn write_words(&self, form: Form, voice: &dyn Voice, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(words(self, form, voice).as_bytes())
    }
}

/// The text or the Markdown of an answer, with the remarks.
pub(crate) fn words<A: Answer + ?Sized>(answer: &A, form: Form, voice: &dyn Voice) -> String {
    if form == Form::Markdown {
        let remarks = answer.remarks().iter().map(|remark| remark.markdown(voice)).collect::<Vec<_>>();
        let parts = [vec![answer.headline()], remarks, vec![answer.markdown(voice)]].concat();
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
    } else {
        answer.text(voice) + &listed(answer.remarks(), answer.lists_places(), voice)
    }
}

/// An answer of any command, ready to be written.
pub trait Reply {
    /// Writes the answer in this form, with the remarks.
    fn write(&self, form: Form, voice: &dyn Voice, out: &mut dyn Write) -> io::Result<()>;

    /// The answer as JSON, with the remarks.
    fn json(&self, voice: &dyn Voice) -> Box<RawValue>;

    /// How the place was found; `None` if the answer is not about a place.
    fn found_how(&self) -> Option<&How>;

    /// The location and the position of the place that the answer is about.
    fn found_at(&self) -> Option<(&str, Position)>;

    /// Whether the answer contains what was asked for.
    fn has_found(&self) -> bool;

    /// How many items of a list the answer has; `None` if it is not a page of a list.
    fn length(&self) -> Option<usize>;

    /// The remarks that the written form does not contain. People read them on standard error.
    fn beside(&self, form: Form) -> Vec<Remark>;

    /// What this form of the answer consists of.
    fn made_of(&self, form: Form) -> Ink;
}

impl<A: Answer> Reply for A {
    fn write(&self, form: Form, voice: &dyn Voice, out: &mut dyn Write) -> io::Result<()> {
        match form {
            Form::Json => Ok(serde_json::to_writer(out, &Told::new(self, voice))?),
            Form::Line => out.write_all(self.line(voice).as_bytes()),
            Form::Text | Form::Markdown => self.write_words(form, voice, out),
        }
    }

    fn json(&self, voice: &dyn Voice) -> Box<RawValue> {
        to_raw_value(&Told::new(self, voice)).expect("answers have string keys and no failing parts")
    }

    fn found_how(&self) -> Option<&How> {
        self.how()
    }

    fn found_at(&self) -> Option<(&str, Position)> {
        self.leads_to().filter(|(location, _)| !location.is_empty())
    }

    fn has_found(&self) -> bool {
        self.is_found()
    }

    fn length(&self) -> Option<usize> {
        self.n_listed()
    }

    fn beside(&self, form: Form) -> Vec<Remark> {
        match form {
            Form::Text => self.beside_text(),
            Form::Json | Form::Line | Form::Markdown => Vec::new(),
        }
    }

    fn made_of(&self, form: Form) -> Ink {
        match form {
            Form::Text => self.ink(),
            Form::Markdown | Form::Line => Ink::Styled,
            Form::Json => Ink::Plain,
        }
    }
}

/// An answer with its remarks, as it is serialized.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Told<'a, A: Answer> {
    #[serde(flatten)]
    answer: &'a A,
    /// All remarks on the answer, each in one sentence.
    #[serde(skip_serializing_if = "Notes::is_empty")]
    #[schemars(with = "Option<Vec<String>>")]
    notes: Notes<'a, A>,
}

impl<'a, A: Answer> Told<'a, A> {
    fn new(answer: &'a A, voice: &'a dyn Voice) -> Told<'a, A> {
        Told { answer, notes: Notes { answer, voice } }
    }
}

/// The remarks of an answer, serialized last. If the answer is made while it is written, they are not known before.
struct Notes<'a, A> {
    answer: &'a A,
    voice: &'a dyn Voice,
}

impl<A: Answer> Notes<'_, A> {
    fn is_empty(&self) -> bool {
        self.answer.remarks().is_empty()
    }
}

impl<A: Answer> Serialize for Notes<'_, A> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.answer.remarks().iter().map(|remark| remark.said.said(self.voice)))
    }
}

fn listed(remarks: Vec<Remark>, lists_places: bool, voice: &dyn Voice) -> String {
    let has_places = |remark: &&Remark| lists_places && !remark.places.is_empty();
    remarks.iter().filter(has_places).map(|remark| remark.text(voice)).collect()
}
