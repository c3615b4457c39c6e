//! What one request sees: the client, its open documents, and the files as they were when the request was taken.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use locant_engine::{Document, Offset, Text};
use locant_workspace::{
    Answered, Asked, Base, Known, Origin, Project, Provider, Providers, Scope, Snapshot, Unanswered,
    built_in, written,
};

use super::client::Client;
use super::convert::Sheet;
use super::documents::Open;
use super::transport::{Error, Output};
use locant_api::uri;

/// The open documents, by path.
pub(super) type OpenDocuments = BTreeMap<String, Arc<Open>>;

/// What one request sees.
#[derive(Clone)]
pub(super) struct View {
    pub(super) client: Client,
    pub(super) output: Output,
    pub(super) folders: Arc<Vec<PathBuf>>,
    /// Further folders in which imports are looked for, from the options of the client.
    pub(super) import_roots: Arc<Vec<String>>,
    pub(super) open: Arc<OpenDocuments>,
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) providers: Providers,
}

/// A document, open or on disk.
pub(super) struct Source {
    text: Arc<Text>,
    /// `None` when the file is not text.
    pub(super) document: Option<Arc<Document>>,
    is_open: bool,
}

/// A place in a document that a request is about.
pub(super) struct Cursor {
    pub(super) path: String,
    pub(super) document: Arc<Document>,
    pub(super) at: Offset,
}

/// The files around a document.
pub(super) struct Surroundings {
    pub(super) project: Project,
    base: Base,
    /// The other folders of the client.
    beside: Vec<PathBuf>,
}

impl Source {
    /// The text of the document, and how the client counts columns in it.
    pub(super) fn sheet(&self, client: &Client) -> Sheet<'_> {
        Sheet { text: &self.text, encoding: client.encoding, counts_mark: self.is_open }
    }
}

impl View {
    /// A document as the client has it open, or else as it is on disk.
    pub(super) fn source(&self, path: &str) -> Option<Source> {
        if let Some(open) = self.open.get(path) {
            let (text, document) = (open.text(), open.document().cloned());
            return Some(Source { text, document, is_open: true });
        }
        let on_disk = on_disk(path, &self.folders);
        let text = self.snapshot.text(&on_disk)?;
        Some(Source { text, document: self.snapshot.document(&on_disk, path), is_open: false })
    }

    /// Calls `look` with the text of a file, and how the client counts columns in it; `None` when there is no such
    /// file.
    pub(super) fn on_sheet<T>(&self, path: &str, look: impl FnOnce(Sheet<'_>) -> T) -> Option<T> {
        let source = self.source(path)?;
        Some(look(source.sheet(&self.client)))
    }

    /// The URI of a file: as the client writes it, if it has the file open.
    pub(super) fn uri(&self, path: &str) -> String {
        self.open.get(path).map_or_else(|| uri::of_path(path), |open| open.uri.clone())
    }

    /// The start of a document, for questions about a whole file; `None` when there is no such file, or it is not text.
    pub(super) fn start_of(&self, path: &str) -> Option<Cursor> {
        let document = self.source(path)?.document?;
        Some(Cursor { path: path.to_owned(), document, at: Offset::ZERO })
    }

    /// Whether a document is in one of the folders of the client.
    pub(super) fn is_in_folder(&self, path: &str) -> bool {
        let file = on_disk(path, &self.folders);
        self.folders.iter().any(|folder| file.starts_with(folder))
    }

    /// The files around a document.
    pub(super) fn surroundings(&self, path: &str) -> Surroundings {
        let file = on_disk(path, &self.folders);
        let folder = self.folders.iter().find(|folder| file.starts_with(folder));
        let project = match folder {
            // Files around a folder that the user has opened do not belong to its project.
            Some(folder) => Project { root: folder.clone(), origin: Origin::Repository },
            None => Project::around_lone(&file),
        };
        let base = Base::new(Some(&written(&project.root)));
        let beside = self.folders.iter().filter(|folder| **folder != project.root).cloned().collect();
        Surroundings { project, base, beside }
    }

    /// The scope of questions about the files around a document.
    pub(super) fn scope<'a>(&'a self, around: &'a Surroundings) -> Scope<'a> {
        Scope {
            snapshot: &self.snapshot,
            project: &around.project,
            base: &around.base,
            import_roots: &self.import_roots,
            beside: &around.beside,
            server: None,
            is_alone: false,
        }
    }

    /// Asks the providers about a place; `None` when none of them answers the question.
    pub(super) fn ask<T>(
        &self,
        place: &Cursor,
        ask: impl Fn(&dyn Provider, &Asked<'_>) -> Answered<T>,
    ) -> Result<Option<Known<T>>, Error> {
        let around = self.surroundings(&place.path);
        let asked = Asked { scope: self.scope(&around), document: &place.document, at: place.at };
        answered(self.providers.ask(|provider| ask(provider, &asked)))
    }

    /// The path of a file that an answer names. For a built-in file, which is not on disk, it is the path of a copy.
    pub(super) fn path_of<T>(&self, known: &Known<T>, path: &str) -> Option<String> {
        let on_disk = known.on_disk(path);
        match self.snapshot.text(&on_disk) {
            Some(_) => Some(written(&on_disk)),
            None => built_in::copy_of(path),
        }
    }

    /// Reads the files of the folders, so that the first question does not have to wait.
    pub(super) fn warm_up(&self) {
        for folder in self.folders.iter() {
            let around = self.surroundings(&written(&folder.join("any")));
            // No symbol has this name: the question only makes the providers read the files.
            self.providers.ask_all(|provider| provider.symbols(&self.scope(&around), "\0"));
        }
    }
}

/// The answer of a provider; `None` when no provider answers the question.
pub(super) fn answered<T>(answer: Answered<T>) -> Result<Option<Known<T>>, Error> {
    match answer {
        Ok(known) => Ok(Some(known)),
        Err(Unanswered::Unsupported) => Ok(None),
        Err(Unanswered::Cancelled) => Err(Error::cancelled()),
        Err(why @ (Unanswered::NotReady(_) | Unanswered::Failed(_) | Unanswered::Forbidden { .. })) => {
            Err(Error::new(Error::REQUEST_FAILED, why.to_string()))
        }
    }
}

/// The path of a document on disk. One that was never saved has a relative path, which starts from the first folder.
pub(super) fn on_disk(path: &str, folders: &[PathBuf]) -> PathBuf {
    match (Path::new(path).is_absolute(), folders.first()) {
        (false, Some(folder)) => folder.join(path),
        _ => PathBuf::from(path),
    }
}
