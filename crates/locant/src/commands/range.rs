//! `range`: from a location to the stretch of text it means.

use std::sync::Arc;

use clap::Args;
use locant_engine::Document;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use super::locate::LocateAnswer;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::files::Files;
use crate::flags::{Encoding, Flags};
use crate::place::{Listing, Located};
use crate::show;
use crate::subject::Subject;
use crate::wire::{self, How};

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
    document: Arc<Document>,
    located: Located,
    encoding: Encoding,
}

impl Ask for Range {
    type Wire = RangeAnswer;

    fn run(self, flags: &Flags, files: &Files) -> Result<Box<dyn Answer>, Failure> {
        let place = self.subject.open(flags, files)?;
        let located = place.range_among(flags, self.listing)?;
        Ok(Box::new(Ranged { document: place.document, located, encoding: flags.encoding() }))
    }
}

impl Answer for Ranged {
    fn json(&self) -> String {
        let (document, found) = (self.document(), &self.located.found);
        let location = wire::range_location(document, found.range, found.offset);
        wire::to_json(&RangeAnswer {
            place: LocateAnswer::new(document, &self.located, self.encoding, location),
            range: wire::range(document, found.range, self.encoding),
            text: document.text().lossy(found.range).into_owned(),
        })
    }

    fn text(&self) -> String {
        let wire::Range { start, end } = self.range();
        let place = format!("{}-{}:{}", show::place(self.document(), start), end.line, end.character);
        let snippet = show::snippet(self.document(), self.located.found.range);
        format!("{place}\n{snippet}")
    }

    fn headline(&self) -> String {
        let (wire::Range { start, end }, path) = (self.range(), show::code(self.document().path()));
        format!("Located {path} at {}:{}-{}:{}\n", start.line, start.character, end.line, end.character)
    }

    fn markdown(&self) -> String {
        let (shown, left_out) = show::cut(self.document(), self.located.found.range);
        let fenced = show::fenced(self.document().language(), &self.document().text().lossy(shown));
        fenced + &left_out.map_or_else(String::new, |left_out| format!("\n{left_out}\n"))
    }

    fn lists_places(&self) -> bool {
        true
    }

    fn how(&self) -> Option<&How> {
        Some(&self.located.how)
    }
}

impl Ranged {
    fn document(&self) -> &Document {
        &self.document
    }

    /// The range as a location would write it.
    fn range(&self) -> wire::Range {
        wire::range(self.document(), self.located.found.range, Encoding::Utf16)
    }
}
