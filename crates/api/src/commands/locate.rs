//! `locate`: from a location to the place it means.

use clap::Args;
use locant_engine::{Document, Range};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::answer::{Answer, Form};
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::flags::Flags;
use crate::how::How;
use crate::phrase::Voice;
use crate::place::{Listing, Located};
use crate::request::Context;
use crate::show::{self, Excerpt};
use crate::subject::Subject;
use crate::wire::{self, Candidate, Position};

/// Find the place that a location means
///
/// A location is what a person would say of a place: the file, then `:` and a scope (a symbol path, a line or
/// lines), then `@` and text to find there, with `<|>` at the place meant.
///
///   locant locate 'foo.py:process@return <|>result'
///   locant locate foo.py:MyClass.my_method
///   locant locate 'foo.py:10-20@if <|>condition'
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Locate {
    #[command(flatten)]
    #[serde(flatten)]
    subject: Subject,
    #[command(flatten)]
    #[serde(flatten)]
    listing: Listing,
}

/// The place that a location means.
#[derive(Debug, JsonSchema, Serialize)]
pub struct LocateAnswer {
    /// The path of the file, as in the request.
    pub file_path: String,
    /// The place.
    pub position: Position,
    /// The place as a number of bytes from the start of the file.
    pub offset: u32,
    /// The unit in which `character` counts.
    pub encoding: Encoding,
    /// The line of the place, without its line break. A very long line is cut to the part around the place, with `…` at
    /// each cut.
    pub line_text: String,
    /// How many places the location matches, this one included.
    pub matches: usize,
    /// Whether the match cuts a word in two.
    pub partial: bool,
    /// The other places, at most ten.
    pub candidates: Vec<Candidate>,
    #[serde(flatten)]
    how: How,
    /// A location that leads to this place and to no other.
    pub location: String,
    /// Notes about the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The position in the units that locations use, whatever encoding the request names. People paste it.
    #[serde(skip)]
    written: Position,
    #[serde(skip)]
    excerpt: Excerpt,
    /// The symbol around the place.
    #[serde(skip)]
    within: Option<String>,
}

impl LocateAnswer {
    /// The answer for a place. `location` leads to exactly this place.
    pub(crate) fn new(
        document: &Document,
        Located { found, how }: Located,
        encoding: Encoding,
        location: String,
    ) -> LocateAnswer {
        LocateAnswer {
            file_path: document.path().to_owned(),
            position: wire::position(document, found.offset, encoding),
            offset: found.offset.to_u32(),
            encoding,
            line_text: wire::line_text(document, found.offset),
            matches: found.matches,
            partial: found.partial,
            candidates: how.others(),
            how,
            location,
            note: wire::note(document),
            written: wire::position(document, found.offset, Encoding::Utf16),
            excerpt: show::excerpt(document, Range::empty(found.offset)),
            within: None,
        }
    }

    /// The symbol around the place, its line, and the location that leads there.
    pub(crate) fn place_to_paste(&self) -> String {
        let within =
            self.within.as_ref().map(|path| format!("in {}: ", show::code(path))).unwrap_or_default();
        let line = match show::shortened(&self.line_text) {
            line if line.is_empty() => "an empty line".to_owned(),
            line => show::code(&line),
        };
        format!("{within}{line}\nlocation: {}\n", show::code(&self.location))
    }
}

impl Ask for Locate {
    type Answer = LocateAnswer;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<LocateAnswer, Failure> {
        let place = self.subject.open(flags, context.files)?;
        let located = place.located_among(flags, self.listing)?;
        let (document, offset) = (place.document, located.found.offset);
        // Describing a place parses the file, so it is done only for the forms that show the result.
        let (location, within) = match context.form {
            Form::Json | Form::Markdown => wire::location_within(&document, offset),
            Form::Line => (String::new(), wire::location_within(&document, offset).1),
            Form::Text => (String::new(), None),
        };
        let answer = LocateAnswer::new(&document, located, flags.encoding(), location);
        Ok(LocateAnswer { within, ..answer })
    }
}

impl Answer for LocateAnswer {
    fn text(&self, _: &dyn Voice) -> String {
        format!("{}\n{}", show::place(&self.file_path, self.written), show::snippet(&self.excerpt))
    }

    fn line(&self, voice: &dyn Voice) -> String {
        let within = self.within.as_ref().map_or_else(String::new, |path| format!(" in {path}"));
        let remarks = self.remarks();
        let remarks: String =
            remarks.iter().map(|remark| format!(" ({})", remark.said.said(voice))).collect();
        let line = show::shortened(&self.line_text);
        let place = show::place(&self.file_path, self.written);
        show::visible(&format!("{place}{within}{remarks}: {line}")).into_owned()
    }

    fn headline(&self) -> String {
        let Position { line, character } = self.written;
        format!("Located {} at {line}:{character}\n", show::code(&self.file_path))
    }

    fn markdown(&self, _: &dyn Voice) -> String {
        self.place_to_paste()
    }

    fn how(&self) -> Option<&How> {
        Some(&self.how)
    }

    fn leads_to(&self) -> Option<(&str, Position)> {
        Some((&self.location, self.position))
    }

    fn lists_places(&self) -> bool {
        true
    }
}
