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
    /// Does it prefer Markdown in hovers?
    pub(super) reads_markdown: bool,
    /// And beside suggestions?
    pub(super) completes_markdown: bool,
    /// And beside signatures?
    pub(super) signs_markdown: bool,
    /// Does it take the place of a parameter in its signature, not only its text?
    pub(super) takes_label_places: bool,
    /// Does it take actions that are more than the name of a command?
    pub(super) takes_actions: bool,
    /// Does it show which of several actions is preferred?
    pub(super) takes_preferred: bool,
    /// How many folds it takes at most.
    pub(super) most_folds: Option<usize>,
    /// Does it take the version of a document with its edits?
    pub(super) takes_versions: bool,
    /// Does it show what is said of edits, and ask whether to make them?
    pub(super) asks_about_edits: bool,
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
        let said = |path: &str| params.pointer(&format!("/capabilities/{path}"));
        let says = |path: &str| said(path).is_some_and(|said| *said == true);
        Client {
            encoding: encoding(params),
            nests_symbols: says("textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            takes_links: says("textDocument/definition/linkSupport"),
            reads_markdown: prefers_markdown(said("textDocument/hover/contentFormat")),
            completes_markdown: prefers_markdown(said(
                "textDocument/completion/completionItem/documentationFormat",
            )),
            signs_markdown: prefers_markdown(said(
                "textDocument/signatureHelp/signatureInformation/documentationFormat",
            )),
            takes_label_places: says(
                "textDocument/signatureHelp/signatureInformation/parameterInformation/labelOffsetSupport",
            ),
            takes_actions: said("textDocument/codeAction/codeActionLiteralSupport")
                .is_some_and(Value::is_object),
            takes_preferred: says("textDocument/codeAction/isPreferredSupport"),
            most_folds: said("textDocument/foldingRange/rangeLimit")
                .and_then(|limit| usize::try_from(limit.as_u64()?).ok()),
            takes_versions: says("workspace/workspaceEdit/documentChanges"),
            asks_about_edits: said("workspace/workspaceEdit/changeAnnotationSupport")
                .is_some_and(Value::is_object),
            folds_lines: says("textDocument/foldingRange/lineFoldingOnly"),
            watches_files: says("workspace/didChangeWatchedFiles/dynamicRegistration"),
            asks_for_problems: said("textDocument/diagnostic").is_some_and(Value::is_object),
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
        if self.takes_actions {
            capabilities["codeActionProvider"] = json!({"codeActionKinds": ["quickfix"]});
        }
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

/// Whether Markdown comes before plain text in a list of what the client reads: what it prefers comes first.
fn prefers_markdown(list: Option<&Value>) -> bool {
    let known = |said: &&Value| **said == "markdown" || **said == "plaintext";
    let first = list.and_then(Value::as_array).and_then(|list| list.iter().find(known));
    first.is_some_and(|said| said == "markdown")
}
