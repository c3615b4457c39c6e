//! `locate`: from a location to the place it means.

use std::sync::Arc;

use clap::Args;
use locant_engine::{self as engine, Document, Range};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::files::Files;
use crate::flags::{Encoding, Flags};
use crate::place::{Listing, Located};
use crate::show;
use crate::subject::Subject;
use crate::wire::{self, Candidate, How, Position};

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

/// The place a location means.
#[derive(Debug, JsonSchema, Serialize)]
pub struct LocateAnswer {
    /// The file, as it was given.
    pub file_path: String,
    /// The place.
    pub position: Position,
    /// The place as a number of bytes from the start of the file.
    pub offset: u32,
    /// What `character` counts.
    pub encoding: Encoding,
    /// The line of the place, without its line break. Of a very long one, what is around the place: `…` stands
    /// where it was cut.
    pub line_text: String,
    /// How many places the location matches, this one included.
    pub matches: usize,
    /// Does the match cut a word in two?
    pub partial: bool,
    /// The other places, at most ten.
    pub candidates: Vec<Candidate>,
    #[serde(flatten)]
    how: How,
    /// A location that leads to this place and to no other.
    pub location: String,
    /// What should be known besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl LocateAnswer {
    /// The answer for a place, with the location that leads to this one.
    pub(crate) fn new(
        document: &Document,
        Located { found, how }: &Located,
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
            how: how.clone(),
            location,
            note: wire::note(document),
        }
    }
}

/// A place that was found.
struct OnePlace {
    document: Arc<Document>,
    located: Located,
    encoding: Encoding,
}

impl Ask for Locate {
    type Wire = LocateAnswer;

    fn run(self, flags: &Flags, files: &Files) -> Result<Box<dyn Answer>, Failure> {
        let place = self.subject.open(flags, files)?;
        let located = place.located_among(flags, self.listing)?;
        Ok(Box::new(OnePlace { document: place.document, located, encoding: flags.encoding() }))
    }
}

impl Answer for OnePlace {
    fn json(&self) -> String {
        let location = wire::location(&self.document, self.located.found.offset);
        wire::to_json(&LocateAnswer::new(&self.document, &self.located, self.encoding, location))
    }

    fn text(&self) -> String {
        let place = show::place(&self.document, self.position());
        let snippet = show::snippet(&self.document, Range::empty(self.located.found.offset));
        format!("{place}\n{snippet}")
    }

    fn line(&self) -> String {
        let (document, offset) = (&self.document, self.located.found.offset);
        let symbol = engine::describe(document, offset).and_then(|description| description.symbol);
        let path = symbol.and_then(|symbol| Some(document.outline()?.path(symbol).join(".")));
        let within = path.map_or_else(String::new, |path| format!(" in {path}"));
        let remarks: String = self.remarks().iter().map(|remark| format!(" ({})", remark.said)).collect();
        let line = show::shortened(&wire::line_text(document, offset));
        let place = show::place(document, self.position());
        show::visible(&format!("{place}{within}{remarks}: {line}")).into_owned()
    }

    fn headline(&self) -> String {
        let Position { line, character } = self.position();
        format!("Located {} at {line}:{character}\n", show::code(self.document.path()))
    }

    fn markdown(&self) -> String {
        String::new()
    }

    fn how(&self) -> Option<&How> {
        Some(&self.located.how)
    }

    fn lists_places(&self) -> bool {
        true
    }
}

impl OnePlace {
    /// The place as a location would write it, in whatever units were asked for: people paste it.
    fn position(&self) -> Position {
        wire::position(&self.document, self.located.found.offset, Encoding::Utf16)
    }
}
