//! .rho files in an editor, in all three encodings, with lines whose columns differ between them.

use std::fs;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::client::{Client, ENCODINGS, capabilities, list};

const BANK: &str = r#"/* 😀é */ new cell, log(`rho:io:stdout`) in {
  /// Keeps a value. 😀
  /// @param value what is kept
  contract cell(@value, ret) = {
    ret!(value)
  } |
  /* é😀 */ cell!("😀", *log) |
  contract @"bank"(@amount) = { Nil }
}
"#;
const USER: &str = "/* 😀 */ @\"bank\"!(1) |\nnew x in { x!(\"é😀\", *y) }\n";

fn files() -> Vec<(&'static str, &'static str)> {
    vec![("bank.rho", BANK), ("user.rho", USER)]
}

/// A client with all files, one of them open.
fn with_open(encoding: &str, name: &str) -> Client {
    let mut client = Client::start(&files(), encoding);
    let text = client.text(name).to_owned();
    client.open(name, &text);
    client
}

#[test]
fn a_name_is_declared_by_new_and_defined_by_its_contract() {
    for encoding in ENCODINGS {
        let mut client = with_open(encoding, "bank.rho");
        let marked = BANK.replacen("😀 */ cell!", "😀 */ ce<|>ll!", 1);
        let found = client.at("textDocument/definition", "bank.rho", &marked);
        assert_eq!(client.links(&found), ["bank.rho: contract «cell»(@value, ret) = {"]);
        let found = client.at("textDocument/declaration", "bank.rho", &marked);
        assert_eq!(client.links(&found), ["bank.rho: /* 😀é */ new «cell», log(`rho:io:stdout`) in {"]);
        let found =
            client.at("textDocument/definition", "bank.rho", &BANK.replacen("!(value)", "!(<|>value)", 1));
        assert_eq!(client.links(&found), ["bank.rho: contract cell(@«value», ret) = {"]);
        let found = client.at("textDocument/definition", "bank.rho", &BANK.replacen("*log", "*log<|>", 1));
        assert_eq!(client.links(&found), ["bank.rho: /* 😀é */ new cell, «log»(`rho:io:stdout`) in {"]);
        assert_eq!(client.leave(), Some(0));
    }
}

#[test]
fn a_quoted_name_means_the_same_in_all_files() {
    for encoding in ENCODINGS {
        let mut client = with_open(encoding, "user.rho");
        let marked = USER.replacen("\"bank\"", "\"ba<|>nk\"", 1);
        let contract = "bank.rho: contract @\"«bank»\"(@amount) = { Nil }";
        let found = client.at("textDocument/definition", "user.rho", &marked);
        assert_eq!(client.links(&found), [contract]);
        let mut params = client.place("user.rho", &marked);
        params["context"] = json!({"includeDeclaration": true});
        let references = client.request("textDocument/references", params);
        assert_eq!(client.places(&references), [contract, "user.rho: /* 😀 */ @\"«bank»\"!(1) |"]);
    }
}

#[test]
fn mentions_in_one_file_are_highlighted() {
    for encoding in ENCODINGS {
        let mut client = with_open(encoding, "bank.rho");
        let marked = BANK.replacen("😀 */ cell!", "😀 */ <|>cell!", 1);
        let found = client.at("textDocument/documentHighlight", "bank.rho", &marked);
        let kinds: Vec<&Value> = list(&found).iter().map(|highlight| &highlight["kind"]).collect();
        let words = list(&found).iter().map(|highlight| client.text_at(BANK, &highlight["range"]));
        assert_eq!(words.collect::<Vec<_>>(), ["cell", "cell", "cell"]);
        assert_eq!(kinds, [3, 3, 2], "declared, defined, read");
    }
}

#[test]
fn a_rename_changes_names_and_refuses_to_capture() {
    for encoding in ENCODINGS {
        let mut client = with_open(encoding, "bank.rho");
        let marked = BANK.replacen("@value", "<|>@value", 1);
        let prepared = client.at("textDocument/prepareRename", "bank.rho", &marked);
        assert_eq!(client.text_at(BANK, &prepared["range"]), "value", "without its mark");
        let mut params = client.place("bank.rho", &marked);
        params["newName"] = json!("worth");
        let answer = client.request("textDocument/rename", params.clone());
        assert_eq!(
            client.edited(BANK, &answer["documentChanges"][0]["edits"]),
            BANK.replace("@value", "@worth").replace("!(value)", "!(worth)")
        );
        for taken in ["ret", "no name", "new"] {
            params["newName"] = json!(taken);
            assert_eq!(client.ask("textDocument/rename", params.clone())["error"]["code"], -32803, "{taken}");
        }
        let params = client.place("bank.rho", &BANK.replacen("Nil", "N<|>il", 1));
        assert_eq!(client.ask("textDocument/prepareRename", params)["error"]["code"], -32803);
    }
}

#[test]
fn a_channel_is_renamed_in_all_files() {
    for encoding in ENCODINGS {
        let mut client = with_open(encoding, "user.rho");
        let mut params = client.place("user.rho", &USER.replacen("@\"bank", "<|>@\"bank", 1));
        params["newName"] = json!("b 😀");
        let answer = client.request("textDocument/rename", params);
        let mut names = Vec::new();
        for change in list(&answer["documentChanges"]) {
            let name = client.name(&change["textDocument"]["uri"]);
            let text = client.text(&name);
            assert_eq!(client.edited(text, &change["edits"]), text.replace("\"bank\"", "\"b 😀\""));
            names.push(name);
        }
        assert_eq!(names, ["bank.rho", "user.rho"]);
    }
}

#[test]
fn hovers_and_signatures_tell_of_a_contract() {
    for encoding in ENCODINGS {
        let mut client = with_open(encoding, "bank.rho");
        let hover =
            client.at("textDocument/hover", "bank.rho", &BANK.replacen("😀 */ cell!", "😀 */ <|>cell!", 1));
        let said = hover["contents"]["value"].as_str().expect("a text");
        for part in ["contract cell(@value, ret)", "Keeps a value. 😀", "`value`: what is kept"] {
            assert!(said.contains(part), "{said}");
        }
        assert_eq!(client.text_at(BANK, &hover["range"]), "cell");
        let help =
            client.at("textDocument/signatureHelp", "bank.rho", &BANK.replacen("*log)", "<|>*log)", 1));
        assert_eq!(help["activeParameter"], 1, "{help}");
        let signature = &help["signatures"][0];
        assert_eq!(signature["label"], "cell(@value, ret)");
        assert_eq!(signature["parameters"][1]["label"], json!([13, 16]));
    }
}

#[test]
fn a_client_that_does_not_count_in_signatures_gets_the_text_of_parameters() {
    let mut client = Client::with(&files(), "utf-16", json!({"general": {"positionEncodings": ["utf-16"]}}));
    client.open("bank.rho", BANK);
    let help = client.at("textDocument/signatureHelp", "bank.rho", &BANK.replacen("*log)", "<|>*log)", 1));
    let labels: Vec<_> =
        list(&help["signatures"][0]["parameters"]).iter().map(|parameter| &parameter["label"]).collect();
    assert_eq!(labels, ["@value", "ret"]);
}

#[test]
fn plain_text_goes_where_a_client_prefers_it() {
    let mut able = capabilities("utf-16");
    able["textDocument"]["hover"] = json!({"contentFormat": ["plaintext", "markdown"]});
    let mut client = Client::with(&files(), "utf-16", able);
    client.open("bank.rho", BANK);
    let hover =
        client.at("textDocument/hover", "bank.rho", &BANK.replacen("😀 */ cell!", "😀 */ <|>cell!", 1));
    assert_eq!(hover["contents"]["kind"], "plaintext");
    assert!(!hover["contents"]["value"].as_str().expect("a text").contains("```"), "{hover}");
}

#[test]
fn what_a_message_names_is_an_action() {
    for encoding in ENCODINGS {
        let text = "new x in { /* 😀 */ x!(x) }\n";
        let mut client = Client::start(&[("a.rho", text)], encoding);
        client.open("a.rho", text);
        let shown = client.wait_for("textDocument/publishDiagnostics")["diagnostics"].clone();
        let params = json!({
            "textDocument": {"uri": client.uri("a.rho")},
            "range": shown[0]["range"],
            "context": {"diagnostics": shown},
        });
        let actions = client.request("textDocument/codeAction", params);
        assert_eq!((&actions[0]["title"], &actions[0]["kind"]), (&json!("Insert `*`"), &json!("quickfix")));
        assert_eq!((&actions[0]["diagnostics"], &actions[0]["isPreferred"]), (&shown, &json!(true)));
        let change = &actions[0]["edit"]["documentChanges"][0];
        assert_eq!(change["textDocument"]["version"], 1);
        assert_eq!(client.edited(text, &change["edits"]), "new x in { /* 😀 */ x!(*x) }\n");
    }
}

#[test]
fn markdown_goes_only_where_a_client_reads_it() {
    for is_read in [false, true] {
        let mut able = capabilities("utf-16");
        if is_read {
            let formats = json!(["markdown", "plaintext"]);
            able["textDocument"]["signatureHelp"] =
                json!({"signatureInformation": {"documentationFormat": formats}});
            able["textDocument"]["completion"] = json!({"completionItem": {"documentationFormat": formats}});
        }
        let mut client = Client::with(&files(), "utf-16", able);
        client.open("bank.rho", BANK);
        let kind = if is_read { "markdown" } else { "plaintext" };
        let help =
            client.at("textDocument/signatureHelp", "bank.rho", &BANK.replacen("*log)", "<|>*log)", 1));
        let signature = &help["signatures"][0];
        assert_eq!(signature["documentation"]["kind"], kind);
        assert_eq!(signature["parameters"][0]["documentation"]["kind"], kind);
        let found =
            client.at("textDocument/completion", "bank.rho", &BANK.replacen("*/ cell!", "*/ ce<|>ll!", 1));
        let documented: Vec<_> = list(&found["items"])
            .iter()
            .filter(|item| item["label"] == "cell")
            .map(|item| &item["documentation"]["kind"])
            .collect();
        assert_eq!(documented, [kind], "{found}");
    }
}

#[test]
fn completion_knows_what_is_bound_there() {
    for encoding in ENCODINGS {
        let mut client = with_open(encoding, "bank.rho");
        let text = BANK.replacen("ret!(value)", "/* 😀 */ va", 1);
        let document = json!({"uri": client.uri("bank.rho"), "version": 2});
        client.notify(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": [{"text": text}]}),
        );
        let found = client.at("textDocument/completion", "bank.rho", &text.replacen("*/ va", "*/ va<|>", 1));
        let item = list(&found["items"]).iter().find(|item| item["label"] == "value").expect("it is known");
        assert_eq!(client.text_at(&text, &item["textEdit"]["range"]), "va");
        assert!(list(&found["items"]).iter().all(|item| item["label"] != "amount"), "{found}");
    }
}

/// Problems as people see them: the severity, the code, and the text at the place.
fn problems(client: &Client, told: &Value, text: &str) -> Vec<String> {
    let problem = |problem: &Value| {
        let code = problem["code"].as_str().expect("a code");
        format!("{} {code} {}", problem["severity"], client.text_at(text, &problem["range"]))
    };
    list(&told["diagnostics"]).iter().map(problem).collect()
}

#[test]
fn problems_are_where_they_are() {
    for encoding in ENCODINGS {
        let mut client = with_open(encoding, "user.rho");
        let told = client.wait_for("textDocument/publishDiagnostics");
        assert_eq!(problems(&client, &told, USER), ["1 unbound-name y"]);
        let broken = USER.replacen("*y)", "*x) ]", 1).replacen("x in", "x, z in", 1);
        let all = json!({"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}});
        client.type_in("user.rho", 2, &all, &broken);
        let told = client.wait_for("textDocument/publishDiagnostics");
        assert_eq!(problems(&client, &told, &broken), ["4 unused-name z", "1 syntax ]"]);
        assert_eq!(told["version"], 2);
    }
}

#[test]
fn the_structure_of_a_program() {
    for encoding in ENCODINGS {
        let mut client = with_open(encoding, "bank.rho");
        let document = json!({"textDocument": {"uri": client.uri("bank.rho")}});
        let symbols = client.request("textDocument/documentSymbol", document.clone());
        let names: Vec<&Value> = list(&symbols).iter().map(|symbol| &symbol["name"]).collect();
        assert_eq!(names, ["log", "cell", "bank"]);
        assert_eq!(client.text_at(BANK, &symbols[1]["selectionRange"]), "cell");
        assert!(client.text_at(BANK, &symbols[1]["range"]).ends_with("ret!(value)\n  }"), "{symbols}");
        let folds = client.request("textDocument/foldingRange", document.clone());
        assert!(list(&folds).iter().any(|fold| fold["startLine"] == 0), "the whole program: {folds}");
        let tokens = client.request("textDocument/semanticTokens/full", document);
        let words = client.words(BANK, &tokens);
        for (word, kind) in [("/* 😀é */", 12), ("new", 11), ("cell", 7), ("value", 8), ("\"😀\"", 13)] {
            assert!(words.contains(&(word.to_owned(), kind)), "{word}: {words:?}");
        }
        let at = BANK.find("*log").expect("it is there") + 1;
        let params = json!({"textDocument": {"uri": client.uri("bank.rho")}, "positions": [client.position(BANK, at)]});
        let selection = client.request("textDocument/selectionRange", params);
        assert_eq!(client.text_at(BANK, &selection[0]["range"]), "log");
        assert_eq!(client.text_at(BANK, &selection[0]["parent"]["range"]), "*log");
        let found = client.request("workspace/symbol", json!({"query": "bank"}));
        let found: Value = list(&found).iter().map(|symbol| symbol["location"].clone()).collect();
        assert_eq!(client.places(&found), ["bank.rho: contract @\"«bank»\"(@amount) = { Nil }"]);
    }
}

#[test]
fn a_bare_name_of_another_file_is_a_definition_and_no_reference() {
    let files = [("f.rho", "contract f(x) = { x!(1) }\n"), ("use.rho", "f!(2)\n")];
    for encoding in ENCODINGS {
        let mut client = Client::start(&files, encoding);
        client.open("use.rho", files[1].1);
        let found = client.at("textDocument/definition", "use.rho", "<|>f!(2)\n");
        assert_eq!(client.links(&found), ["f.rho: contract «f»(x) = { x!(1) }"]);
        let mut params = client.place("use.rho", "<|>f!(2)\n");
        params["context"] = json!({"includeDeclaration": true});
        let references = client.request("textDocument/references", params);
        assert_eq!(client.places(&references), ["use.rho: «f»!(2)"]);
        let hover = client.at("textDocument/hover", "use.rho", "<|>f!(2)\n");
        assert!(hover["contents"]["value"].as_str().is_some_and(|said| said.contains("a guess")), "{hover}");
    }
}

#[test]
fn files_that_change_on_disk_are_read_again() {
    for (encoding, is_told) in ENCODINGS.into_iter().zip([true, false, true]) {
        let mut client = with_open(encoding, "user.rho");
        let marked = USER.replacen("\"bank\"", "\"ba<|>nk\"", 1);
        let found = client.at("textDocument/definition", "user.rho", &marked);
        assert_eq!(client.links(&found).len(), 1);
        let moved = format!("// 😀\n/* é */ {BANK}");
        let path = client.folder.join("bank.rho");
        fs::write(&path, &moved).expect("a file can be written");
        // Clocks of file systems may be coarse.
        let later = SystemTime::now() + Duration::from_secs(2);
        fs::File::options()
            .write(true)
            .open(&path)
            .and_then(|file| file.set_modified(later))
            .expect("a file");
        if is_told {
            let change = json!({"uri": client.uri("bank.rho"), "type": 2});
            client.notify("workspace/didChangeWatchedFiles", json!({"changes": [change]}));
        }
        let found = client.at("textDocument/definition", "user.rho", &marked);
        assert_eq!(client.text_at(&moved, &found[0]["targetSelectionRange"]), "bank");
        fs::remove_file(&path).expect("it can be removed");
        let found = client.at("textDocument/definition", "user.rho", &marked);
        assert_eq!(client.links(&found), [""; 0], "{encoding}");
    }
}
