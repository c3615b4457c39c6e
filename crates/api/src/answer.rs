//! What a command gives back: a value, and the forms in which it is written.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use crate::how::How;
use crate::phrase::{Phrase, Voice};
use crate::remark::Remark;
use crate::wire::Position;

/// How an answer is shown.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Form {
    /// For programs.
    Json,
    /// For people in a terminal.
    Text,
    /// For people, as one of many answers that have a line each.
    Line,
    /// For agents.
    Markdown,
}

/// What the words of an answer are made of.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ink {
    /// Text with styles; the door strips them where there is no terminal.
    Styled,
    /// A file of text for other programs, to be written as it is.
    Plain,
    /// A file that is no text.
    Bytes,
}

/// An answer: a value with a schema, and what people and agents read of it.
///
/// The forms here are those of the answer alone; [`Reply`] adds the remarks to each of them.
pub trait Answer: Serialize + JsonSchema {
    /// What people read in a terminal, with styles; the door strips them where there is no terminal.
    fn text(&self, voice: &dyn Voice) -> String;

    /// The same as one of many, on one line where that is enough, with what should be known besides.
    fn line(&self, voice: &dyn Voice) -> String {
        let notes =
            self.beside_text().into_iter().map(|remark| format!("note: {}\n", remark.said.said(voice)));
        (self.text(voice) + &notes.collect::<String>()).trim_end_matches('\n').to_owned()
    }

    /// What an agent reads first, on one line: what is not the whole truth follows right after it.
    fn headline(&self) -> String {
        String::new()
    }

    /// What an agent reads after that.
    fn markdown(&self, voice: &dyn Voice) -> String;

    /// How the place was found, if the answer is about one.
    fn how(&self) -> Option<&How> {
        None
    }

    /// The location of the place that the answer is about, and where that is.
    fn leads_to(&self) -> Option<(&str, Position)> {
        None
    }

    /// Whether there is what was asked for. What is lost is an answer for who reads it, and a failure for scripts.
    fn is_found(&self) -> bool {
        true
    }

    /// What should be known besides, whatever place was asked about.
    fn notes(&self) -> Vec<Phrase> {
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

    /// Whether other places are a part of the answer for people, rather than a note beside it.
    fn lists_places(&self) -> bool {
        false
    }

    /// What the text does not say: people read it beside the answer.
    fn beside_text(&self) -> Vec<Remark> {
        self.remarks().into_iter().filter(|remark| !self.lists_places() || remark.places.is_empty()).collect()
    }

    /// What its text is made of.
    fn ink(&self) -> Ink {
        Ink::Styled
    }

    /// Writes the text or the Markdown with the remarks; a long answer piece by piece, as it is made.
    fn write_words(&self, form: Form, voice: &dyn Voice, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(words(self, form, voice).as_bytes())
    }
}

/// The text or the Markdown of an answer with the remarks.
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
    /// Writes one of the forms with the remarks.
    fn write(&self, form: Form, voice: &dyn Voice, out: &mut dyn Write) -> io::Result<()>;

    /// The JSON with the remarks.
    fn json(&self, voice: &dyn Voice) -> Box<RawValue>;

    /// How the place was found, if the answer is about one.
    fn found_how(&self) -> Option<&How>;

    /// The location of the place that the answer is about, and where that is.
    fn found_at(&self) -> Option<(&str, Position)>;

    /// Whether there is what was asked for.
    fn has_found(&self) -> bool;

    /// What the written text does not say: people read it beside the answer.
    fn beside(&self, form: Form) -> Vec<Remark>;

    /// What a form is made of.
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

/// An answer with its remarks, as it travels.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Told<'a, A: Answer> {
    #[serde(flatten)]
    answer: &'a A,
    /// All that should be known besides, each in one sentence.
    #[serde(skip_serializing_if = "Notes::is_empty")]
    #[schemars(with = "Option<Vec<String>>")]
    notes: Notes<'a, A>,
}

impl<'a, A: Answer> Told<'a, A> {
    fn new(answer: &'a A, voice: &'a dyn Voice) -> Told<'a, A> {
        Told { answer, notes: Notes { answer, voice } }
    }
}

/// The remarks of an answer. Of one that is made while it is written, they are known only after it.
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
