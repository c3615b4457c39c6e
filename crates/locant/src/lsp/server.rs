//! The server: its state, and how it handles one event after another.
//!
//! Only this module changes the state. A request gets an unchanging [`View`] of the state, and is answered by a worker,
//! so that a long request does not delay others.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use gen_lsp_types as lsp;
use locant_stop::{Stop, unharmed, until};
use locant_workspace::{Documents, Providers, Workspace, written};
use serde_json::{Value, json};

use super::client::Client;
use super::documents::Open;
use super::parent;
use super::problems::Problems;
use super::transport::{Call, Error, Event, Output, Response};
use super::view::{OpenDocuments, View, on_disk};
use super::workers::Workers;
use locant_api::uri;

/// A server and its state.
pub(super) struct Server {
    sender: Sender<Event>,
    events: Receiver<Event>,
    pub(super) output: Output,
    workers: Workers,
    stage: Stage,
    pub(super) client: Client,
    pub(super) folders: Arc<Vec<PathBuf>>,
    /// Further folders in which imports are looked for, from the options of the client.
    import_roots: Arc<Vec<String>>,
    pub(super) open: Arc<OpenDocuments>,
    pub(super) workspace: Workspace,
    pub(super) providers: Providers,
    pub(super) problems: Problems,
    /// The requests that are being answered, by their ids as JSON.
    running: HashMap<String, Stop>,
    n_asked: usize,
}

/// The stage of the conversation with the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Before `initialize`.
    New,
    Running,
    /// After `shutdown`.
    ShutDown,
}

/// The failure for a client that is gone.
struct Gone;

impl From<io::Error> for Gone {
    fn from(_: io::Error) -> Gone {
        Gone
    }
}

impl Server {
    pub(super) fn new(
        sender: Sender<Event>,
        events: Receiver<Event>,
        output: Output,
        providers: Providers,
    ) -> Server {
        Server {
            sender,
            events,
            output,
            workers: Workers::start(),
            stage: Stage::New,
            client: Client::default(),
            folders: Arc::default(),
            import_roots: Arc::default(),
            open: Arc::default(),
            workspace: Workspace::default(),
            providers,
            problems: Problems::default(),
            running: HashMap::new(),
            n_asked: 0,
        }
    }

    /// Serves until the client leaves. As the protocol demands, the exit code is a failure if `shutdown` did not come
    /// first.
    pub(super) fn run(mut self) -> ExitCode {
        while let Some(event) = self.next() {
            if matches!(event, Event::Exit | Event::Gone) || self.handle(event).is_err() {
                break;
            }
        }
        if self.stage == Stage::ShutDown { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    /// The next event. Documents are checked for problems when no event waits, so that many changes at once need one
    /// check.
    fn next(&mut self) -> Option<Event> {
        if let Ok(event) = self.events.try_recv() {
            return Some(event);
        }
        self.check_next();
        self.events.recv().ok()
    }

    fn handle(&mut self, event: Event) -> Result<(), Gone> {
        match event {
            Event::Request(call) => self.request(call)?,
            Event::Notification { method, params, share: _share } if self.stage == Stage::Running => {
                match params.read() {
                    Ok(params) => self.guarded(&method, |server| server.notification(&method, params)),
                    Err(error) => eprintln!("locant: `{method}`: {}", error.message),
                }
            }
            // Notifications before `initialize` and after `shutdown` are ignored.
            Event::Notification { .. } | Event::Exit | Event::Gone => {}
            Event::Malformed { response, share: _share } => self.output.respond(&response)?,
            Event::Cancel { id, .. } => {
                if let Some(stop) = self.running.get(&id.to_string()) {
                    stop.ask();
                }
            }
            Event::Answered { id } => drop(self.running.remove(&id.to_string())),
            Event::Checked { path, version, problems } => self.checked(&path, version, problems),
            Event::Served { path, problems } => {
                self.problems.published.insert(path, problems);
            }
        }
        Ok(())
    }

    /// Answers requests that start or end the conversation. All others are passed to a worker.
    fn request(&mut self, call: Call) -> Result<(), Gone> {
        let result = match (self.stage, call.method.as_str()) {
            (Stage::New, "initialize") => {
                self.stage = Stage::Running;
                call.params.read().map(|params| self.initialize(&params).to_string())
            }
            (Stage::New, _) => Err(Error::new(Error::NOT_INITIALIZED, "`initialize` comes first")),
            (Stage::Running, "initialize") => {
                Err(Error::new(Error::INVALID_REQUEST, "`initialize` comes only once"))
            }
            (Stage::Running, "shutdown") => {
                self.stage = Stage::ShutDown;
                Ok(Value::Null.to_string())
            }
            (Stage::ShutDown, _) => Err(Error::new(Error::INVALID_REQUEST, "after `shutdown` comes `exit`")),
            (Stage::Running, _) => {
                self.dispatch(call);
                return Ok(());
            }
        };
        self.output.respond(&Response { id: call.id, result })?;
        Ok(())
    }

    fn dispatch(&mut self, call: Call) {
        let (view, sender, stop) = (self.view(), self.sender.clone(), Stop::default());
        self.running.insert(call.id.to_string(), stop.clone());
        self.workers.run(move || {
            // `_share` is dropped at the end of this block, after the answer is written. That makes room for other
            // messages.
            let Call { id, method, params, share: _share } = call;
            let result = params.read().and_then(|params| answer(&view, &method, params, &stop, &sender));
            // If this fails, the client is gone, which the thread that reads messages notices.
            let _ = view.output.respond(&Response { id: id.clone(), result });
            let _ = sender.send(Event::Answered { id });
        });
    }

    /// The view for a request that is taken now.
    fn view(&self) -> View {
        View {
            client: self.client,
            output: self.output.clone(),
            folders: Arc::clone(&self.folders),
            import_roots: Arc::clone(&self.import_roots),
            open: Arc::clone(&self.open),
            snapshot: Arc::new(self.workspace.snapshot(Documents::new())),
            providers: self.providers.clone(),
        }
    }

    /// Does work that may panic. A panic is reported on standard error.
    fn guarded(&mut self, what: &str, work: impl FnOnce(&mut Server)) {
        if let Err(defect) = unharmed(|| work(self)) {
            eprintln!("locant: {what}: this is a defect of locant: {defect}");
        }
    }

    fn initialize(&mut self, params: &Value) -> Value {
        self.client = Client::new(params);
        if let Some(id) = params["processId"].as_u64() {
            parent::watch(id, self.sender.clone());
        }
        let folders = folders(params);
        let roots = params.pointer("/initializationOptions/protoPath").and_then(Value::as_array);
        let roots = roots.into_iter().flatten().filter_map(Value::as_str);
        let base = folders.first().cloned().unwrap_or_default();
        self.import_roots = Arc::new(roots.map(|root| written(&base.join(root))).collect());
        self.set_folders(folders);
        let about = json!({"name": "locant", "version": env!("CARGO_PKG_VERSION")});
        json!({"capabilities": self.client.capabilities(), "serverInfo": about})
    }

    /// Sets the folders of the client, and has a worker read them before the first question.
    pub(super) fn set_folders(&mut self, folders: Vec<PathBuf>) {
        self.folders = Arc::new(folders);
        if !self.folders.is_empty() {
            let view = self.view();
            self.workers.run(move || drop(unharmed(|| view.warm_up())));
        }
        self.note_changes(None);
    }

    /// Makes the text of an open document replace the file on disk.
    pub(super) fn take_open(&mut self, open: Open, path: &str) {
        let on_disk = on_disk(path, &self.folders);
        match open.document() {
            Some(document) => self.workspace.set_open(on_disk, Arc::clone(document)),
            None => self.workspace.close(&on_disk),
        }
        Arc::make_mut(&mut self.open).insert(path.to_owned(), Arc::new(open));
        self.look_for_problems(Some(path));
    }

    /// Notes that files may have changed on disk.
    pub(super) fn note_changes(&mut self, first: Option<&str>) {
        self.workspace.note_changes();
        self.look_for_problems(first);
    }

    fn look_for_problems(&mut self, first: Option<&str>) {
        self.problems.note_change(self.open.len(), first);
    }

    /// Has a worker check the next document for problems.
    fn check_next(&mut self) {
        let Some((path, stop)) = self.problems.next(&self.open) else { return self.end_of_checks() };
        let (view, sender) = (self.view(), self.sender.clone());
        let version = self.open.get(&path).map_or(0, |open| open.version);
        self.workers.run(move || {
            let checked = until(&stop, || unharmed(|| view.problems(&path)));
            let problems = checked.ok().map(Result::unwrap_or_default);
            // If the server no longer receives events, the process is ending.
            let _ = sender.send(Event::Checked { path, version, problems });
        });
    }

    /// Tells the client which problems a document has, if it has not changed since the check.
    fn checked(&mut self, path: &str, version: i32, problems: Option<Vec<lsp::Diagnostic>>) {
        self.problems.finish();
        let open = self.open.get(path).filter(|open| open.version == version).cloned();
        if let (Some(open), Some(problems)) = (open, problems) {
            self.tell_problems(path, &open, problems);
        }
    }

    fn tell_problems(&mut self, path: &str, open: &Open, problems: Vec<lsp::Diagnostic>) {
        let published = self.problems.published.get(path);
        // A client that requests problems by itself does so for the document that the user edits. It only has to be
        // told when the problems of other documents change.
        if self.client.asks_for_problems {
            if published.is_some_and(|published| *published != problems) {
                self.problems.is_stale = true;
                self.problems.published.insert(path.to_owned(), problems);
            }
            return;
        }
        // The client shows the problems that it got last. At first it shows none.
        let is_told = match published {
            Some(published) => *published == problems,
            None => {
                problems.is_empty() && !open.document().is_some_and(|document| self.providers.know(document))
            }
        };
        if !is_told {
            let params = json!({"uri": open.uri, "version": open.version, "diagnostics": problems});
            self.output.tell("textDocument/publishDiagnostics", &params);
            self.problems.published.insert(path.to_owned(), problems);
        }
    }

    /// Once all documents are checked, asks the client to request problems again if some are outdated.
    fn end_of_checks(&mut self) {
        if self.problems.is_done()
            && std::mem::take(&mut self.problems.is_stale)
            && self.client.refreshes_problems
        {
            self.ask("workspace/diagnostic/refresh", &Value::Null);
        }
    }

    /// Sends the client a request whose answer does not matter.
    pub(super) fn ask(&mut self, method: &str, params: &Value) {
        self.n_asked += 1;
        self.output.ask(&format!("locant-{}", self.n_asked), method, params);
    }
}

/// Answers a request, unless it is cancelled before.
fn answer(
    view: &View,
    method: &str,
    params: Value,
    stop: &Stop,
    sender: &Sender<Event>,
) -> Result<String, Error> {
    let answer = until(stop, || {
        locant_stop::check();
        unharmed(|| match method {
            "textDocument/diagnostic" => {
                view.with(params, |view, params| Ok(diagnostics(view, &params, sender)))
            }
            method => view.answer(method, params),
        })
    });
    match answer {
        Ok(Ok(answer)) => answer,
        Ok(Err(defect)) => {
            Err(Error::new(Error::INTERNAL_ERROR, format!("this is a defect of locant: {defect}")))
        }
        Err(locant_stop::Stopped) => Err(Error::cancelled()),
    }
}

/// The problems of a document, for a client that asks for them.
fn diagnostics(view: &View, params: &lsp::DocumentDiagnosticParams, sender: &Sender<Event>) -> Value {
    let path = uri::path(params.text_document.uri.as_ref());
    let problems = view.problems(&path);
    let answer = json!({"kind": "full", "items": problems});
    if view.open.contains_key(&path) {
        // If the server no longer receives events, the process is ending.
        let _ = sender.send(Event::Served { path, problems });
    }
    answer
}

/// The folders that the client has open.
fn folders(params: &Value) -> Vec<PathBuf> {
    let listed = params["workspaceFolders"].as_array().map(Vec::as_slice).unwrap_or_default();
    let folders: Vec<PathBuf> = listed.iter().filter_map(|folder| folder_of(&folder["uri"])).collect();
    if !folders.is_empty() {
        return folders;
    }
    let root_path = || params["rootPath"].as_str().map(PathBuf::from);
    folder_of(&params["rootUri"]).or_else(root_path).into_iter().collect()
}

fn folder_of(uri: &Value) -> Option<PathBuf> {
    uri.as_str().map(|uri| PathBuf::from(uri::path(uri)))
}
