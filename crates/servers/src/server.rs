//! A running server: its process, what it can do, and what it was told.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use locant_engine::Encoding;
use locant_workspace::{Asked, written};
use serde_json::{Value, json};

use crate::capabilities;
use crate::catalogue::language_id;
use crate::connection::{Connection, Heard, Replies, Trouble};
use crate::documents::{Documents, Wanted};
use crate::entry::Entry;
use crate::position::Counting;
use crate::process::Process;
use crate::readiness::{self, Breadth, Readiness};
use crate::supervise::{Supervisor, memory_of_tree};

/// The errors that mean "ask again": the content was modified, the server has cancelled.
const AGAIN: [i64; 2] = [-32801, -32802];

/// The errors that mean that a method is not there: the general one, and the one for requests of the protocol.
const NO_METHOD: i64 = -32601;

/// How often a question is asked again because the server wants it.
const MOST_AGAIN: usize = 10;

/// How long a server that is asked to end may take before it is killed.
const FAREWELL: Duration = Duration::from_millis(300);

/// A running server.
pub(crate) struct Server {
    pub(crate) entry: Arc<Entry>,
    pub(crate) root: PathBuf,
    pub(crate) program: PathBuf,
    pub(crate) counting: Counting,
    pub(crate) version: String,
    capabilities: Value,
    documents: Mutex<Documents>,
    readiness: Readiness,
    connection: Connection,
    process: Process,
}

/// What is needed to start a server.
pub(crate) struct Start<'s> {
    pub(crate) entry: &'s Arc<Entry>,
    pub(crate) program: &'s Path,
    pub(crate) root: &'s Path,
    pub(crate) encodings: &'s [Encoding],
    pub(crate) supervisor: Option<&'s Supervisor>,
    pub(crate) patience: Duration,
}

impl Server {
    /// Starts a server and greets it.
    pub(crate) fn start(start: &Start<'_>) -> Result<Server, String> {
        let entry = start.entry;
        let arguments = entry.command.get(1..).unwrap_or_default();
        let env: Vec<(String, String)> =
            entry.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        let (process, pipes) =
            Process::start(start.program, arguments, start.root, &env, start.supervisor)
                .map_err(|error| format!("`{}` cannot be started: {error}", start.program.display()))?;
        let replies = Replies {
            settings: entry.settings.clone(),
            folders: capabilities::folders(&written(start.root)),
        };
        let connection = Connection::new(pipes.input, pipes.output, replies, start.patience)
            .map_err(|error| format!("no thread can be started for `{}`: {error}", entry.name))?;
        let greeting = capabilities::initialize(start.root, start.encodings, &entry.initialization_options);
        let welcome = connection.wait(connection.ask("initialize", &greeting));
        let welcome = welcome.map_err(|trouble| told(&entry.name, &trouble, &process))?;
        connection.notify("initialized", &json!({}));
        if !entry.settings.is_null() {
            connection.notify("workspace/didChangeConfiguration", &json!({"settings": entry.settings}));
        }
        let able = welcome.get("capabilities").cloned().unwrap_or_default();
        let counting =
            Counting { encoding: capabilities::encoding(&able), bom: entry.bom, lines: entry.lines };
        let version = welcome.pointer("/serverInfo/version").and_then(Value::as_str);
        let version = version.map_or_else(|| version_of(start.program, entry), version_in);
        Ok(Server {
            entry: Arc::clone(entry),
            root: start.root.to_owned(),
            program: start.program.to_owned(),
            counting,
            version,
            capabilities: able,
            documents: Mutex::default(),
            readiness: Readiness::new(entry.ready),
            connection,
            process,
        })
    }

    /// Its name and version.
    pub(crate) fn who(&self) -> String {
        format!("{} {}", self.entry.name, self.version).trim_end().to_owned()
    }

    /// Whether it has said that it answers a method. What the protocol has no word for may be answered.
    pub(crate) fn supports(&self, method: &str) -> bool {
        let Some(capability) = capabilities::of_method(method) else { return true };
        let said = self
            .capabilities
            .get(capability)
            .is_some_and(|said| !matches!(said, Value::Null | Value::Bool(false)));
        said || self.connection.heard(|heard| heard.has_registered(method))
    }

    /// What it has said about a capability.
    pub(crate) fn capability(&self, pointer: &str) -> Option<&Value> {
        self.capabilities.pointer(pointer)
    }

    /// Why it has ended, if it has.
    pub(crate) fn ended(&self) -> Option<String> {
        self.connection.heard(|heard| heard.ended().map(str::to_owned))
    }

    /// The memory that it and all its processes hold, in bytes.
    pub(crate) fn memory(&self) -> Option<u64> {
        memory_of_tree(self.process.id())
    }

    /// What it is busy with.
    pub(crate) fn work(&self) -> Option<String> {
        self.connection.heard(|heard| heard.work().map(str::to_owned))
    }

    /// Asks about a document, until the answer can be relied on.
    pub(crate) fn ask(
        &self,
        asked: &Asked<'_>,
        breadth: Breadth,
        method: &str,
        params: &Value,
    ) -> Result<readiness::Heard, Trouble> {
        self.readiness.settled(&self.connection, breadth, || self.ask_once(asked, method, params))
    }

    /// Asks about a document. The server is first told what the documents say that it has open.
    pub(crate) fn ask_once(&self, asked: &Asked<'_>, method: &str, params: &Value) -> Result<Value, Trouble> {
        let mut n_again = 0;
        loop {
            let request = {
                // The question must follow right after the texts that it is about.
                let mut documents = self.documents.lock().unwrap_or_else(PoisonError::into_inner);
                self.tell(&mut documents, asked);
                self.connection.ask(method, params)
            };
            match self.connection.wait(request) {
                Err(Trouble::Refused { code, .. }) if AGAIN.contains(&code) && n_again < MOST_AGAIN => {
                    n_again += 1;
                    thread::sleep(Duration::from_millis(100));
                }
                answer => return answer,
            }
        }
    }

    /// Tells the server about the documents of a question, and asks nothing. Returns the version of the document that
    /// the question is about.
    pub(crate) fn show(&self, asked: &Asked<'_>) -> i64 {
        let mut documents = self.documents.lock().unwrap_or_else(PoisonError::into_inner);
        self.tell(&mut documents, asked);
        documents.version(&path_of(asked)).unwrap_or_default()
    }

    /// Waits until something is so in what the server said, at most for some time.
    pub(crate) fn wait_until(&self, most: Duration, is_so: impl Fn(&Heard<'_>) -> bool) -> bool {
        self.connection.wait_until(most, is_so)
    }

    /// Looks at what the server said.
    pub(crate) fn heard<T>(&self, look: impl FnOnce(&Heard<'_>) -> T) -> T {
        self.connection.heard(look)
    }

    /// Takes the edits that the server wanted to be applied.
    pub(crate) fn take_edits(&self) -> Vec<Value> {
        self.connection.take_edits()
    }

    /// A trouble in words, with what the server complained about.
    pub(crate) fn told(&self, trouble: &Trouble) -> String {
        told(&self.entry.name, trouble, &self.process)
    }

    fn tell(&self, documents: &mut Documents, asked: &Asked<'_>) {
        let path = path_of(asked);
        let id = language_id(&self.entry, asked.document);
        let mut wanted = vec![Wanted { path: &path, text: asked.document.shared_text(), language_id: &id }];
        let layered: Vec<_> = asked
            .scope
            .snapshot
            .all_layered()
            .filter(|(other, document)| **other != path && self.entry.is_for(document))
            .map(|(other, document)| (other, document, language_id(&self.entry, document)))
            .collect();
        wanted.extend(layered.iter().map(|(path, document, id)| Wanted {
            path,
            text: document.shared_text(),
            language_id: id,
        }));
        documents.sync(&self.connection, self.counting, asked.scope.snapshot, &wanted);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.ended().is_some() {
            return;
        }
        let asked = Instant::now();
        let _ = self.connection.ask("shutdown", &Value::Null);
        self.connection.notify("exit", &Value::Null);
        while self.ended().is_none() && asked.elapsed() < FAREWELL {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Where the document of a question is on disk.
pub(crate) fn path_of(asked: &Asked<'_>) -> PathBuf {
    asked.scope.base.absolute(asked.document.path())
}

/// Whether a trouble means that the server does not have the method.
pub(crate) fn is_unknown(trouble: &Trouble) -> bool {
    matches!(trouble, Trouble::Refused { code, .. } if *code == NO_METHOD)
}

fn told(name: &str, trouble: &Trouble, process: &Process) -> String {
    let said = match trouble {
        Trouble::Ended(why) => format!("{name} gave no answer: {why}"),
        Trouble::Silent(time) => format!("{name} showed no progress for {} s", time.as_secs()),
        Trouble::Refused { message, .. } => format!("{name} says: {message}"),
    };
    match process.complaints() {
        complaints if complaints.is_empty() || matches!(trouble, Trouble::Refused { .. }) => said,
        complaints => format!("{said}; the last it wrote to standard error:\n{complaints}"),
    }
}

/// The version that a program prints; empty when it prints none.
fn version_of(program: &Path, entry: &Entry) -> String {
    if entry.version_arguments.is_empty() {
        return String::new();
    }
    let mut command = Command::new(program);
    command.args(&entry.version_arguments).stdin(Stdio::null()).stderr(Stdio::null());
    let printed = command.output().map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    version_in(&printed.unwrap_or_default())
}

/// The first word of a text that is a version: `clangd version 22.1.1 (…)` has `22.1.1`.
pub(crate) fn version_in(text: &str) -> String {
    let is_version =
        |word: &&str| word.starts_with(|first: char| first.is_ascii_digit()) && word.contains('.');
    let mut words =
        text.split([' ', '\n', '\t', ',', '(', ')', '"']).map(|word| word.trim_start_matches('v'));
    words.find(is_version).unwrap_or_default().to_owned()
}
