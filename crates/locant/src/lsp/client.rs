//! The capabilities of the client, and those that the server announces.

use locant_engine::Encoding;
use serde_json::{Value, json};

use super::offered::{COMMANDS, LOCATIONS, QUICK_FIX};
use super::words::{MODIFIERS, TOKEN_KINDS};

/// Those capabilities of the client on which answers depend.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Client {
    /// The unit in which it counts columns.
    pub(super) encoding: Encoding,
    /// Whether it accepts nested symbols.
    pub(super) nests_symbols: bool,
    /// Whether it accepts links, which have the extent of a definition as well as its name.
    pub(super) takes_links: bool,
    /// Whether it prefers Markdown in hovers.
    pub(super) reads_markdown: bool,
    /// Whether it prefers Markdown in the documentation of suggestions.
    pub(super) completes_markdown: bool,
    /// Whether it prefers Markdown in the documentation of signatures.
    pub(super) signs_markdown: bool,
    /// Whether it accepts the place of a parameter in its signature, and not only the text.
    pub(super) takes_label_places: bool,
    /// Whether it accepts code actions that contain edits, and not only commands.
    pub(super) takes_actions: bool,
    /// Whether it shows which of several actions is preferred.
    pub(super) takes_preferred: bool,
    /// How many folds it accepts at most.
    pub(super) most_folds: Option<usize>,
    /// Whether it accepts edits with the version of their document.
    pub(super) takes_versions: bool,
    /// Whether it shows annotations of edits, and asks the user before it makes them.
    pub(super) asks_about_edits: bool,
    /// Whether it folds whole lines only.
    pub(super) folds_lines: bool,
    /// Whether the server can ask it to watch files.
    pub(super) watches_files: bool,
    /// Whether it requests the problems of a document by itself, so that the server need not send them.
    pub(super) asks_for_problems: bool,
    /// Whether the server can make it request all problems again.
    pub(super) refreshes_problems: bool,
    /// Whether it asks, before a rename, whether the name can be changed.
    pub(super) prepares_renames: bool,
    /// Whether it opens a document where the server asks it to.
    pub(super) shows_documents: bool,
    /// Whether it knows what to do with the answers of the server's commands.
    pub(super) knows_commands: bool,
}

impl Client {
    /// Reads the capabilities of the client. One that is missing, or cannot be read, counts as absent.
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
            shows_documents: says("window/showDocument/support"),
            knows_commands: params.pointer("/initializationOptions/knowsCommands") == Some(&json!(true)),
        }
    }

    /// The capabilities that the server announces to this client.
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
            "documentFormattingProvider": true,
            "documentRangeFormattingProvider": true,
            "completionProvider": {"triggerCharacters": [".", "\"", "(", "@"]},
            "signatureHelpProvider": {"triggerCharacters": ["(", ","]},
            "semanticTokensProvider": {
                "legend": {"tokenTypes": kinds, "tokenModifiers": MODIFIERS},
                "full": true,
                "range": true,
            },
            "workspaceSymbolProvider": true,
            "executeCommandProvider": {"commands": COMMANDS},
            "workspace": {"workspaceFolders": {"supported": true, "changeNotifications": true}},
        });
        if self.takes_actions {
            capabilities["codeActionProvider"] = json!({"codeActionKinds": [QUICK_FIX, LOCATIONS]});
        }
        if self.asks_for_problems {
            capabilities["diagnosticProvider"] =
                json!({"identifier": "locant", "interFileDependencies": true, "workspaceDiagnostics": false});
        }
        capabilities
    }
}

/// The first of the client's encodings that is supported; UTF-16 when there is none.
fn encoding(params: &Value) -> Encoding {
    let offered = params.pointer("/capabilities/general/positionEncodings").and_then(Value::as_array);
    let known = |said: &Value| Encoding::of_word(said.as_str()?);
    offered.and_then(|offered| offered.iter().find_map(known)).unwrap_or_default()
}

/// Whether Markdown comes before plain text in a list of formats, which has the preferred one first.
fn prefers_markdown(list: Option<&Value>) -> bool {
    let known = |said: &&Value| **said == "markdown" || **said == "plaintext";
    let first = list.and_then(Value::as_array).and_then(|list| list.iter().find(known));
    first.is_some_and(|said| said == "markdown")
}
