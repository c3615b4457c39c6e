//! What every language has: symbols, folding, and what is around the cursor.

use serde_json::{Value, json};

use crate::client::{Client, ENCODINGS};

const PYTHON: &str =
    "class Ü:\n    def m(self, 😀='é'):\n        return self.x  # 😀\n\ndef f():\n    pass\n";

#[test]
fn symbols_of_any_language() {
    for encoding in ENCODINGS {
        let mut client = Client::start(&[("a.py", PYTHON)], encoding);
        // Open or not makes no difference.
        for is_open in [false, true] {
            if is_open {
                client.open("a.py", PYTHON);
            }
            let symbols = client
                .request("textDocument/documentSymbol", json!({"textDocument": {"uri": client.uri("a.py")}}));
            let method = &symbols[0]["children"][0];
            assert_eq!(
                (&symbols[0]["name"], &method["name"], &symbols[1]["name"]),
                (&json!("Ü"), &json!("m"), &json!("f"))
            );
            assert_eq!(client.text_at(PYTHON, &method["selectionRange"]), "m");
            assert!(client.text_at(PYTHON, &method["range"]).starts_with("def m(self"));
        }
    }
}

#[test]
fn what_is_around_the_cursor_grows_outward() {
    for encoding in ENCODINGS {
        let mut client = Client::start(&[], encoding);
        client.open("a.py", PYTHON);
        let at = PYTHON.find("self.x").expect("it is there");
        let position = client.position(PYTHON, at);
        let params = json!({"textDocument": {"uri": client.uri("a.py")}, "positions": [position]});
        let answer = client.request("textDocument/selectionRange", params);
        let mut texts = Vec::new();
        let mut next = &answer[0];
        while next.is_object() {
            texts.push(client.text_at(PYTHON, &next["range"]));
            next = &next["parent"];
        }
        assert_eq!(texts[..3], ["self", "self.x", "return self.x"]);
        assert_eq!(texts.last(), Some(&PYTHON));
        assert!(texts.windows(2).all(|pair| pair[0].len() < pair[1].len()), "{texts:?}");
    }
}

#[test]
fn a_bracket_is_selected_with_its_other_half() {
    let text = "f(a)\n";
    let mut client = Client::start(&[], "utf-16");
    client.open("a.py", text);
    let position = client.position(text, 2);
    let params = json!({"textDocument": {"uri": client.uri("a.py")}, "positions": [position]});
    let answer = client.request("textDocument/selectionRange", params);
    let inner = &answer[0];
    assert_eq!(client.text_at(text, &inner["range"]), "a");
    assert_eq!(client.text_at(text, &inner["parent"]["range"]), "(a)");
    assert_eq!(client.text_at(text, &inner["parent"]["parent"]["range"]), "f(a)");
}

#[test]
fn declarations_fold_in_any_language() {
    let mut client = Client::start(&[("a.py", PYTHON)], "utf-16");
    let folds =
        client.request("textDocument/foldingRange", json!({"textDocument": {"uri": client.uri("a.py")}}));
    let lines: Vec<(Option<u64>, Option<u64>)> = folds
        .as_array()
        .expect("a list")
        .iter()
        .map(|fold| (fold["startLine"].as_u64(), fold["endLine"].as_u64()))
        .collect();
    assert_eq!(lines, [(Some(0), Some(2)), (Some(1), Some(2)), (Some(4), Some(5))]);
}

#[test]
fn names_of_other_languages_are_not_guessed() {
    let mut client = Client::start(&[("a.py", PYTHON)], "utf-16");
    client.open("a.py", PYTHON);
    let marked = PYTHON.replacen("self.x", "<|>self.x", 1);
    for method in ["definition", "hover", "typeDefinition"] {
        assert_eq!(client.at(&format!("textDocument/{method}"), "a.py", &marked), Value::Null);
    }
    let place = client.place("a.py", &marked);
    assert_eq!(client.ask("textDocument/prepareRename", place)["error"]["code"], -32803);
}
