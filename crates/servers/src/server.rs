//! A running server: its process, its capabilities, and the documents that it has open.

use std::collections::HashMap;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use locant_engine::Encoding;
use locant_workspace::written;
use serde_json::{Value, json};

use crate::capabilities;
use crate::connection::{Connection, Published, Replies};
use crate::documents::{self, Documents, uri_of};
use crate::launch::{Launch, packed_version};
use crate::position::Counting;
use crate::process::Process;
use crate::question::{About, Failed, Heard, How, Shown, Trouble, Wanted};
use crate::readiness::Readiness;
use crate::supervise::{Supervisor, memory_of_tree};
use crate::watch::Watch;

/// The errors after which a request is sent again: the content was modified, and the server has cancelled the request.
const AGAIN: [i64; 2] = [-32801, -32802];

/// How many times a request is sent again after such an error.
const MOST_AGAIN: usize = 10;

/// The requests whose answers say what to change.
const CHANGING: [&str; 3] = ["textDocument/rename", "textDocument/codeAction", "codeAction/resolve"];

/// The number of the error that a document is not what it was. The protocol says `ContentModified`; the server is not
/// asked again, because it was told the right version before.
const OUTDATED: i64 = -32801;

/// How long we wait for problems that a server sends without being asked.
const TO_PUBLISH: Duration = Duration::from_secs(10);

/// If no new problems have come for this long, those that have come are taken to be all.
const TO_SETTLE: Duration = Duration::from_millis(400);

/// How much time a server has to end by itself before it is killed.
const FAREWELL: Duration = Duration::from_millis(300);

/// How many files that changed on disk are opened at most.
const MOST_CHANGED: usize = 16;

/// A running server.
pub(crate) struct Server {
    pub(crate) launch: Launch,
    pub(crate) version: String,
    counting: Counting,
    capabilities: Value,
    documents: Mutex<Documents>,
    watch: Mutex<Watch>,
    /// Locked while a command runs. So all edits that the server wants in the meantime belong to this command.
    commanding: Mutex<()>,
    /// Whether it showed no progress on the last question, although it worked.
    was_silent: AtomicBool,
    readiness: Readiness,
    connection: Connection,
    process: Process,
}

impl Server {
    /// Starts a server and greets it.
    pub(crate) fn start(launch: &Launch, supervisor: Option<&Supervisor>) -> Result<Server, String> {
        let (entry, root, patience) = (&launch.entry, &launch.root, launch.patience);
        let (process, pipes) = Process::start(launch, supervisor)
            .map_err(|error| format!("`{}` cannot be started: {error}", launch.program.display()))?;
        let replies =
            Replies { settings: entry.settings.clone(), folders: capabilities::folders(&written(root)) };
        let connection = Connection::new(pipes.input, pipes.output, replies, patience)
            .map_err(|error| format!("no thread can be started for `{}`: {error}", entry.name))?;
        let greeting = capabilities::initialize(root, &launch.encodings(), &entry.initialization_options);
        let greeted = connection.ask("initialize", &greeting);
        // The server reads the project only after it is greeted. The watch begins before that, so no change is missed.
        let watch = Watch::new(root);
        let welcome = connection.wait(greeted);
        let welcome =
            welcome.map_err(|trouble| trouble.told(&entry.name, &process.complaints(trouble.is_end())))?;
        connection.notify("initialized", &json!({}));
        if !entry.settings.is_null() {
            connection.notify("workspace/didChangeConfiguration", &json!({"settings": entry.settings}));
        }
        let able = welcome.get("capabilities").cloned().unwrap_or_default();
        let encoding = entry.counts.map_or_else(|| capabilities::encoding(&able), Encoding::from);
        let counting = Counting { encoding, bom: entry.bom, lines: entry.lines };
        let version = welcome.pointer("/serverInfo/version").and_then(Value::as_str);
        let version = version.map_or_else(|| version_of(launch), version_in);
        Ok(Server {
            launch: launch.clone(),
            counting,
            version,
            capabilities: able,
            documents: Mutex::new(Documents::new(entry.reopens)),
            watch: Mutex::new(watch),
            commanding: Mutex::default(),
            was_silent: AtomicBool::new(false),
            readiness: Readiness::new(entry.ready, entry.changes),
            connection,
            process,
        })
    }

    /// What the server has said about itself so far.
    pub(crate) fn about(&self) -> About {
        About {
            version: self.version.clone(),
            encoding: self.counting.encoding,
            capabilities: self.capabilities.clone(),
            registered: self.connection.heard(|heard| heard.registered()),
        }
    }

    /// Why the server has ended, if it has.
    pub(crate) fn ended(&self) -> Option<String> {
        if self.process.has_ended() {
            self.connection.give_up("it ended");
        }
        self.connection.heard(|heard| heard.ended().map(str::to_owned))
    }

    /// The memory of the server and of all processes below it, in bytes.
    pub(crate) fn memory(&self) -> Option<u64> {
        memory_of_tree(self.process.id())
    }

    /// What the server is busy with.
    pub(crate) fn work(&self) -> Option<String> {
        self.connection.heard(|heard| heard.work().map(str::to_owned))
    }

    /// Tells the server the texts in `shown`, and asks.
    pub(crate) fn ask(
        &self,
        shown: &Shown<'_>,
        how: How,
        method: &str,
        params: &Value,
    ) -> Result<Heard, Failed> {
        let once = || self.ask_once(shown, method, params);
        let heard = match how {
            How::Settled(breadth) => self.readiness.settled(&self.connection, &self.process, breadth, once),
            How::Once => once().map(Heard::complete),
            How::Command => {
                let _commanding = self.commanding.lock().unwrap_or_else(PoisonError::into_inner);
                self.connection.expect_edits();
                let done = once();
                let edits = self.connection.take_edits().into();
                let versions = self.documents.lock().unwrap_or_else(PoisonError::into_inner).versions();
                done.and_then(|_| up_to_date(edits, &versions)).map(Heard::complete)
            }
            How::Problems => Ok(self.problems(shown)),
        };
        self.note_silence(heard.as_ref().err());
        heard.map_err(|trouble| {
            let why = trouble.told(&self.launch.entry.name, &self.process.complaints(trouble.is_end()));
            Failed { trouble, why }
        })
    }

    /// Tells the server what has changed since the last question.
    fn tell(&self, documents: &mut Documents, shown: &Shown<'_>) {
        let changes = self.watch.lock().unwrap_or_else(PoisonError::into_inner).changes();
        if !changes.is_empty() {
            documents::tell_of_files(&self.connection, &changes);
            self.readiness.unsettle();
        }
        // The changed files are opened as well, so that even a server that does not watch files knows their texts.
        if changes.len() <= MOST_CHANGED {
            let wanted = |path| Wanted::on_disk(path, &self.launch.entry, shown.snapshot);
            for changed in changes.keys().filter_map(|path| wanted(path)) {
                documents.open(&self.connection, self.counting, &changed, true);
            }
        }
        if documents.sync(&self.connection, self.counting, shown) {
            self.readiness.note_news();
        }
    }

    /// Gives up a server that will not answer any more: it is silent and does nothing, is silent for the second time,
    /// or does not come to an end.
    fn note_silence(&self, trouble: Option<&Trouble>) {
        match trouble {
            Some(Trouble::Silent(_)) => {
                let was_silent = self.was_silent.swap(true, Ordering::Relaxed);
                if was_silent || !self.process.is_busy() {
                    self.connection.give_up("it showed no progress");
                }
            }
            Some(Trouble::Late(_)) => self.connection.give_up("it does not come to an end"),
            _ => self.was_silent.store(false, Ordering::Relaxed),
        }
    }

    /// Tells the server the texts in `shown`, and sends a request. Sends it again only if the server wants that.
    fn ask_once(&self, shown: &Shown<'_>, method: &str, params: &Value) -> Result<Value, Trouble> {
        let mut n_again = 0;
        loop {
            let (request, versions) = {
                // No other thread may tell the server other texts before the request is sent.
                let mut documents = self.documents.lock().unwrap_or_else(PoisonError::into_inner);
                self.tell(&mut documents, shown);
                let versions = CHANGING.contains(&method).then(|| documents.versions());
                (self.connection.ask(method, params), versions.unwrap_or_default())
            };
            match self.connection.wait(request) {
                Err(Trouble::Refused { code, .. }) if AGAIN.contains(&code) && n_again < MOST_AGAIN => {
                    n_again += 1;
                    thread::sleep(Duration::from_millis(100));
                }
                answer => return answer.and_then(|value| up_to_date(value, &versions)),
            }
        }
    }

    /// The problems that the server sends for a document without being asked.
    fn problems(&self, shown: &Shown<'_>) -> Heard {
        let path = &shown.wanted[0].path;
        let version = {
            let mut documents = self.documents.lock().unwrap_or_else(PoisonError::into_inner);
            self.tell(&mut documents, shown);
            documents.version(path).unwrap_or_default()
        };
        let uri = uri_of(path);
        let is_there = self.connection.wait_until(TO_PUBLISH, |heard| {
            heard.published(&uri).is_some_and(|published| published.version.is_none_or(|of| of >= version))
        });
        let published = || self.connection.heard(|heard| heard.published(&uri).cloned());
        let mut last: Option<Published> = published();
        // Many servers send the errors of the parser first, and those of the type checker later.
        while self.connection.wait_until(TO_SETTLE, |heard| heard.published(&uri) != last.as_ref()) {
            last = published();
        }
        let busy = (!is_there).then(|| "it has sent no problems, which it may still do".to_owned());
        Heard { value: last.unwrap_or_default().items.into(), busy }
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

/// An answer, unless it has changes of another version of a document than the one that was asked about.
fn up_to_date(value: Value, versions: &HashMap<String, i64>) -> Result<Value, Trouble> {
    match documents::outdated(&value, versions) {
        Some(uri) => {
            let message = format!("it would change another version of `{uri}` than there is now");
            Err(Trouble::Refused { code: OUTDATED, message })
        }
        None => Ok(value),
    }
}

/// The version that a program prints, or that of the package that it is a part of; empty when there is none.
fn version_of(launch: &Launch) -> String {
    if launch.entry.version_arguments.is_empty() {
        return packed_version(&launch.program).unwrap_or_default();
    }
    let mut command = Command::new(&launch.program);
    command.args(&launch.entry.version_arguments).stdin(Stdio::null()).stderr(Stdio::null());
    command.env_clear().envs(launch.env());
    let printed = command.output().map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    version_in(&printed.unwrap_or_default())
}

/// The first word of a text that looks like a version: `22.1.1` in `clangd version 22.1.1 (…)`.
pub(crate) fn version_in(text: &str) -> String {
    let is_version =
        |word: &&str| word.starts_with(|first: char| first.is_ascii_digit()) && word.contains('.');
    let mut words =
        text.split([' ', '\n', '\t', ',', '(', ')', '"']).map(|word| word.trim_start_matches('v'));
    words.find(is_version).unwrap_or_default().to_owned()
}
