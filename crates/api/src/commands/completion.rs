//! `completion`: what may be written at a place.

use clap::Args;
use locant_engine::names::{Question, Suggestion, SuggestionKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::failure::{Failure, Kind};
use crate::flags::Flags;
use crate::how_found::HowFound;
use crate::name_query::{Around, Asked};
use crate::paging::{Listed, Paging};
use crate::request::Context;
use crate::show;
use crate::wire::{self, Item, Page};

/// List what may be written at a place
///
/// In .proto and .rho files: types, options and imports; names, contracts and channels. Other languages are answered
/// by their language servers.
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

/// Something that may be inserted.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Proposal {
    /// The text to show in a list.
    label: String,
    /// The kind of the suggestion: `keyword`, `type`, `enum` …
    kind: &'static str,
    /// The text to insert.
    insert_text: String,
    /// The text to insert, as in `insert_text`.
    text: String,
    /// The range that the inserted text replaces.
    range: wire::Range,
    /// More about the suggestion.
    detail: String,
    /// The documentation, in Markdown.
    docs: String,
}

impl Ask for Completion {
    type Answer = HowFound<Page<Proposal>>;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<HowFound<Page<Proposal>>, Failure> {
        let paging = self.paging.checked()?;
        let asked = self.around.open(Question::Completion, flags, context)?;
        let known = asked.ask(|provider, asked| provider.suggestions(asked))?;
        let reach = asked.reach(&known);
        let mut suggestions = known.value;
        let (text, n_possible) = (asked.document.text(), suggestions.len());
        let typed = |one: &Suggestion| text.lossy(one.replaces).to_lowercase();
        let first = suggestions.first().map(|one| text.lossy(one.replaces).into_owned());
        suggestions.retain(|one| one.text.to_lowercase().contains(&typed(one)));
        if suggestions.is_empty() {
            return Err(nothing(&asked, first.map(|typed| (n_possible, typed)), flags));
        }
        let (Listed { items, part }, encoding) = (paging.cut(suggestions), flags.encoding());
        let proposal = |one: Suggestion| Proposal {
            label: one.label.unwrap_or_else(|| one.text.clone()),
            kind: word(one.kind),
            insert_text: one.text.clone(),
            text: one.text,
            range: wire::range(&asked.document, one.replaces, encoding),
            detail: one.detail,
            docs: one.docs,
        };
        let page = Page::new(items.into_iter().map(proposal).collect(), part, encoding).searched(&reach);
        Ok(asked.told(page.with_notes(reach.gaps().collect())))
    }
}

impl Item for Proposal {
    const PLURAL: &'static str = "suggestions";

    fn text(&self, _: bool) -> String {
        let between = if self.detail.is_empty() { "" } else { "  " };
        format!("{}{between}{}\n", self.label, self.detail)
    }

    fn markdown(&self) -> String {
        let detail =
            if self.detail.is_empty() { String::new() } else { format!(": {}", show::code(&self.detail)) };
        format!("- {} {}{detail}\n", self.kind, show::code(&self.label))
    }
}

/// The failure when nothing is offered, with a hint.
///
/// `unlike` is set if words are allowed at the place, but none of them contains the text that is already there. It
/// holds the number of these words, and that text.
fn nothing(asked: &Asked<'_>, unlike: Option<(usize, String)>, flags: &Flags) -> Failure {
    let position = wire::position(&asked.document, asked.offset, flags.encoding());
    let place = show::place(asked.document.path(), position);
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
