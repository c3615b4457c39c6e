//! The files of a directory, in order.

use std::path::{Path, PathBuf};
use std::sync::mpsc;

use locant_engine::{Document, Reader};
use locant_workspace::reading::read_text;
use locant_workspace::walk::walker;

/// The files of a directory that version control does not ignore, in the order of their paths.
pub(crate) struct Folder {
    pub(crate) entries: Vec<Entry>,
    /// Why others are left out.
    pub(crate) left_out: Vec<String>,
}

/// One file to read.
pub(crate) struct Entry {
    on_disk: PathBuf,
    /// As the answer names it.
    pub(crate) shown: String,
}

/// What became of a file that was to be read.
pub(crate) enum Opened {
    Document(Box<Document>),
    /// It is in no language that is read, or not in the one that is asked for.
    Unread,
    /// It could not be read.
    Failed(String),
}

impl Folder {
    /// The files below a directory, each named as if that was written so; with `.` from the directory on.
    pub(crate) fn at(top: &Path, written: &str) -> Folder {
        let mut entries = Vec::new();
        let mut left_out = Vec::new();
        let (sender, endless) = mpsc::channel();
        let leave_out = move |directory: &Path| {
            // That nobody wants to know is no failure.
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
    /// Reads the file, if it is in the asked language or any is asked for.
    pub(crate) fn open(&self, language: Option<&str>) -> Opened {
        // A name with an extension tells the language; only others may have a `#!` line, for which they are read.
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

/// The path of a found file under the directory as it is written; `.` itself is not.
fn shown(found: &Path, top: &Path, directory: &str) -> Option<String> {
    let inside = found.strip_prefix(top).ok()?;
    let shown = if directory == "." { inside.to_path_buf() } else { Path::new(directory).join(inside) };
    shown.to_str().map(str::to_owned)
}
