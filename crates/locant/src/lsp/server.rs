//! The server: what it knows, and how it goes from one event to the next.

use std::any::Any;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::time::SystemTime;

use locant_engine::names::Names;
use locant_engine::{Document, NameIndex, Text};
use serde_json::{Value, json};

use super::client::Client;
use super::convert::Sheet;
use super::documents::Open;
use super::freshness::Freshness;
use super::parent;
use super::problems::Untold;
use super::scan;
use super::transport::{self, Call, Error, Event, Response};
use crate::disk::{self, Depth, DiskChange, DiskFile, written};
use crate::uri;

/// A server and what it knows.
pub(super) struct Server {
    sender: Sender<Event>,
    events: Receiver<Event>,
    /// What has come and is not answered yet.
    waiting: VecDeque<Event>,
    stage: Stage,
    pub(super) client: Client,
    pub(super) folders: Vec<PathBuf>,
    /// Where imports are looked for besides, as the client has set it up.
    pub(super) import_roots: Vec<String>,
    /// The open documents, by path.
    pub(super) open: BTreeMap<String, Open>,
    /// The files on disk whose names are known, by path.
    files: HashMap<String, DiskFile>,
    /// The directories they are in, and when something was put into them or taken out last.
    directories: HashMap<PathBuf, Option<SystemTime>>,
    pub(super) names: NameIndex,
    /// Which workspace it is: folders that are looked through for an older one are of no use any more.
    generation: usize,
    /// How many folders are being looked through.
    n_scans: usize,
    /// Has something changed since the client was told of problems?
    pub(super) has_news: bool,
    /// The documents of which the client is still to be told.
    pub(super) untold: Untold,
    /// When the files on disk were looked at last for problems.
    pub(super) freshness: Freshness,
    n_asked: usize,
}

/// How far client and server have come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Nothing is known of the client.
    New,
    Running,
    /// The client has said that it will leave.
    ShutDown,
}

/// That the client has gone.
struct Gone;

impl From<io::Error> for Gone {
    fn from(_: io::Error) -> Gone {
        Gone
    }
}

impl Server {
    pub(super) fn new(sender: Sender<Event>, events: Receiver<Event>) -> Server {
        Server {
            sender,
            events,
            waiting: VecDeque::new(),
            stage: Stage::New,
            client: Client::default(),
            folders: Vec::new(),
            import_roots: Vec::new(),
            open: BTreeMap::new(),
            files: HashMap::new(),
            directories: HashMap::new(),
            names: NameIndex::default(),
            generation: 0,
            n_scans: 0,
            has_news: false,
            untold: Untold::default(),
            freshness: Freshness::default(),
            n_asked: 0,
        }
    }

    /// Serves until the client leaves. Leaving without saying so first is a failure, as the protocol has it.
    pub(super) fn run(mut self) -> ExitCode {
        while let Ok(event) = self.next() {
            if matches!(event, Event::Exit | Event::Gone) || self.handle(event).is_err() {
                break;
            }
        }
        if self.stage == Stage::ShutDown { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    /// The next event. While there is none, the client is told of problems, one document after the other: what comes
    /// meanwhile does not wait for all of them.
    fn next(&mut self) -> Result<Event, Gone> {
        loop {
            while let Ok(event) = self.events.try_recv() {
                self.take(event)?;
            }
            if let Some(event) = self.waiting.pop_front() {
                return Ok(event);
            }
            let mut is_all_told = true;
            self.guarded("telling of problems", |server| is_all_told = !server.tell_news());
            if is_all_told {
                let event = self.events.recv().map_err(|_| Gone)?;
                self.take(event)?;
            }
        }
    }

    /// Takes note of an event. Files are taken at once; a request that is cancelled while it waits is answered so.
    fn take(&mut self, event: Event) -> Result<(), Gone> {
        match event {
            // Folders may have come and gone since someone was sent to look for it.
            Event::Found { workspace, .. } if workspace != self.generation => {}
            Event::Found { path, file, .. } => self.found(path, file),
            Event::Scanned => {
                self.n_scans -= 1;
                self.has_news = true;
            }
            Event::Cancel { id, .. } => {
                let is_it = |event: &Event| matches!(event, Event::Request(call) if call.id == id);
                if let Some(index) = self.waiting.iter().position(is_it) {
                    self.waiting.remove(index);
                    let error = Error::new(Error::REQUEST_CANCELLED, "cancelled");
                    transport::respond(&Response { id, result: Err(error) })?;
                }
            }
            event => self.waiting.push_back(event),
        }
        Ok(())
    }

    fn handle(&mut self, event: Event) -> Result<(), Gone> {
        match event {
            // The share of the room is given back when the answer is written.
            Event::Request(Call { id, method, params, share: _share }) => {
                let result = params.read().and_then(|params| self.request(&method, params));
                transport::respond(&Response { id, result })?;
            }
            Event::Notification { method, params, share: _share } if self.stage == Stage::Running => {
                match params.read() {
                    Ok(params) => self.guarded(&method, |server| server.notification(&method, params)),
                    Err(error) => eprintln!("locant: `{method}`: {}", error.message),
                }
            }
            Event::Malformed { response, share: _share } => transport::respond(&response)?,
            // Before the handshake and after the farewell nothing is listened to.
            Event::Notification { .. } => {}
            // These were taken when they came.
            Event::Cancel { .. } | Event::Exit | Event::Gone | Event::Found { .. } | Event::Scanned => {}
        }
        Ok(())
    }

    fn request(&mut self, method: &str, params: Value) -> Result<String, Error> {
        match (self.stage, method) {
            (Stage::New, "initialize") => {
                self.stage = Stage::Running;
                Ok(self.initialize(&params).to_string())
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
            (Stage::Running, method) => {
                let answer = unharmed(|| self.answer(method, params));
                answer.unwrap_or_else(|panic| Err(Error::new(Error::INTERNAL_ERROR, defect(panic.as_ref()))))
            }
        }
    }

    /// Does something that may show a defect of locant, which is then said on standard error.
    fn guarded(&mut self, what: &str, work: impl FnOnce(&mut Server)) {
        if let Err(panic) = unharmed(|| work(self)) {
            eprintln!("locant: {what}: {}", defect(panic.as_ref()));
        }
    }

    fn initialize(&mut self, params: &Value) -> Value {
        self.client = Client::new(params);
        if let Some(id) = params["processId"].as_u64() {
            parent::watch(id, self.sender.clone());
        }
        let uri_of = |value: &Value| value.as_str().map(|uri| PathBuf::from(uri::path(uri)));
        let folders = params["workspaceFolders"].as_array().map(Vec::as_slice).unwrap_or_default();
        self.folders = folders.iter().filter_map(|folder| uri_of(&folder["uri"])).collect();
        if self.folders.is_empty() {
            let root_path = || params["rootPath"].as_str().map(PathBuf::from);
            self.folders.extend(uri_of(&params["rootUri"]).or_else(root_path));
        }
        let roots = params.pointer("/initializationOptions/protoPath").and_then(Value::as_array);
        let roots = roots.into_iter().flatten().filter_map(Value::as_str);
        let base = self.folders.first().cloned().unwrap_or_default();
        self.import_roots = roots.map(|root| written(&base.join(root))).collect();
        self.start_workspace();
        let about = json!({"name": "locant", "version": env!("CARGO_PKG_VERSION")});
        json!({"capabilities": self.client.capabilities(), "serverInfo": about})
    }

    /// Makes the workspace anew and looks for its files.
    pub(super) fn start_workspace(&mut self) {
        let folders = self.folders.iter().map(|folder| written(folder));
        self.names = NameIndex::new(self.import_roots.iter().cloned().chain(folders).collect());
        self.files.clear();
        self.directories.clear();
        self.generation += 1;
        let mut all = self.folders.clone();
        all.extend(self.import_roots.iter().map(PathBuf::from));
        all.into_iter().for_each(|folder| self.scan(folder, Depth::All));
        let open: Vec<String> = self.open.keys().cloned().collect();
        open.iter().for_each(|path| self.take_open(path));
    }

    /// Looks for files in a folder.
    pub(super) fn scan(&mut self, folder: PathBuf, depth: Depth) {
        self.n_scans += 1;
        self.directories.insert(folder.clone(), disk::settled(&folder));
        scan::scan(folder, depth, self.generation, self.sender.clone());
    }

    /// Was a folder looked through already?
    pub(super) fn has_looked_in(&self, folder: &Path) -> bool {
        self.directories.contains_key(folder)
    }

    /// Is a file in one of the folders that are looked through?
    pub(super) fn is_in_folder(&self, path: &str) -> bool {
        self.folders.iter().any(|folder| Path::new(path).starts_with(folder))
    }

    /// Takes in files that were put beside others without notice; are there any?
    pub(super) fn find_new(&mut self) -> bool {
        let is_changed =
            |(directory, changed): &(&PathBuf, &Option<SystemTime>)| disk::changed(directory) != **changed;
        let changed = self.directories.iter().filter(is_changed).map(|(directory, _)| directory.clone());
        let mut has_found = false;
        for directory in changed.collect::<Vec<_>>() {
            // Asked first: what comes while the directory is listed is then seen the next time.
            let changed = disk::settled(&directory);
            has_found |= self.take_new(disk::walk(&directory, Depth::Folder));
            self.directories.insert(directory, changed);
        }
        has_found
    }

    /// Takes in all files of the folders that came without notice, wherever they are.
    pub(super) fn find_all(&mut self) {
        for folder in self.folders.clone() {
            self.take_new(disk::walk(&folder, Depth::All));
        }
    }

    /// Takes in those files that are not known yet; are there any?
    fn take_new(&mut self, paths: impl Iterator<Item = String>) -> bool {
        let mut has_found = false;
        for path in paths {
            if self.files.contains_key(&path) {
                continue;
            }
            if let Some(file) = DiskFile::read(&path) {
                self.found(path, file);
                has_found = true;
            }
        }
        self.has_news |= has_found;
        has_found
    }

    /// Waits until all folders are looked through.
    fn finish_scans(&mut self) {
        while self.n_scans > 0 {
            // When nobody sends any more, the client has gone, and that is seen where events are awaited.
            let Ok(event) = self.events.recv() else { return };
            if self.take(event).is_err() {
                return;
            }
        }
    }

    fn found(&mut self, path: String, file: DiskFile) {
        if !self.open.contains_key(&path) {
            self.set_names(&path, &file.text.clone());
        }
        if let (true, Some(directory)) = (self.is_in_folder(&path), Path::new(&path).parent()) {
            self.directories.entry(directory.to_owned()).or_insert_with(|| disk::settled(directory));
        }
        self.files.insert(path, file);
    }

    /// Gives the names of a file a new text.
    fn set_names(&mut self, path: &str, text: &Text) {
        or_leave_out(&mut self.names, path, |names| names.set(path, text.bytes()));
    }

    /// Takes the text of an open document in place of the one on disk.
    pub(super) fn take_open(&mut self, path: &str) {
        let names = &mut self.names;
        let Some(document) = self.open.get(path).and_then(Open::document) else { return names.remove(path) };
        let Some(reader) = document.reader() else { return names.remove(path) };
        let bytes = document.text().bytes();
        or_leave_out(names, path, |names| names.set_as(reader, path, bytes));
        self.has_news = true;
        self.untold.first = Some(path.to_owned());
        self.follow(path);
    }

    /// Takes in the files that a document depends on and that are in none of the folders, and those that they depend
    /// on: they are looked for in the directories above it.
    fn follow(&mut self, path: &str) {
        let mut next = vec![path.to_owned()];
        // Files may import each other in a circle.
        let mut seen: HashSet<String> = HashSet::new();
        while let Some(path) = next.pop() {
            let directories = Path::new(&path).ancestors().skip(1).map(written).collect::<Vec<_>>();
            for import in self.names.wanted(&path).unwrap_or_default() {
                let mut places = directories.iter().map(|directory| format!("{directory}/{import}"));
                let found = places.find_map(|place| Some((DiskFile::read(&place)?, place)));
                if let Some((file, place)) = found.filter(|(_, place)| seen.insert(place.clone())) {
                    self.found(place.clone(), file);
                    next.push(place);
                }
            }
        }
    }

    /// Takes the text on disk, now that the document is closed or the file has changed.
    pub(super) fn take_file(&mut self, path: &str) {
        if self.open.contains_key(path) {
            return;
        }
        match DiskFile::read(path).filter(|_| disk::is_known(path)) {
            Some(file) => self.found(path.to_owned(), file),
            None => {
                self.files.remove(path);
                self.names.remove(path);
            }
        }
        self.has_news = true;
    }

    /// Takes in what was found so far and has changed on disk without notice.
    pub(super) fn refresh_all(&mut self) {
        self.finish_scans();
        let paths: Vec<String> = self.files.keys().cloned().collect();
        self.refresh(paths.iter().map(String::as_str));
        self.find_new();
    }

    /// Takes in the named files if they have changed on disk; has one?
    pub(super) fn refresh<'p>(&mut self, paths: impl Iterator<Item = &'p str>) -> bool {
        self.finish_scans();
        let mut has_changed = false;
        for path in paths {
            let Some(file) = self.files.get(path) else { continue };
            match file.change(path) {
                DiskChange::None => continue,
                DiskChange::Changed(file) => self.found(path.to_owned(), file),
                DiskChange::Gone => {
                    self.files.remove(path);
                    if !self.open.contains_key(path) {
                        self.names.remove(path);
                    }
                }
            }
            has_changed = true;
        }
        self.has_news |= has_changed;
        has_changed
    }

    /// A document: as the client has it open, or as it is on disk.
    pub(super) fn document(&self, path: &str) -> Option<AnyDocument<'_>> {
        match self.open.get(path) {
            Some(open) => Some(AnyDocument::Open(open)),
            None => {
                let file = self.files.get(path).cloned().or_else(|| DiskFile::read(path))?;
                Some(AnyDocument::Disk(path.to_owned(), file.text))
            }
        }
    }

    /// The text of a file, and how the client counts in it.
    pub(super) fn on_sheet<T>(&self, path: &str, look: impl FnOnce(Sheet<'_>) -> T) -> Option<T> {
        let document = self.document(path)?;
        Some(look(document.sheet(self.client.encoding)))
    }

    /// The address of a file, as the client writes it if it has it open.
    pub(super) fn uri(&self, path: &str) -> String {
        self.open.get(path).map_or_else(|| uri::of_path(path), |open| open.uri.clone())
    }

    pub(super) fn is_scanning(&self) -> bool {
        self.n_scans > 0
    }

    /// Tells the client something. That it has gone is seen when the next event is awaited.
    pub(super) fn tell(&self, method: &str, params: &Value) {
        let _ = transport::write(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Asks the client for something, whose answer does not matter.
    pub(super) fn ask(&mut self, method: &str, params: &Value) {
        self.n_asked += 1;
        let id = format!("locant-{}", self.n_asked);
        let _ = transport::write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    }
}

/// A document, wherever it is.
pub(super) enum AnyDocument<'s> {
    Open(&'s Open),
    Disk(String, Arc<Text>),
}

impl AnyDocument<'_> {
    /// Its text, and how the client counts in it.
    pub(super) fn sheet(&self, encoding: locant_engine::Encoding) -> Sheet<'_> {
        match self {
            AnyDocument::Open(open) => Sheet { text: open.text(), encoding, counts_mark: true },
            AnyDocument::Disk(_, text) => Sheet { text, encoding, counts_mark: false },
        }
    }

    /// Looks at the document; `None` when it is no text.
    pub(super) fn read<T>(&self, look: impl FnOnce(&Document) -> T) -> Option<T> {
        match self {
            AnyDocument::Open(open) => open.document().map(look),
            AnyDocument::Disk(path, text) => {
                Document::new(path.as_str(), text.bytes()).ok().map(|document| look(&document))
            }
        }
    }
}

/// Gives the names of a file a new text. A file that locant has a defect with is left out.
fn or_leave_out(names: &mut NameIndex, path: &str, set: impl FnOnce(&mut NameIndex)) {
    if unharmed(|| set(names)).is_err()
        && let Err(panic) = unharmed(|| names.remove(path))
    {
        eprintln!("locant: leaving out {path}: {}", defect(panic.as_ref()));
    }
}

/// Does something that may panic, and goes on. What it worked on is still sound: texts and trees are replaced as a
/// whole when they are made, and the names of a file that was half read are taken out.
fn unharmed<T>(work: impl FnOnce() -> T) -> std::thread::Result<T> {
    catch_unwind(AssertUnwindSafe(work))
}

fn defect(panic: &(dyn Any + Send)) -> String {
    let message = panic.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    format!("this is a defect of locant: {message}")
}
