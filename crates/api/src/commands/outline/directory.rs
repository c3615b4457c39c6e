//! The symbols of all files of a directory.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Write};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::ser::{SerializeMap as _, SerializeSeq as _};
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use super::filter::Filter;
use super::symbols::{self, Wanted};
use super::{FileOutline, NONE, Page};
use crate::answer::Form;
use crate::failure::Failure;
use crate::files::language;
use crate::flags::Flags;
use crate::folder::{Entry, Folder, Opened};
use crate::ordered::in_order;
use crate::paging::{Paging, Part};
use crate::phrase::Phrase;
use crate::request::guard;

/// The symbols of the files of a directory, sorted by path. Files are read while the answer is written, so the first
/// symbols come at once and only few files are in memory.
pub struct Directory {
    /// The directory, as in the request.
    path: String,
    /// The files of the requested part.
    entries: Vec<Entry>,
    part: Part,
    /// Only files in this language are listed; `None` for all languages.
    language: Option<&'static str>,
    filter: Filter,
    flags: Flags,
    /// How many entries of the folder could not be listed. Their reasons come first in `left_out`.
    n_left_out: usize,
    written: RefCell<Written>,
}

/// What is known once the answer is written.
#[derive(Default)]
struct Written {
    /// Why files were left out.
    left_out: Vec<String>,
    /// Notes about files that are not listed completely.
    missing: Vec<String>,
    has_symbols: bool,
}

/// The result for one file.
enum Outcome<File> {
    /// The outline, and a note if something is missing from it.
    Outlined(File, Option<String>),
    /// The file is in a language that locant does not read.
    Unread,
    /// The file could not be read.
    Failed(String),
}

/// The symbols of the files of a directory.
///
/// They are written as they are read, and are not kept in memory. So all files are listed unless the request limits
/// them.
pub(super) fn outline(
    directory: &str,
    filter: Filter,
    paging: Paging,
    flags: &Flags,
) -> Result<Directory, Failure> {
    let language = language(flags)?.map(|language| language.name());
    let Folder { mut entries, left_out } = Folder::at(&flags.base().on_disk(directory), directory);
    let part = paging.part_of(entries.len(), usize::MAX);
    entries.truncate(part.end);
    entries.drain(..part.first);
    let n_left_out = left_out.len();
    let written = RefCell::new(Written { left_out, ..Written::default() });
    let (path, flags) = (directory.to_owned(), flags.clone());
    Ok(Directory { path, entries, part, language, filter, flags, n_left_out, written })
}

/// The JSON that is written.
#[derive(JsonSchema)]
#[schemars(rename = "DirectoryOutline")]
#[expect(dead_code, reason = "only its schema is used: the files are never held together")]
struct Whole {
    /// The directory, as in the request.
    file_path: String,
    /// The files that have symbols, sorted by path.
    files: Vec<FileOutline>,
    /// The size of the whole list, if not all of it is given.
    #[serde(flatten)]
    page: Option<Page>,
    /// Notes about the answer.
    note: Option<String>,
}

impl JsonSchema for Directory {
    fn schema_name() -> Cow<'static, str> {
        Whole::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Whole::json_schema(generator)
    }
}

impl Serialize for Directory {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("file_path", &self.path)?;
        map.serialize_entry("files", &Files(self))?;
        if let Some(Page { total, next }) = Page::of(self.part) {
            map.serialize_entry("total", &total)?;
            map.serialize_entry("next", &next)?;
        }
        if let Some(note) = self.note() {
            map.serialize_entry("note", &note)?;
        }
        map.end()
    }
}

/// The files, which are read while they are serialized.
struct Files<'d>(&'d Directory);

impl Serialize for Files<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        let made = |file: &FileOutline| Json(to_raw_value(file).expect("outlines have no failing parts"));
        self.0.each_file(made, Json::len, |Json(file)| list.serialize_element(&file))?;
        list.end()
    }
}

/// The outline of a file, already serialized.
struct Json(Box<RawValue>);

impl Json {
    fn len(&self) -> usize {
        self.0.get().len()
    }
}

impl Directory {
    pub(super) fn notes(&self) -> Vec<Phrase> {
        let empty = (!self.written.borrow().has_symbols).then(|| NONE.into());
        let note = self.note().map(Phrase::from);
        note.into_iter().chain(self.part.note("files")).chain(empty).collect()
    }

    /// How many files are in the requested part.
    pub(super) fn n_files(&self) -> usize {
        self.entries.len()
    }

    /// All files in a form for people or agents.
    pub(super) fn words(&self, form: Form) -> String {
        let mut whole = Vec::new();
        self.write_files(form, &mut whole).expect("memory can be written to");
        String::from_utf8(whole).expect("all pieces are strings")
    }

    /// Writes all files in a form for people or agents.
    pub(super) fn write_files(&self, form: Form, out: &mut dyn Write) -> io::Result<()> {
        let made = |file: &FileOutline| match form {
            Form::Markdown => format!("{}\n{}\n", file.headline(), file.markdown()),
            Form::Json | Form::Text | Form::Line => file.text(),
        };
        self.each_file(made, String::capacity, |file| out.write_all(file.as_bytes()))
    }

    /// Applies `made` to each file on all cores, and passes the results on in the order of the files. `room` returns
    /// how many bytes a result takes.
    fn each_file<Made: Send, Error>(
        &self,
        made: impl Fn(&FileOutline) -> Made + Sync,
        room: impl Fn(&Made) -> usize + Sync,
        mut take: impl FnMut(Made) -> Result<(), Error>,
    ) -> Result<(), Error> {
        // An answer may be written several times, in several forms, so what earlier runs have collected is removed.
        let mut written = self.written.take();
        written.left_out.truncate(self.n_left_out);
        self.written.replace(Written { left_out: written.left_out, ..Written::default() });
        let (language, filter, flags) = (self.language, &self.filter, &self.flags);
        let work = |entry: &Entry| match outline_file(entry, flags, filter, language) {
            Outcome::Outlined(file, missing) => {
                Outcome::Outlined((!file.symbols.is_empty(), made(&file)), missing)
            }
            Outcome::Unread => Outcome::Unread,
            Outcome::Failed(why) => Outcome::Failed(why),
        };
        let outcome_room = |outcome: &Outcome<(bool, Made)>| {
            let length = match outcome {
                Outcome::Outlined((_, file), _) => room(file),
                Outcome::Unread => 0,
                Outcome::Failed(why) => why.capacity(),
            };
            size_of::<Outcome<(bool, Made)>>() + length
        };
        in_order(&self.entries, work, outcome_room, |outcome| {
            match outcome {
                Outcome::Outlined((has_symbols, file), missing) => {
                    self.written.borrow_mut().has_symbols |= has_symbols;
                    self.written.borrow_mut().missing.extend(missing);
                    take(file)?;
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

/// The symbols of a file, if the file is in the requested language.
fn outline_file(
    entry: &Entry,
    flags: &Flags,
    filter: &Filter,
    language: Option<&str>,
) -> Outcome<FileOutline> {
    let document = match entry.open(language) {
        Opened::Document(document) => document,
        Opened::Unread => return Outcome::Unread,
        Opened::Failed(why) => return Outcome::Failed(why),
    };
    let all = Wanted { encoding: flags.encoding(), filter, top: None, paging: Paging::ALL };
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
