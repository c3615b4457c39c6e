//! .rho files in an editor, in all three encodings, with lines in which they differ.

use serde_json::{Value, json};

use crate::client::Client;

const BANK: &str = "/* 😀é */ new cell, log(`rho:io:stdout`) in {\n  /// Keeps a value. 😀\n  /// @param value what is kept\n  contract cell(@value, ret) = {\n    ret!(value)\n  } |\n  /* é😀 */ cell!(\"😀\", *log) |\n  contract @\"bank\"(@amount) = { Nil }\n}\n";
const USER: &str = "/* 😀 */ @\"bank\"!(1) |\nnew x in { x!(\"é😀\", *y) }\n";
const ENCODINGS: [&str; 3] = ["utf-8", "utf-16", "utf-32"];

fn files() -> Vec<(&'static str, &'static str)> {
    vec![("bank.rho", BANK), ("user.rho", USER)]
}

fn text(name: &str) -> &'static str {
    if name == "bank.rho" { BANK } else { USER }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Ranges in files as people see them: the file, the line with the range in « ».
fn shown(client: &Client, found: &[(&Value, &Value)]) -> Vec<String> {
    let show = |(uri, range): &(&Value, &Value)| {
        let name = client.name(uri);
        let text = text(&name);
        let (from, to) = (client.byte(text, &range["start"]), client.byte(text, &range["end"]));
        let start = text[..from].rfind('\n').map_or(0, |at| at + 1);
        let end = text[to..].find('\n').map_or(text.len(), |at| to + at);
        format!("{name}: {}«{}»{}", text[start..from].trim_start(), &text[from..to], &text[to..end])
    };
    found.iter().map(show).collect()
}

fn links(client: &Client, found: &Value) -> Vec<String> {
    let found: Vec<_> =
        list(found).iter().map(|link| (&link["targetUri"], &link["targetSelectionRange"])).collect();
    shown(client, &found)
}

#[test]
fn a_name_is_declared_by_new_and_defined_by_its_contract() {
    for encoding in ENCODINGS {
        let mut client = Client::start(&files(), encoding);
        client.open("bank.rho", BANK);
        let marked = BANK.replacen("😀 */ cell!", "😀 */ ce<|>ll!", 1);
        let found = client.at("textDocument/definition", "bank.rho", &marked);
        assert_eq!(links(&client, &found), ["bank.rho: contract «cell»(@value, ret) = {"]);
        let found = client.at("textDocument/declaration", "bank.rho", &marked);
        assert_eq!(links(&client, &found), ["bank.rho: /* 😀é */ new «cell», log(`rho:io:stdout`) in {"]);
        let found =
            client.at("textDocument/definition", "bank.rho", &BANK.replacen("!(value)", "!(<|>value)", 1));
        assert_eq!(links(&client, &found), ["bank.rho: contract cell(@«value», ret) = {"]);
        let found = client.at("textDocument/definition", "bank.rho", &BANK.replacen("*log", "*log<|>", 1));
        assert_eq!(links(&client, &found), ["bank.rho: /* 😀é */ new cell, «log»(`rho:io:stdout`) in {"]);
        assert_eq!(client.leave(), Some(0));
    }
}

#[test]
fn a_quoted_name_means_the_same_in_all_files() {
    for encoding in ENCODINGS {
        let mut client = Client::start(&files(), encoding);
        client.open("user.rho", USER);
        let marked = USER.replacen("\"bank\"", "\"ba<|>nk\"", 1);
        let found = client.at("textDocument/definition", "user.rho", &marked);
        let found = links(&client, &found);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("bank.rho: contract "), "{found:?}");
        let mut params = client.place("user.rho", &marked);
        params["context"] = json!({"includeDeclaration": true});
        let references = client.request("textDocument/references", params);
        let names: Vec<String> = list(&references).iter().map(|found| client.name(&found["uri"])).collect();
        assert_eq!(names, ["bank.rho", "user.rho"]);
    }
}

#[test]
fn a_rename_changes_names_and_refuses_to_capture() {
    for encoding in ENCODINGS {
        let mut client = Client::start(&files(), encoding);
        client.open("bank.rho", BANK);
        let mut params = client.place("bank.rho", &BANK.replacen("(value)", "(<|>value)", 1));
        params["newName"] = json!("worth");
        let answer = client.request("textDocument/rename", params.clone());
        let mut text = BANK.to_owned();
        let edits = list(&answer["documentChanges"][0]["edits"]);
        for edit in edits.iter().rev() {
            let range =
                client.byte(&text, &edit["range"]["start"])..client.byte(&text, &edit["range"]["end"]);
            text.replace_range(range, edit["newText"].as_str().expect("a text"));
        }
        assert_eq!(text, BANK.replace("@value", "@worth").replace("!(value)", "!(worth)"));
        for taken in ["ret", "no name", "new"] {
            params["newName"] = json!(taken);
            assert_eq!(client.ask("textDocument/rename", params.clone())["error"]["code"], -32803, "{taken}");
        }
    }
}

#[test]
fn hovers_and_signatures_tell_of_a_contract() {
    for encoding in ENCODINGS {
        let mut client = Client::start(&files(), encoding);
        client.open("bank.rho", BANK);
        let hover =
            client.at("textDocument/hover", "bank.rho", &BANK.replacen("😀 */ cell!", "😀 */ <|>cell!", 1));
        let said = hover["contents"]["value"].as_str().expect("a text");
        assert!(said.contains("Keeps a value. 😀"), "{said}");
        assert_eq!(client.text_at(BANK, &hover["range"]), "cell");
        let help =
            client.at("textDocument/signatureHelp", "bank.rho", &BANK.replacen("*log)", "<|>*log)", 1));
        assert_eq!(help["activeParameter"], 1, "{help}");
        let signature = &help["signatures"][0];
        let label = signature["label"].as_str().expect("a text");
        assert!(label.contains("cell") && label.contains("ret"), "{label}");
        assert_eq!(list(&signature["parameters"]).len(), 2);
    }
}

#[test]
fn problems_are_where_they_are() {
    for encoding in ENCODINGS {
        let mut client = Client::start(&files(), encoding);
        client.open("user.rho", USER);
        let told = client.wait_for("textDocument/publishDiagnostics");
        let problems: Vec<String> = list(&told["diagnostics"])
            .iter()
            .map(|problem| format!("{} {}", problem["severity"], client.text_at(USER, &problem["range"])))
            .collect();
        assert_eq!(problems, ["1 y"], "y is not bound");
        let broken = USER.replacen("x!(", "x!!!(", 1);
        client.notify(
            "textDocument/didChange",
            json!({"textDocument": {"uri": client.uri("user.rho"), "version": 2}, "contentChanges": [{"text": broken}]}),
        );
        let told = client.wait_for("textDocument/publishDiagnostics");
        let has_error = list(&told["diagnostics"]).iter().any(|problem| {
            problem["severity"] == 1 && problem["range"]["start"]["line"] == 1 && problem["message"] != ""
        });
        assert!(has_error, "{told}");
    }
}

#[test]
fn the_structure_of_a_program() {
    for encoding in ENCODINGS {
        let mut client = Client::start(&files(), encoding);
        client.open("bank.rho", BANK);
        let document = json!({"textDocument": {"uri": client.uri("bank.rho")}});
        let symbols = client.request("textDocument/documentSymbol", document.clone());
        fn names(symbols: &Value, all: &mut Vec<String>) {
            for symbol in list(symbols) {
                all.push(symbol["name"].as_str().expect("a name").to_owned());
                names(&symbol["children"], all);
            }
        }
        let mut all = Vec::new();
        names(&symbols, &mut all);
        assert!(all.iter().any(|name| name == "cell"), "{all:?}");
        let folds = client.request("textDocument/foldingRange", document.clone());
        assert!(list(&folds).iter().any(|fold| fold["startLine"] == 0), "the whole program: {folds}");
        let tokens = client.request("textDocument/semanticTokens/full", document);
        assert!(list(&tokens["data"]).len() >= 5 * 10, "{tokens}");
        let at = BANK.find("*log").expect("it is there") + 1;
        let params = json!({"textDocument": {"uri": client.uri("bank.rho")}, "positions": [client.position(BANK, at)]});
        let selection = client.request("textDocument/selectionRange", params);
        assert_eq!(client.text_at(BANK, &selection[0]["range"]), "log");
        assert_eq!(client.text_at(BANK, &selection[0]["parent"]["range"]), "*log");
        let found = client.request("workspace/symbol", json!({"query": "cell"}));
        let found: Vec<_> = list(&found)
            .iter()
            .map(|symbol| (&symbol["location"]["uri"], &symbol["location"]["range"]))
            .collect();
        let shown = shown(&client, &found);
        assert!(shown.contains(&"bank.rho: contract «cell»(@value, ret) = {".to_owned()), "{shown:?}");
    }
}
