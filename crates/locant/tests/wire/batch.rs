//! Batch as a client uses it: waiting for each answer, writing ahead, sending rubbish, closing the pipe.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout};

use serde_json::{Value, json};

use crate::start;

struct Batch {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Batch {
    fn start() -> Batch {
        let mut process = start(&["batch"]);
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        Batch { process, input, output }
    }

    fn send(&mut self, line: &[u8]) {
        self.input.write_all(line).unwrap();
        self.input.write_all(b"\n").unwrap();
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON: {line:?}"))
    }

    fn ask(&mut self, request: &Value) -> Value {
        self.send(request.to_string().as_bytes());
        self.receive()
    }

    /// Ends the input; the process must succeed and print nothing more.
    fn end(mut self) {
        drop(self.input);
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "");
        assert!(self.process.wait().unwrap().success());
    }
}

#[test]
fn a_client_may_wait_for_each_answer() {
    let mut batch = Batch::start();
    for id in 0..50 {
        let answer =
            batch.ask(&json!({"id": id, "locate": "a.py@x", "text": format!("{} x", "y ".repeat(id))}));
        assert_eq!(answer["id"], id);
        assert_eq!(answer["result"]["offset"], 2 * id + 1);
    }
    batch.end();
}

#[test]
fn a_client_may_write_everything_before_it_reads() {
    let mut batch = Batch::start();
    let text = "def f(): pass\n".repeat(200);
    for id in 0..2_000 {
        batch.send(json!({"id": id, "locate": "a.py:f", "text": text}).to_string().as_bytes());
    }
    for id in 0..2_000 {
        assert_eq!(batch.receive()["id"], id);
    }
    batch.end();
}

#[test]
fn a_change_on_disk_is_seen_at_once() {
    let path = std::env::temp_dir().join(format!("locant-change-{}.py", std::process::id()));
    let request = json!({"op": "outline", "file_path": path});
    let mut batch = Batch::start();
    // All texts have the same length, and are written within one tick of the file system's clock.
    for name in ["aa", "bb", "cc", "aa"] {
        fs::write(&path, format!("def {name}(): pass\n")).unwrap();
        assert_eq!(batch.ask(&request)["result"]["symbols"][0]["name"], name);
    }
    fs::remove_file(&path).unwrap();
    assert_eq!(batch.ask(&request)["error"]["kind"], "no_such_file");
    batch.end();
}

#[test]
fn an_id_comes_back_as_it_was_written() {
    let mut batch = Batch::start();
    for id in
        ["123456789012345678901234567890", "1.50", "-0", "\"\\u00e9\"", "[1,{\"a\":null}]", "true", "null"]
    {
        batch.send(format!("{{\"id\":{id},\"locate\":\"a.py@x\",\"text\":\"x\"}}").as_bytes());
        let mut line = String::new();
        batch.output.read_line(&mut line).unwrap();
        assert!(line.starts_with(&format!("{{\"id\":{id},\"result\":")), "{line}");
    }
    batch.end();
}

#[test]
fn rubbish_is_answered_and_the_stream_goes_on() {
    let mut batch = Batch::start();
    let deep = "[".repeat(100_000);
    let rubbish: [&[u8]; 8] = [
        b"{",
        b"\xff\xfe",
        b"\0",
        deep.as_bytes(),
        b"\"",
        b"{\"id\":1,\"id\":2}",
        b"{\"locate\":\"\\ud800\"}",
        b"nul",
    ];
    for line in rubbish {
        batch.send(line);
        assert_eq!(batch.receive()["error"]["kind"], "invalid_location");
    }
    let answer = batch.ask(&json!({"id": 1, "locate": "a.py@x", "text": "x"}));
    assert_eq!(answer["result"]["offset"], 0);
    batch.end();
}

#[test]
fn a_line_may_be_very_long() {
    let mut batch = Batch::start();
    let text = format!("{} needle", "hay ".repeat(5 << 20));
    let answer = batch.ask(&json!({"locate": "a.txt@needle", "text": text}));
    assert_eq!(answer["result"]["offset"], text.len() - "needle".len());
    assert!(answer["result"]["line_text"].as_str().unwrap().len() < 10_000, "a long line is quoted in part");
    batch.end();
}

#[test]
fn standard_input_is_not_a_file_here() {
    let mut batch = Batch::start();
    assert_eq!(batch.ask(&json!({"locate": "-@x"}))["error"]["kind"], "unsupported");
    batch.end();
}

#[test]
fn deep_nesting_is_outlined() {
    let mut batch = Batch::start();
    let depth = 400;
    let text: String = (0..depth).map(|level| format!("{}class C{level}:\n", " ".repeat(level))).collect();
    let text = format!("{text}{}pass\n", " ".repeat(depth));
    batch.send(json!({"op": "outline", "file_path": "a.py", "text": text}).to_string().as_bytes());
    assert!(batch.receive()["result"]["symbols"][0]["children"].is_array());
    batch.end();
}

#[test]
fn a_client_may_go_away() {
    let mut batch = Batch::start();
    let Batch { process, input, output } = &mut batch;
    input.write_all(b"{\"locate\":\"a.py@x\",\"text\":\"x\"}\n").unwrap();
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert!(process.try_wait().unwrap().is_none());
    let Batch { mut process, mut input, output } = batch;
    drop(output);
    // With the input still open, the process ends by itself once it cannot write.
    while process.try_wait().unwrap().is_none() {
        let _ = input.write_all(b"{\"locate\":\"a.py@x\",\"text\":\"x\"}\n");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(process.wait().unwrap().success());
}
