//! The symbols of all files of a directory.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use ignore::WalkBuilder;
use locant_engine::{Document, languages};

use super::{DirectoryOutline, FileOutline, OutlineAnswer, Outlined, symbols};
use crate::answer::Answer;
use crate::failure::Failure;
use crate::files::{language, on_disk, read_path};
use crate::flags::Flags;
use crate::request::guard;

/// One file to read.
struct Entry {
    on_disk: PathBuf,
    /// As the answer names it: under the directory as it was given.
    shown: String,
}

/// What became of one file.
enum Outcome {
    Outlined(FileOutline),
    /// It is in no language that is read.
    Unread,
    /// It could not be read.
    Failed(String),
}

/// The symbols of the files of a directory, in order of their paths.
pub(super) fn outline(directory: &str, flags: &Flags) -> Result<Box<dyn Answer>, Failure> {
    let language = language(flags)?.map(|language| language.name());
    let (entries, mut failed) = entries(directory, flags);
    let is_asked = |name: &str| language.is_none_or(|language| language == name);
    let outcomes = in_parallel(&entries, |entry| outline_file(entry, flags, &is_asked));

    let mut files = Vec::new();
    for outcome in outcomes {
        match outcome {
            Outcome::Outlined(file) => files.push(file),
            Outcome::Unread => {}
            Outcome::Failed(why) => failed.push(why),
        }
    }
    let note =
        failed.first().map(|first| format!("{} files were left out; the first: {first}", failed.len()));
    let outline = Outlined::Directory(DirectoryOutline { file_path: directory.to_owned(), files });
    Ok(Box::new(OutlineAnswer { outline, note }))
}

/// The files of a directory in order, and why others are left out.
fn entries(directory: &str, flags: &Flags) -> (Vec<Entry>, Vec<String>) {
    let top = on_disk(directory, flags);
    let mut entries = Vec::new();
    let mut failed = Vec::new();
    for entry in WalkBuilder::new(&top).sort_by_file_name(Ord::cmp).build() {
        match entry {
            Ok(entry) if !entry.file_type().is_some_and(|kind| kind.is_file()) => {}
            Ok(entry) => match shown(entry.path(), &top, directory) {
                Some(shown) => entries.push(Entry { on_disk: entry.into_path(), shown }),
                None => failed.push(format!("{} is no UTF-8", entry.path().display())),
            },
            Err(error) => failed.push(error.to_string()),
        }
    }
    (entries, failed)
}

fn outline_file(entry: &Entry, flags: &Flags, is_asked: &dyn Fn(&str) -> bool) -> Outcome {
    // A name with an extension tells the language; only others may have a `#!` line, for which they are read.
    let has_extension = Path::new(&entry.shown).extension().is_some();
    if has_extension && languages::for_file(&entry.shown, b"").is_none() {
        return Outcome::Unread;
    }
    let bytes = match read_path(&entry.on_disk) {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(why)) => return Outcome::Failed(format!("{}: {why}", entry.shown)),
        Err(why) => return Outcome::Failed(format!("{}: {why}", entry.shown)),
    };
    let Ok(document) = Document::new(entry.shown.as_str(), bytes) else { return Outcome::Unread };
    match document.language() {
        Some(language) if is_asked(language.name()) => {}
        _ => return Outcome::Unread,
    }
    match guard(|| Ok(symbols::outline(&document, flags.encoding()))) {
        Ok(Some(symbols)) => Outcome::Outlined(FileOutline { file_path: entry.shown.clone(), symbols }),
        Ok(None) => Outcome::Unread,
        Err(failure) => Outcome::Failed(format!("{}: {}", entry.shown, failure.message)),
    }
}

/// Applies `work` to all items on all cores; the results are in the order of the items.
fn in_parallel<Item: Sync, Done: Send>(items: &[Item], work: impl Fn(&Item) -> Done + Sync) -> Vec<Done> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    let n_threads = thread::available_parallelism().map_or(2, usize::from).min(items.len()).max(1);
    thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { return };
                    let result = work(item);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// The path of a found file under the directory as it was given; `.` itself is not written.
fn shown(found: &Path, top: &Path, directory: &str) -> Option<String> {
    let inside = found.strip_prefix(top).ok()?;
    let shown = if directory == "." { inside.to_path_buf() } else { Path::new(directory).join(inside) };
    shown.to_str().map(str::to_owned)
}
