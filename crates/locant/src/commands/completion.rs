//! `completion`: what may be written at a place.

use std::fmt::Write as _;
use std::sync::Arc;

use clap::Args;
use locant_engine::Document;
use locant_engine::names::{Question, Suggestion, SuggestionKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::again::Again;
use crate::answer::Answer;
use crate::around::{Around, Asked};
use crate::failure::{Failure, Kind};
use crate::files::Files;
use crate::flags::{Encoding, Flags};
use crate::paging::{Listed, Paging};
use crate::show;
use crate::wire::{self, Page};

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
    #[command(flatten)]
    #[serde(flatten)]
    paging: Paging,
}

/// Something that may be written.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Proposal {
    /// What is offered.
    label: String,
    /// What it is: `keyword`, `type`, `enum` …
    kind: &'static str,
    /// What is written.
    insert_text: String,
    /// The same.
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
    suggestions: Listed<Suggestion>,
    encoding: Encoding,
}

impl Ask for Completion {
    type Wire = Again<Page<Proposal>>;

    fn run(self, flags: &Flags, files: &Files) -> Result<Box<dyn Answer>, Failure> {
        let paging = self.paging.checked()?;
        let asked = self.around.open(Question::Completion, flags, files)?;
        let mut suggestions = asked.ask(|provider, asked| provider.suggestions(asked))?.value;
        let (text, n_possible) = (asked.document.text(), suggestions.len());
        let typed = |one: &Suggestion| text.lossy(one.replaces).to_lowercase();
        let first = suggestions.first().map(|one| text.lossy(one.replaces).into_owned());
        suggestions.retain(|one| one.text.to_lowercase().contains(&typed(one)));
        if suggestions.is_empty() {
            return Err(nothing(&asked, first.map(|typed| (n_possible, typed)), flags));
        }
        let document = Arc::clone(&asked.document);
        let suggestions = paging.cut(suggestions);
        Ok(asked.told(Suggested { document, suggestions, encoding: flags.encoding() }))
    }
}

/// Why nothing is offered, and what to do.
///
/// `unlike` is how many words may stand there, none of which has in it what is written.
fn nothing(asked: &Asked<'_>, unlike: Option<(usize, String)>, flags: &Flags) -> Failure {
    let position = wire::position(&asked.document, asked.offset, flags.encoding());
    let place = show::place(&asked.document, position);
    let (why, hint) = match unlike {
        None => (
            "nothing is known that may be written there".to_owned(),
            "name a place where a name or a word of the language may stand, not one in a comment or a text",
        ),
        Some((n, typed)) => (
            format!("none of the {n} words that may stand there contains `{typed}`"),
            "put the marker `<|>` at the start of the word: then all are listed",
        ),
    };
    Failure::new(Kind::NotFound, format!("{place} has no completion: {why}"), hint)
}

impl Answer for Suggested {
    fn json(&self) -> String {
        let item = |one: &Suggestion| Proposal {
            label: one.text.clone(),
            kind: word(one.kind),
            insert_text: one.text.clone(),
            text: one.text.clone(),
            range: wire::range(&self.document, one.replaces, self.encoding),
            detail: one.detail.clone(),
            docs: one.docs.clone(),
        };
        let items = self.suggestions.items.iter().map(item).collect();
        wire::to_json(&Page::new(items, self.suggestions.part, self.encoding))
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for one in &self.suggestions.items {
            let between = if one.detail.is_empty() { "" } else { "  " };
            // Writing to a string does not fail.
            let _ = writeln!(text, "{}{between}{}", one.text, one.detail);
        }
        text
    }

    fn markdown(&self) -> String {
        self.suggestions.items.iter().map(|one| format!("- {}\n", show::code(&one.text))).collect()
    }

    fn notes(&self) -> Vec<String> {
        self.suggestions.part.note("suggestions").into_iter().collect()
    }
}

fn word(kind: SuggestionKind) -> &'static str {
    match kind {
        SuggestionKind::Keyword => "keyword",
        SuggestionKind::Type => "type",
        SuggestionKind::Enum => "enum",
        SuggestionKind::EnumMember => "enum_member",
        SuggestionKind::Field => "field",
        SuggestionKind::Function => "function",
        SuggestionKind::Method => "method",
        SuggestionKind::Variable => "variable",
        SuggestionKind::Module => "module",
        SuggestionKind::File => "file",
    }
}
