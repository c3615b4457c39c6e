//! Which request is answered where.

use gen_lsp_types as lsp;
use locant_engine::Offset;
use locant_engine::names::Names;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::server::Server;
use super::transport::Error;
use crate::disk::is_known;
use crate::uri;

/// A place in a document that a request is about.
pub(super) struct Cursor {
    pub(super) path: String,
    pub(super) at: Offset,
}

impl Server {
    /// Answers a request, in JSON.
    pub(super) fn answer(&mut self, method: &str, params: Value) -> Result<String, Error> {
        match method {
            "textDocument/documentSymbol" => self.with(params, Server::document_symbols),
            "textDocument/selectionRange" => self.with(params, Server::selection_ranges),
            "textDocument/foldingRange" => self.with(params, Server::folding_ranges),
            "textDocument/definition" => self.at_place(params, |server, place| {
                server.targets(&place, |names, path, at| names.definition(path, at))
            }),
            "textDocument/declaration" => self.at_place(params, |server, place| {
                server.targets(&place, |names, path, at| names.declaration(path, at))
            }),
            "textDocument/typeDefinition" => self.at_place(params, |server, place| {
                server.targets(&place, |names, path, at| names.type_definition(path, at))
            }),
            "textDocument/references" => self.with(params, Server::references),
            "textDocument/documentHighlight" => self.at_place(params, Server::highlights),
            "textDocument/hover" => self.at_place(params, Server::hover),
            "textDocument/completion" => self.at_place(params, Server::completion),
            "textDocument/signatureHelp" => self.at_place(params, Server::signature_help),
            "textDocument/semanticTokens/full" => self.with(params, Server::semantic_tokens),
            "textDocument/semanticTokens/range" => self.with(params, Server::semantic_tokens_in),
            "textDocument/prepareRename" => self.at_place(params, Server::prepare_rename),
            "textDocument/rename" => self.with(params, Server::rename),
            "textDocument/codeAction" => self.with(params, Server::code_actions),
            "textDocument/diagnostic" => self.with(params, Server::diagnostics),
            "workspace/symbol" => self.with(params, Server::workspace_symbols),
            _ => Err(Error::new(Error::METHOD_NOT_FOUND, format!("`{method}` is not answered"))),
        }
    }

    fn with<P: DeserializeOwned, R: Serialize>(
        &mut self,
        params: Value,
        answer: impl FnOnce(&mut Server, P) -> Result<R, Error>,
    ) -> Result<String, Error> {
        let params = P::deserialize(params).map_err(|error| {
            Error::new(Error::INVALID_PARAMS, format!("the parameters are wrong: {error}"))
        })?;
        let answer = answer(self, params)?;
        serde_json::to_string(&answer).map_err(|error| Error::new(Error::INTERNAL_ERROR, error.to_string()))
    }

    /// Answers a request that is about a place. In a document that is not there nothing is found.
    fn at_place<R: Serialize>(
        &mut self,
        params: Value,
        answer: impl FnOnce(&mut Server, Cursor) -> Result<Option<R>, Error>,
    ) -> Result<String, Error> {
        self.with(params, |server, params: lsp::TextDocumentPositionParams| match server.place(&params) {
            Some(place) => answer(server, place),
            None => Ok(None),
        })
    }

    /// The place that a request names; `None` when there is no such document.
    pub(super) fn place(&mut self, params: &lsp::TextDocumentPositionParams) -> Option<Cursor> {
        let path = uri::path(params.text_document.uri.as_ref());
        self.refresh(std::iter::once(path.as_str()));
        if !self.names.has(&path) && is_known(&path) {
            // A file that the client does not have open, and that is in none of its folders.
            self.take_file(&path);
        }
        let at = self.on_sheet(&path, |sheet| sheet.offset(params.position))?;
        Some(Cursor { path, at })
    }

    /// Asks the names about a place. When a file of the answer has changed on disk meanwhile, or nothing is found and
    /// there are new files, they are asked again.
    pub(super) fn ask_names<T>(
        &mut self,
        place: &Cursor,
        ask: impl Fn(&dyn Names, &str, Offset) -> T,
        files: impl Fn(&T) -> Vec<String>,
    ) -> T {
        let answer = ask(&self.names, &place.path, place.at);
        let files = files(&answer);
        if self.refresh(files.iter().map(String::as_str)) || files.is_empty() && self.find_new() {
            ask(&self.names, &place.path, place.at)
        } else {
            answer
        }
    }
}
