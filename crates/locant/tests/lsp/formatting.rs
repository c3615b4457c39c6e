//! The layout of documents in an editor.

use serde_json::{Value, json};

use crate::client::{Client, ENCODINGS};

const FILES: [(&str, &str); 4] = [
    ("a.rho", "/* 😀 */ new  x in{\nx!(1)|\nx!(\"é\")}\n"),
    ("a.proto", "message A{int32 x=1;} // 😀\n"),
    ("b.proto", "message A {\n"),
    ("a.py", "x=1\n"),
];

#[test]
fn a_document_is_laid_out() {
    for encoding in ENCODINGS {
        let mut client = Client::start(&FILES, encoding);
        for (name, expected) in [
            ("a.rho", "/* 😀 */ new x in {\n  x!(1) |\n  x!(\"é\")\n}\n"),
            ("a.proto", "message A {\n  int32 x = 1;\n} // 😀\n"),
        ] {
            let params = json!({"textDocument": {"uri": client.uri(name)}, "options": {"tabSize": 8}});
            let edits = client.request("textDocument/formatting", params);
            assert_eq!(client.edited(client.text(name), &edits), expected);
        }
    }
}

#[test]
fn a_part_is_laid_out() {
    let mut client = Client::start(&FILES, "utf-16");
    let range = json!({"start": {"line": 1, "character": 1}, "end": {"line": 1, "character": 2}});
    let params = json!({"textDocument": {"uri": client.uri("a.rho")}, "range": range, "options": {}});
    let edits = client.request("textDocument/rangeFormatting", params);
    assert_eq!(client.edited(client.text("a.rho"), &edits), "/* 😀 */ new  x in{\n  x!(1) |\nx!(\"é\")}\n");
}

#[test]
fn other_languages_are_left_to_their_servers() {
    let mut client = Client::start(&FILES, "utf-16");
    let params = json!({"textDocument": {"uri": client.uri("a.py")}, "options": {}});
    assert_eq!(client.request("textDocument/formatting", params), Value::Null);
}
