//! The language server. It knows one thing: where the word `target` occurs in the documents that it was told.
//!
//! The file `script` in its folder has one word for each start of the server. The last word is also for all later
//! starts. Each word says what goes wrong, or `well`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio, exit};
use std::thread;
use std::time::{Duration, Instant};

use locant_frames::{Frame, Frames, write_frame};
use serde_json::{Value, json};

/// How long a process sleeps that should not end by itself during a test.
const LONG: Duration = Duration::from_secs(120);

struct Player {
    act: String,
    folder: std::path::PathBuf,
    texts: BTreeMap<String, String>,
    /// A request that is answered after the next one.
    kept_back: Option<Value>,
    /// When it will have read its project, if that takes time. Until then it knows only one place.
    has_read: Option<Instant>,
}

/// Plays until the input ends, or the script says otherwise.
pub(super) fn play(folder: &Path) {
    let starts = folder.join("starts");
    let n_before = fs::read_to_string(&starts).unwrap_or_default().len();
    let _ = fs::write(&starts, "x".repeat(n_before + 1));
    let script = fs::read_to_string(folder.join("script")).unwrap_or_default();
    let acts: Vec<&str> = script.split_whitespace().collect();
    let act = acts.get(n_before).or(acts.last()).copied().unwrap_or("well").to_owned();
    match act.as_str() {
        "die-at-start" => complain_and_exit("it found no licence"),
        "hang-at-start" => thread::sleep(LONG),
        "family" => spawn_family(folder),
        _ => {}
    }
    let has_read = (act == "reads-in-silence").then(read_in_silence);
    let mut player =
        Player { act, folder: folder.to_owned(), texts: BTreeMap::new(), kept_back: None, has_read };
    let mut frames = Frames::new(io::stdin());
    while let Ok(Some(frame)) = frames.read() {
        let Frame::Body(body) = frame else { continue };
        let Ok(message) = serde_json::from_slice::<Value>(&body) else { continue };
        player.hear(&message, n_before + 1);
    }
    if player.act == "family" {
        // Some servers do not notice that their input has ended.
        thread::sleep(LONG);
    }
}

/// A process in a session of its own, which only sleeps. If `depth` is not 0, it first starts another such process
/// below it.
pub(super) fn linger(depth: u32) {
    let _ = rustix::process::setsid();
    if depth > 0 {
        let arguments: Vec<String> = std::env::args().collect();
        let _ = start(&arguments[2], depth - 1);
    }
    if depth == 1 {
        // This process ends, so that its child loses its parent.
        return;
    }
    thread::sleep(LONG);
}

fn spawn_family(folder: &Path) {
    for depth in [0, 2] {
        let _ = start(&folder.to_string_lossy(), depth);
    }
}

fn start(folder: &str, depth: u32) -> io::Result<()> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["linger", folder, &depth.to_string()]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(drop)
}

/// Works without a report of progress, for longer than an answer must stay the same to be believed. Returns the time at
/// which the work will be done.
fn read_in_silence() -> Instant {
    let end = Instant::now() + Duration::from_secs(5);
    thread::spawn(move || {
        while Instant::now() < end {
            std::hint::spin_loop();
        }
    });
    end
}

fn complain_and_exit(complaint: &str) {
    eprintln!("{complaint}");
    exit(7);
}

fn send(message: &Value) {
    if write_frame(&mut io::stdout(), &message.to_string()).is_err() {
        exit(0);
    }
}

fn answer(request: &Value, result: &Value) {
    send(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result}));
}

fn progress(value: &Value) {
    let params = json!({"token": "work", "value": value});
    send(&json!({"jsonrpc": "2.0", "method": "$/progress", "params": params}));
}

impl Player {
    fn hear(&mut self, message: &Value, n_starts: usize) {
        let document = &message["params"]["textDocument"];
        let uri = document["uri"].as_str().unwrap_or_default().to_owned();
        match message["method"].as_str().unwrap_or_default() {
            "initialize" => {
                let able = json!({"positionEncoding": "utf-8", "textDocumentSync": 1, "definitionProvider": true,
                    "referencesProvider": true, "renameProvider": true, "hoverProvider": true,
                    "codeActionProvider": true, "diagnosticProvider": {}});
                let about = json!({"name": "scripted", "version": format!("1.{n_starts}")});
                answer(message, &json!({"capabilities": able, "serverInfo": about}));
                if self.act == "indexing" {
                    progress(&json!({"kind": "begin", "title": "indexing"}));
                }
            }
            "textDocument/didOpen" => {
                self.texts.insert(uri, document["text"].as_str().unwrap_or_default().to_owned());
            }
            "textDocument/didChange" => {
                let text = message["params"]["contentChanges"][0]["text"].as_str();
                self.texts.insert(uri, text.unwrap_or_default().to_owned());
            }
            "textDocument/didClose" => drop(self.texts.remove(&uri)),
            "$/cancelRequest" => self.note("cancelled"),
            "" if message["id"] == "unasked" => self.note(&message["result"]["applied"].to_string()),
            "workspace/didChangeWatchedFiles" => {
                for change in message["params"]["changes"].as_array().into_iter().flatten() {
                    let name = change["uri"].as_str().unwrap_or_default().rsplit('/').next();
                    self.note(&format!("{} {}", change["type"], name.unwrap_or_default()));
                }
            }
            "shutdown" => answer(message, &Value::Null),
            "exit" if self.act != "family" => exit(0),
            method if message.get("id").is_some() && !method.is_empty() => self.act(message),
            _ => {}
        }
    }

    /// Answers a question, or does what the script says.
    fn act(&mut self, request: &Value) {
        match self.act.as_str() {
            "hang" => {
                eprintln!("it waits for a lock");
                thread::sleep(LONG);
            }
            "busy" => loop {
                std::hint::spin_loop();
            },
            "ignore" => {}
            "crash" => complain_and_exit("it ran into a wall"),
            "garbage" => {
                let rubbish = vec![b'z'; 1 << 20];
                let _ = io::stdout().write_all(&rubbish);
                (0..200).for_each(|_| drop(write_frame(&mut io::stdout(), "{\"no\": json")));
            }
            "reversed" => match self.kept_back.take() {
                None => self.kept_back = Some(request.clone()),
                Some(first) => {
                    answer(request, &self.result(request));
                    answer(&first, &self.result(&first));
                }
            },
            "flood-for-ever" => {
                for n in 0.. {
                    progress(&json!({"kind": "begin", "title": format!("reading {n}")}));
                    thread::sleep(Duration::from_millis(1));
                }
            }
            "ask-for-ever" => {
                for n in 0.. {
                    let params = json!({"items": [{"section": "a"}]});
                    send(
                        &json!({"jsonrpc": "2.0", "id": n, "method": "workspace/configuration", "params": params}),
                    );
                    thread::sleep(Duration::from_millis(1));
                }
            }
            "huge" => {
                let rubbish = vec![b'z'; 1 << 20];
                let _ = write!(io::stdout(), "Content-Length: {}\r\n\r\n", 100 << 20);
                (0..100).for_each(|_| drop(io::stdout().write_all(&rubbish)));
                let _ = io::stdout().flush();
            }
            "mute" => {
                if let Ok(nowhere) = fs::OpenOptions::new().write(true).open("/dev/null") {
                    let _ = rustix::stdio::dup2_stdout(&nowhere);
                }
                thread::sleep(LONG);
            }
            _ => {
                self.say_more();
                answer(request, &self.result(request));
            }
        }
    }

    /// Says by itself what the script wants, before it answers.
    fn say_more(&self) {
        match self.act.as_str() {
            "flood" => {
                progress(&json!({"kind": "begin", "title": "reading"}));
                (0..20_000)
                    .for_each(|n| progress(&json!({"kind": "report", "message": format!("file {n}")})));
                progress(&json!({"kind": "end"}));
            }
            "edit-unasked" => {
                let edit = json!({"edit": {"documentChanges": self.removals()}});
                send(
                    &json!({"jsonrpc": "2.0", "id": "unasked", "method": "workspace/applyEdit", "params": edit}),
                );
            }
            "register-flood" => {
                for n in 0..3_000 {
                    let one = json!({"id": n.to_string(), "method": format!("textDocument/made{n}")});
                    let params = json!({"registrations": [one]});
                    send(
                        &json!({"jsonrpc": "2.0", "id": n, "method": "client/registerCapability", "params": params}),
                    );
                }
            }
            "problems-flood" => {
                let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 9}});
                let problems = vec![json!({"range": range, "message": "it is wrong"}); 1000];
                for n in 0..60 {
                    let params = json!({"uri": format!("file:///made/{n}.py"), "diagnostics": problems});
                    send(
                        &json!({"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": params}),
                    );
                }
            }
            _ => {}
        }
    }

    /// Edits that remove all open documents.
    fn removals(&self) -> Vec<Value> {
        self.texts.keys().map(|uri| json!({"uri": uri, "kind": "delete"})).collect()
    }

    /// What the test wants to be answered.
    fn wanted(&self) -> Value {
        let wanted = fs::read_to_string(self.folder.join("edit")).unwrap_or_default();
        serde_json::from_str(&wanted).unwrap_or_default()
    }

    fn result(&self, request: &Value) -> Value {
        let uri = request["params"]["textDocument"]["uri"].as_str().unwrap_or_default();
        let places = self.texts.get(uri).map(|text| places(text)).unwrap_or_default();
        let located = |range: &Value| json!({"uri": uri, "range": range});
        match request["method"].as_str().unwrap_or_default() {
            "textDocument/definition" if self.act == "place" => self.wanted(),
            "textDocument/references" if self.act == "very-many" => {
                (0..200_000).map(|n| located(&places[n % places.len()])).collect()
            }
            "textDocument/definition" => places.first().map_or(Value::Null, located),
            "textDocument/references" => {
                let is_reading = self.has_read.is_some_and(|end| Instant::now() < end);
                places.iter().take(if is_reading { 1 } else { usize::MAX }).map(located).collect()
            }
            "textDocument/rename" if self.act == "edit" => self.wanted(),
            "textDocument/rename" => {
                let name = &request["params"]["newName"];
                let edits: Vec<Value> =
                    places.iter().map(|range| json!({"range": range, "newText": name})).collect();
                json!({"changes": {uri: edits}})
            }
            "textDocument/diagnostic" => json!({"kind": "full", "items": []}),
            "textDocument/codeAction" => ["send", "write"]
                .map(|name| json!({"title": name, "command": {"title": name, "command": name}}))
                .into(),
            "workspace/executeCommand" => {
                self.note(request["params"]["command"].as_str().unwrap_or_default());
                let edit = json!({"edit": {"documentChanges": self.removals()}});
                send(&json!({"jsonrpc": "2.0", "id": "e", "method": "workspace/applyEdit", "params": edit}));
                Value::Null
            }
            _ => Value::Null,
        }
    }

    /// Notes something for the test.
    fn note(&self, line: &str) {
        let file = fs::OpenOptions::new().append(true).create(true).open(self.folder.join("notes"));
        let _ = file.and_then(|mut file| writeln!(file, "{line}"));
    }
}

/// Where the word occurs in a text.
fn places(text: &str) -> Vec<Value> {
    let place = |line: usize, at: usize| {
        let end = at + "target".len();
        json!({"start": {"line": line, "character": at}, "end": {"line": line, "character": end}})
    };
    let lines = text.lines().enumerate();
    lines.flat_map(|(line, text)| text.match_indices("target").map(move |(at, _)| place(line, at))).collect()
}
