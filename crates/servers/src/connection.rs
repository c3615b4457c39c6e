//! Messages to and from a server: our requests and notifications, and those of the server.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Read, Write};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use locant_frames::{Frame, Frames, write_frame};
use serde_json::{Value, json};

use crate::question::Trouble;

/// How long a server may show no progress on a request.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// The longest time that a request may take, as a multiple of the patience, however much progress the server shows.
const TIMES_LONGEST: u32 = 10;

/// The time between two looks of a waiting request at whether it was asked to stop.
const GLANCE: Duration = Duration::from_millis(20);

/// How many messages may wait to be written. If a server makes more requests without reading our answers, it is broken.
const MOST_WAITING: usize = 4096;

/// How many messages that make no sense are ignored. After more than these, the server counts as broken.
const MOST_NONSENSE: usize = 100;

/// How many items of each kind are kept of what a server says without being asked: edits, problems of files, work and
/// methods. A server that says more cannot fill the memory.
const MOST_KEPT: usize = 4096;

/// How many problems of files are kept together. Some servers send those of the whole project.
const MOST_PROBLEMS: usize = 20_000;

/// Messages to and from a server.
pub(crate) struct Connection {
    outgoing: SyncSender<String>,
    shared: Arc<Shared>,
    next_id: AtomicI64,
    patience: Duration,
}

/// Our answers when the server asks for its settings and for the folders of the workspace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replies {
    pub(crate) settings: Value,
    pub(crate) folders: Value,
}

struct Shared {
    state: Mutex<State>,
    news: Condvar,
    replies: Replies,
}

#[derive(Default)]
struct State {
    /// The requests that are not answered yet, or whose answer was not taken yet.
    requests: HashMap<i64, Option<Result<Value, Trouble>>>,
    ended: Option<String>,
    n_nonsense: usize,
    /// When the server last showed progress.
    progressed: Option<Instant>,
    /// What the server is busy with, by the token of the work. The number is a digest of its last report about that
    /// work.
    work: HashMap<String, (String, u64)>,
    has_worked: bool,
    published: HashMap<String, Published>,
    /// The methods that the server has registered after the start, by the names of the registrations.
    registered: BTreeMap<String, String>,
    /// The edits that the server wanted to be applied since it was told to run a command; `None` while it runs none.
    edits: Option<Vec<Value>>,
}

/// The problems of a file, as the server sent them without being asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Published {
    pub(crate) version: Option<i64>,
    pub(crate) items: Vec<Value>,
}

impl Connection {
    /// Speaks with a server over these pipes.
    pub(crate) fn new(
        input: impl Write + Send + 'static,
        output: impl Read + Send + 'static,
        replies: Replies,
        patience: Duration,
    ) -> std::io::Result<Connection> {
        let (outgoing, waiting) = sync_channel(MOST_WAITING);
        let shared = Arc::new(Shared { state: Mutex::default(), news: Condvar::new(), replies });
        let (reader, answers) = (Arc::clone(&shared), outgoing.clone());
        thread::Builder::new().name("server-writer".to_owned()).spawn(move || write(input, &waiting))?;
        thread::Builder::new()
            .name("server-reader".to_owned())
            .spawn(move || reader.read(output, &answers))?;
        Ok(Connection { outgoing, shared, next_id: AtomicI64::new(1), patience })
    }

    /// Sends a request, whose answer is taken with [`Connection::wait`].
    pub(crate) fn ask(&self, method: &str, params: &Value) -> i64 {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        self.shared.state().requests.insert(id, None);
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// Sends a notification.
    pub(crate) fn notify(&self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Waits for the answer to a request, for as long as the server shows progress. If the work of this thread is asked
    /// to stop, the request is cancelled and the work stops.
    pub(crate) fn wait(&self, id: i64) -> Result<Value, Trouble> {
        let asked = Instant::now();
        loop {
            let mut state = self.shared.state();
            if let Some(answer) = state.requests.get_mut(&id).and_then(Option::take) {
                state.requests.remove(&id);
                return answer;
            }
            if let Some(why) = &state.ended {
                return Err(Trouble::Ended(why.clone()));
            }
            let quiet = state.progressed.map_or(asked, |progressed| progressed.max(asked)).elapsed();
            let is_late = asked.elapsed() >= self.patience * TIMES_LONGEST;
            if locant_stop::is_asked() || quiet >= self.patience || is_late {
                state.requests.remove(&id);
                drop(state);
                self.notify("$/cancelRequest", &json!({"id": id}));
                locant_stop::check();
                let time = asked.elapsed();
                return Err(if is_late { Trouble::Late(time) } else { Trouble::Silent(quiet) });
            }
            drop(self.shared.news.wait_timeout(state, GLANCE));
        }
    }

    /// Waits until `is_so` holds for what the server has said, but no longer than `most`. Returns whether it holds.
    pub(crate) fn wait_until(&self, most: Duration, is_so: impl Fn(&Heard<'_>) -> bool) -> bool {
        let asked = Instant::now();
        loop {
            locant_stop::check();
            let state = self.shared.state();
            if is_so(&Heard(&state)) {
                return true;
            }
            if state.ended.is_some() || asked.elapsed() >= most {
                return false;
            }
            drop(self.shared.news.wait_timeout(state, GLANCE));
        }
    }

    /// Looks at what the server has said so far.
    pub(crate) fn heard<T>(&self, look: impl FnOnce(&Heard<'_>) -> T) -> T {
        look(&Heard(&self.shared.state()))
    }

    /// From now on, takes the edits that the server wants to be applied. It is about to be told to run a command.
    pub(crate) fn expect_edits(&self) {
        self.shared.state().edits = Some(Vec::new());
    }

    /// The edits that the server wanted to be applied since then. Later ones are refused.
    pub(crate) fn take_edits(&self) -> Vec<Value> {
        self.shared.state().edits.take().unwrap_or_default()
    }

    /// Forgets the problems that the server sent for a file, so that old ones are not taken for new ones.
    pub(crate) fn forget_published(&self, uri: &str) {
        self.shared.state().published.remove(uri);
    }

    /// How long the server may show no progress on a request.
    pub(crate) fn patience(&self) -> Duration {
        self.patience
    }

    /// From now on, the server counts as ended.
    pub(crate) fn give_up(&self, why: &str) {
        self.shared.state().ended.get_or_insert_with(|| why.to_owned());
        self.shared.news.notify_all();
    }

    fn send(&self, message: &Value) {
        // Nobody waits for a server to read, because it may never do so.
        if let Err(TrySendError::Full(_)) = self.outgoing.try_send(message.to_string()) {
            self.give_up("it does not read what it is told");
        }
    }
}

/// What a server has said so far.
pub(crate) struct Heard<'s>(&'s State);

impl Heard<'_> {
    /// What the server is busy with, in its own words.
    pub(crate) fn work(&self) -> Option<&str> {
        self.0.work.values().map(|(title, _)| title.as_str()).next()
    }

    /// Whether the server has ever reported work.
    pub(crate) fn has_worked(&self) -> bool {
        self.0.has_worked
    }

    /// The problems of a file that the server has sent.
    pub(crate) fn published(&self, uri: &str) -> Option<&Published> {
        self.0.published.get(uri)
    }

    /// The methods that the server has registered after the start.
    pub(crate) fn registered(&self) -> Vec<String> {
        let methods: BTreeSet<&String> = self.0.registered.values().collect();
        methods.into_iter().cloned().collect()
    }

    /// Why the server has ended, if it has.
    pub(crate) fn ended(&self) -> Option<&str> {
        self.0.ended.as_deref()
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // Safe after a panic in another thread: the state changes only by whole messages.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads all that the server says, until it ends.
    fn read(&self, output: impl Read, answers: &SyncSender<String>) {
        let mut frames = Frames::new(output);
        let why = loop {
            match frames.read() {
                Ok(Some(Frame::Body(body))) => match serde_json::from_slice::<Value>(&body) {
                    Ok(message) => self.take(message, answers),
                    Err(_) => self.state().n_nonsense += 1,
                },
                Ok(Some(Frame::Bad(_))) => self.state().n_nonsense += 1,
                Ok(None) => break "it ended".to_owned(),
                Err(error) => break error.to_string(),
            }
            if self.state().n_nonsense > MOST_NONSENSE {
                break "it does not speak the protocol".to_owned();
            }
        };
        self.state().ended.get_or_insert(why);
        self.news.notify_all();
    }

    fn take(&self, mut message: Value, answers: &SyncSender<String>) {
        let method = message.get("method").and_then(Value::as_str).map(str::to_owned);
        let params = message.get_mut("params").map(Value::take).unwrap_or_default();
        match (method, message.get("id").cloned()) {
            (Some(method), Some(id)) => {
                let answer = self.reply(&method, params);
                let answer = match answer {
                    Some(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
                    None => json!({"jsonrpc": "2.0", "id": id,
                        "error": {"code": -32601, "message": format!("no method {method}")}}),
                };
                let _ = answers.send(answer.to_string());
            }
            (Some(method), None) => self.state().note(&method, params),
            (None, Some(id)) => {
                let mut state = self.state();
                state.progressed = Some(Instant::now());
                let waiting = id.as_i64().and_then(|id| state.requests.get_mut(&id));
                if let Some(waiting) = waiting {
                    *waiting = Some(answer(&mut message));
                }
            }
            (None, None) => self.state().n_nonsense += 1,
        }
        self.news.notify_all();
    }

    /// The answer to a request of the server; `None` for a method that we do not have.
    fn reply(&self, method: &str, params: Value) -> Option<Value> {
        match method {
            "workspace/configuration" => Some(configuration(&self.replies.settings, &params)),
            "workspace/workspaceFolders" => Some(self.replies.folders.clone()),
            "workspace/applyEdit" => {
                let mut state = self.state();
                let room = state.edits.as_mut().filter(|edits| edits.len() < MOST_KEPT);
                let Some(edits) = room else {
                    // Nothing is written that nobody has asked for.
                    return Some(json!({"applied": false, "failureReason": "no command was asked for"}));
                };
                edits.extend(params.get("edit").cloned());
                Some(json!({"applied": true}))
            }
            "client/registerCapability" => {
                self.state().register(&params);
                Some(Value::Null)
            }
            "client/unregisterCapability" => {
                self.state().unregister(&params);
                Some(Value::Null)
            }
            "window/showDocument" => Some(json!({"success": false})),
            "window/workDoneProgress/create" | "window/showMessageRequest" => Some(Value::Null),
            _ if method.starts_with("workspace/") && method.ends_with("/refresh") => Some(Value::Null),
            _ => None,
        }
    }
}

impl State {
    fn note(&mut self, method: &str, params: Value) {
        match method {
            "$/progress" => self.progress(&params),
            "textDocument/clangd.fileStatus" => self.file_status(&params),
            "textDocument/publishDiagnostics" => {
                let items = params.get("diagnostics").and_then(Value::as_array).cloned().unwrap_or_default();
                let version = params.get("version").and_then(Value::as_i64);
                if let Some(uri) = params.get("uri").and_then(Value::as_str) {
                    self.publish(uri, Published { version, items });
                }
            }
            _ => {}
        }
    }

    fn progress(&mut self, params: &Value) {
        let token = params.get("token").map(Value::to_string).unwrap_or_default();
        let Some(value) = params.get("value") else { return };
        let text = |name| value.get(name).and_then(Value::as_str).unwrap_or_default();
        let mut digest = DefaultHasher::new();
        value.to_string().hash(&mut digest);
        let digest = digest.finish();
        match text("kind") {
            "begin" => {
                let said = format!("{} {}", text("title"), text("message")).trim().to_owned();
                if self.work.len() < MOST_KEPT || self.work.contains_key(&token) {
                    self.work.insert(token, (said, digest));
                }
                self.has_worked = true;
                self.progressed = Some(Instant::now());
            }
            "end" => {
                if self.work.remove(&token).is_some() {
                    self.progressed = Some(Instant::now());
                }
            }
            _ => {
                // The same report again and again is no progress.
                if let Some((_, last)) = self.work.get_mut(&token).filter(|(_, last)| *last != digest) {
                    *last = digest;
                    self.progressed = Some(Instant::now());
                }
            }
        }
    }

    /// What clangd does with a file, which it reports in a way of its own.
    fn file_status(&mut self, params: &Value) {
        let text = |name| params.get(name).and_then(Value::as_str).unwrap_or_default();
        let (uri, state) = (text("uri").to_owned(), text("state"));
        self.progressed = Some(Instant::now());
        if state == "idle" {
            self.work.remove(&uri);
        } else if self.work.len() < MOST_KEPT || self.work.contains_key(&uri) {
            self.work.insert(uri, (state.to_owned(), 0));
        }
    }

    fn register(&mut self, params: &Value) {
        let registrations = params.get("registrations").and_then(Value::as_array);
        for one in registrations.into_iter().flatten() {
            let text = |name: &str| one.get(name).and_then(Value::as_str).map(str::to_owned);
            if let (Some(id), Some(method)) = (text("id"), text("method"))
                && self.registered.len() < MOST_KEPT
            {
                self.registered.insert(id, method);
            }
        }
    }

    fn unregister(&mut self, params: &Value) {
        // The protocol has a misspelling here, which most servers keep.
        let gone =
            ["unregisterations", "unregistrations"].into_iter().find_map(|name| params.get(name)?.as_array());
        for id in gone.into_iter().flatten().filter_map(|one| one.get("id")?.as_str()) {
            self.registered.remove(id);
        }
    }

    /// Keeps the problems of a file, in place of earlier ones.
    fn publish(&mut self, uri: &str, published: Published) {
        let n_items: usize = self.published.values().map(|one| one.items.len()).sum();
        if self.published.len() >= MOST_KEPT || n_items + published.items.len() > MOST_PROBLEMS {
            // Whoever asks about another file waits for a report about it, or is told that there was none.
            self.published.clear();
        }
        self.published.insert(uri.to_owned(), published);
    }
}

/// The answer that is in a response.
fn answer(message: &mut Value) -> Result<Value, Trouble> {
    match message.get("error").filter(|error| !error.is_null()) {
        None => Ok(message.get_mut("result").map(Value::take).unwrap_or_default()),
        Some(error) => Err(Trouble::Refused {
            code: error.get("code").and_then(Value::as_i64).unwrap_or_default(),
            message: error.get("message").and_then(Value::as_str).unwrap_or("no message").to_owned(),
        }),
    }
}

/// The settings that a server asks for: one value for each section that its request names.
fn configuration(settings: &Value, params: &Value) -> Value {
    let items = params.get("items").and_then(Value::as_array);
    let section = |item: &Value| match item.get("section").and_then(Value::as_str) {
        None | Some("") => settings.clone(),
        Some(section) => {
            section.split('.').try_fold(settings, |value, name| value.get(name)).cloned().unwrap_or_default()
        }
    };
    items.into_iter().flatten().map(section).collect()
}

fn write(mut input: impl Write, waiting: &Receiver<String>) {
    while let Ok(message) = waiting.recv() {
        if write_frame(&mut input, &message).is_err() {
            return;
        }
    }
}
