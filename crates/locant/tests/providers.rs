//! When a provider is not ready, fails, is cancelled or has an incomplete answer, the command line, the batch and the
//! language server say so.

use std::io::{BufReader, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;

use locant::voice::CommandLine;
use locant::{batch, lsp};
use locant_api::{Context, ErrorAnswer, Files, Form, Request, run};
use locant_engine::names::{Question, Target};
use locant_engine::{Document, Range};
use locant_workspace::{Answered, Asked, Gap, Known, Provider, Providers, Unanswered};
use serde_json::{Value, json};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mood {
    NotReady,
    Failing,
    Cancelled,
    Partial,
}

struct Fake(Mood);

impl Provider for Fake {
    fn who(&self) -> String {
        "a fake".to_owned()
    }

    fn knows(&self, document: &Document) -> bool {
        document.language() == "python"
    }

    fn extensions(&self, _: Question) -> Vec<String> {
        vec!["py".to_owned()]
    }

    fn definition(&self, asked: &Asked<'_>) -> Answered<Vec<Target>> {
        match self.0 {
            Mood::NotReady => Err(Unanswered::NotReady("it reads the project, 3 of 7 files".to_owned())),
            Mood::Failing => Err(Unanswered::Failed("it fell over".to_owned())),
            Mood::Cancelled => Err(Unanswered::Cancelled),
            Mood::Partial => Ok(Known {
                value: vec![Target {
                    path: asked.scope.project.below(&asked.scope.base.absolute(asked.document.path())),
                    name: Range::of_indices(4..5),
                    extent: Range::of_indices(0..13),
                    is_guess: false,
                }],
                who: self.who(),
                root: Some(asked.scope.project.root.clone()),
                gaps: vec![Gap::UnreadableFile { path: "secret.py".to_owned() }],
            }),
        }
    }
}

const TEXT: &str = "def f(): pass\nf()\n";

struct Folder(PathBuf);

impl Folder {
    fn new(mood: Mood) -> Folder {
        let folder = std::env::temp_dir().join(format!("locant-fake-{mood:?}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("it was set up for this");
        std::fs::write(folder.join("a.py"), TEXT).expect("it was set up for this");
        Folder(folder.canonicalize().expect("it was set up for this"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).expect("it was set up for this");
    }
}

fn files(mood: Mood) -> Files {
    Files::default().with_providers(providers(mood))
}

fn providers(mood: Mood) -> Providers {
    Providers::new(vec![Arc::new(Fake(mood))])
}

fn question(folder: &Folder) -> Value {
    json!({"op": "definition", "locate": "a.py@<|>f()", "root": folder.0, "id": 1})
}

/// The answer of a command: the result, or the error.
fn by_command(mood: Mood, folder: &Folder) -> Value {
    let Value::Object(mut fields) = question(folder) else { unreachable!("it is an object") };
    fields.remove("id");
    let request = Request::from_json(fields, &Default::default()).expect("it was set up for this");
    let files = files(mood);
    match run(request, Context { files: &files, form: Form::Json, voice: &CommandLine }) {
        Ok(answer) => {
            let mut text = Vec::new();
            answer.write(Form::Text, &CommandLine, &mut text).expect("it was set up for this");
            assert!(String::from_utf8(text).expect("it was set up for this").contains("a.py:1:5"));
            let notes: Vec<String> =
                answer.beside(Form::Text).iter().map(|remark| remark.text(&CommandLine)).collect();
            assert!(notes.iter().any(|note| note.contains("`secret.py` cannot be read")), "{notes:?}");
            let mut json = Vec::new();
            answer.write(Form::Json, &CommandLine, &mut json).expect("it was set up for this");
            serde_json::from_slice(&json).expect("it was set up for this")
        }
        Err(failure) => json!(ErrorAnswer { error: failure.error(&CommandLine) }),
    }
}

fn by_batch(mood: Mood, folder: &Folder) -> Value {
    let line = format!("{}\n", question(folder));
    let mut output = Vec::new();
    let input = BufReader::new(std::io::Cursor::new(line.into_bytes()));
    let _ = batch::serve_on(input, &mut output, &files(mood), (&Default::default(), false, Form::Json));
    let answer: Value = serde_json::from_slice(&output).expect("it was set up for this");
    match answer.get("result") {
        Some(result) => result.clone(),
        None => json!({"error": answer["error"]}),
    }
}

/// The whole answer of the language server.
fn by_editor(mood: Mood, folder: &Folder) -> Value {
    let (input, mut to_server) = std::io::pipe().expect("it was set up for this");
    let (from_server, output) = std::io::pipe().expect("it was set up for this");
    let server = std::thread::spawn(move || lsp::serve_on(input, output, providers(mood)));
    let mut send = |message: Value| {
        let body = message.to_string();
        write!(to_server, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("it was set up for this");
    };
    let uri = format!("file://{}", folder.0.join("a.py").display());
    send(json!({"id": 1, "method": "initialize", "params": {"capabilities": {}}}));
    send(json!({"method": "initialized", "params": {}}));
    let place = json!({"textDocument": {"uri": uri}, "position": {"line": 1, "character": 0}});
    send(json!({"id": 2, "method": "textDocument/definition", "params": place}));
    let answer = answer(BufReader::new(from_server), 2);
    send(json!({"id": 3, "method": "shutdown"}));
    send(json!({"method": "exit"}));
    server.join().expect("it was set up for this");
    answer
}

fn answer(mut from_server: impl Read, id: u32) -> Value {
    loop {
        let mut header = Vec::new();
        while !header.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            from_server.read_exact(&mut byte).expect("it was set up for this");
            header.push(byte[0]);
        }
        let header = String::from_utf8(header).expect("it was set up for this");
        let length: usize = header
            .trim()
            .rsplit(' ')
            .next()
            .expect("it was set up for this")
            .parse()
            .expect("it was set up for this");
        let mut body = vec![0; length];
        from_server.read_exact(&mut body).expect("it was set up for this");
        let message: Value = serde_json::from_slice(&body).expect("it was set up for this");
        if message["id"] == id {
            return message;
        }
    }
}

#[test]
fn a_provider_without_an_answer_is_told_apart_from_one_that_finds_nothing() {
    for (mood, words, code) in [
        (Mood::NotReady, "it reads the project, 3 of 7 files", -32803),
        (Mood::Failing, "it fell over", -32803),
        (Mood::Cancelled, "stopped", -32800),
    ] {
        let folder = Folder::new(mood);
        let by_command = by_command(mood, &folder);
        assert_eq!(by_command["error"]["kind"], "server", "{by_command}");
        let message = by_command["error"]["message"].as_str().expect("it was set up for this");
        assert!(message.contains(words), "{message}");
        assert_eq!(by_command, by_batch(mood, &folder));
        let by_editor = by_editor(mood, &folder);
        assert_eq!(by_editor["error"]["code"], code, "{by_editor}");
        let said = by_editor["error"]["message"].as_str().expect("it was set up for this");
        assert!(mood == Mood::Cancelled || said.contains(words), "{said}");
    }
}

#[test]
fn a_part_of_an_answer_is_given_as_a_part() {
    let folder = Folder::new(Mood::Partial);
    let by_command = by_command(Mood::Partial, &folder);
    assert_eq!(by_command["complete"], false, "{by_command}");
    assert_eq!(by_command["incomplete_because"], json!(["`secret.py` cannot be read"]));
    assert_eq!(by_command["server"], "a fake");
    assert_eq!(by_command["items"][0]["position"], json!({"line": 1, "character": 5}));
    assert_eq!(by_command, by_batch(Mood::Partial, &folder));
    let by_editor = by_editor(Mood::Partial, &folder);
    assert_eq!(by_editor["result"][0]["range"]["start"], json!({"line": 0, "character": 4}), "{by_editor}");
}
