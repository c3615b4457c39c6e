//! What the client can do, and what the server says it can.

use locant_engine::Encoding;
use serde_json::{Value, json};

use super::words::{MODIFIERS, TOKEN_KINDS};

/// What the client can do, as far as answers depend on it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Client {
    /// What its columns count.
    pub(super) encoding: Encoding,
    /// Does it take symbols nested?
    pub(super) nests_symbols: bool,
    /// Does it take the whole of a definition beside its name?
    pub(super) takes_links: bool,
    /// Does it read Markdown in hovers?
    pub(super) reads_markdown: bool,
    /// And beside suggestions?
    pub(super) completes_markdown: bool,
    /// And beside signatures?
    pub(super) signs_markdown: bool,
    /// Does it take the version of a document with its edits?
    pub(super) takes_versions: bool,
    /// Does it only fold whole lines?
    pub(super) folds_lines: bool,
    /// Does it watch files when it is asked to?
    pub(super) watches_files: bool,
    /// Does it ask for problems itself?
    pub(super) asks_for_problems: bool,
    /// Does it ask again for problems when it is told to?
    pub(super) refreshes_problems: bool,
    /// Does it ask whether a name can be changed?
    pub(super) prepares_renames: bool,
}

impl Client {
    /// Reads what the client says of itself. What it does not say, or says in a way that cannot be read, it cannot do.
    pub(super) fn new(params: &Value) -> Client {
        let says =
            |path: &str| params.pointer(&format!("/capabilities/{path}")).is_some_and(|said| *said == true);
        let lists = |path: &str, word: &str| {
            let list = params.pointer(&format!("/capabilities/{path}")).and_then(Value::as_array);
            list.is_some_and(|list| list.iter().any(|said| said == word))
        };
        Client {
            encoding: encoding(params),
            nests_symbols: says("textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            takes_links: says("textDocument/definition/linkSupport"),
            reads_markdown: lists("textDocument/hover/contentFormat", "markdown"),
            completes_markdown: lists(
                "textDocument/completion/completionItem/documentationFormat",
                "markdown",
            ),
            signs_markdown: lists(
                "textDocument/signatureHelp/signatureInformation/documentationFormat",
                "markdown",
            ),
            takes_versions: says("workspace/workspaceEdit/documentChanges"),
            folds_lines: says("textDocument/foldingRange/lineFoldingOnly"),
            watches_files: says("workspace/didChangeWatchedFiles/dynamicRegistration"),
            asks_for_problems: params
                .pointer("/capabilities/textDocument/diagnostic")
                .is_some_and(Value::is_object),
            refreshes_problems: says("workspace/diagnostics/refreshSupport"),
            prepares_renames: says("textDocument/rename/prepareSupport"),
        }
    }

    /// What the server can do for this client.
    pub(super) fn capabilities(&self) -> Value {
        let kinds: Vec<&str> = TOKEN_KINDS.iter().map(|(_, word)| *word).collect();
        let mut capabilities = json!({
            "positionEncoding": self.encoding.word(),
            "textDocumentSync": {"openClose": true, "change": 2, "save": {"includeText": false}},
            "documentSymbolProvider": true,
            "selectionRangeProvider": true,
            "foldingRangeProvider": true,
            "definitionProvider": true,
            "declarationProvider": true,
            "typeDefinitionProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "hoverProvider": true,
            "renameProvider": if self.prepares_renames { json!({"prepareProvider": true}) } else { json!(true) },
            "completionProvider": {"triggerCharacters": [".", "\"", "(", "@"]},
            "signatureHelpProvider": {"triggerCharacters": ["(", ","]},
            "semanticTokensProvider": {
                "legend": {"tokenTypes": kinds, "tokenModifiers": MODIFIERS},
                "full": true,
                "range": true,
            },
            "workspaceSymbolProvider": true,
            "workspace": {"workspaceFolders": {"supported": true, "changeNotifications": true}},
        });
        if self.asks_for_problems {
            capabilities["diagnosticProvider"] =
                json!({"identifier": "locant", "interFileDependencies": true, "workspaceDiagnostics": false});
        }
        capabilities
    }
}

/// The first of the client's encodings that is one; UTF-16 when it names none.
fn encoding(params: &Value) -> Encoding {
    let offered = params.pointer("/capabilities/general/positionEncodings").and_then(Value::as_array);
    let known = |said: &Value| Encoding::of_word(said.as_str()?);
    offered.and_then(|offered| offered.iter().find_map(known)).unwrap_or_default()
}
