//! The wire forms of the contract: answers have every field that it names, with the right type.

use std::process::Command;

use serde_json::{Value, json};

use crate::run;

const SOURCE: &str =
    "import os\n\nclass C:\n    # Note.\n    def m(self):\n        return self.x\n\n    x = 1\n";

/// Runs one request with `SOURCE` as the text and checks that the result has these fields, of these types.
#[track_caller]
fn check(mut request: Value, fields: &str) -> Value {
    request["text"] = json!(SOURCE);
    let answer = batch(&format!("{request}\n")).remove(0);
    let result = answer.get("result").unwrap_or_else(|| panic!("no result: {answer}")).clone();
    for field in fields.split_whitespace() {
        let (name, kind) = field.split_once(':').unwrap();
        assert_eq!(kind_of(&result[name]), kind, "field {name} of {result}");
    }
    result
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "absent",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "list",
        Value::Object(object) if object.contains_key("line") => "position",
        Value::Object(object) if object.contains_key("start") => "range",
        Value::Object(_) => "object",
    }
}

fn batch(requests: &str) -> Vec<Value> {
    let output = String::from_utf8(run(&["batch"], requests)).unwrap();
    output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const LOCATE: &str = "file_path:string position:position offset:number encoding:string line_text:string \
                      matches:number partial:bool candidates:list status:string location:string";

#[test]
fn locate() {
    let answer = check(json!({"op": "locate", "locate": "a.py:C.m@return <|>self"}), LOCATE);
    assert_eq!(answer["position"], json!({"line": 6, "character": 16}));
    assert_eq!(answer["status"], "exact");
}

#[test]
fn candidates() {
    let answer = check(json!({"locate": "a.py@self"}), LOCATE);
    let candidate = &answer["candidates"][0];
    for (field, kind) in
        [("location", "string"), ("position", "position"), ("line_text", "string"), ("why", "string")]
    {
        assert_eq!(kind_of(&candidate[field]), kind, "{candidate}");
    }
}

#[test]
fn range() {
    let answer =
        check(json!({"op": "range", "locate": "a.py:C.m"}), &format!("{LOCATE} range:range text:string"));
    assert_eq!(answer["text"], "# Note.\n    def m(self):\n        return self.x");
}

#[test]
fn describe() {
    let request = json!({"op": "describe", "file_path": "a.py", "position": {"line": 6, "character": 16}});
    let fields = "location:string alternatives:list symbol_path:list position:position stable:bool";
    let answer = check(request, fields);
    assert_eq!(answer["symbol_path"], json!(["C", "m"]));
}

#[test]
fn outline() {
    let answer = check(json!({"op": "outline", "file_path": "a.py"}), "file_path:string symbols:list");
    let class = &answer["symbols"][0];
    let fields = [
        ("name", "string"),
        ("kind", "string"),
        ("path", "list"),
        ("range", "range"),
        ("selection_range", "range"),
        ("detail", "string"),
        ("location", "string"),
        ("children", "list"),
    ];
    for (field, kind) in fields {
        assert_eq!(kind_of(&class[field]), kind, "{class}");
    }
    assert_eq!(class["children"][0]["location"], "a.py:C.m");
    assert_eq!(class["children"][0]["path"], json!(["C", "m"]));
}

#[test]
fn read() {
    let fields = "text:string range:range signature:string docs:string symbol_path:list location:string";
    let answer = check(json!({"op": "read", "locate": "a.py:C.m"}), fields);
    assert_eq!(answer["signature"], "def m(self):");
}

#[test]
fn every_printed_location_leads_back_in_every_encoding() {
    let text = "s = '😀é' + x\nclass Ü:\n\tdef m(self): return '漢' + self.x\n";
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        let requests: Vec<Value> = (1..=3)
            .flat_map(|line| (1..=40).map(move |character| (line, character)))
            .map(|(line, character)| {
                let position = json!({"line": line, "character": character});
                json!({"op": "describe", "file_path": "u.py", "text": text, "position": position, "encoding": encoding})
            })
            .collect();
        let descriptions = batch(&requests.iter().map(|request| format!("{request}\n")).collect::<String>());
        let described: Vec<&Value> = descriptions.iter().filter_map(|answer| answer.get("result")).collect();
        assert!(described.len() > 40, "too few places were tried");
        let requests: String = described
            .iter()
            .map(|description| json!({"locate": description["location"], "text": text, "encoding": encoding}))
            .map(|request| format!("{request}\n"))
            .collect();
        for (answer, description) in batch(&requests).iter().zip(described) {
            assert_eq!(answer["result"]["position"], description["position"], "{description}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_a_failure() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output =
        Command::new(env!("CARGO_BIN_EXE_locant")).args(["schema", "locate"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("could not be written"));
}

#[test]
fn every_line_has_an_answer() {
    let answers = batch(
        "\u{feff}{\"op\": \"locate\", \"locate\": \"a.py:C\", \"text\": \"class C: pass\"}\n\n\
         {\"op\": \"locate\", \"lcoate\": 1}\n",
    );
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[0]["result"]["offset"], 6);
    assert_eq!(answers[1]["error"]["message"], "the line is empty");
    assert_eq!(answers[2]["note"], "not read: `lcoate`");
}

#[test]
fn texts_of_several_files_may_be_given() {
    let request =
        json!({"op": "locate", "locate": "b.py:f", "files": {"a.py": "", "b.py": "def f(): pass\n"}});
    let answer = batch(&format!("{request}\n")).remove(0);
    assert_eq!(answer["result"]["offset"], 4, "{answer}");
}
