//! Bounds on memory: the program does not keep a whole line or message, however long it is.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout};

use serde_json::{Value, json};

use crate::start;

/// The most memory that the program may take for any input, in MiB.
const MOST: u64 = 300;

struct Program {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Program {
    fn start(command: &str) -> Program {
        let mut process = start(&[command]);
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        Program { process, input, output }
    }

    fn send(&mut self, bytes: &[u8]) {
        self.input.write_all(bytes).unwrap();
    }

    /// Sends `n` MiB without a line break.
    fn send_much(&mut self, n: usize) {
        let much = vec![b'x'; 1 << 20];
        (0..n).for_each(|_| self.send(&much));
    }

    fn line(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON: {line:?}"))
    }

    fn message(&mut self) -> Value {
        let mut header = String::new();
        self.output.read_line(&mut header).unwrap();
        self.output.read_line(&mut String::new()).unwrap();
        let length: usize = header.trim().rsplit(' ').next().unwrap().parse().unwrap();
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    /// Checks how much memory the process took at most since it started, and ends it.
    fn end(mut self) {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let held = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let held: u64 = held.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(held < MOST << 10, "it has held {} MiB", held >> 10);
        drop(self.input);
        self.process.wait().unwrap();
    }
}

#[test]
fn a_line_without_end_is_not_kept() {
    let mut batch = Program::start("batch");
    batch.send_much(400);
    batch.send(b"\n{\"id\": 1, \"locate\": \"a.py@x\", \"text\": \"x\"}\n");
    let refused = batch.line();
    assert_eq!((&refused["id"], &refused["error"]["kind"]), (&Value::Null, &json!("invalid_location")));
    assert_eq!(batch.line()["result"]["offset"], 0);
    batch.end();
}

#[test]
fn what_no_command_reads_is_not_looked_into() {
    let mut batch = Program::start("batch");
    for _ in 0..3 {
        batch.send(b"{\"id\": 1, \"locate\": \"a.py@x\", \"text\": \"x\", \"mine\": [0");
        (0..20).for_each(|_| batch.send(&b",0".repeat(1 << 19)));
        batch.send(b"]}\n");
    }
    for _ in 0..3 {
        let answer = batch.line();
        assert_eq!((&answer["result"]["offset"], &answer["note"]), (&json!(0), &json!("not read: `mine`")));
    }
    batch.end();
}

#[test]
fn a_header_without_end_is_not_kept() {
    let mut server = Program::start("lsp");
    server.send_much(400);
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}).to_string();
    server.send(format!("\r\nContent-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    assert_eq!(server.message()["id"], 1);
    server.end();
}

#[test]
fn a_message_that_is_too_long_is_not_kept_and_the_next_is_answered() {
    let mut server = Program::start("lsp");
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}).to_string();
    let next = format!("Content-Length: {}\r\n\r\n{body}", body.len());
    for (length, n_sent) in [("419430400", 400), ("99999999999999", 3), ("abc", 0)] {
        server.send(format!("Content-Length: {length}\r\n\r\n").as_bytes());
        server.send_much(n_sent);
        server.send(next.as_bytes());
        let refused = server.message();
        assert_eq!((&refused["id"], &refused["error"]["code"]), (&Value::Null, &json!(-32700)), "{length}");
        assert_eq!(server.message()["id"], 1, "{length}");
    }
    server.end();
}
