//! `completion`: what may be written at a place.

use std::fmt::Write as _;
use std::sync::Arc;

use clap::Args;
use locant_engine::Document;
use locant_engine::names::{Names, Suggestion};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::again::Again;
use crate::answer::Answer;
use crate::around::Around;
use crate::failure::Failure;
use crate::files::Files;
use crate::flags::{Encoding, Flags};
use crate::session::Breadth;
use crate::wire;

/// List what may be written at a place
///
/// Built for .proto and .rho files: types, options and imports; names, contracts and channels.
///
///   locant completion 'a.proto:Order@repeated <|>'
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Completion {
    #[command(flatten)]
    #[serde(flatten)]
    around: Around,
}

/// What may be written at a place.
#[derive(Debug, JsonSchema, Serialize)]
pub struct CompletionAnswer {
    /// What may be written.
    items: Vec<Proposal>,
    /// Who has answered.
    server: String,
    /// How much there is.
    total: usize,
    /// What `character` counts.
    encoding: Encoding,
}

/// Something that may be written.
#[derive(Debug, JsonSchema, Serialize)]
struct Proposal {
    /// What is written.
    text: String,
    /// What it replaces.
    range: wire::Range,
    /// More about it.
    detail: String,
    /// Its documentation, in Markdown.
    docs: String,
}

struct Suggested {
    document: Arc<Document>,
    suggestions: Vec<Suggestion>,
    encoding: Encoding,
}

impl Ask for Completion {
    type Wire = Again<CompletionAnswer>;

    fn run(self, flags: &Flags, files: &Files) -> Result<Box<dyn Answer>, Failure> {
        let asked = self.around.open("completion", flags, files)?;
        let (mut suggestions, _) =
            asked.ask(Breadth::Needed, |names, path, at| names.suggestions(path, at), |_| Vec::new());
        let text = asked.document.text();
        let typed = |one: &Suggestion| text.lossy(one.replaces).to_lowercase();
        suggestions.retain(|one| one.text.to_lowercase().contains(&typed(one)));
        if suggestions.is_empty() {
            return Err(asked.nothing("completion"));
        }
        let document = Arc::clone(&asked.document);
        Ok(asked.told(Suggested { document, suggestions, encoding: flags.encoding() }))
    }
}

impl Answer for Suggested {
    fn json(&self) -> String {
        let item = |one: &Suggestion| Proposal {
            text: one.text.clone(),
            range: wire::range(&self.document, one.replaces, self.encoding),
            detail: one.detail.clone(),
            docs: one.docs.clone(),
        };
        let items: Vec<Proposal> = self.suggestions.iter().map(item).collect();
        let (total, encoding) = (items.len(), self.encoding);
        wire::to_json(&CompletionAnswer { items, server: wire::server(), total, encoding })
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for one in &self.suggestions {
            let between = if one.detail.is_empty() { "" } else { "  " };
            // Writing to a string does not fail.
            let _ = writeln!(text, "{}{between}{}", one.text, one.detail);
        }
        text
    }

    fn markdown(&self) -> String {
        self.suggestions.iter().map(|one| format!("- `{}`\n", one.text)).collect()
    }
}
