//! .proto files in an editor, in all three encodings, with lines whose columns differ between them.

use serde_json::{Value, json};

use crate::client::{Client, ENCODINGS, capabilities, list};

const SHOP: &str = r#"syntax = "proto3";
package shop;
import "money.proto";

// Ein Einkauf 😀.
message Order {
  /* 😀é */ Money total = 1; /* ü */ repeated Item items = 2;
  message Item { string name = 1; }
}
service Till {
  rpc Pay(/* 😀 */ Order) returns (Money);
}
"#;
const MONEY: &str = "syntax = \"proto3\";\npackage shop;\n/* é😀 */ message Money { int64 cents = 1; }\n";

fn files() -> Vec<(&'static str, &'static str)> {
    vec![("shop.proto", SHOP), ("money.proto", MONEY)]
}

#[test]
fn a_definition_is_found_in_another_file() {
    for encoding in ENCODINGS {
        let mut client = Client::start(&files(), encoding);
        client.open("shop.proto", SHOP);
        let found =
            client.at("textDocument/definition", "shop.proto", &SHOP.replacen("Money", "<|>Money", 1));
        let link = &found[0];
        assert_eq!(
            client.shown(&[(&link["targetUri"], &link["targetSelectionRange"])]),
            ["money.proto: /* é😀 */ message «Money» { int64 cents = 1; }"]
        );
        assert_eq!(
            client.shown(&[(&link["targetUri"], &link["targetRange"])]),
            ["money.proto: /* é😀 */ «message Money { int64 cents = 1; }»"]
        );
        let found =
            client.at("textDocument/typeDefinition", "shop.proto", &SHOP.replacen("items", "items<|>", 1));
        let link = &found[0];
        assert_eq!(
            client.shown(&[(&link["targetUri"], &link["targetSelectionRange"])]),
            ["shop.proto: message «Item» { string name = 1; }"]
        );
        assert_eq!(client.leave(), Some(0));
    }
}

#[test]
fn references_go_through_all_files() {
    for encoding in ENCODINGS {
        let mut client = Client::start(&files(), encoding);
        let mut params = client.place("money.proto", &MONEY.replacen("Money", "Mon<|>ey", 1));
        params["context"] = json!({"includeDeclaration": true});
        let all = client.request("textDocument/references", params.clone());
        assert_eq!(
            client.places(&all),
            [
                "money.proto: /* é😀 */ message «Money» { int64 cents = 1; }",
                "shop.proto: /* 😀é */ «Money» total = 1; /* ü */ repeated Item items = 2;",
                "shop.proto: rpc Pay(/* 😀 */ Order) returns («Money»);",
            ]
        );
        params["context"] = json!({"includeDeclaration": false});
        assert_eq!(list(&client.request("textDocument/references", params)).len(), 2);
        let highlights =
            client.at("textDocument/documentHighlight", "shop.proto", &SHOP.replacen("Order", "<|>Order", 1));
        let kinds: Vec<&Value> = list(&highlights).iter().map(|highlight| &highlight["kind"]).collect();
        assert_eq!(kinds, [3, 2], "written, then read");
    }
}

#[test]
fn a_rename_changes_all_files_and_can_be_refused() {
    for encoding in ENCODINGS {
        let mut client = Client::start(&files(), encoding);
        client.open("shop.proto", SHOP);
        let marked = SHOP.replacen("Money", "<|>Money", 1);
        let prepared = client.at("textDocument/prepareRename", "shop.proto", &marked);
        assert_eq!(prepared["placeholder"], "Money");
        assert_eq!(client.text_at(SHOP, &prepared["range"]), "Money");
        let mut params = client.place("shop.proto", &marked);
        params["newName"] = json!("Cash");
        let answer = client.request("textDocument/rename", params.clone());
        for change in list(&answer["documentChanges"]) {
            let name = client.name(&change["textDocument"]["uri"]);
            let version = &change["textDocument"]["version"];
            assert_eq!(*version, if name == "shop.proto" { json!(1) } else { Value::Null });
            let text = client.text(&name);
            assert_eq!(client.edited(text, &change["edits"]), text.replace("Money", "Cash"));
        }
        assert_eq!(list(&answer["documentChanges"]).len(), 2);
        params["newName"] = json!("Order");
        let refused = client.ask("textDocument/rename", params);
        assert_eq!(refused["error"]["code"], -32803, "{refused}");
        let params = client.place("shop.proto", &SHOP.replacen("package shop", "package <|>shop", 1));
        assert_eq!(client.ask("textDocument/prepareRename", params)["error"]["code"], -32803);
    }
}

#[test]
fn a_hover_says_what_a_name_is() {
    for encoding in ENCODINGS {
        let mut client = Client::start(&files(), encoding);
        client.open("shop.proto", SHOP);
        let hover =
            client.at("textDocument/hover", "shop.proto", &SHOP.replacen("😀 */ Order", "😀 */ <|>Order", 1));
        assert_eq!(
            hover["contents"]["value"],
            "```proto\nmessage Order\n```\n\nmessage `shop.Order`  \nin `shop.proto`\n\nEin Einkauf 😀."
        );
        assert_eq!(client.text_at(SHOP, &hover["range"]), "Order");
    }
}

#[test]
fn a_client_that_can_little_gets_what_it_can_read() {
    let mut client = Client::with(&files(), "utf-16", json!({"general": {"positionEncodings": ["utf-16"]}}));
    client.open("shop.proto", SHOP);
    let found = client.at("textDocument/definition", "shop.proto", &SHOP.replacen("Money", "<|>Money", 1));
    assert_eq!(client.name(&found[0]["uri"]), "money.proto");
    let hover = client.at("textDocument/hover", "shop.proto", &SHOP.replacen("Money", "<|>Money", 1));
    assert_eq!(hover["contents"]["kind"], "plaintext");
    let symbols = client
        .request("textDocument/documentSymbol", json!({"textDocument": {"uri": client.uri("shop.proto")}}));
    let names: Vec<_> = list(&symbols)
        .iter()
        .map(|symbol| {
            format!(
                "{}|{}",
                symbol["containerName"].as_str().unwrap_or(""),
                symbol["name"].as_str().unwrap_or("")
            )
        })
        .collect();
    assert_eq!(
        names,
        ["|Order", "Order|total", "Order|items", "Order|Item", "Order.Item|name", "|Till", "Till|Pay"]
    );
    let mut params = client.place("shop.proto", &SHOP.replacen("Money", "<|>Money", 1));
    params["newName"] = json!("Cash");
    let answer = client.request("textDocument/rename", params);
    assert_eq!(answer["changes"].as_object().map(|changes| changes.len()), Some(2));
}

#[test]
fn symbols_folds_and_tokens_are_where_they_stand() {
    for encoding in ENCODINGS {
        let mut client = Client::start(&files(), encoding);
        client.open("shop.proto", SHOP);
        let document = json!({"textDocument": {"uri": client.uri("shop.proto")}});
        let symbols = client.request("textDocument/documentSymbol", document.clone());
        let total = &symbols[0]["children"][0];
        assert_eq!(client.text_at(SHOP, &total["selectionRange"]), "total");
        assert_eq!(client.text_at(SHOP, &total["range"]), "/* 😀é */ Money total = 1;");
        let folds = client.request("textDocument/foldingRange", document.clone());
        let lines: Vec<_> =
            list(&folds).iter().map(|fold| (fold["startLine"].as_u64(), fold["endLine"].as_u64())).collect();
        assert_eq!(lines, [(Some(5), Some(8)), (Some(9), Some(11))]);
        let tokens = client.request("textDocument/semanticTokens/full", document);
        let words = client.words(SHOP, &tokens);
        assert!(words.contains(&("Money".to_owned(), 1)), "a type: {words:?}");
        assert!(words.contains(&("total".to_owned(), 5)), "a property");
        assert!(words.contains(&("/* 😀é */".to_owned(), 12)), "a comment");
        assert!(words.contains(&("message".to_owned(), 11)), "a keyword");
    }
}

#[test]
fn completion_knows_types_of_other_files() {
    for encoding in ENCODINGS {
        let mut client = Client::start(&files(), encoding);
        let text = SHOP.replacen("/* 😀é */ Money", "/* 😀é */ Mon", 1);
        client.open("shop.proto", &text);
        let found = client.at("textDocument/completion", "shop.proto", &text.replacen("Mon ", "Mon<|> ", 1));
        let item =
            list(&found["items"]).iter().find(|item| item["label"] == "Money").expect("it is suggested");
        assert_eq!(item["textEdit"]["newText"], "Money");
        assert_eq!(client.text_at(&text, &item["textEdit"]["range"]), "Mon");
    }
}

#[test]
fn problems_are_told_and_taken_back() {
    for encoding in ENCODINGS {
        let mut client = Client::start(&files(), encoding);
        let broken = SHOP.replacen("Money total", "Munny total", 1);
        client.open("shop.proto", &broken);
        let told = client.wait_for("textDocument/publishDiagnostics");
        let problem = &told["diagnostics"][0];
        assert_eq!(problem["code"], "unknown-type");
        assert_eq!(client.text_at(&broken, &problem["range"]), "Munny");
        let at = broken.find("Munny").expect("it is there");
        let range = json!({"start": client.position(&broken, at), "end": client.position(&broken, at + 5)});
        client.notify(
            "textDocument/didChange",
            json!({
                "textDocument": {"uri": client.uri("shop.proto"), "version": 2},
                "contentChanges": [{"range": range, "text": "Money"}],
            }),
        );
        let told = client.wait_for("textDocument/publishDiagnostics");
        assert_eq!((&told["diagnostics"], &told["version"]), (&json!([]), &json!(2)));
    }
}

#[test]
fn a_client_may_ask_for_problems_itself() {
    let mut able = capabilities("utf-16");
    able["textDocument"]["diagnostic"] = json!({"dynamicRegistration": false});
    let mut client = Client::with(&files(), "utf-16", able);
    let broken = SHOP.replacen("Money total", "Munny total", 1);
    client.open("shop.proto", &broken);
    let report =
        client.request("textDocument/diagnostic", json!({"textDocument": {"uri": client.uri("shop.proto")}}));
    assert_eq!((&report["kind"], &report["items"][0]["code"]), (&json!("full"), &json!("unknown-type")));
    assert!(client.told.is_empty(), "it is not told besides: {:?}", client.told);
}

fn problems(client: &mut Client, name: &str) -> Value {
    client.request("textDocument/diagnostic", json!({"textDocument": {"uri": client.uri(name)}}))
}

#[test]
fn a_client_is_told_to_ask_again_only_when_another_document_has_other_problems() {
    let mut able = capabilities("utf-16");
    able["textDocument"]["diagnostic"] = json!({"dynamicRegistration": false});
    able["workspace"]["diagnostics"] = json!({"refreshSupport": true});
    let mut client = Client::with(&files(), "utf-16", able);
    let n_refreshes = |client: &Client| {
        client.told.iter().filter(|told| told["method"] == "workspace/diagnostic/refresh").count()
    };
    for (name, text) in files() {
        client.open(name, text);
        problems(&mut client, name);
    }
    let at = |character: usize| json!({"line": 2, "character": character});
    // Changes that do not matter to other documents.
    for version in 2..12 {
        client.type_in("money.proto", version, &json!({"start": at(0), "end": at(0)}), " ");
        problems(&mut client, "money.proto");
    }
    assert_eq!(n_refreshes(&client), 0);
    // The first change renames the message that the other document uses. The later changes make no difference in that
    // document.
    let name = MONEY.lines().nth(2).and_then(|line| line.find("Money")).expect("it is there");
    let name = 10 + MONEY.lines().nth(2).map_or(0, |line| line[..name].encode_utf16().count());
    for version in 12..20 {
        client.type_in("money.proto", version, &json!({"start": at(name), "end": at(name)}), "X");
        problems(&mut client, "money.proto");
    }
    // The server asks for a refresh when it has nothing else to do, which may be only now.
    client.wait_for("workspace/diagnostic/refresh");
    problems(&mut client, "money.proto");
    assert_eq!(n_refreshes(&client), 0, "it comes once");
    assert_eq!(problems(&mut client, "shop.proto")["items"][0]["code"], "unknown-type");
}

#[test]
fn an_import_that_is_missing_can_be_added() {
    for encoding in ENCODINGS {
        let text = SHOP.replacen("import \"money.proto\";\n", "", 1);
        let mut client = Client::start(&[("shop.proto", &text), ("money.proto", MONEY)], encoding);
        client.open("shop.proto", &text);
        let shown = client.wait_for("textDocument/publishDiagnostics")["diagnostics"].clone();
        assert_eq!(
            shown[0]["message"],
            "`money.proto` declares this, but is not imported; add `import \"money.proto\";`"
        );
        let ask = |client: &mut Client, only: Value| {
            let params = json!({
                "textDocument": {"uri": client.uri("shop.proto")},
                "range": shown[0]["range"],
                "context": {"diagnostics": [shown[0]], "only": only, "triggerKind": 2},
            });
            client.request("textDocument/codeAction", params)
        };
        let actions = ask(&mut client, Value::Null);
        assert_eq!(list(&actions).len(), 1, "{actions}");
        assert_eq!(actions[0]["title"], "Import `money.proto`");
        assert_eq!(client.edited(&text, &actions[0]["edit"]["documentChanges"][0]["edits"]), SHOP);
        assert_eq!(ask(&mut client, json!(["quickfix"])), actions);
        assert_eq!(ask(&mut client, json!(["refactor"])), Value::Null);
    }
    let little = json!({"general": {"positionEncodings": ["utf-16"]}});
    let mut client = Client::silent(&[], "utf-16");
    let answer = client.request("initialize", json!({"capabilities": little}));
    assert_eq!(
        answer["capabilities"].get("codeActionProvider"),
        None,
        "it would take names of commands only"
    );
}

#[test]
fn what_comes_with_protoc_is_shown_in_a_copy() {
    for encoding in ENCODINGS {
        let text = "syntax = \"proto3\";\nimport \"google/protobuf/timestamp.proto\";\n\
                    message A { /* 😀 */ google.protobuf.Timestamp t = 1; }\n";
        let mut client = Client::start(&[("a.proto", text)], encoding);
        client.open("a.proto", text);
        for marked in
            [text.replacen("Timestamp", "<|>Timestamp", 1), text.replacen("google/", "<|>google/", 1)]
        {
            let found = client.at("textDocument/definition", "a.proto", &marked);
            let name = client.name(&found[0]["targetUri"]);
            assert!(
                name.starts_with(".cache/") && name.ends_with("google/protobuf/timestamp.proto"),
                "{name}"
            );
            let path = client.folder.join(&name);
            let copy = std::fs::read_to_string(&path).expect("it is there");
            let at = client.text_at(&copy, &found[0]["targetSelectionRange"]);
            assert!(at == "Timestamp" || at.is_empty(), "{found}");
            assert!(std::fs::metadata(&path).expect("it is there").permissions().readonly());
        }
    }
}

#[test]
fn methods_take_messages_and_what_is_near_comes_first() {
    let text = "syntax = \"proto3\";\npackage p;\nenum E { Z = 0; }\nmessage M {}\nservice S { rpc R(); }\n";
    let mut client = Client::start(&[("a.proto", text)], "utf-16");
    client.open("a.proto", text);
    let labels = |found: &Value| -> Vec<String> {
        let mut items = list(&found["items"]).to_vec();
        items.sort_by_key(|item| item["sortText"].as_str().expect("a text").to_owned());
        items.iter().map(|item| item["label"].as_str().expect("a text").to_owned()).collect()
    };
    let found = client.at("textDocument/completion", "a.proto", &text.replacen("R()", "R(<|>)", 1));
    assert_eq!(labels(&found), ["M", "stream"]);
    let found = client.at("textDocument/completion", "a.proto", &text.replacen("M {}", "M {<|>}", 1));
    assert_eq!(labels(&found)[..3], ["E", "M", "double"]);
}

#[test]
fn symbols_of_the_workspace_are_found_by_their_letters() {
    for encoding in ENCODINGS {
        let mut client = Client::start(&files(), encoding);
        let found = client.request("workspace/symbol", json!({"query": "it"}));
        let shown: Vec<_> = list(&found)
            .iter()
            .map(|symbol| {
                let location = &symbol["location"];
                let name = client.name(&location["uri"]);
                let at = client.text_at(client.text(&name), &location["range"]);
                format!("{name} {} in {}", at, symbol["containerName"].as_str().unwrap_or_default())
            })
            .collect();
        assert_eq!(shown, ["shop.proto Item in shop.Order", "shop.proto items in shop.Order"]);
    }
}
