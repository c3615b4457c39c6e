//! The index of one project: the names in its files, and what they mean.
//!
//! Before each question, the index takes in the files that the answer depends on. These are the file of the question
//! and what it imports, the files that the answer names, or all files of the project.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use locant_engine::names::Names;
use locant_engine::{Document, NameIndex, Text};
use locant_stop::unharmed;

use crate::gap::Gap;
use crate::path::written;
use crate::project::{Origin, Project};
use crate::snapshot::{Documents, Snapshot};
use crate::walk::{Depth, Listing, Sight, is_known, list};

/// How many bytes of the files of a project are read, at most.
const MOST_BYTES: usize = 512 << 20;

/// The folders of the project are walked again when the last walk is older than this.
const RECENT: Duration = Duration::from_secs(1);

/// How much of a project an answer depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Breadth {
    /// The file of the question, and what it imports.
    Needed,
    /// Every file.
    All,
}

/// The folders that paths and imports of a project start from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setup {
    pub(crate) project: Project,
    /// The folders below which imports are looked for first, as keys of the project. After these, the folders above the
    /// importing file are tried.
    pub(crate) import_roots: Vec<String>,
    /// How many of `import_roots`, counted from the first, were named by the request. The others are always searched.
    pub(crate) n_given: usize,
    /// Folders that are searched besides the folder of the project.
    pub(crate) beside: Vec<PathBuf>,
}

/// The index of one project.
pub(crate) struct Index {
    setup: Setup,
    names: NameIndex,
    /// The contents that the names were read from, by key.
    files: HashMap<String, Content>,
    /// How many bytes these contents have together.
    n_bytes: usize,
    /// The open documents that were taken in last; `None` when the last request also brought documents of its own.
    layers: Option<Arc<Documents>>,
    /// When the folders of the project were last walked, and the `state` of the snapshot then.
    walked: Option<(Instant, usize)>,
    /// Why the walk may have missed files.
    gaps: Vec<Gap>,
}

/// The content that the names of a file were read from.
#[derive(Clone, Debug)]
enum Content {
    Disk(Arc<Text>),
    /// A document that came with a request, or was open in an editor.
    Layer(Arc<Document>),
}

impl Content {
    fn of(snapshot: &Snapshot, path: &Path) -> Option<Content> {
        match snapshot.layered(path) {
            Some(document) => Some(Content::Layer(Arc::clone(document))),
            None => snapshot.text(path).map(Content::Disk),
        }
    }

    fn is(&self, other: &Content) -> bool {
        match (self, other) {
            (Content::Disk(one), Content::Disk(other)) => Arc::ptr_eq(one, other),
            (Content::Layer(one), Content::Layer(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }

    fn n_bytes(&self) -> usize {
        match self {
            Content::Disk(text) => text.bytes().len(),
            Content::Layer(document) => document.text().bytes().len(),
        }
    }
}

impl Index {
    pub(crate) fn new(setup: Setup) -> Index {
        let names = NameIndex::new(setup.import_roots.clone());
        Index {
            setup,
            names,
            files: HashMap::new(),
            n_bytes: 0,
            layers: None,
            walked: None,
            gaps: Vec::new(),
        }
    }

    pub(crate) fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// Whether the names of a file are in the index.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.names.has(key)
    }

    /// The names of the files that were taken in so far.
    pub(crate) fn names(&self) -> &NameIndex {
        &self.names
    }

    /// Whether one of these files has changed since it was taken in.
    pub(crate) fn is_stale(&self, snapshot: &Snapshot, keys: &[String]) -> bool {
        keys.iter().any(|key| {
            let now = Content::of(snapshot, &self.setup.project.on_disk(key));
            match (self.files.get(key), now) {
                (Some(known), Some(now)) => !known.is(&now),
                (Some(_), None) => true,
                (None, _) => false,
            }
        })
    }

    /// Takes in the files that an answer about this file will depend on.
    pub(crate) fn prepare(&mut self, snapshot: &Snapshot, key: &str, breadth: Breadth) {
        self.refresh_layers(snapshot);
        self.sync(snapshot, key);
        if breadth == Breadth::All {
            self.take_all(snapshot, key);
        }
        self.follow(snapshot, key);
    }

    /// Takes in all files of the project.
    pub(crate) fn prepare_all(&mut self, snapshot: &Snapshot) {
        self.refresh_layers(snapshot);
        self.take_all(snapshot, "");
    }

    fn take_all(&mut self, snapshot: &Snapshot, key: &str) {
        self.walked = None;
        self.walk(snapshot, key);
        let all: Vec<String> = self.files.keys().cloned().collect();
        self.refresh(snapshot, &all);
    }

    /// Takes in the documents that came with the request or are open in an editor. Files that are no longer such
    /// documents are read from disk again.
    fn refresh_layers(&mut self, snapshot: &Snapshot) {
        let open = snapshot.only_open();
        if let (Some(open), Some(known)) = (open, &self.layers)
            && Arc::ptr_eq(open, known)
        {
            return;
        }
        self.layers = open.cloned();
        let were: Vec<String> = self
            .files
            .iter()
            .filter(|(_, content)| matches!(content, Content::Layer(_)))
            .map(|(key, _)| key.clone())
            .collect();
        let are = snapshot.all_layered().map(|(path, _)| self.setup.project.below(path));
        let all: HashSet<String> = were.into_iter().chain(are).collect();
        for key in &all {
            self.sync(snapshot, key);
        }
    }

    /// Takes in one file as it is now. Returns `false` when there is no such file, or when locant does not read names
    /// in its language.
    fn sync(&mut self, snapshot: &Snapshot, key: &str) -> bool {
        let Some(content) = Content::of(snapshot, &self.setup.project.on_disk(key)) else {
            self.names.remove(key);
            self.forget(key);
            return false;
        };
        if !self.files.get(key).is_some_and(|known| known.is(&content)) {
            self.forget(key);
            self.take(key, content);
        }
        self.names.has(key)
    }

    fn take(&mut self, key: &str, content: Content) {
        let names = &mut self.names;
        let taken = unharmed(|| match &content {
            Content::Disk(text) => names.set(key, text.bytes()),
            Content::Layer(document) => match document.reader() {
                Some(reader) => names.set_as(reader, key, document.text().bytes()),
                None => names.remove(key),
            },
        });
        // A file on which the reader panics is left out, so that the others can still be read.
        if taken.is_err() && unharmed(|| self.names.remove(key)).is_err() {
            self.names = NameIndex::new(self.setup.import_roots.clone());
            self.files.clear();
            self.n_bytes = 0;
        }
        self.n_bytes += content.n_bytes();
        self.files.insert(key.to_owned(), content);
    }

    fn forget(&mut self, key: &str) {
        if let Some(old) = self.files.remove(key) {
            self.n_bytes -= old.n_bytes();
        }
    }

    /// Takes in each of these files again if it has changed. Files that are not in the index are skipped.
    pub(crate) fn refresh(&mut self, snapshot: &Snapshot, keys: &[String]) {
        for key in keys.iter().filter(|key| self.files.contains_key(*key)).cloned().collect::<Vec<_>>() {
            locant_stop::check();
            self.sync(snapshot, &key);
        }
    }

    /// Takes in the files that a file imports, the files that those import, and so on.
    fn follow(&mut self, snapshot: &Snapshot, key: &str) {
        let mut next = vec![key.to_owned()];
        // Files may import each other in a circle.
        let mut seen: HashSet<String> = HashSet::new();
        while let Some(path) = next.pop() {
            locant_stop::check();
            let imported = self.names.imported(&path);
            for import in imported {
                if self.sync(snapshot, &import) && seen.insert(import.clone()) {
                    next.push(import);
                }
            }
            let Some(wanted) = self.names.wanted(&path) else { return self.walk(snapshot, key) };
            for import in wanted {
                let found = self.candidates(&path, &import).into_iter().find(|one| self.sync(snapshot, one));
                next.extend(found.filter(|path| seen.insert(path.clone())));
            }
        }
        // An import that was not found in the folders of imports or above the file may be anywhere in the project.
        if self.names.lacks(key) {
            self.walk(snapshot, key);
        }
    }

    /// The paths that an import may have: below the folders of imports, and in the folders above the file.
    fn candidates(&self, path: &str, import: &str) -> Vec<String> {
        let Setup { project, import_roots, .. } = &self.setup;
        // If the project is only a guess, any folder above it may be the right one.
        let beyond = project.root.ancestors().skip(1).filter(|_| project.origin == Origin::Guess);
        let above = Path::new(path).ancestors().skip(1).chain(beyond).map(written);
        let directories = import_roots.iter().cloned().chain(above);
        directories.map(|directory| joined(&directory, import)).collect()
    }

    /// Takes in all files of the project, unless they were walked a moment ago. Import folders that the request names
    /// are searched even if version control ignores them.
    fn walk(&mut self, snapshot: &Snapshot, key: &str) {
        let is_recent =
            self.walked.is_some_and(|(when, state)| state == snapshot.state() && when.elapsed() < RECENT);
        if snapshot.is_closed() || is_recent {
            return;
        }
        self.gaps.clear();
        for Listing { files, gaps } in self.listings(key) {
            self.gaps.extend(gaps);
            for path in files {
                locant_stop::check();
                let found = self.setup.project.below(Path::new(&path));
                self.add(snapshot, &found);
            }
        }
        self.walked = Some((Instant::now(), snapshot.state()));
    }

    fn listings(&self, key: &str) -> Vec<Listing> {
        let Setup { project, import_roots, n_given, beside } = &self.setup;
        let is_inside = |root: &&String| !root.is_empty() && Path::new(root).is_relative();
        let given = import_roots[..*n_given].iter().filter(is_inside).map(|root| project.on_disk(root));
        let mut listings = vec![list(&project.root, project.depth(), Sight::Shown)];
        listings.extend(hidden_around(project, key, &listings[0].files));
        listings.extend(beside.iter().map(|folder| list(folder, Depth::All, Sight::Shown)));
        listings.extend(given.map(|folder| list(&folder, Depth::All, Sight::All)));
        listings
    }

    /// Takes in a file that was found on a walk. If that fails, records the reason as a gap.
    fn add(&mut self, snapshot: &Snapshot, found: &str) {
        let is_known = self.files.contains_key(found);
        let gap = if !is_known && self.n_bytes > MOST_BYTES {
            Gap::TooManyBytes { megabytes: MOST_BYTES >> 20 }
        } else if self.sync(snapshot, found) {
            return;
        } else {
            Gap::UnreadableFile { path: found.to_owned() }
        };
        if !self.gaps.contains(&gap) {
            self.gaps.push(gap);
        }
    }
}

fn joined(directory: &str, import: &str) -> String {
    match directory {
        "" | "." => import.to_owned(),
        directory => format!("{}/{import}", directory.trim_end_matches('/')),
    }
}

/// Lists the files around a file that is hidden or ignored, because the files that it uses are probably hidden, too.
/// Returns `None` when the file is among those shown.
fn hidden_around(project: &Project, key: &str, shown: &[String]) -> Option<Listing> {
    let path = project.on_disk(key);
    if !is_known(key) || Path::new(key).is_absolute() || shown.contains(&written(&path)) || !path.is_file() {
        return None;
    }
    let top = Path::new(key).components().next()?;
    let folder = project.root.join(top);
    folder.is_dir().then(|| list(&folder, Depth::All, Sight::All))
}
