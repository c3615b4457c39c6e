//! A client of the language server: starts the program and speaks with it as an editor does.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

/// The running program, and a folder with files for it, which is removed when this is dropped.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    pub(crate) folder: PathBuf,
    /// The files as they were at the start, by name.
    files: Vec<(String, String)>,
    encoding: String,
    n_requests: i32,
    /// Messages of the server that came while another one was awaited.
    pub(crate) told: Vec<Value>,
}

/// The encodings in which columns can be counted.
pub(crate) const ENCODINGS: [&str; 3] = ["utf-8", "utf-16", "utf-32"];

/// The capabilities of a usual editor.
pub(crate) fn capabilities(encoding: &str) -> Value {
    json!({
        "general": {"positionEncodings": [encoding]},
        "textDocument": {
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
            "definition": {"linkSupport": true},
            "hover": {"contentFormat": ["markdown", "plaintext"]},
            "rename": {"prepareSupport": true},
            "codeAction": {
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}},
                "isPreferredSupport": true,
            },
            "signatureHelp": {"signatureInformation": {"parameterInformation": {"labelOffsetSupport": true}}},
        },
        "workspace": {"workspaceEdit": {"documentChanges": true}},
    })
}

impl Client {
    /// Starts the server on a folder with these files, and initializes it.
    pub(crate) fn start(files: &[(&str, &str)], encoding: &str) -> Client {
        Client::with(files, encoding, capabilities(encoding))
    }

    pub(crate) fn with(files: &[(&str, &str)], encoding: &str, capabilities: Value) -> Client {
        let mut client = Client::silent(files, encoding);
        let folder = client.uri("");
        let folders = json!([{"uri": folder.trim_end_matches('/'), "name": "test"}]);
        let answer = client.request(
            "initialize",
            json!({"processId": null, "rootUri": null, "workspaceFolders": folders, "capabilities": capabilities}),
        );
        assert_eq!(answer["capabilities"]["positionEncoding"], encoding, "the encoding is the client's");
        client.notify("initialized", json!({}));
        client
    }

    /// Starts the server and sends nothing.
    pub(crate) fn silent(files: &[(&str, &str)], encoding: &str) -> Client {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("locant lsp ü {}-{number}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        for (name, text) in files {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a folder can be made");
            fs::write(path, text).expect("a file can be written");
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_locant"))
            .arg("lsp")
            .env("XDG_CACHE_HOME", folder.join(".cache"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("it is a pipe"));
        let encoding = encoding.to_owned();
        let files = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        Client { child, input, output, folder, files, encoding, n_requests: 0, told: Vec::new() }
    }

    /// The URI of a file, as VS Code writes it.
    pub(crate) fn uri(&self, name: &str) -> String {
        let mut uri = "file://".to_owned();
        for byte in self.folder.join(name).to_string_lossy().bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'/' => {
                    uri.push(char::from(byte))
                }
                byte => uri.push_str(&format!("%{byte:02x}")),
            }
        }
        uri
    }

    /// The name of the file with a URI.
    pub(crate) fn name(&self, uri: &Value) -> String {
        let mut bytes = Vec::new();
        let mut rest = uri.as_str().expect("an address is a string").as_bytes();
        while let Some((&byte, behind)) = rest.split_first() {
            let code = (byte == b'%').then(|| {
                let digits = std::str::from_utf8(&behind[..2]).expect("two digits");
                u8::from_str_radix(digits, 16).expect("two digits")
            });
            bytes.push(code.unwrap_or(byte));
            rest = if code.is_some() { &behind[2..] } else { behind };
        }
        let path = String::from_utf8(bytes).expect("paths are UTF-8");
        let path = Path::new(path.strip_prefix("file://").expect("it is a file"));
        path.strip_prefix(&self.folder).expect("it is in the folder").to_string_lossy().into_owned()
    }

    /// Sends bytes as they are.
    pub(crate) fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).expect("the server listens");
        input.flush().expect("the server listens");
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.send_raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request; gives the result.
    #[track_caller]
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let answer = self.ask(method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Sends a request; gives the whole answer.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.n_requests += 1;
        let id = json!(self.n_requests);
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        self.answer(&id)
    }

    /// Waits for the answer to a request, unless it came while another was awaited.
    pub(crate) fn answer(&mut self, id: &Value) -> Value {
        let is_it = |message: &Value| message.get("method").is_none() && message["id"] == *id;
        if let Some(index) = self.told.iter().position(is_it) {
            return self.told.remove(index);
        }
        loop {
            let message = self.receive();
            if is_it(&message) {
                return message;
            }
            self.told.push(message);
        }
    }

    pub(crate) fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            let n_read = self.output.read_line(&mut line).expect("the server speaks UTF-8");
            assert!(n_read > 0, "the server has gone");
            match line.trim().split_once(": ") {
                Some(("Content-Length", value)) => length = value.parse().expect("a number"),
                _ => break,
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("a whole message");
        serde_json::from_slice(&body).expect("messages are JSON")
    }

    /// Waits for a message of the server with this method. Other messages may come first.
    pub(crate) fn wait_for(&mut self, method: &str) -> Value {
        loop {
            let message = match self.told.iter().position(|message| message["method"] == method) {
                Some(index) => self.told.remove(index),
                None => self.receive(),
            };
            if message["method"] == method {
                return message["params"].clone();
            }
            self.told.push(message);
        }
    }

    pub(crate) fn open(&mut self, name: &str, text: &str) {
        let language = name.rsplit('.').next().unwrap_or_default();
        let item = json!({"uri": self.uri(name), "languageId": language, "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": item}));
    }

    /// Sends a request about the place that `<|>` marks in the text of a file.
    pub(crate) fn at(&mut self, method: &str, name: &str, marked: &str) -> Value {
        let params = self.place(name, marked);
        self.request(method, params)
    }

    /// The place that `<|>` marks in the text of a file.
    pub(crate) fn place(&self, name: &str, marked: &str) -> Value {
        let at = marked.find("<|>").expect("the place is marked");
        json!({"textDocument": {"uri": self.uri(name)}, "position": self.position(marked, at)})
    }

    /// The position of a byte in a text. It is counted in the simplest way, to check how the server does it.
    pub(crate) fn position(&self, text: &str, at: usize) -> Value {
        let before = &text[..at];
        let line = before.matches('\n').count();
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        json!({"line": line, "character": self.units(&before[start..])})
    }

    fn units(&self, text: &str) -> usize {
        match self.encoding.as_str() {
            "utf-8" => text.len(),
            "utf-16" => text.encode_utf16().count(),
            _ => text.chars().count(),
        }
    }

    /// The text at a range that the server has given.
    pub(crate) fn text_at<'t>(&self, text: &'t str, range: &Value) -> &'t str {
        &text[self.byte(text, &range["start"])..self.byte(text, &range["end"])]
    }

    pub(crate) fn byte(&self, text: &str, position: &Value) -> usize {
        let (line, character) = (number(&position["line"]), number(&position["character"]));
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let ends = text[start..].char_indices().map(|(at, c)| at + c.len_utf8());
        let mut ends = std::iter::once(0).chain(ends);
        let end = ends.find(|&end| self.units(&text[start..start + end]) == character);
        start + end.expect("a position is between characters")
    }

    /// Ranges in files as people see them: the file, and the line with the range in « ».
    pub(crate) fn shown(&self, found: &[(&Value, &Value)]) -> Vec<String> {
        let show = |(uri, range): &(&Value, &Value)| {
            let name = self.name(uri);
            let text = self.text(&name);
            let (from, to) = (self.byte(text, &range["start"]), self.byte(text, &range["end"]));
            let start = text[..from].rfind('\n').map_or(0, |at| at + 1);
            let end = text[to..].find('\n').map_or(text.len(), |at| to + at);
            format!("{name}: {}«{}»{}", text[start..from].trim_start(), &text[from..to], &text[to..end])
        };
        found.iter().map(show).collect()
    }

    /// Definitions as people see them.
    pub(crate) fn links(&self, found: &Value) -> Vec<String> {
        let links = list(found).iter();
        self.shown(&links.map(|link| (&link["targetUri"], &link["targetSelectionRange"])).collect::<Vec<_>>())
    }

    /// Locations as people see them.
    pub(crate) fn places(&self, found: &Value) -> Vec<String> {
        self.shown(&list(found).iter().map(|found| (&found["uri"], &found["range"])).collect::<Vec<_>>())
    }

    /// A text after some edits, which are given in the order of places.
    pub(crate) fn edited(&self, text: &str, edits: &Value) -> String {
        let mut text = text.to_owned();
        for edit in list(edits).iter().rev() {
            let range = self.byte(&text, &edit["range"]["start"])..self.byte(&text, &edit["range"]["end"]);
            text.replace_range(range, edit["newText"].as_str().expect("a text"));
        }
        text
    }

    /// Semantic tokens of a text as words and the numbers of their kinds.
    pub(crate) fn words(&self, text: &str, tokens: &Value) -> Vec<(String, u64)> {
        let numbers: Vec<u64> = list(&tokens["data"]).iter().filter_map(Value::as_u64).collect();
        let (mut line, mut character) = (0, 0);
        let mut words = Vec::new();
        for token in numbers.chunks(5) {
            character = if token[0] == 0 { character + token[1] } else { token[1] };
            line += token[0];
            let at = |character: u64| json!({"line": line, "character": character});
            let range = json!({"start": at(character), "end": at(character + token[2])});
            words.push((self.text_at(text, &range).to_owned(), token[3]));
        }
        words
    }

    /// Changes a part of an open document.
    pub(crate) fn type_in(&mut self, name: &str, version: i32, range: &Value, text: &str) {
        let document = json!({"uri": self.uri(name), "version": version});
        let change = json!([{"range": range, "text": text}]);
        self.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": change}));
    }

    /// The text that a file had at the start.
    pub(crate) fn text(&self, name: &str) -> &str {
        let file = self.files.iter().find(|(file, _)| file == name);
        file.map(|(_, text)| text.as_str()).expect("it is one of the files")
    }

    /// Shuts the server down; gives the exit code.
    pub(crate) fn leave(mut self) -> Option<i32> {
        assert_eq!(self.request("shutdown", Value::Null), Value::Null);
        self.notify("exit", Value::Null);
        self.wait()
    }

    /// Waits until the server ends while its input stays open; gives the exit code.
    pub(crate) fn wait_listening(&mut self) -> Option<i32> {
        self.child.wait().expect("it ends").code()
    }

    /// Closes the input and waits for the end of the server; gives the exit code.
    pub(crate) fn wait(&mut self) -> Option<i32> {
        self.input.take();
        self.child.wait().expect("it ends").code()
    }
}

/// The elements of a list; empty for other values.
pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

pub(crate) fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().expect("a number")).expect("a small one")
}

impl Drop for Client {
    fn drop(&mut self) {
        self.input.take();
        // After a failed test the server may still wait; otherwise it has ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}
