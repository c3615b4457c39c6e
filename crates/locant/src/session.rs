//! The files around a request, and what their names mean.
//!
//! What was read for one request is kept for the next. The file that is asked about is read each time; the others are
//! looked at again when the answer names them, and all of them when the answer depends on all. Then it is also said
//! which files may matter and were not looked at.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use locant_engine::names::Names;
use locant_engine::{Document, NameIndex};

use crate::disk::{Depth, DiskChange, DiskFile, Listing, Sight, is_known, list, written};
use crate::flags::Flags;
use crate::known_copies;
use crate::project::{self, Origin, Project};
use crate::unseen::Unseen;
use crate::wire::Reach;

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
    /// The name that is asked about.
    pub(crate) word: &'q str,
    pub(crate) breadth: Breadth,
    pub(crate) flags: &'q Flags,
}

impl Question<'_> {
    /// The directories below which imports are looked for, before those above the file: the given ones, the one that
    /// paths start from, and the root of the project.
    fn roots(&self, project: &Project) -> Vec<String> {
        let here = project.below(&project::base(self.flags));
        let given = self.import_roots.iter().map(|root| project.key(root, self.flags));
        given.chain([here, String::new()]).collect()
    }
}

/// The documents of an answer, by the paths that it names.
pub(crate) type Documents = HashMap<String, Arc<Document>>;

/// What an answer was found in.
#[derive(Debug, Default)]
pub(crate) struct Searched {
    pub(crate) documents: Documents,
    pub(crate) reach: Reach,
}

#[derive(Default)]
struct State {
    /// From where paths and imports count, and how many of the places of imports were given. Another one makes all
    /// else void.
    setup: (Project, Vec<String>, usize),
    names: NameIndex,
    /// The files on disk.
    files: HashMap<String, DiskFile>,
    /// How many bytes they have.
    n_bytes: usize,
    /// Were the folders of the project looked through?
    is_walked: bool,
    /// Why there may be more files.
    gaps: Vec<String>,
    /// The file whose text came with the last request.
    borrowed: Option<String>,
}

/// How many bytes of the files of a project are read.
const MOST_BYTES: usize = 512 << 20;

impl Session {
    /// Asks the names around a document. `paths` are the files that an answer names.
    pub(crate) fn ask<T>(
        &self,
        question: &Question<'_>,
        ask: impl Fn(&NameIndex, &str) -> T,
        paths: impl Fn(&T) -> Vec<String>,
    ) -> (T, Searched) {
        if let Some(others) = question.others {
            return ask_given(question, others, ask, paths);
        }
        // Safe to go on after a panic: what is half made is made anew when its text differs.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let project = Project::around(question.document.path(), question.flags);
        let key = project.key(question.document.path(), question.flags);
        state.prepare(question, project, &key);
        let mut answer = ask(&state.names, &key);
        if question.breadth == Breadth::Needed && state.refresh(&paths(&answer), &key) {
            answer = ask(&state.names, &key);
        }
        let documents = paths(&answer).into_iter().filter_map(|path| {
            let document = if path == key {
                Arc::clone(question.document)
            } else {
                Arc::new(self::document(&path, state.files.get(&path).map(|file| file.text.bytes()))?)
            };
            Some((path, document))
        });
        let documents = documents.collect();
        (answer, Searched { documents, reach: state.reach(question) })
    }
}

/// A document that an answer names, if there is its text. What comes with protoc is in no folder: a copy is.
fn document(path: &str, text: Option<&[u8]>) -> Option<Document> {
    match text {
        Some(text) => Document::new(path, text).ok(),
        None => {
            Document::new(known_copies::copy_of(path)?, NameIndex::built_in_file(path)?.into_bytes()).ok()
        }
    }
}

/// The same where all files came with the request.
fn ask_given<T>(
    question: &Question<'_>,
    others: &BTreeMap<String, String>,
    ask: impl Fn(&NameIndex, &str) -> T,
    paths: impl Fn(&T) -> Vec<String>,
) -> (T, Searched) {
    let path = question.document.path();
    let roots = question.import_roots.iter().cloned().chain([String::new()]);
    let mut names = NameIndex::new(roots.collect());
    for (path, text) in others {
        names.set(path, text.as_bytes());
    }
    set(&mut names, path, question.document);
    let answer = ask(&names, path);
    let documents = paths(&answer).into_iter().filter_map(|named| {
        let document = if named == path {
            Arc::clone(question.document)
        } else {
            Arc::new(self::document(&named, others.get(&named).map(String::as_bytes))?)
        };
        Some((named, document))
    });
    let documents = documents.collect();
    (answer, Searched { documents, ..Searched::default() })
}

/// The files around one that is hidden or ignored itself: its kin are too.
fn hidden_around(project: &Project, key: &str, shown: &[String]) -> Option<Listing> {
    let path = project.on_disk(key);
    let is_shown = || shown.contains(&written(&path));
    if !is_known(key) || Path::new(key).is_absolute() || is_shown() || !path.is_file() {
        return None;
    }
    let top = Path::new(key).components().next()?;
    let folder = project.root.join(top);
    folder.is_dir().then(|| list(&folder, Depth::All, Sight::All))
}

fn set(names: &mut NameIndex, key: &str, document: &Document) {
    match document.reader() {
        Some(reader) => names.set_as(reader, key, document.text().bytes()),
        None => names.remove(key),
    }
}

impl State {
    /// Reads what an answer will depend on.
    fn prepare(&mut self, question: &Question<'_>, project: Project, key: &str) {
        let roots = question.roots(&project);
        let setup = (project, roots, question.import_roots.len());
        if self.setup != setup {
            *self = State { names: NameIndex::new(setup.1.clone()), setup, ..State::default() };
        }
        if let Some(borrowed) = self.borrowed.take() {
            self.read(&borrowed);
        }
        self.take(question, key);
        if question.breadth == Breadth::All {
            self.is_walked = false;
            self.walk(key);
            let all: Vec<String> = self.files.keys().cloned().collect();
            self.refresh(&all, key);
        }
        self.follow(key);
    }

    /// Takes the document that is asked about.
    fn take(&mut self, question: &Question<'_>, key: &str) {
        let document = question.document;
        let is_same = |file: &DiskFile| file.text.bytes() == document.text().bytes();
        let is_known = self.names.has(key) && self.files.get(key).is_some_and(is_same);
        if !is_known || question.flags.language.is_some() {
            set(&mut self.names, key, document);
        }
        let on_disk = || DiskFile::read(&self.on_disk(key)).filter(is_same);
        match (question.is_given, is_known) {
            (false, true) => {}
            (false, false) if let Some(file) = on_disk() => self.keep(key, file),
            // The text came with the request, or from standard input.
            _ => self.borrowed = Some(key.to_owned()),
        }
    }

    /// Reads the files that a file depends on, and those that they depend on.
    fn follow(&mut self, key: &str) {
        let mut next = vec![key.to_owned()];
        // Files may import each other in a circle.
        let mut seen: HashSet<String> = HashSet::new();
        while let Some(path) = next.pop() {
            let Some(wanted) = self.names.wanted(&path) else { return self.walk(key) };
            for import in wanted {
                let found = self.candidates(&path, &import).into_iter().find(|one| self.read(one));
                next.extend(found.filter(|path| seen.insert(path.clone())));
            }
        }
        // What is not above the file may be anywhere.
        if self.names.lacks(key) {
            self.walk(key);
        }
    }

    /// Where an import may be: below its roots, and in the directories above the file.
    fn candidates(&self, path: &str, import: &str) -> Vec<String> {
        let (project, roots, _) = &self.setup;
        // Where nothing tells the project, it may be any folder above.
        let beyond = project.root.ancestors().skip(1).filter(|_| project.origin == Origin::Guess);
        let above = Path::new(path).ancestors().skip(1).chain(beyond).map(written);
        let directories = roots.iter().cloned().chain(above);
        let join = |directory: String| match directory.as_str() {
            "" | "." => import.to_owned(),
            directory => format!("{}/{import}", directory.trim_end_matches('/')),
        };
        directories.map(join).collect()
    }

    fn on_disk(&self, key: &str) -> String {
        written(&self.setup.0.on_disk(key))
    }

    /// Reads a file; `false` when there is none that can be read.
    fn read(&mut self, key: &str) -> bool {
        match DiskFile::read(&self.on_disk(key)) {
            Some(file) => {
                self.names.set(key, file.text.bytes());
                self.keep(key, file);
                self.names.has(key)
            }
            None => {
                self.names.remove(key);
                self.forget(key);
                false
            }
        }
    }

    fn keep(&mut self, key: &str, file: DiskFile) {
        self.forget(key);
        self.n_bytes += file.text.bytes().len();
        self.files.insert(key.to_owned(), file);
    }

    fn forget(&mut self, key: &str) {
        if let Some(old) = self.files.remove(key) {
            self.n_bytes -= old.text.bytes().len();
        }
    }

    /// Looks for the files of the project. What is given as a place of imports is looked through whatever version
    /// control says of it.
    fn walk(&mut self, key: &str) {
        if std::mem::replace(&mut self.is_walked, true) {
            return;
        }
        self.gaps.clear();
        let (project, roots, n_given) = self.setup.clone();
        let is_inside = |root: &&String| !root.is_empty() && Path::new(root).is_relative();
        let given = roots[..n_given].iter().filter(is_inside).map(|root| project.on_disk(root));
        let mut listings = vec![list(&project.root, project.depth(), Sight::Shown)];
        listings.extend(hidden_around(&project, key, &listings[0].files));
        listings.extend(given.map(|folder| list(&folder, Depth::All, Sight::All)));
        for Listing { files, gaps } in listings {
            self.gaps.extend(gaps);
            for path in files {
                self.add(&project.below(Path::new(&path)), key);
            }
        }
    }

    /// Takes in a file that was found.
    fn add(&mut self, found: &str, key: &str) {
        if found == key || self.files.contains_key(found) {
            return;
        }
        if self.n_bytes > MOST_BYTES {
            let gap = format!("only {} MB of files are read", MOST_BYTES >> 20);
            if !self.gaps.contains(&gap) {
                self.gaps.push(gap);
            }
        } else if !self.read(found) {
            self.gaps.push(format!("`{found}` cannot be read"));
        }
    }

    /// In which files an answer was looked for.
    fn reach(&self, question: &Question<'_>) -> Reach {
        let project = &self.setup.0;
        let mut gaps = self.gaps.clone();
        let base = project::base(question.flags);
        if question.breadth == Breadth::All {
            let Question { document, word, .. } = *question;
            let unseen = Unseen {
                project,
                base: &base,
                document,
                word,
                has_flags: true,
                is_seen: &|key| self.names.has(key),
            };
            gaps.extend(unseen.gaps());
        }
        let is_elsewhere = project.root != base;
        Reach { root: Some(written(&project.root)), is_elsewhere, gaps }
    }

    /// Takes in files that have changed on disk; has one?
    fn refresh(&mut self, paths: &[String], key: &str) -> bool {
        let mut has_changed = false;
        for path in paths.iter().filter(|path| *path != key) {
            let Some(file) = self.files.get(path) else { continue };
            if !matches!(file.change(&self.on_disk(path)), DiskChange::None) {
                self.read(path);
                has_changed = true;
            }
        }
        has_changed
    }
}
