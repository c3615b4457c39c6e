//! What is shown for words: hover, completion, signatures, semantic tokens.

use gen_lsp_types as lsp;
use locant_engine::Range;
use locant_engine::names::{Hover, SignatureHelp, Suggestion, SuggestionKind, Token, TokenKind};
use serde_json::{Value, json};

use super::client::Client;
use super::convert::Sheet;
use super::transport::Error;
use super::view::{Cursor, View};
use locant_api::uri;

/// The kinds of tokens. Answers number them in this order.
pub(super) const TOKEN_KINDS: &[(TokenKind, &str)] = &[
    (TokenKind::Namespace, "namespace"),
    (TokenKind::Type, "type"),
    (TokenKind::Enum, "enum"),
    (TokenKind::EnumMember, "enumMember"),
    (TokenKind::Interface, "interface"),
    (TokenKind::Property, "property"),
    (TokenKind::Method, "method"),
    (TokenKind::Function, "function"),
    (TokenKind::Parameter, "parameter"),
    (TokenKind::Variable, "variable"),
    (TokenKind::Decorator, "decorator"),
    (TokenKind::Keyword, "keyword"),
    (TokenKind::Comment, "comment"),
    (TokenKind::String, "string"),
    (TokenKind::Number, "number"),
    (TokenKind::Operator, "operator"),
];

/// The modifiers of tokens. Answers number their bits in this order.
pub(super) const MODIFIERS: &[&str] = &["declaration"];

/// How many suggestions an answer has at most; a client asks again when more is typed.
const MOST_SUGGESTIONS: usize = 500;

impl View {
    pub(super) fn hover(&self, place: Cursor) -> Result<Option<lsp::Hover>, Error> {
        let known = self.ask(&place, |provider, asked| provider.hover(asked))?;
        let Some(hover) = known.and_then(|known| known.value) else { return Ok(None) };
        let said = if self.client.reads_markdown {
            locant_api::show::hover(&hover, place.document.language())
        } else {
            plain(&hover)
        };
        let contents = lsp::Contents::MarkupContent(markup(said, self.client.reads_markdown));
        let range = self.on_sheet(&place.path, |sheet| sheet.range(hover.range));
        Ok(Some(lsp::Hover { contents, range }))
    }

    pub(super) fn completion(&self, place: Cursor) -> Result<Option<Value>, Error> {
        let known = self.ask(&place, |provider, asked| provider.suggestions(asked))?;
        let suggestions = known.map(|known| known.value).unwrap_or_default();
        let Some(source) = self.source(&place.path) else { return Ok(None) };
        let sheet = source.sheet(&self.client);
        let fits = |one: &&Suggestion| fits(&one.text, &sheet.text.lossy(one.replaces));
        let mut fitting: Vec<&Suggestion> = suggestions.iter().filter(fits).collect();
        // Keywords come last, and before them suggestions without details. Otherwise those with fewer dots, which are
        // nearer, come first.
        fitting.sort_by_key(|one| {
            let is_word = one.detail.is_empty() && one.kind != SuggestionKind::File;
            (one.kind == SuggestionKind::Keyword, is_word, one.text.matches('.').count())
        });
        let is_incomplete = fitting.len() > MOST_SUGGESTIONS;
        let is_markdown = self.client.completes_markdown;
        let items = fitting.iter().take(MOST_SUGGESTIONS).enumerate();
        let items = items.map(|(nth, one)| completion_item(one, nth, sheet, is_markdown));
        Ok(Some(json!({"isIncomplete": is_incomplete, "items": items.collect::<Vec<_>>()})))
    }

    pub(super) fn signature_help(&self, place: Cursor) -> Result<Option<Value>, Error> {
        let known = self.ask(&place, |provider, asked| provider.signatures(asked))?;
        let help = known.and_then(|known| known.value);
        Ok(help.map(|help| signature_help(&help, &self.client)))
    }

    pub(super) fn semantic_tokens(
        &self,
        params: lsp::SemanticTokensParams,
    ) -> Result<Option<lsp::SemanticTokens>, Error> {
        self.tokens_in(&uri::path(params.text_document.uri.as_ref()), None)
    }

    pub(super) fn semantic_tokens_in(
        &self,
        params: lsp::SemanticTokensRangeParams,
    ) -> Result<Option<lsp::SemanticTokens>, Error> {
        self.tokens_in(&uri::path(params.text_document.uri.as_ref()), Some(params.range))
    }

    fn tokens_in(
        &self,
        path: &str,
        within: Option<lsp::Range>,
    ) -> Result<Option<lsp::SemanticTokens>, Error> {
        let Some(source) = self.source(path) else { return Ok(None) };
        let known = match self.start_of(path) {
            Some(start) => self.ask(&start, |provider, asked| provider.tokens(asked))?,
            None => None,
        };
        let tokens = known.map(|known| known.value).unwrap_or_default();
        let sheet = source.sheet(&self.client);
        let within = within.map_or(sheet.text.range(), |range| sheet.stretch(range));
        let asked = tokens
            .iter()
            .filter(|token| token.range.start() < within.end() && within.start() < token.range.end());
        Ok(Some(lsp::SemanticTokens { result_id: None, data: encoded(asked, sheet) }))
    }
}

fn plain(hover: &Hover) -> String {
    let facts = hover.facts.join("\n").replace(['`', '*'], "");
    let parts = [hover.code.clone(), facts, hover.docs.clone()];
    parts.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join("\n\n")
}

/// Text as the protocol writes it, marked as Markdown or as plain text.
fn markup(value: String, is_markdown: bool) -> lsp::MarkupContent {
    let kind = if is_markdown { lsp::MarkupKind::Markdown } else { lsp::MarkupKind::PlainText };
    lsp::MarkupContent { kind, value }
}

/// Whether a suggestion fits the typed text: the suggestion starts with the text, or contains the last part of the
/// text. The client filters again in its own way.
fn fits(suggested: &str, typed: &str) -> bool {
    let (name, typed) = (suggested.to_lowercase(), typed.to_lowercase());
    let last = typed.rsplit(['.', '/']).next().unwrap_or_default();
    name.starts_with(&typed) || name.contains(last)
}

/// A suggestion as the protocol writes it. Clients sort by `sortText`, which therefore is the number of the suggestion.
fn completion_item(suggestion: &Suggestion, nth: usize, sheet: Sheet<'_>, is_markdown: bool) -> Value {
    let kind = match suggestion.kind {
        SuggestionKind::Keyword => lsp::CompletionItemKind::Keyword,
        SuggestionKind::Type => lsp::CompletionItemKind::Struct,
        SuggestionKind::Enum => lsp::CompletionItemKind::Enum,
        SuggestionKind::EnumMember => lsp::CompletionItemKind::EnumMember,
        SuggestionKind::Field => lsp::CompletionItemKind::Field,
        SuggestionKind::Function => lsp::CompletionItemKind::Function,
        SuggestionKind::Method => lsp::CompletionItemKind::Method,
        SuggestionKind::Variable => lsp::CompletionItemKind::Variable,
        SuggestionKind::Module => lsp::CompletionItemKind::Module,
        SuggestionKind::File => lsp::CompletionItemKind::File,
    };
    let mut item = json!({
        "label": suggestion.text,
        "kind": kind,
        "textEdit": {"range": sheet.range(suggestion.replaces), "newText": suggestion.text},
        "filterText": suggestion.text,
        "sortText": format!("{nth:04}"),
    });
    if !suggestion.detail.is_empty() {
        item["detail"] = json!(suggestion.detail);
    }
    if !suggestion.docs.is_empty() {
        item["documentation"] = json!(markup(suggestion.docs.clone(), is_markdown));
    }
    item
}

/// Signatures as the protocol writes them. A parameter is a range in the label of its signature, which the protocol
/// counts in UTF-16, whatever the encoding of documents is. A client that does not accept ranges gets the text of the
/// parameter, and looks for it in the label.
fn signature_help(help: &SignatureHelp, client: &Client) -> Value {
    let is_markdown = client.signs_markdown;
    let units = |label: &str, end: usize| label.get(..end).unwrap_or(label).encode_utf16().count();
    let signatures = help.signatures.iter().map(|signature| {
        let parameters = signature.parameters.iter().map(|parameter| {
            let label = &parameter.label;
            let place = if client.takes_label_places {
                json!([units(&signature.label, label.start), units(&signature.label, label.end)])
            } else {
                json!(signature.label.get(label.clone()).unwrap_or_default())
            };
            json!({"label": place, "documentation": markup(parameter.docs.clone(), is_markdown)})
        });
        json!({
            "label": signature.label,
            "documentation": markup(signature.docs.clone(), is_markdown),
            "parameters": parameters.collect::<Vec<_>>(),
        })
    });
    json!({
        "signatures": signatures.collect::<Vec<_>>(),
        "activeSignature": help.active,
        "activeParameter": help.active_parameter,
    })
}

/// Tokens as the protocol packs them: five numbers each, with lines and starts relative to the token before. A token
/// over several lines becomes one for each line.
fn encoded<'t>(tokens: impl Iterator<Item = &'t Token>, sheet: Sheet<'_>) -> Vec<lsp::SemanticToken> {
    let mut data = Vec::new();
    let mut last = lsp::Position::new(0, 0);
    for token in tokens {
        let Some(kind) = TOKEN_KINDS.iter().zip(0u32..).find(|((kind, _), _)| *kind == token.kind) else {
            continue;
        };
        for line in lines(token.range, sheet) {
            let lsp::Range { start, end } = sheet.range(line);
            // Relative positions cannot be negative, so a token before the last one is left out.
            if start < last {
                continue;
            }
            let delta_line = start.line - last.line;
            let delta_start =
                if delta_line == 0 { start.character - last.character } else { start.character };
            data.push(lsp::SemanticToken {
                delta_line,
                delta_start,
                length: end.character - start.character,
                token_type: kind.1,
                token_modifiers_bitset: u32::from(token.is_declaration),
            });
            last = start;
        }
    }
    data
}

/// The part of a range on each of its lines; empty parts are left out.
fn lines(range: Range, sheet: Sheet<'_>) -> Vec<Range> {
    let text = sheet.text;
    let all = text.line_of(range.start())..=text.line_of(range.end());
    let part = |line: u32| {
        let content = text.line_content(line)?;
        let start = content.start().max(range.start());
        let end = content.end().min(range.end());
        (start < end).then(|| Range::new(start, end))
    };
    all.filter_map(part).collect()
}

#[cfg(test)]
mod tests {
    use locant_engine::{Encoding, Text};

    use super::*;

    #[test]
    fn a_token_over_several_lines_is_one_for_each() {
        let text = Text::new("é/* a\r\n😀 */ x").expect("it is short");
        let sheet = Sheet { text: &text, encoding: Encoding::Utf16, counts_mark: false };
        let token = |from: usize, to: usize, kind| Token {
            range: Range::of_indices(from..to),
            kind,
            is_declaration: false,
        };
        let tokens = [token(2, 15, TokenKind::Comment), token(16, 17, TokenKind::Type)];
        let tokens = lsp::SemanticTokens { result_id: None, data: encoded(tokens.iter(), sheet) };
        assert_eq!(json!(tokens)["data"], json!([0, 1, 4, 12, 0, 1, 0, 5, 12, 0, 0, 6, 1, 1, 0]));
    }
}
