//! `range`: from a location to the stretch of text it means.

use clap::Args;
use locant_engine::Document;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use super::locate::{LocateAnswer, notes, others};
use crate::answer::Answer;
use crate::failure::Failure;
use crate::files::Files;
use crate::flags::{Encoding, Flags};
use crate::place::{Located, Place};
use crate::show;
use crate::subject::Subject;
use crate::wire::{self, Candidate, How};

/// Find the stretch of text that a location means
///
/// With a find it is the text that matched; a marker in it does not matter. Without one it is the whole
/// symbol, from its attached comments to its end, or the whole lines.
///
///   locant range foo.py:MyClass.my_method
///   locant range 'foo.py@self.items'
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Range {
    #[command(flatten)]
    #[serde(flatten)]
    subject: Subject,
}

/// The stretch of text a location means.
#[derive(Debug, JsonSchema, Serialize)]
pub struct RangeAnswer {
    #[serde(flatten)]
    place: LocateAnswer,
    /// The stretch.
    range: wire::Range,
    /// Its text.
    text: String,
}

struct Ranged {
    place: Place,
    located: Located,
    encoding: Encoding,
}

impl Ask for Range {
    type Wire = RangeAnswer;

    fn run(self, flags: &Flags, files: &Files) -> Result<Box<dyn Answer>, Failure> {
        let place = self.subject.open(flags, files)?;
        let located = place.range(flags)?;
        Ok(Box::new(Ranged { place, located, encoding: flags.encoding() }))
    }
}

impl Answer for Ranged {
    fn json(&self) -> String {
        let (document, found) = (self.document(), &self.located.found);
        let location = wire::range_location(document, found.range, found.offset);
        wire::to_json(&RangeAnswer {
            place: LocateAnswer::new(document, &self.located, self.encoding, (self.candidates(), location)),
            range: wire::range(document, found.range, self.encoding),
            text: document.text().lossy(found.range).into_owned(),
        })
    }

    fn text(&self) -> String {
        let wire::Range { start, end } = self.range();
        let place = format!("{}-{}:{}", show::place(self.document(), start), end.line, end.character);
        let snippet = show::snippet(self.document(), self.located.found.range);
        format!("{place}\n{snippet}{}", others(&self.located.found, &self.candidates()))
    }

    fn markdown(&self) -> String {
        let wire::Range { start, end } = self.range();
        let (path, text) = (self.document().path(), self.document().text().lossy(self.located.found.range));
        let language = self.document().language();
        format!(
            "Located `{path}` at {}:{}-{}:{}\n\n{}",
            start.line,
            start.character,
            end.line,
            end.character,
            show::fenced(language, &text)
        )
    }

    fn notes(&self) -> Vec<String> {
        notes(self.document(), &self.located)
    }

    fn how(&self) -> Option<&How> {
        Some(&self.located.how)
    }
}

impl Ranged {
    fn document(&self) -> &Document {
        &self.place.document
    }

    fn candidates(&self) -> Vec<Candidate> {
        let chosen = self.place.location.find_index;
        let others = (0..self.located.found.matches)
            .filter(|index| *index != chosen)
            .take(self.located.found.others.len());
        self.place.ranges(others, self.encoding)
    }

    /// The range as a location would write it.
    fn range(&self) -> wire::Range {
        wire::range(self.document(), self.located.found.range, Encoding::Utf16)
    }
}
