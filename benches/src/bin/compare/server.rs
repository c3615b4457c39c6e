//! Measures the language server as an editor uses it: over standard input and output, including the cost of messages.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

const N_ROUNDS: usize = 20;

const URI: &str = "file:///locant-bench/a.rho";

/// The time from sending a change until the answer to a request arrives, and until the diagnostics of the new text
/// arrive.
pub(crate) struct Times {
    pub(crate) answer: Duration,
    pub(crate) problems: Duration,
}

/// Types a word into a program and deletes it again, and asks each time for the definition of the last name. Returns
/// the least times of all rounds, because other work on the machine only adds to them. The word must cause a
/// diagnostic, because the server sends diagnostics only when they change.
pub(crate) fn typing(locant: &Path, text: &str, at: usize, word: &str) -> Result<Times> {
    let mut server = Server::start(locant)?;
    let document = json!({"uri": URI, "languageId": "rholang", "version": 1, "text": text});
    server.tell("textDocument/didOpen", &json!({"textDocument": document}))?;
    let last = position(text, text.rfind("stdout!").context("no name")?);
    let (start, end) = (position(text, at), position(&format!("{}{word}", &text[..at]), at + word.len()));
    let mut n_changes = 1_u64;
    let mut least = Times { answer: Duration::MAX, problems: Duration::MAX };
    for _ in 0..N_ROUNDS {
        for (end, text) in [(&start, word), (&end, "")] {
            let change = json!([{"range": {"start": start, "end": end}, "text": text}]);
            n_changes += 1;
            let document = json!({"uri": URI, "version": n_changes});
            let clock = Instant::now();
            server.tell(
                "textDocument/didChange",
                &json!({"textDocument": document, "contentChanges": change}),
            )?;
            let params = json!({"textDocument": {"uri": URI}, "position": last});
            let found = server.ask("textDocument/definition", &params)?;
            let answer = clock.elapsed();
            ensure!(found.as_array().is_some_and(|found| !found.is_empty()), "the server found {found}");
            server.problems(n_changes)?;
            let problems = clock.elapsed();
            if text == word {
                least.answer = least.answer.min(answer);
                least.problems = least.problems.min(problems);
            }
        }
    }
    Ok(least)
}

fn position(text: &str, at: usize) -> Value {
    let before = &text[..at];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    json!({"line": line, "character": before.len() - start})
}

struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    n_asked: u64,
    /// The version of the document whose diagnostics the server sent last.
    told_version: u64,
}

impl Server {
    fn start(locant: &Path) -> Result<Server> {
        let mut command = Command::new(locant);
        command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().context("could not start the server")?;
        let input = child.stdin.take().context("the server does not listen")?;
        let output = BufReader::new(child.stdout.take().context("the server does not speak")?);
        let mut server = Server { child, input, output, n_asked: 0, told_version: 0 };
        let able = json!({"general": {"positionEncodings": ["utf-8"]}});
        server.ask("initialize", &json!({"processId": null, "rootUri": null, "capabilities": able}))?;
        server.tell("initialized", &json!({}))?;
        Ok(server)
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let body = message.to_string();
        self.input.write_all(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())?;
        Ok(self.input.flush()?)
    }

    fn tell(&mut self, method: &str, params: &Value) -> Result<()> {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.n_asked += 1;
        let id = json!(self.n_asked);
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        let answer = self.wait_for(|message| message["id"] == id)?;
        Ok(answer["result"].clone())
    }

    /// Waits until the server has sent the diagnostics of a version. They may have arrived already, while `ask` waited.
    fn problems(&mut self, version: u64) -> Result<()> {
        while self.told_version < version {
            self.receive()?;
        }
        Ok(())
    }

    fn wait_for(&mut self, is_it: impl Fn(&Value) -> bool) -> Result<Value> {
        loop {
            let message = self.receive()?;
            if is_it(&message) {
                return Ok(message);
            }
        }
    }

    fn receive(&mut self) -> Result<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            ensure!(self.output.read_line(&mut line)? > 0, "the server has gone");
            match line.trim().split_once(": ") {
                Some(("Content-Length", value)) => length = value.parse()?,
                _ => break,
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body)?;
        let message: Value = serde_json::from_slice(&body)?;
        if message["method"] == "textDocument/publishDiagnostics" {
            self.told_version = message["params"]["version"].as_u64().unwrap_or_default();
        }
        Ok(message)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Killing is safe: the server has no data to lose.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
