//! The files around a request, and what their names mean.
//!
//! What was read for one request is kept for the next. The file that is asked about is read each time; the others are
//! looked at again when the answer names them, and all of them when the answer depends on all.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use locant_engine::names::Names;
use locant_engine::{Document, Workspace};

use crate::disk::{Depth, DiskChange, DiskFile, walk, written};
use crate::files::on_disk;
use crate::flags::Flags;

/// The files around requests.
#[derive(Default)]
pub(crate) struct Session {
    state: Mutex<State>,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Session")
    }
}

/// How much of the workspace an answer depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Breadth {
    /// On what the file names.
    Needed,
    /// On every file.
    All,
}

/// What a question is about.
pub(crate) struct Question<'q> {
    pub(crate) document: &'q Arc<Document>,
    /// Did the text come with the request?
    pub(crate) is_given: bool,
    /// The texts of all other files, when the request brought them.
    pub(crate) others: Option<&'q BTreeMap<String, String>>,
    /// Where imports are looked for first.
    pub(crate) import_roots: &'q [String],
    pub(crate) breadth: Breadth,
    pub(crate) flags: &'q Flags,
}

impl Question<'_> {
    /// The directories below which imports are looked for, before those above the file: the given ones and the root.
    fn roots(&self) -> Vec<String> {
        self.import_roots.iter().cloned().chain([String::new()]).collect()
    }
}

/// The documents of an answer, by the paths that it names.
pub(crate) type Documents = HashMap<String, Arc<Document>>;

#[derive(Default)]
struct State {
    /// From where paths and imports count. Another one makes all else void.
    setup: (Option<String>, Vec<String>),
    names: Workspace,
    /// The files on disk.
    files: HashMap<String, DiskFile>,
    /// The folders that were looked through.
    walked: HashSet<PathBuf>,
    /// The file whose text came with the last request.
    borrowed: Option<String>,
}

impl Session {
    /// Asks the names around a document. `paths` are the files that an answer names.
    pub(crate) fn ask<T>(
        &self,
        question: &Question<'_>,
        ask: impl Fn(&Workspace, &str) -> T,
        paths: impl Fn(&T) -> Vec<String>,
    ) -> (T, Documents) {
        if let Some(others) = question.others {
            return ask_given(question, others, ask, paths);
        }
        // Safe to go on after a panic: what is half made is made anew when its text differs.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let key = key(question.document.path(), question.flags);
        state.prepare(question, &key);
        let mut answer = ask(&state.names, &key);
        if question.breadth == Breadth::Needed && state.refresh(&paths(&answer), &key, question.flags) {
            answer = ask(&state.names, &key);
        }
        let documents = paths(&answer).into_iter().filter_map(|path| {
            let document = if path == key {
                Arc::clone(question.document)
            } else {
                Arc::new(Document::new(path.as_str(), state.files.get(&path)?.text.bytes()).ok()?)
            };
            Some((path, document))
        });
        (answer, documents.collect())
    }
}

/// The same where all files came with the request.
fn ask_given<T>(
    question: &Question<'_>,
    others: &BTreeMap<String, String>,
    ask: impl Fn(&Workspace, &str) -> T,
    paths: impl Fn(&T) -> Vec<String>,
) -> (T, Documents) {
    let path = question.document.path();
    let mut names = Workspace::new(question.roots());
    for (path, text) in others {
        names.set(path, text.as_bytes());
    }
    set(&mut names, path, question.document);
    let answer = ask(&names, path);
    let documents = paths(&answer).into_iter().filter_map(|named| {
        let document = if named == path {
            Arc::clone(question.document)
        } else {
            Arc::new(Document::new(named.as_str(), others.get(&named)?.as_bytes()).ok()?)
        };
        Some((named, document))
    });
    (answer, documents.collect())
}

fn set(names: &mut Workspace, key: &str, document: &Document) {
    match document.reader() {
        Some(reader) => names.set_as(reader, key, document.text().bytes()),
        None => names.remove(key),
    }
}

impl State {
    /// Reads what an answer will depend on.
    fn prepare(&mut self, question: &Question<'_>, key: &str) {
        let flags = question.flags;
        let setup = (flags.root.clone(), question.roots());
        if self.setup != setup {
            *self = State { names: Workspace::new(setup.1.clone()), setup, ..State::default() };
        }
        if let Some(borrowed) = self.borrowed.take() {
            self.read(&borrowed, flags);
        }
        self.take(question, key);
        if question.breadth == Breadth::All {
            self.walked.clear();
            self.walk_around(key, flags);
            let all: Vec<String> = self.files.keys().cloned().collect();
            self.refresh(&all, key, flags);
        }
        self.follow(key, flags);
    }

    /// Takes the document that is asked about.
    fn take(&mut self, question: &Question<'_>, key: &str) {
        let document = question.document;
        let is_same = |file: &DiskFile| file.text.bytes() == document.text().bytes();
        let is_known = self.names.has(key) && self.files.get(key).is_some_and(is_same);
        if !is_known || question.flags.language.is_some() {
            set(&mut self.names, key, document);
        }
        let on_disk = || DiskFile::read(&written(&on_disk(key, question.flags))).filter(is_same);
        match (question.is_given, is_known) {
            (false, true) => {}
            (false, false) if let Some(file) = on_disk() => drop(self.files.insert(key.to_owned(), file)),
            // The text came with the request, or from standard input.
            _ => self.borrowed = Some(key.to_owned()),
        }
    }

    /// Reads the files that a file depends on, and those that they depend on.
    fn follow(&mut self, key: &str, flags: &Flags) {
        let mut next = vec![key.to_owned()];
        // Files may import each other in a circle.
        let mut seen: HashSet<String> = HashSet::new();
        while let Some(path) = next.pop() {
            let Some(wanted) = self.names.wanted(&path) else { return self.walk_around(key, flags) };
            for import in wanted {
                let found = self.candidates(&path, &import).into_iter().find(|one| self.read(one, flags));
                next.extend(found.filter(|path| seen.insert(path.clone())));
            }
        }
        // What is not above the file may be anywhere.
        if self.names.wanted(key).is_some_and(|wanted| !wanted.is_empty()) {
            self.walk_around(key, flags);
        }
    }

    /// Where an import may be: below its roots, and in the directories above the file.
    fn candidates(&self, path: &str, import: &str) -> Vec<String> {
        let above = Path::new(path).ancestors().skip(1).map(written);
        let directories = self.setup.1.iter().cloned().chain(above);
        let join = |directory: String| match directory.as_str() {
            "" | "." => import.to_owned(),
            directory => format!("{}/{import}", directory.trim_end_matches('/')),
        };
        directories.map(join).collect()
    }

    /// Reads a file; `false` when there is none that can be read.
    fn read(&mut self, key: &str, flags: &Flags) -> bool {
        match DiskFile::read(&written(&on_disk(key, flags))) {
            Some(file) => {
                self.names.set(key, file.text.bytes());
                self.files.insert(key.to_owned(), file);
                self.names.has(key)
            }
            None => {
                self.names.remove(key);
                self.files.remove(key);
                false
            }
        }
    }

    /// Looks for files in the workspace; around a file that is in none, in its folder.
    fn walk_around(&mut self, key: &str, flags: &Flags) {
        let is_inside = !Path::new(key).is_absolute() && !key.starts_with("../");
        let root = on_disk("", flags);
        let root = if root.as_os_str().is_empty() { PathBuf::from(".") } else { root };
        let (folder, depth) = match (is_inside, Path::new(key).parent()) {
            (false, Some(parent)) => (on_disk(&written(parent), flags), Depth::Folder),
            _ => (root.clone(), Depth::All),
        };
        if !self.walked.insert(folder.clone()) {
            return;
        }
        for path in walk(&folder, depth) {
            let below = Path::new(&path).strip_prefix(&root).map_or_else(|_| path.clone(), written);
            let known = if is_inside { below } else { path };
            if known != key && !self.files.contains_key(&known) {
                self.read(&known, flags);
            }
        }
    }

    /// Takes in files that have changed on disk; has one?
    fn refresh(&mut self, paths: &[String], key: &str, flags: &Flags) -> bool {
        let mut has_changed = false;
        for path in paths.iter().filter(|path| *path != key) {
            let Some(file) = self.files.get(path) else { continue };
            if !matches!(file.change(&written(&on_disk(path, flags))), DiskChange::None) {
                self.read(path, flags);
                has_changed = true;
            }
        }
        has_changed
    }
}

/// The one name of a file among all ways to write its path: from the root if it is below.
fn key(path: &str, flags: &Flags) -> String {
    let absolute = || std::path::absolute(on_disk("", flags)).or_else(|_| std::env::current_dir());
    let below = if Path::new(path).is_absolute() {
        absolute().ok().and_then(|root| Path::new(path).strip_prefix(root).ok().map(written))
    } else {
        Some(written(&Path::new(path).components().collect::<PathBuf>()))
    };
    below.unwrap_or_else(|| written(Path::new(path)))
}
