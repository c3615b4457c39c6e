//! The texts that requests are about: files on disk, standard input, or texts in the request.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use locant_engine::{Document, Reader, Text, Unreadable};
use locant_servers::{Pool, Servers, Settings};
use locant_workspace::catalog::KeptOutlines;
use locant_workspace::reading::{Unread, read_opened};
use locant_workspace::{InProcess, Providers, Textual, Workspace};

use crate::failure::{Failure, Kind};
use crate::flags::Flags;
use crate::nearest_files;
use crate::phrase::{call, phrase, setting};

/// How many documents are kept for later requests.
const KEPT_DOCUMENTS: usize = 8;

/// How many bytes of text are kept at most, unless a single document is larger. A parsed text takes about twenty times
/// its size in memory.
const KEPT_BYTES: usize = 8 << 20;

/// How many bytes of parse results are stored for documents that are no longer kept.
const STORED_BYTES: usize = 64 << 20;

/// The files as requests see them.
#[derive(Debug)]
pub struct Files {
    stdin: Stdin,
    /// The documents of the last requests, newest first.
    kept: Mutex<VecDeque<Kept>>,
    /// The parse results of earlier documents, newest first.
    stored: Mutex<VecDeque<Stored>>,
    /// The files as they are now.
    workspace: Workspace,
    /// The providers that know what names mean.
    providers: Providers,
    /// The language servers that run for these files; `None` where none are asked.
    pool: Option<Arc<Pool>>,
}

impl Default for Files {
    fn default() -> Files {
        Files {
            stdin: Stdin::default(),
            kept: Mutex::default(),
            stored: Mutex::default(),
            workspace: Workspace::default(),
            providers: Providers::new(vec![Arc::new(InProcess::default())]),
            pool: None,
        }
    }
}

/// What the path `-` means.
#[derive(Debug, Default)]
enum Stdin {
    /// Nothing, because standard input carries the requests.
    #[default]
    Taken,
    /// The text on standard input, with a name if one was given.
    Named(Option<String>),
}

/// Where a text comes from.
#[derive(Debug)]
pub struct Source<'a> {
    /// The path, as in the request.
    pub path: &'a str,
    /// The text, if it came with the request.
    pub text: Option<Vec<u8>>,
}

#[derive(Debug)]
struct Kept {
    language: Option<String>,
    document: Arc<Document>,
}

/// What is stored of a document: its position tree, which takes less memory than the text.
#[derive(Debug)]
struct Stored {
    language: Option<String>,
    path: String,
    bytes: Vec<u8>,
}

impl Files {
    /// Files for which `-` is standard input, with the name `stdin_path`.
    pub fn with_stdin(stdin_path: Option<String>) -> Files {
        Files { stdin: Stdin::Named(stdin_path), ..Files::default() }
    }

    /// The files as they are now.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// The providers that know what names mean.
    pub fn providers(&self) -> &Providers {
        &self.providers
    }

    /// Replaces the providers.
    #[must_use]
    pub fn with_providers(self, providers: Providers) -> Files {
        Files { providers, ..self }
    }

    /// The same files, with the language servers of this machine for names that locant does not know itself.
    #[must_use]
    pub fn with_servers(self, settings: Settings) -> Files {
        let pool = Arc::new(Pool::new(settings));
        let providers = self.providers.and(Arc::new(Servers::new(Arc::clone(&pool)))).and(Arc::new(Textual));
        Files { providers, pool: Some(pool), ..self }
    }

    /// The language servers that run for these files.
    pub fn pool(&self) -> Option<&Arc<Pool>> {
        self.pool.as_ref()
    }

    /// Whether a path names a file.
    pub fn exists(&self, path: &str, flags: &Flags) -> bool {
        path == "-" || flags.base().has_file(path)
    }

    /// Opens the document of a source. A file is checked for changes each time, so that every change is noticed. Only
    /// the parse of an unchanged text is reused.
    pub fn open(&self, source: Source<'_>, flags: &Flags) -> Result<Arc<Document>, Failure> {
        let language = language(flags)?;
        let is_stdin = source.path == "-" && source.text.is_none();
        let is_on_disk = source.text.is_none() && !is_stdin;
        let (path, text) = match (source.text, &self.stdin) {
            (Some(text), _) => (source.path, of_bytes(source.path, text)?),
            (None, Stdin::Taken) if is_stdin => return Err(stdin_is_taken()),
            (None, Stdin::Named(name)) if is_stdin => {
                let path = name.as_deref().unwrap_or("-");
                (path, of_bytes(path, read_stdin()?)?)
            }
            (None, _) => (source.path, self.read(source.path, flags)?),
        };
        if let Some(document) = self.kept(path, text.bytes(), flags) {
            return Ok(document);
        }
        let document = Document::of_text(path, text).map_err(|why| Failure::unreadable(path, why))?;
        let document = match language {
            Some(language) => document.in_language(language),
            None => document,
        };
        let document = if is_on_disk { document.kept_in(Arc::new(KeptOutlines)) } else { document };
        let document = Arc::new(match self.take_stored(path, flags) {
            Some(stored) => document.with_stored(&stored),
            None => document,
        });
        self.keep(Arc::clone(&document), flags);
        Ok(document)
    }

    /// Whether the file that a location names has been read before and is still no longer than this many bytes. It may
    /// have changed since.
    pub fn keeps_file_of(&self, location: &str, most_bytes: u64, flags: &Flags) -> bool {
        let is_of =
            |path: &str| location.strip_prefix(path).is_some_and(|rest| rest.starts_with([':', '@', '#']));
        let path = {
            let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.iter().map(|kept| kept.document.path()).find(|path| is_of(path)).map(str::to_owned)
        };
        let about = path.and_then(|path| flags.base().on_disk(&path).metadata().ok());
        about.is_some_and(|about| about.is_file() && about.len() <= most_bytes)
    }

    /// The bytes of standard input, unless it carries the requests.
    pub(crate) fn stdin(&self) -> Result<Vec<u8>, Failure> {
        match self.stdin {
            Stdin::Named(_) => read_stdin(),
            Stdin::Taken => Err(stdin_is_taken()),
        }
    }

    /// The text of a file as it is now.
    pub(crate) fn read(&self, path: &str, flags: &Flags) -> Result<Arc<Text>, Failure> {
        if path.is_empty() {
            return Err(Failure::unbuilt(
                "asking the whole workspace",
                "name the file in front of the `:` or `@`",
            ));
        }
        flags.admit(path)?;
        let on_disk = flags.base().on_disk(path);
        let on_disk = std::path::absolute(&on_disk).unwrap_or(on_disk);
        self.workspace.read(&on_disk).map_err(|error| unread(path, &error, flags))
    }

    fn kept(&self, path: &str, bytes: &[u8], flags: &Flags) -> Option<Arc<Document>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let same = kept.iter().find(|kept| {
            kept.language == flags.language
                && kept.document.path() == path
                && kept.document.text().bytes() == bytes
        });
        same.map(|kept| Arc::clone(&kept.document))
    }

    fn keep(&self, document: Arc<Document>, flags: &Flags) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_front(Kept { language: flags.language.clone(), document });
        let size = |kept: &VecDeque<Kept>| -> usize {
            kept.iter().map(|kept| kept.document.text().bytes().len()).sum()
        };
        while kept.len() > KEPT_DOCUMENTS || kept.len() > 1 && size(&kept) > KEPT_BYTES {
            if let Some(Kept { language, document }) = kept.pop_back()
                && let Some(bytes) = document.to_stored()
            {
                self.store(Stored { language, path: document.path().to_owned(), bytes });
            }
        }
    }

    fn store(&self, new: Stored) {
        let mut stored = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
        stored.push_front(new);
        while stored.iter().map(|stored| stored.bytes.len()).sum::<usize>() > STORED_BYTES {
            stored.pop_back();
        }
    }

    /// Takes out the stored parse of a document. It is stored again when the document is no longer kept.
    fn take_stored(&self, path: &str, flags: &Flags) -> Option<Vec<u8>> {
        let mut stored = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
        let at = stored.iter().position(|stored| stored.path == path && stored.language == flags.language)?;
        stored.remove(at).map(|stored| stored.bytes)
    }
}

/// The language that the flags name.
pub(crate) fn language(flags: &Flags) -> Result<Option<Reader>, Failure> {
    let Some(name) = &flags.language else { return Ok(None) };
    match Reader::by_name(name) {
        Some(reader) => Ok(Some(reader)),
        None => {
            let known = Reader::names();
            Err(Failure::invalid(
                format!("the language `{name}` is not read"),
                format!("use one of {}", known.join(", ")),
            ))
        }
    }
}

fn of_bytes(path: &str, bytes: Vec<u8>) -> Result<Arc<Text>, Failure> {
    let text = Text::new(bytes).map_err(|_| Failure::unreadable(path, Unreadable::TooLarge))?;
    Ok(Arc::new(text))
}

/// The failure for a file that could not be read.
fn unread(path: &str, error: &io::Error, flags: &Flags) -> Failure {
    if let Some(unread) = Unread::of(error) {
        return Failure::unread(path, unread);
    }
    match error.kind() {
        io::ErrorKind::IsADirectory => is_directory(path),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => no_such_file(path, flags),
        io::ErrorKind::InvalidInput => {
            Failure::invalid(format!("{path:?} cannot be a path: {error}"), "give a file's path")
        }
        _ => io_failure(path, error),
    }
}

/// The failure for a path that does not exist, with similar files as candidates.
pub(crate) fn no_such_file(path: &str, flags: &Flags) -> Failure {
    let root = flags.root.as_deref().filter(|root| !root.is_empty()).unwrap_or(".");
    if !Path::new(root).is_dir() && Path::new(path).is_relative() {
        return no_such_root(root);
    }
    let hint = if Path::new(path).is_absolute() {
        "check the path".to_owned()
    } else {
        format!("paths start from {}", if root == "." { "the working directory" } else { root })
    };
    let candidates = nearest_files::nearest(path, flags);
    Failure::new(Kind::NoSuchFile, format!("there is no file `{path}`"), hint).with_candidates(candidates)
}

fn no_such_root(root: &str) -> Failure {
    Failure::new(
        Kind::NoSuchFile,
        format!("there is no directory `{root}`"),
        phrase!["`", setting("root", "DIR"), "` names the directory that relative paths start from"],
    )
}

/// The failure for a directory where a file is needed.
pub(crate) fn is_directory(path: &str) -> Failure {
    Failure::new(
        Kind::Io,
        format!("`{path}` is a directory, not a file"),
        phrase![
            "name a file in it; `",
            call("outline").with("file_path", path),
            "` lists the symbols of all its files",
        ],
    )
}

/// The failure for a file that could not be read.
pub(crate) fn io_failure(path: &str, error: &io::Error) -> Failure {
    let hint = match error.kind() {
        io::ErrorKind::PermissionDenied => "you may not read this file; check its permissions",
        _ => "check the file and ask again",
    };
    Failure::new(Kind::Io, format!("cannot read `{path}`: {error}"), hint)
}

/// Reads standard input. A process answers only one question about it, so it is read only once.
fn read_stdin() -> Result<Vec<u8>, Failure> {
    read_opened(io::stdin().lock()).map_err(|error| match Unread::of(&error) {
        Some(unread) => Failure::unread("-", unread),
        None => io_failure("-", &error),
    })
}

fn stdin_is_taken() -> Failure {
    Failure::new(
        Kind::Unsupported,
        "standard input carries the requests, so the file `-` cannot be read from it",
        "give the file's content as `text`",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_parsed_is_stored_when_a_document_is_no_longer_kept() {
        let (files, flags) = (Files::default(), Flags::default());
        let open = |name: &str, text: &str| {
            let source = Source { path: name, text: Some(text.as_bytes().to_vec()) };
            files.open(source, &flags).expect("a text is a document")
        };
        open("first.py", "def f(): pass\n").tree();
        for n in 0..KEPT_DOCUMENTS {
            open(&format!("{n}.py"), "x = 1\n");
        }
        let first = open("first.py", "def f(): pass\n");
        assert!(first.to_stored().is_some(), "it has a tree that nobody has asked for");
        assert_eq!(first.outline().map(|outline| outline.symbols().len()), Some(1));
        for n in 0..KEPT_DOCUMENTS {
            open(&format!("{n}.py"), "x = 2\n");
        }
        let changed = open("first.py", "def g(): pass\n");
        assert!(changed.to_stored().is_none(), "what is stored is of another text");
    }
}
