//! `hover`: what is known about the name at a place.

use clap::Args;
use locant_engine::names::Question;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::answer::Answer;
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::flags::Flags;
use crate::how_found::HowFound;
use crate::name_query::Around;
use crate::phrase::Voice;
use crate::request::Context;
use crate::{show, wire};

/// Show what is known of the name at a place: its declaration, its comments, and what it is
///
/// .proto and .rho files are answered by locant itself, other languages by their language servers. Where there is none,
/// the first symbol that has the name is shown, and the answer says so.
///
///   locant hover 'a.proto:Order.total@<|>Money'
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Hover {
    #[command(flatten)]
    #[serde(flatten)]
    around: Around,
}

/// What is known about a name.
#[derive(Debug, JsonSchema, Serialize)]
pub struct HoverAnswer {
    /// The path of the file, as in the request.
    file_path: String,
    /// Where the name starts.
    position: wire::Position,
    /// The place as a number of bytes from the start of the file.
    offset: u32,
    /// The unit in which `character` counts.
    encoding: Encoding,
    /// The range of the name.
    range: wire::Range,
    /// Its declaration.
    code: String,
    /// Facts that the declaration does not show, in Markdown.
    facts: Vec<String>,
    /// Its documentation, in Markdown.
    docs: String,
    /// The provider that answered.
    server: String,
    /// The whole answer, in Markdown.
    text: String,
}

impl Ask for Hover {
    type Answer = HowFound<HoverAnswer>;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<HowFound<HoverAnswer>, Failure> {
        let asked = self.around.open(Question::Hover, flags, context)?;
        let known = asked.ask(|provider, asked| provider.hover(asked))?;
        let hover = known.value.ok_or_else(|| asked.nothing())?;
        let (document, encoding) = (&asked.document, flags.encoding());
        let range = wire::range(document, hover.range, encoding);
        Ok(asked.told(HoverAnswer {
            file_path: document.path().to_owned(),
            position: range.start,
            offset: hover.range.start().to_u32(),
            encoding,
            range,
            text: show::hover(&hover, document.language()),
            code: hover.code,
            facts: hover.facts,
            docs: hover.docs,
            server: known.who,
        }))
    }
}

impl Answer for HoverAnswer {
    fn text(&self, _: &dyn Voice) -> String {
        let place = show::place(&self.file_path, self.position);
        let facts = self.facts.join("\n").replace('`', "");
        let parts = [self.code.as_str(), &facts, &self.docs];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        format!("{place}\n{}\n", parts.join("\n\n"))
    }

    fn headline(&self) -> String {
        let wire::Position { line, character } = self.position;
        format!("{} at {line}:{character}\n", show::code(&self.file_path))
    }

    fn markdown(&self, _: &dyn Voice) -> String {
        format!("{}\n", self.text)
    }
}
