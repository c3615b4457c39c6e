//! A bare client of a language server, which only sends requests and waits for the answers. locant is compared with it.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

/// A server that was started and initialized. It is killed when this value is dropped.
pub(crate) struct Raw {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    n_asked: u64,
}

impl Raw {
    /// Starts a server for a folder. Columns are in UTF-16.
    pub(crate) fn start(command: &[&str], folder: &Path) -> Result<Raw> {
        let (program, arguments) = command.split_first().context("there is no command")?;
        let mut command = Command::new(super::install::programs().join(program));
        command.args(arguments).current_dir(folder);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let input = child.stdin.take().context("it has no input")?;
        let output = BufReader::new(child.stdout.take().context("it has no output")?);
        let mut raw = Raw { child, input, output, n_asked: 0 };
        let uri = uri(folder);
        let capabilities =
            json!({"general": {"positionEncodings": ["utf-16"]}, "workspace": {"configuration": true}});
        raw.ask(
            "initialize",
            &json!({"processId": std::process::id(), "rootUri": uri, "capabilities": capabilities,
                "workspaceFolders": [{"uri": uri, "name": "raw"}]}),
        )?;
        raw.tell("initialized", &json!({}))?;
        Ok(raw)
    }

    /// Opens a file.
    pub(crate) fn open(&mut self, path: &Path, language: &str) -> Result<()> {
        let text = std::fs::read_to_string(path)?;
        let document = json!({"uri": uri(path), "languageId": language, "version": 1, "text": text});
        self.tell("textDocument/didOpen", &json!({"textDocument": document}))
    }

    /// The answer to a request about a place, whose line and column are counted from 0.
    pub(crate) fn ask_at(&mut self, method: &str, path: &Path, line: u64, character: u64) -> Result<Value> {
        let position = json!({"line": line, "character": character});
        let context = json!({"includeDeclaration": true});
        self.ask(
            method,
            &json!({"textDocument": {"uri": uri(path)}, "position": position, "context": context}),
        )
    }

    /// The id of the server's process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.n_asked += 1;
        let id = self.n_asked;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let mut message = self.message()?;
            if message.get("method").is_some() {
                let Some(its) = message.get("id") else { continue };
                let n = message["params"]["items"].as_array().map_or(0, Vec::len);
                let result = if n == 0 { Value::Null } else { json!(vec![Value::Null; n]) };
                self.send(&json!({"jsonrpc": "2.0", "id": its, "result": result}))?;
            } else if message["id"] == json!(id) {
                match message.get("error") {
                    Some(error) => bail!("{method}: {error}"),
                    None => return Ok(message["result"].take()),
                }
            }
        }
    }

    fn tell(&mut self, method: &str, params: &Value) -> Result<()> {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len())?;
        Ok(self.input.flush()?)
    }

    fn message(&mut self) -> Result<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                bail!("the server has ended");
            }
            match line.trim_end() {
                "" => break,
                line => {
                    if let Some(n) = line.strip_prefix("Content-Length: ") {
                        length = n.parse()?;
                    }
                }
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body)?;
        Ok(serde_json::from_slice(&body)?)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The address of a file. Its path must have no characters that addresses escape.
pub(crate) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}
