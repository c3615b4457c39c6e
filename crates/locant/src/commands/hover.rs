//! `hover`: what is known of the name at a place.

use std::sync::Arc;

use clap::Args;
use locant_engine::Document;
use locant_engine::names::{self, Question};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::again::Again;
use crate::answer::Answer;
use crate::around::Around;
use crate::failure::Failure;
use crate::files::Files;
use crate::flags::{Encoding, Flags};
use crate::{show, wire};

/// Show what is known of the name at a place: its declaration, its comments, and what it is
///
/// Built for .proto and .rho files.
///
///   locant hover 'a.proto:Order.total@<|>Money'
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Hover {
    #[command(flatten)]
    #[serde(flatten)]
    around: Around,
}

/// What is known of a name.
#[derive(Debug, JsonSchema, Serialize)]
pub struct HoverAnswer {
    /// The file, as it was given.
    file_path: String,
    /// Where the name starts.
    position: wire::Position,
    /// The place as a number of bytes from the start of the file.
    offset: u32,
    /// What `character` counts.
    encoding: Encoding,
    /// The name.
    range: wire::Range,
    /// Its declaration.
    code: String,
    /// What the declaration does not show, in Markdown.
    facts: Vec<String>,
    /// Its documentation, in Markdown.
    docs: String,
    /// Who has answered.
    server: String,
}

struct Known {
    document: Arc<Document>,
    hover: names::Hover,
    who: String,
    encoding: Encoding,
}

impl Ask for Hover {
    type Wire = Again<HoverAnswer>;

    fn run(self, flags: &Flags, files: &Files) -> Result<Box<dyn Answer>, Failure> {
        let asked = self.around.open(Question::Hover, flags, files)?;
        let known = asked.ask(|provider, asked| provider.hover(asked))?;
        let (who, hover) = (known.who, known.value.ok_or_else(|| asked.nothing())?);
        let document = Arc::clone(&asked.document);
        Ok(asked.told(Known { document, hover, who, encoding: flags.encoding() }))
    }
}

impl Answer for Known {
    fn json(&self) -> String {
        let range = wire::range(&self.document, self.hover.range, self.encoding);
        wire::to_json(&HoverAnswer {
            file_path: self.document.path().to_owned(),
            position: range.start,
            offset: self.hover.range.start().to_u32(),
            encoding: self.encoding,
            range,
            code: self.hover.code.clone(),
            facts: self.hover.facts.clone(),
            docs: self.hover.docs.clone(),
            server: self.who.clone(),
        })
    }

    fn text(&self) -> String {
        let position = wire::position(&self.document, self.hover.range.start(), self.encoding);
        let place = show::place(&self.document, position);
        let facts = self.hover.facts.join("\n").replace('`', "");
        let parts = [self.hover.code.as_str(), &facts, &self.hover.docs];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        format!("{place}\n{}\n", parts.join("\n\n"))
    }

    fn markdown(&self) -> String {
        show::hover(&self.hover, self.document.language()) + "\n"
    }
}
