//! What works in every language: symbols, folding, and selecting what is around the cursor.

use serde_json::{Value, json};

use crate::client::{Client, ENCODINGS, list};

const PYTHON: &str =
    "class Ü:\n    def m(self, 😀='é'):\n        return self.x  # 😀\n\ndef f():\n    pass\n";

#[test]
fn symbols_of_any_language() {
    for encoding in ENCODINGS {
        let mut client = Client::start(&[("a.py", PYTHON)], encoding);
        // It makes no difference whether the file is open.
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

/// Checks the first and the last line of each fold, with its kind if it has one.
#[track_caller]
fn check_folds(name: &str, text: &str, expected: &[&str]) {
    let mut client = Client::start(&[(name, text)], "utf-16");
    let folds =
        client.request("textDocument/foldingRange", json!({"textDocument": {"uri": client.uri(name)}}));
    let show = |fold: &Value| {
        let kind = fold["kind"].as_str().map_or(String::new(), |kind| format!(" {kind}"));
        format!("{}-{}{kind}", fold["startLine"], fold["endLine"])
    };
    assert_eq!(list(&folds).iter().map(show).collect::<Vec<_>>(), expected, "{text}");
}

#[test]
fn all_of_the_nesting_folds_in_any_language() {
    check_folds(
        "a.py",
        "import a\nimport b\n\n# One.\n# Two.\nclass C:\n    def m(self):\n        if x:\n            for y in z:\
         \n                pass\n        return {\n            1: 2,\n        }\n",
        &["0-1 imports", "3-4 comment", "5-12", "6-12", "7-9", "8-9", "10-12"],
    );
    check_folds(
        "a.js",
        "function f(a) {\n  if (a) {\n    g();\n  } else {\n    h({\n      x: 1,\n    });\n  }\n}\n/* one\n two */\n",
        &["0-8", "1-3", "3-7", "4-6", "9-10 comment"],
    );
    check_folds(
        "a.rs",
        "use a;\nuse b;\nimpl X {\n    fn f(\n        a: u8,\n    ) {\n        match a {\n            1 => {\
         \n                g()\n            }\n            _ => {}\n        }\n    }\n}\n",
        &["0-1 imports", "2-13", "3-5", "5-12", "6-11", "7-9"],
    );
    check_folds("a.json", "{\n  \"a\": [\n    1\n  ]\n}\n", &["0-4", "1-3"]);
    check_folds("a.rb", "class A\n  def m\n    x do\n      1\n    end\n  end\nend\n", &["0-6", "1-5", "2-4"]);
    check_folds("a.py", "x = 1\n", &[]);
}

#[test]
fn symbols_of_open_documents_are_symbols_of_the_workspace() {
    let mut client = Client::start(&[("a.py", PYTHON), ("b.py", "def other(): pass\n")], "utf-16");
    client.open("a.py", PYTHON);
    let found = client.request("workspace/symbol", json!({"query": "m"}));
    let shown: Vec<_> =
        list(&found).iter().map(|symbol| (&symbol["name"], &symbol["containerName"])).collect();
    assert_eq!(shown, [(&json!("m"), &json!("Ü"))]);
    assert_eq!(client.places(&json!([found[0]["location"]])), ["a.py: def «m»(self, 😀='é'):"]);
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
