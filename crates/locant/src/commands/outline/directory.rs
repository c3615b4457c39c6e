//! The symbols of all files of a directory.

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use locant_engine::{Document, Reader};

use super::symbols::{self, Wanted};
use super::{FileOutline, NONE, Page};
use crate::answer::{Answer, Form};
use crate::failure::Failure;
use crate::files::language;
use crate::flags::Flags;
use crate::in_order::in_order;
use crate::paging::{Paging, Part};
use crate::remark::{Remark, notes_field};
use crate::request::guard;
use crate::wire;
use locant_workspace::reading::read_text;
use locant_workspace::walk::walker;

/// The files of a directory, in order of their paths. They are read while the answer is written, so that the first
/// symbols come at once and those of few files are held.
struct Directory {
    /// As it was given.
    path: String,
    /// Those of the asked part.
    entries: Vec<Entry>,
    part: Part,
    /// The language that files must have to be listed.
    language: Option<&'static str>,
    flags: Flags,
    written: RefCell<Written>,
}

/// What is known once the answer is written.
#[derive(Default)]
struct Written {
    /// Why files were left out.
    left_out: Vec<String>,
    /// What is missing of others.
    missing: Vec<String>,
    has_symbols: bool,
}

/// One file to read.
struct Entry {
    on_disk: PathBuf,
    /// As the answer names it: under the directory as it was given.
    shown: String,
}

/// What became of one file.
enum Outcome<File> {
    /// And what is missing.
    Outlined(File, Option<String>),
    /// It is in no language that is read.
    Unread,
    /// It could not be read.
    Failed(String),
}

/// The symbols of the files of a directory.
///
/// They are written as they are read and not held, so that all of them are listed unless fewer are asked for.
pub(super) fn outline(directory: &str, paging: Paging, flags: &Flags) -> Result<Box<dyn Answer>, Failure> {
    let language = language(flags)?.map(|language| language.name());
    let (mut entries, left_out) = entries(directory, flags);
    let part = paging.part_of(entries.len(), usize::MAX);
    entries.truncate(part.end);
    entries.drain(..part.first);
    let written = RefCell::new(Written { left_out, ..Written::default() });
    let (path, flags) = (directory.to_owned(), flags.clone());
    Ok(Box::new(Directory { path, entries, part, language, flags, written }))
}

impl Answer for Directory {
    fn json(&self) -> String {
        written(|out| self.write_fields(out)) + "}"
    }

    fn text(&self) -> String {
        written(|out| self.write_files(Form::Text, "", out))
    }

    fn markdown(&self) -> String {
        written(|out| self.write_files(Form::Markdown, "", out))
    }

    fn write(&self, form: Form, out: &mut dyn Write) -> io::Result<()> {
        if form == Form::Json {
            self.write_fields(out)?;
            let remarks = self.remarks();
            let notes = (!remarks.is_empty()).then(|| format!(",{}", notes_field(&remarks)));
            return write!(out, "{}}}", notes.unwrap_or_default());
        }
        self.write_files(form, "", out)?;
        // What is missing is known only now.
        let remarks = if form == Form::Markdown { self.remarks() } else { Vec::new() };
        let said: Vec<String> = remarks.iter().map(Remark::markdown).collect();
        out.write_all(said.join("\n").as_bytes())
    }

    fn notes(&self) -> Vec<String> {
        let empty = (!self.written.borrow().has_symbols).then(|| NONE.to_owned());
        self.note().into_iter().chain(self.part.note("files")).chain(empty).collect()
    }
}

impl Directory {
    /// The object in JSON up to the bracket that closes it.
    fn write_fields(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{{\"file_path\":{},\"files\":[", wire::to_json(&self.path))?;
        self.write_files(Form::Json, ",", out)?;
        let note = self.note().map(|note| format!(",\"note\":{}", wire::to_json(&note)));
        let page = Page::of(self.part)
            .map(|Page { total, next }| format!(",\"total\":{total},\"next\":{}", wire::to_json(&next)));
        write!(out, "]{}{}", page.unwrap_or_default(), note.unwrap_or_default())
    }

    fn write_files(&self, form: Form, between: &str, out: &mut dyn Write) -> io::Result<()> {
        let (language, flags) = (self.language, &self.flags);
        let work = |entry: &Entry| {
            let is_asked = |name: &str| language.is_none_or(|language| language == name);
            match outline_file(entry, flags, &is_asked) {
                Outcome::Outlined(file, missing) => {
                    Outcome::Outlined((!file.symbols.is_empty(), file.written(form)), missing)
                }
                Outcome::Unread => Outcome::Unread,
                Outcome::Failed(why) => Outcome::Failed(why),
            }
        };
        let mut is_first = true;
        in_order(&self.entries, work, room, |outcome| {
            match outcome {
                Outcome::Outlined((has_symbols, file), missing) => {
                    self.written.borrow_mut().has_symbols |= has_symbols;
                    self.written.borrow_mut().missing.extend(missing);
                    let before = if is_first { "" } else { between };
                    is_first = false;
                    out.write_all(before.as_bytes()).and_then(|()| out.write_all(file.as_bytes()))?;
                }
                Outcome::Unread => {}
                Outcome::Failed(why) => self.written.borrow_mut().left_out.push(why),
            }
            Ok(())
        })
    }

    fn note(&self) -> Option<String> {
        let Written { left_out, missing, .. } = &*self.written.borrow();
        let left_out = left_out
            .first()
            .map(|first| format!("{} files were left out; the first: {first}", left_out.len()));
        let notes: Vec<String> = left_out.into_iter().chain(missing.first().cloned()).collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }
}

fn written(write: impl Fn(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut whole = Vec::new();
    write(&mut whole).expect("memory can be written to");
    String::from_utf8(whole).expect("all pieces are strings")
}

/// How many bytes an outcome takes, about.
fn room(outcome: &Outcome<(bool, String)>) -> usize {
    let length = match outcome {
        Outcome::Outlined((_, file), _) => file.capacity(),
        Outcome::Unread => 0,
        Outcome::Failed(why) => why.capacity(),
    };
    size_of::<Outcome<(bool, String)>>() + length
}

/// The files of a directory in order, and why others are left out.
fn entries(directory: &str, flags: &Flags) -> (Vec<Entry>, Vec<String>) {
    let top = flags.base().on_disk(directory);
    let mut entries = Vec::new();
    let mut failed = Vec::new();
    let (sender, endless) = mpsc::channel();
    let leave_out = move |directory: &Path| {
        // That nobody wants to know is no failure.
        let _ = sender.send(directory.display().to_string());
    };
    for entry in walker(&top, leave_out).sort_by_file_name(Ord::cmp).build() {
        match entry {
            Ok(entry) if !entry.file_type().is_some_and(|kind| kind.is_file()) => {}
            Ok(entry) => match shown(entry.path(), &top, directory) {
                Some(shown) => entries.push(Entry { on_disk: entry.into_path(), shown }),
                None => failed.push(format!("the name of {} is not UTF-8", entry.path().display())),
            },
            Err(error) => failed.push(error.to_string()),
        }
    }
    let why = |directory| format!("all of {directory}, whose list of what to ignore is a pipe or a device");
    failed.extend(endless.try_iter().map(why));
    (entries, failed)
}

fn outline_file(entry: &Entry, flags: &Flags, is_asked: &dyn Fn(&str) -> bool) -> Outcome<FileOutline> {
    // A name with an extension tells the language; only others may have a `#!` line, for which they are read.
    let has_extension = Path::new(&entry.shown).extension().is_some();
    if has_extension && Reader::for_file(&entry.shown, b"").is_none() {
        return Outcome::Unread;
    }
    let bytes = match read_text(&entry.on_disk) {
        Ok(bytes) => bytes,
        Err(why) => return Outcome::Failed(format!("{}: {why}", entry.shown)),
    };
    let Ok(document) = Document::new(entry.shown.as_str(), bytes) else { return Outcome::Unread };
    match document.reader() {
        Some(reader) if is_asked(reader.name()) => {}
        _ => return Outcome::Unread,
    }
    let all = Wanted { encoding: flags.encoding(), top: None, paging: Paging::ALL };
    match guard(|| Ok(symbols::outline(&document, all))) {
        Ok(Some(listed)) => {
            let missing = listed.note.map(|note| format!("{}: {note}", entry.shown));
            Outcome::Outlined(
                FileOutline {
                    file_path: entry.shown.clone(),
                    encoding: flags.encoding(),
                    symbols: listed.symbols,
                },
                missing,
            )
        }
        Ok(None) => Outcome::Unread,
        Err(failure) => Outcome::Failed(format!("{}: {}", entry.shown, failure.message)),
    }
}

/// The path of a found file under the directory as it was given; `.` itself is not written.
fn shown(found: &Path, top: &Path, directory: &str) -> Option<String> {
    let inside = found.strip_prefix(top).ok()?;
    let shown = if directory == "." { inside.to_path_buf() } else { Path::new(directory).join(inside) };
    shown.to_str().map(str::to_owned)
}
