//! What this client tells a server about itself, and what the server says that it can do.

use std::path::Path;

use locant_engine::Encoding;
use locant_workspace::{uri, written};
use serde_json::{Value, json};

/// The first message to a server.
pub(crate) fn initialize(root: &Path, encodings: &[Encoding], options: &Value) -> Value {
    let root = written(root);
    let uri = uri::of_path(&root);
    json!({
        "processId": std::process::id(),
        "clientInfo": {"name": "locant", "version": env!("CARGO_PKG_VERSION")},
        "rootPath": root,
        "rootUri": uri,
        "workspaceFolders": folders(&root),
        "initializationOptions": options,
        "capabilities": capabilities(encodings),
    })
}

/// The folders of the workspace, as the protocol writes them.
pub(crate) fn folders(root: &str) -> Value {
    let name = root.rsplit('/').next().unwrap_or(root);
    json!([{"uri": uri::of_path(root), "name": name}])
}

fn capabilities(encodings: &[Encoding]) -> Value {
    let encodings: Vec<&str> = encodings.iter().map(|encoding| word(*encoding)).collect();
    json!({
        "general": {"positionEncodings": encodings, "markdown": {"parser": "locant"}},
        "window": {"workDoneProgress": true},
        "workspace": {
            "applyEdit": true,
            "configuration": true,
            "workspaceFolders": true,
            "didChangeWatchedFiles": {"dynamicRegistration": true, "relativePatternSupport": true},
            "didChangeConfiguration": {"dynamicRegistration": true},
            "executeCommand": {},
            "symbol": {},
            "workspaceEdit": {
                "documentChanges": true,
                "resourceOperations": ["create", "rename", "delete"],
                "failureHandling": "transactional",
            },
            "diagnostics": {"refreshSupport": true},
        },
        "textDocument": text_document(),
    })
}

fn text_document() -> Value {
    let markup = ["markdown", "plaintext"];
    json!({
        "synchronization": {"didSave": true},
        "definition": {"linkSupport": true},
        "declaration": {"linkSupport": true},
        "typeDefinition": {"linkSupport": true},
        "implementation": {"linkSupport": true},
        "references": {},
        "documentHighlight": {},
        "hover": {"contentFormat": markup},
        "signatureHelp": {
            "signatureInformation": {
                "documentationFormat": markup,
                "parameterInformation": {"labelOffsetSupport": true},
                "activeParameterSupport": true,
            },
        },
        // Some servers offer completion only to clients that understand snippets.
        "completion": {
            "completionItem": {
                "snippetSupport": true,
                "documentationFormat": markup,
                "insertReplaceSupport": true,
                "labelDetailsSupport": true,
            },
            "contextSupport": true,
        },
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": [
                "", "quickfix", "refactor", "refactor.extract", "refactor.inline", "refactor.rewrite", "source",
                "source.organizeImports", "source.fixAll",
            ]}},
            "isPreferredSupport": true,
            "disabledSupport": true,
            "dataSupport": true,
            "resolveSupport": {"properties": ["edit"]},
        },
        "formatting": {},
        "rangeFormatting": {},
        "rename": {"prepareSupport": true},
        "publishDiagnostics": {"versionSupport": true, "relatedInformation": true, "codeDescriptionSupport": true},
        "diagnostic": {},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
        "callHierarchy": {},
        "typeHierarchy": {},
        "foldingRange": {},
        "selectionRange": {},
        "inlayHint": {},
        "documentLink": {},
        "semanticTokens": semantic_tokens(),
    })
}

fn semantic_tokens() -> Value {
    json!({
        "requests": {"range": true, "full": true},
        // Some servers leave out what is not listed here.
        "tokenTypes": [
            "namespace", "type", "class", "enum", "interface", "struct", "typeParameter", "parameter", "variable",
            "property", "enumMember", "event", "function", "method", "macro", "keyword", "modifier", "comment",
            "string", "number", "regexp", "operator", "decorator", "label",
        ],
        "tokenModifiers": [
            "declaration", "definition", "readonly", "static", "deprecated", "abstract", "async", "modification",
            "documentation", "defaultLibrary",
        ],
        "formats": ["relative"],
    })
}

/// The encoding of columns that a server has chosen; UTF-16 if it says nothing.
pub(crate) fn encoding(capabilities: &Value) -> Encoding {
    let word = capabilities.get("positionEncoding").and_then(Value::as_str);
    word.and_then(Encoding::of_word).unwrap_or(Encoding::Utf16)
}

fn word(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Utf8 => "utf-8",
        Encoding::Utf16 => "utf-16",
        Encoding::Utf32 => "utf-32",
    }
}

/// The name of the capability with which a server says that it answers a method; `None` if no capability is about it.
pub(crate) fn of_method(method: &str) -> Option<&'static str> {
    Some(match method {
        "textDocument/definition" => "definitionProvider",
        "textDocument/declaration" => "declarationProvider",
        "textDocument/typeDefinition" => "typeDefinitionProvider",
        "textDocument/implementation" => "implementationProvider",
        "textDocument/references" => "referencesProvider",
        "textDocument/documentHighlight" => "documentHighlightProvider",
        "textDocument/hover" => "hoverProvider",
        "textDocument/completion" => "completionProvider",
        "textDocument/signatureHelp" => "signatureHelpProvider",
        "textDocument/codeAction" => "codeActionProvider",
        "textDocument/formatting" => "documentFormattingProvider",
        "textDocument/rangeFormatting" => "documentRangeFormattingProvider",
        "textDocument/rename" => "renameProvider",
        "textDocument/diagnostic" => "diagnosticProvider",
        "textDocument/prepareCallHierarchy" => "callHierarchyProvider",
        "textDocument/prepareTypeHierarchy" => "typeHierarchyProvider",
        "textDocument/foldingRange" => "foldingRangeProvider",
        "textDocument/selectionRange" => "selectionRangeProvider",
        "textDocument/inlayHint" => "inlayHintProvider",
        "textDocument/documentLink" => "documentLinkProvider",
        "textDocument/documentSymbol" => "documentSymbolProvider",
        "textDocument/codeLens" => "codeLensProvider",
        "textDocument/documentColor" => "colorProvider",
        "textDocument/linkedEditingRange" => "linkedEditingRangeProvider",
        "textDocument/moniker" => "monikerProvider",
        "textDocument/inlineValue" => "inlineValueProvider",
        "workspace/symbol" => "workspaceSymbolProvider",
        "workspace/executeCommand" => "executeCommandProvider",
        _ if method.starts_with("textDocument/semanticTokens") => "semanticTokensProvider",
        _ => return None,
    })
}
