//! Asks the same questions through the command line, `batch` and the language server, and checks that the answers are
//! equal.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::client::{Client, list};

const MONEY: &str = "syntax = \"proto3\";\npackage shop;\n\n// 😀 An amount.\nmessage Money { int64 units = 1; \
                     Currency currency = 2; }\nenum Currency { NONE = 0; EUR = 1; }\n";
const ORDER: &str = "syntax = \"proto3\";\npackage shop;\nimport \"money.proto\";\n\nmessage Order {\n  /* é😀 */ \
                     Money total = 1;\n  repeated Item items = 2;\n  message Item { Money price = 1; string name = \
                     2; }\n}\nservice Shop { rpc Buy(Order) returns (Order.Item); }\n";
const CELL: &str = "new cell, log in {\n  contract cell(@value, ret) = { ret!(value) | log!(value) } |\n  \
                    cell!(\"😀\", *log) |\n  contract @\"bank\"(@amount) = { Nil } |\n  for (@x <- log) { cell!(x, \
                    *log) }\n}\n";
const USER: &str = "@\"bank\"!(1) | new a, b in { a!(*b) | for (y <- a) { b!(*y) | @\"bank\"!(2) } }\n";
const PYTHON: &str = "class Cart:\n    tax = 0.19\n\n    def add(self, item):\n        self.items.append(item)\n\n\n\
                      def main():\n    Cart().add('😀')\n";
const RUST: &str = "pub struct Cart { items: Vec<u32> }\nimpl Cart {\n    pub fn add(&mut self, item: u32) { \
                    self.items.push(item) }\n}\nfn main() {}\n";

fn files() -> Vec<(&'static str, &'static str)> {
    vec![
        ("money.proto", MONEY),
        ("order.proto", ORDER),
        ("cell.rho", CELL),
        ("user.rho", USER),
        ("cart.py", PYTHON),
        ("cart.rs", RUST),
        // Marks the project for the command line and `batch`; the language server gets a folder instead.
        ("buf.yaml", "version: v2\n"),
    ]
}

/// The places of all words of a text: lines and characters from 1, in UTF-16.
fn words(text: &str) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    for (line, content) in text.lines().enumerate() {
        let mut before = ' ';
        let mut character = 1;
        for letter in content.chars() {
            if letter.is_alphabetic() && !before.is_alphanumeric() {
                words.push((line + 1, character));
            }
            character += letter.len_utf16();
            before = letter;
        }
    }
    words
}

fn command_line(folder: &Path, arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_locant"))
        .args(arguments)
        .arg("--json")
        .current_dir(folder)
        .output()
        .expect("the program starts");
    serde_json::from_slice(&output.stdout).expect("it answers in JSON")
}

fn batch(folder: &Path, requests: &[Value]) -> Vec<Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_locant"))
        .arg("batch")
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    let answers = String::from_utf8(output.stdout).expect("it answers in JSON");
    answers.lines().map(|line| serde_json::from_str(line).expect("it answers in JSON")).collect()
}

/// The places in an answer of the command line or `batch`: file, line and character from 1. Guesses are left out, as
/// the language server leaves them out.
fn ours(answer: &Value) -> Vec<(String, u64, u64)> {
    let sure = list(&answer["items"]).iter().filter(|item| item["guess"] != true);
    let place = |item: &Value| {
        let file = item["file_path"].as_str().expect("it has a file").to_owned();
        (
            file,
            item["position"]["line"].as_u64().expect("a number"),
            item["position"]["character"].as_u64().expect("a number"),
        )
    };
    let mut places: Vec<_> = sure.map(place).collect();
    places.sort();
    places
}

fn theirs(client: &Client, answer: &Value) -> Vec<(String, u64, u64)> {
    let place = |item: &Value| {
        let (uri, range) = match item.get("targetUri") {
            Some(uri) => (uri, &item["targetSelectionRange"]),
            None => (&item["uri"], &item["range"]),
        };
        let start = &range["start"];
        let (line, character) =
            (start["line"].as_u64().expect("a number"), start["character"].as_u64().expect("a number"));
        (client.name(uri), line + 1, character + 1)
    };
    let mut places: Vec<_> = list(answer).iter().map(place).collect();
    places.sort();
    places
}

/// A question as a request of `batch`.
fn request(&(op, name, line, character): &(&str, &str, usize, usize)) -> Value {
    let position = json!({"line": line, "character": character});
    json!({"op": op, "file_path": name, "position": position})
}

#[test]
fn every_door_leads_to_the_same_places() {
    let mut client = Client::start(&files(), "utf-16");
    let folder = client.folder.clone();
    let mut questions = Vec::new();
    for (name, text) in
        files().into_iter().filter(|(name, _)| name.ends_with(".proto") || name.ends_with(".rho"))
    {
        for (line, character) in words(text) {
            questions
                .extend(["definition", "declaration", "references"].map(|op| (op, name, line, character)));
        }
    }
    assert!(questions.len() > 200, "{}", questions.len());
    let requests: Vec<Value> = questions.iter().map(request).collect();
    let answers = batch(&folder, &requests);
    let mut n_found = 0;
    for (nth, (&(op, name, line, character), answer)) in questions.iter().zip(&answers).enumerate() {
        let by_batch = ours(&answer["result"]);
        let mut params = json!({
            "textDocument": {"uri": client.uri(name)},
            "position": {"line": line - 1, "character": character - 1},
        });
        params["context"] = json!({"includeDeclaration": true});
        let by_editor = client.request(&format!("textDocument/{op}"), params);
        let by_editor = theirs(&client, &by_editor);
        assert_eq!(by_batch, by_editor, "{op} {name}:{line}:{character}");
        // Only every fourth is asked on the command line, since each needs a process of its own.
        if nth % 4 == 0 {
            let location = format!("{name}:{line}:{character}");
            let by_command = ours(&command_line(&folder, &[op, &location]));
            assert_eq!(by_batch, by_command, "{op} {location}");
        }
        n_found += usize::from(!by_batch.is_empty());
    }
    assert!(n_found > 100, "{n_found}");
}

fn outlined(symbol: &Value, names: &mut Vec<String>, range: &str, first: u64) {
    let start = &symbol[range]["start"];
    let (line, character) =
        (start["line"].as_u64().expect("a number"), start["character"].as_u64().expect("a number"));
    let name = symbol["name"].as_str().expect("a text");
    names.push(format!("{name} {}:{}", line + first, character + first));
    list(&symbol["children"]).iter().for_each(|child| outlined(child, names, range, first));
}

#[test]
fn every_door_shows_the_same_symbols() {
    let mut client = Client::start(&files(), "utf-16");
    let folder = client.folder.clone();
    for (name, _) in files().into_iter().filter(|(name, _)| !name.ends_with(".yaml")) {
        let by_command = command_line(&folder, &["outline", name]);
        let by_batch = batch(&folder, &[json!({"op": "outline", "file_path": name})]);
        assert_eq!(by_command, by_batch[0]["result"], "{name}");
        let params = json!({"textDocument": {"uri": client.uri(name)}});
        let by_editor = client.request("textDocument/documentSymbol", params);
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        list(&by_command["symbols"])
            .iter()
            .for_each(|symbol| outlined(symbol, &mut ours, "selection_range", 0));
        list(&by_editor).iter().for_each(|symbol| outlined(symbol, &mut theirs, "selectionRange", 1));
        assert_eq!(ours, theirs, "{name}");
        assert!(!ours.is_empty(), "{name}");
    }
}
