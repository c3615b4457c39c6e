//! Checks that the server follows changes of texts: in the editor, and on disk with and without notification.

use std::fs;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::client::{Client, ENCODINGS, number};

/// Pseudo-random numbers, the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % n.max(1)
    }
}

#[test]
fn any_edits_leave_the_text_that_the_editor_has() {
    const PIECES: [&str; 8] = ["", "x", "é", "😀", "\n", "message 😀 {\n", "// é😀\n", "}\n"];
    for encoding in ENCODINGS {
        let mut client = Client::start(&[], encoding);
        let mut text = "message A {}\n// 😀é\nmessage B { A a = 1; }\n".to_owned();
        client.open("a.proto", &text);
        let mut random = Random(7);
        for version in 2..120 {
            let mut changes = Vec::new();
            for _ in 0..=random.below(3) {
                let boundaries: Vec<usize> =
                    (0..=text.len()).filter(|&at| text.is_char_boundary(at)).collect();
                let one = boundaries[random.below(boundaries.len())];
                let other = boundaries
                    [boundaries.len().min(boundaries.partition_point(|&at| at < one) + random.below(6)) - 1];
                let (from, to) = (one.min(other), one.max(other));
                let piece = PIECES[random.below(PIECES.len())];
                let range = json!({"start": client.position(&text, from), "end": client.position(&text, to)});
                changes.push(json!({"range": range, "text": piece}));
                text.replace_range(from..to, piece);
            }
            let document = json!({"uri": client.uri("a.proto"), "version": version});
            client.notify(
                "textDocument/didChange",
                json!({"textDocument": document, "contentChanges": changes}),
            );
        }
        // If the server has the right text, its answers are those for a new document that is opened with this text.
        client.open("b.proto", &text);
        for method in ["semanticTokens/full", "foldingRange", "documentSymbol"] {
            let mut of = |name: &str| {
                let params = json!({"textDocument": {"uri": client.uri(name)}});
                client.request(&format!("textDocument/{method}"), params)
            };
            let (edited, opened) = (of("a.proto"), of("b.proto"));
            assert_eq!(edited, opened, "{method} in {encoding} of\n{text}");
        }
        let end = json!({"line": 4_000_000, "character": 0});
        let params = json!({"textDocument": {"uri": client.uri("a.proto")}, "positions": [end]});
        let mut selection = client.request("textDocument/selectionRange", params)[0].clone();
        while selection["parent"].is_object() {
            selection = selection["parent"].clone();
        }
        assert_eq!(client.text_at(&text, &selection["range"]), text, "the whole text");
        assert_eq!(client.leave(), Some(0));
    }
}

#[test]
fn a_byte_order_mark_that_is_sent_is_counted() {
    let mut client = Client::start(&[], "utf-16");
    let text = "\u{FEFF}message A { A a = 1; }\n";
    client.open("a.proto", text);
    let found = client.at("textDocument/definition", "a.proto", &text.replacen("{ A", "{ <|>A", 1));
    assert_eq!(client.text_at(text, &found[0]["targetSelectionRange"]), "A");
    let at = text.find("A {").expect("it is there");
    let range = json!({"start": client.position(text, at), "end": client.position(text, at + 1)});
    client.notify(
        "textDocument/didChange",
        json!({
            "textDocument": {"uri": client.uri("a.proto"), "version": 2},
            "contentChanges": [{"range": range, "text": "B"}],
        }),
    );
    let symbols = client
        .request("textDocument/documentSymbol", json!({"textDocument": {"uri": client.uri("a.proto")}}));
    assert_eq!(symbols[0]["name"], "B");
}

const A: &str = "import \"b.proto\";\nmessage A { optional B b = 1; }\n";

fn definition_line(client: &mut Client) -> Option<usize> {
    let found = client.at("textDocument/definition", "a.proto", &A.replacen("B b", "<|>B b", 1));
    found.get(0).map(|link| number(&link["targetSelectionRange"]["start"]["line"]))
}

/// Writes a file and sets its time, since the clock may be too coarse to tell two writes apart.
fn write(client: &Client, name: &str, text: &str, second: u64) {
    let path = client.folder.join(name);
    fs::write(&path, text).expect("a file can be written");
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + second);
    let file = fs::File::options().write(true).open(&path).expect("it is there");
    file.set_modified(time).expect("a time can be set");
}

#[test]
fn files_that_change_without_notice_are_seen() {
    let mut client = Client::start(&[("a.proto", A), ("b.proto", "message B {}\n")], "utf-16");
    client.open("a.proto", A);
    assert_eq!(definition_line(&mut client), Some(0));
    write(&client, "b.proto", "\n\nmessage B {}\n", 1);
    assert_eq!(definition_line(&mut client), Some(2));
    write(&client, "b.proto", "\nmessage B {}\n\n", 2);
    let mut params = client.place("a.proto", &A.replacen("B b", "<|>B b", 1));
    params["context"] = json!({"includeDeclaration": true});
    let references = client.request("textDocument/references", params);
    assert_eq!(references[1]["range"]["start"]["line"], 1, "{references}");
    fs::remove_file(client.folder.join("b.proto")).expect("it is there");
    assert_eq!(definition_line(&mut client), None);
}

#[test]
fn files_that_appear_without_notice_are_seen() {
    let mut client = Client::start(&[("a.proto", A)], "utf-16");
    client.open("a.proto", A);
    assert_eq!(definition_line(&mut client), None);
    write(&client, "b.proto", "message B {}\n", 1);
    assert_eq!(definition_line(&mut client), Some(0));
    fs::remove_file(client.folder.join("b.proto")).expect("it is there");
    assert_eq!(definition_line(&mut client), None);
    write(&client, "b.proto", "\nmessage B {}\n", 2);
    assert_eq!(definition_line(&mut client), Some(1));
    assert_eq!(client.request("workspace/symbol", json!({"query": "pub"})), json!([]));
    write(&client, "bank.rho", "contract @\"pub\"() = { Nil }\n", 1);
    let symbols = client.request("workspace/symbol", json!({"query": "pub"}));
    assert_eq!(symbols[0]["name"], "pub", "{symbols}");
}

#[test]
fn renames_reach_files_that_came_without_notice() {
    let text = "contract @\"pub\"() = { Nil }\n";
    let mut client = Client::start(&[("a.rho", text)], "utf-16");
    client.open("a.rho", text);
    fs::create_dir_all(client.folder.join("new/folder")).expect("a folder can be made");
    write(&client, "new/folder/b.rho", "@\"pub\"!(1)\n", 1);
    let mut params = client.place("a.rho", &text.replacen("pub", "<|>pub", 1));
    params["newName"] = json!("other");
    let edits = client.request("textDocument/rename", params);
    assert_eq!(edits["documentChanges"].as_array().map(Vec::len), Some(2), "{edits}");
}

#[test]
fn files_that_the_client_tells_of_are_taken_in() {
    let mut client = Client::start(&[("a.proto", A)], "utf-16");
    client.open("a.proto", A);
    let told = client.wait_for("textDocument/publishDiagnostics");
    assert_eq!(told["diagnostics"][0]["code"], "missing-import");
    write(&client, "b.proto", "message B {}\n", 1);
    let tell = |client: &mut Client, kind: u32| {
        let change = json!({"uri": client.uri("b.proto"), "type": kind});
        client.notify("workspace/didChangeWatchedFiles", json!({"changes": [change]}));
    };
    tell(&mut client, 1);
    let told = client.wait_for("textDocument/publishDiagnostics");
    assert_eq!(told["diagnostics"], json!([]));
    assert_eq!(definition_line(&mut client), Some(0));
    fs::remove_file(client.folder.join("b.proto")).expect("it is there");
    tell(&mut client, 3);
    let told = client.wait_for("textDocument/publishDiagnostics");
    assert_eq!(told["diagnostics"][0]["code"], "missing-import");
}

#[test]
fn what_is_open_counts_and_not_what_is_on_disk() {
    let mut client = Client::start(&[("a.proto", A), ("b.proto", "message B {}\n")], "utf-16");
    client.open("a.proto", A);
    client.open("b.proto", "\n\n\nmessage B {}\n");
    assert_eq!(definition_line(&mut client), Some(3));
    write(&client, "b.proto", "\nmessage B {}\n", 1);
    assert_eq!(definition_line(&mut client), Some(3));
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": client.uri("b.proto")}}));
    assert_eq!(definition_line(&mut client), Some(1));
}

#[test]
fn folders_come_and_go() {
    let mut client = Client::silent(&[("a.proto", A), ("b.proto", "message B {}\n")], "utf-16");
    client.request("initialize", json!({"capabilities": crate::client::capabilities("utf-16")}));
    client.notify("initialized", json!({}));
    let symbols = |client: &mut Client| {
        let found = client.request("workspace/symbol", json!({"query": ""}));
        found.as_array().map(Vec::len)
    };
    assert_eq!(symbols(&mut client), Some(0));
    let folder = json!({"uri": client.uri("").trim_end_matches('/'), "name": "x"});
    let change = |added: Value, removed: Value| json!({"event": {"added": added, "removed": removed}});
    client.notify("workspace/didChangeWorkspaceFolders", change(json!([folder]), json!([])));
    assert_eq!(symbols(&mut client), Some(3));
    client.notify("workspace/didChangeWorkspaceFolders", change(json!([]), json!([folder])));
    assert_eq!(symbols(&mut client), Some(0));
    // Without a folder, an imported file is found beside the file that imports it.
    client.open("a.proto", A);
    assert_eq!(definition_line(&mut client), Some(0));
}

#[test]
fn imports_outside_of_all_folders_are_found_above_the_file() {
    let files = [
        ("deep/er/a.proto", "import \"other/b.proto\";\nmessage A { B b = 1; }\n"),
        ("other/b.proto", "import public \"other/c.proto\";\n"),
        ("other/c.proto", "\nmessage B {}\n"),
    ];
    let mut client = Client::silent(&files, "utf-16");
    client.request("initialize", json!({"capabilities": crate::client::capabilities("utf-16")}));
    client.notify("initialized", json!({}));
    client.open("deep/er/a.proto", files[0].1);
    let marked = files[0].1.replacen("B b", "<|>B b", 1);
    let found = client.at("textDocument/definition", "deep/er/a.proto", &marked);
    assert_eq!(client.name(&found[0]["targetUri"]), "other/c.proto");
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn many_files_are_read_before_an_answer_needs_them() {
    let texts: Vec<(String, String)> = (0..300)
        .map(|n| {
            (format!("d{}/f{n}.proto", n % 7), format!("import \"b.proto\";\nmessage M{n} {{ B b = 1; }}\n"))
        })
        .collect();
    let mut files: Vec<(&str, &str)> =
        texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    files.push(("b.proto", "message B {}\n"));
    let mut client = Client::start(&files, "utf-8");
    let mut params = client.place("b.proto", "message <|>B {}\n");
    params["context"] = json!({"includeDeclaration": false});
    let references = client.request("textDocument/references", params);
    assert_eq!(references.as_array().map(Vec::len), Some(300));
}

/// A change whose range is dropped would be taken for a change of the whole text, and the document would be lost.
#[test]
fn a_change_whose_range_cannot_be_read_is_not_made() {
    let mut client = Client::start(&[], "utf-16");
    client.open("a.proto", "message A {}\n");
    let at = |line: Value, character: Value| json!({"line": line, "character": character});
    let start = at(json!(0), json!(0));
    let changes = [
        json!({"range": {"start": start, "end": at(json!(0), json!(1.5))}, "text": ""}),
        json!({"range": {"start": start, "end": at(json!(9_007_199_254_740_991_u64), json!(0))}, "text": ""}),
        json!({"range": {"start": start}, "text": ""}),
    ];
    for (version, change) in (2..).zip(changes) {
        let document = json!({"uri": client.uri("a.proto"), "version": version});
        client
            .notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": [change]}));
    }
    let symbols = client
        .request("textDocument/documentSymbol", json!({"textDocument": {"uri": client.uri("a.proto")}}));
    assert_eq!(symbols[0]["name"], "A");
}
