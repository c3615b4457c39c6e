//! `range`: from a location to the range of text that it means.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use super::locate::LocateAnswer;
use crate::answer::{Answer, Form};
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::flags::Flags;
use crate::how::How;
use crate::phrase::{Phrase, Voice};
use crate::place::Listing;
use crate::request::Context;
use crate::show::{self, Excerpt};
use crate::subject::Subject;
use crate::wire;

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
    #[command(flatten)]
    #[serde(flatten)]
    listing: Listing,
}

/// The range of text that a location means.
#[derive(Debug, JsonSchema, Serialize)]
pub struct RangeAnswer {
    #[serde(flatten)]
    place: LocateAnswer,
    /// The range.
    range: wire::Range,
    /// The text of the range.
    text: String,
    /// The range in the units that locations use.
    #[serde(skip)]
    written: wire::Range,
    #[serde(skip)]
    excerpt: Excerpt,
    #[serde(skip)]
    language: &'static str,
    /// How many bytes of the text agents see, and a note about the rest.
    #[serde(skip)]
    shown: (usize, Option<Phrase>),
}

impl Ask for Range {
    type Answer = RangeAnswer;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<RangeAnswer, Failure> {
        let place = self.subject.open(flags, context.files)?;
        let located = place.range_among(flags, self.listing)?;
        let (document, encoding, range) = (&*place.document, flags.encoding(), located.found.range);
        let location = match context.form {
            Form::Json | Form::Markdown => wire::range_location(document, range, located.found.offset),
            Form::Text | Form::Line => String::new(),
        };
        let (shown, left_out) = show::cut(document, range);
        Ok(RangeAnswer {
            place: LocateAnswer::new(document, located, encoding, location),
            range: wire::range(document, range, encoding),
            text: document.text().lossy(range).into_owned(),
            written: wire::range(document, range, Encoding::Utf16),
            excerpt: show::excerpt(document, range),
            language: document.language(),
            shown: (document.text().lossy(shown).len(), left_out),
        })
    }
}

impl Answer for RangeAnswer {
    fn text(&self, _: &dyn Voice) -> String {
        let wire::Range { start, end } = self.written;
        let place = show::place(&self.place.file_path, start);
        format!("{place}-{}:{}\n{}", end.line, end.character, show::snippet(&self.excerpt))
    }

    fn headline(&self) -> String {
        let (wire::Range { start, end }, path) = (self.written, show::code(&self.place.file_path));
        format!("Located {path} at {}:{}-{}:{}\n", start.line, start.character, end.line, end.character)
    }

    fn markdown(&self, voice: &dyn Voice) -> String {
        let (n_shown, left_out) = &self.shown;
        let location = format!("location: {}\n", show::code(&self.place.location));
        let fenced = show::fenced(self.language, &self.text[..*n_shown]);
        let left_out = left_out.as_ref().map(|left_out| format!("\n{}\n", left_out.said(voice)));
        location + &fenced + &left_out.unwrap_or_default()
    }

    fn leads_to(&self) -> Option<(&str, wire::Position)> {
        self.place.leads_to()
    }

    fn lists_places(&self) -> bool {
        true
    }

    fn how(&self) -> Option<&How> {
        self.place.how()
    }
}
