//! The files of a directory, in order.

use std::path::{Path, PathBuf};
use std::sync::mpsc;

use locant_engine::{Document, Reader};
use locant_workspace::reading::read_text;
use locant_workspace::walk::walker;

/// The files of a directory that version control does not ignore, sorted by path.
pub(crate) struct Folder {
    pub(crate) entries: Vec<Entry>,
    /// Why other files are left out.
    pub(crate) left_out: Vec<String>,
}

/// One file to read.
pub(crate) struct Entry {
    on_disk: PathBuf,
    /// The path in the answer.
    pub(crate) shown: String,
}

/// The result of opening a file.
pub(crate) enum Opened {
    Document(Box<Document>),
    /// The file is in a language that locant does not read, or not in the requested one.
    Unread,
    /// The file could not be read.
    Failed(String),
}

impl Folder {
    /// The files below a directory. Their paths start with `written`, the directory as in the request; for `.` they
    /// start from the directory itself.
    pub(crate) fn at(top: &Path, written: &str) -> Folder {
        let mut entries = Vec::new();
        let mut left_out = Vec::new();
        let (sender, endless) = mpsc::channel();
        let leave_out = move |directory: &Path| {
            // If the receiver is gone, nobody needs to know.
            let _ = sender.send(directory.display().to_string());
        };
        for entry in walker(top, leave_out).sort_by_file_name(Ord::cmp).build() {
            locant_stop::check();
            match entry {
                Ok(entry) if !entry.file_type().is_some_and(|kind| kind.is_file()) => {}
                Ok(entry) => match shown(entry.path(), top, written) {
                    Some(shown) => entries.push(Entry { on_disk: entry.into_path(), shown }),
                    None => left_out.push(format!("the name of {} is not UTF-8", entry.path().display())),
                },
                Err(error) => left_out.push(error.to_string()),
            }
        }
        let why =
            |directory| format!("all of {directory}, whose list of what to ignore is a pipe or a device");
        left_out.extend(endless.try_iter().map(why));
        Folder { entries, left_out }
    }
}

impl Entry {
    /// Reads the file, if it is in the requested language or no language was requested.
    pub(crate) fn open(&self, language: Option<&str>) -> Opened {
        // An extension tells the language. A file without one may name it in a `#!` line, so it has to be read.
        let has_extension = Path::new(&self.shown).extension().is_some();
        if has_extension && Reader::for_file(&self.shown, b"").is_none() {
            return Opened::Unread;
        }
        let bytes = match read_text(&self.on_disk) {
            Ok(bytes) => bytes,
            Err(why) => return Opened::Failed(format!("{}: {why}", self.shown)),
        };
        let Ok(document) = Document::new(self.shown.as_str(), bytes) else { return Opened::Unread };
        match document.reader() {
            Some(reader) if language.is_none_or(|language| language == reader.name()) => {
                Opened::Document(Box::new(document))
            }
            _ => Opened::Unread,
        }
    }
}

/// The path of a file in the answer: below `directory`, which is left out if it is `.`.
fn shown(found: &Path, top: &Path, directory: &str) -> Option<String> {
    let inside = found.strip_prefix(top).ok()?;
    let shown = if directory == "." { inside.to_path_buf() } else { Path::new(directory).join(inside) };
    shown.to_str().map(str::to_owned)
}
