//! Which function answers which request.

use gen_lsp_types as lsp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::transport::Error;
use super::view::{Cursor, View};
use locant_api::uri;

impl View {
    /// Answers a request, in JSON.
    pub(super) fn answer(&self, method: &str, params: Value) -> Result<String, Error> {
        match method {
            "textDocument/documentSymbol" => self.with(params, View::document_symbols),
            "textDocument/selectionRange" => self.with(params, View::selection_ranges),
            "textDocument/foldingRange" => self.with(params, View::folding_ranges),
            "textDocument/definition" => self.at_place(params, |view, place| {
                view.targets(&place, |provider, asked| provider.definition(asked))
            }),
            "textDocument/declaration" => self.at_place(params, |view, place| {
                view.targets(&place, |provider, asked| provider.declaration(asked))
            }),
            "textDocument/typeDefinition" => self.at_place(params, |view, place| {
                view.targets(&place, |provider, asked| provider.type_definition(asked))
            }),
            "textDocument/references" => self.with(params, View::references),
            "textDocument/documentHighlight" => self.at_place(params, View::highlights),
            "textDocument/hover" => self.at_place(params, View::hover),
            "textDocument/completion" => self.at_place(params, View::completion),
            "textDocument/signatureHelp" => self.at_place(params, View::signature_help),
            "textDocument/semanticTokens/full" => self.with(params, View::semantic_tokens),
            "textDocument/semanticTokens/range" => self.with(params, View::semantic_tokens_in),
            "textDocument/prepareRename" => self.at_place(params, View::prepare_rename),
            "textDocument/rename" => self.with(params, View::rename),
            "textDocument/formatting" => self.with(params, View::formatting),
            "textDocument/rangeFormatting" => self.with(params, View::range_formatting),
            "textDocument/codeAction" => self.with(params, View::code_actions),
            "workspace/executeCommand" => self.with(params, View::execute),
            "workspace/symbol" => self.with(params, View::workspace_symbols),
            _ => Err(Error::new(Error::METHOD_NOT_FOUND, format!("`{method}` is not answered"))),
        }
    }

    pub(super) fn with<P: DeserializeOwned, R: Serialize>(
        &self,
        params: Value,
        answer: impl FnOnce(&View, P) -> Result<R, Error>,
    ) -> Result<String, Error> {
        let params = P::deserialize(params).map_err(|error| {
            Error::new(Error::INVALID_PARAMS, format!("the parameters are wrong: {error}"))
        })?;
        let answer = answer(self, params)?;
        serde_json::to_string(&answer).map_err(|error| Error::new(Error::INTERNAL_ERROR, error.to_string()))
    }

    /// Answers a request about a place. The answer is `null` if there is no such place.
    fn at_place<R: Serialize>(
        &self,
        params: Value,
        answer: impl FnOnce(&View, Cursor) -> Result<Option<R>, Error>,
    ) -> Result<String, Error> {
        self.with(params, |view, params: lsp::TextDocumentPositionParams| match view.place(&params) {
            Some(place) => answer(view, place),
            None => Ok(None),
        })
    }

    /// The place that a request names; `None` when there is no such document, or it is not text.
    pub(super) fn place(&self, params: &lsp::TextDocumentPositionParams) -> Option<Cursor> {
        let path = uri::path(params.text_document.uri.as_ref());
        let source = self.source(&path)?;
        let at = source.sheet(&self.client).offset(params.position);
        Some(Cursor { path, at, document: source.document? })
    }
}
