//! Notifications: messages of the client that have no answer.

use std::path::PathBuf;
use std::sync::Arc;

use gen_lsp_types as lsp;
use locant_engine::names::Question;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::documents::Open;
use super::server::Server;
use super::view::on_disk;
use locant_api::uri;

impl Server {
    /// Handles a notification. Since there is no answer, parameters that cannot be read are reported on standard error.
    pub(super) fn notification(&mut self, method: &str, params: Value) {
        match method {
            "initialized" => self.watch_files(),
            "textDocument/didOpen" => self.told(method, params, Server::did_open),
            "textDocument/didChange" => match unreadable_range(&params) {
                Some(error) => eprintln!("locant: the parameters of `{method}` are wrong: {error}"),
                None => self.told(method, params, Server::did_change),
            },
            "textDocument/didClose" => self.told(method, params, Server::did_close),
            "textDocument/didSave" => self.told(method, params, |_, _: lsp::DidSaveTextDocumentParams| {}),
            "workspace/didChangeWatchedFiles" => self.told(method, params, Server::did_change_files),
            "workspace/didChangeWorkspaceFolders" => self.told(method, params, Server::did_change_folders),
            // The protocol lets a server ignore all other notifications.
            _ => {}
        }
    }

    fn told<P: DeserializeOwned>(&mut self, method: &str, params: Value, hear: impl FnOnce(&mut Server, P)) {
        match P::deserialize(params) {
            Ok(params) => hear(self, params),
            Err(error) => eprintln!("locant: the parameters of `{method}` are wrong: {error}"),
        }
    }

    fn did_open(&mut self, params: lsp::DidOpenTextDocumentParams) {
        let item = params.text_document;
        let path = uri::path(item.uri.as_ref());
        self.take_open(Open::new(path.clone(), item), &path);
    }

    fn did_change(&mut self, params: lsp::DidChangeTextDocumentParams) {
        let path = uri::path(params.text_document.text_document_identifier.uri.as_ref());
        let Some(open) = self.open.get(&path) else {
            return eprintln!("locant: a change of `{path}`, which is not open, is not made");
        };
        let mut open = Open::clone(open);
        open.version = params.text_document.version;
        open.change(params.content_changes, self.client.encoding);
        if self.client.asks_for_problems {
            // The client requests the problems of the new text by itself.
            self.problems.published.remove(&path);
        }
        self.take_open(open, &path);
    }

    fn did_close(&mut self, params: lsp::DidCloseTextDocumentParams) {
        let path = uri::path(params.text_document.uri.as_ref());
        let Some(open) = Arc::make_mut(&mut self.open).remove(&path) else { return };
        // Problems are shown for open documents only.
        let published = self.problems.published.remove(&path).unwrap_or_default();
        if !self.client.asks_for_problems && !published.is_empty() {
            self.output.tell("textDocument/publishDiagnostics", &json!({"uri": open.uri, "diagnostics": []}));
        }
        // From now on the file on disk counts, if there is one.
        self.workspace.close(&on_disk(&path, &self.folders));
        self.note_changes(None);
    }

    fn did_change_files(&mut self, _: lsp::DidChangeWatchedFilesParams) {
        self.note_changes(None);
    }

    fn did_change_folders(&mut self, params: lsp::DidChangeWorkspaceFoldersParams) {
        let path = |folder: &lsp::WorkspaceFolder| PathBuf::from(uri::path(folder.uri.as_ref()));
        let removed: Vec<PathBuf> = params.event.removed.iter().map(path).collect();
        let mut folders = Vec::clone(&self.folders);
        folders.retain(|folder| !removed.contains(folder));
        folders.extend(params.event.added.iter().map(path));
        self.set_folders(folders);
    }

    /// Asks the client to send a notification when a file changes.
    fn watch_files(&mut self) {
        if !self.client.watches_files {
            return;
        }
        let extensions = self.providers.extensions(Question::Definition);
        let watcher = |extension: &String| json!({"globPattern": format!("**/*.{extension}")});
        let watchers: Vec<Value> = extensions.iter().map(watcher).collect();
        let registration = json!({
            "id": "locant-files",
            "method": "workspace/didChangeWatchedFiles",
            "registerOptions": {"watchers": watchers},
        });
        self.ask("client/registerCapability", &json!({"registrations": [registration]}));
    }
}

/// Why the range of a change cannot be read; `None` when all can be. A change whose range is dropped would replace the
/// whole text.
fn unreadable_range(params: &Value) -> Option<serde_json::Error> {
    let changes = params["contentChanges"].as_array()?;
    let with_range = changes.iter().filter(|change| !change["range"].is_null());
    let mut read = with_range.map(lsp::TextDocumentContentChangePartial::deserialize);
    read.find_map(Result::err)
}
