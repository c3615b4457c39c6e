//! `outline`: the symbols of a file, or of all files of a directory.

mod directory;
mod filter;
mod map;
mod symbols;

use std::io::{self, Write};
use std::sync::{Arc, OnceLock};

use clap::Args;
use locant_engine::{Document, Location, Scope};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::answer::{Answer, Form};
use crate::anywhere;
use crate::encoding::Encoding;
use crate::failure::{Failure, Kind, left_out};
use crate::files::{Files, Source};
use crate::flags::Flags;
use crate::how::How;
use crate::how_found::HowFound;
use crate::paging::{Paging, Part};
use crate::phrase::{Phrase, Voice, call, phrase, setting};
use crate::place::{Located, Memory, Place};
use crate::remark::Remark;
use crate::request::Context;
use crate::show;
use crate::uri;
use crate::wire::{self, Spoken};
use directory::Directory;
use filter::Filter;
pub(crate) use filter::kinds;
use map::Map;
pub(crate) use symbols::one_line;
use symbols::{Listed, Symbol, Wanted};

/// List the symbols of a file, or of all files of a directory
///
/// A symbol is a named declaration: a type, function, method, field, constant … Each comes with line and column of
/// its name, and its signature. After the file a symbol may be named: then it and its members are listed. In a
/// directory, what .gitignore names is left out, and `--limit` and `--next` count files. Of a single file 50000 symbols
/// are listed unless another number is asked for.
///
///   locant outline src/models.py
///   locant outline src/models.py:User --depth 2 --public
///   locant outline src --language rust
///   locant outline . --budget 4000
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Outline {
    /// The file or the directory, or a symbol of a file
    #[arg(value_name = "FILE[:SYMBOL]|DIR", required = true)]
    file_path: Option<String>,
    /// The same as `file_path`.
    #[arg(skip)]
    locate: Option<Spoken>,
    /// The text of the file, in place of what is on disk.
    #[arg(skip)]
    text: Option<String>,
    /// Make a map of a directory in about this many characters: the symbols that the most files mention
    #[arg(long, value_name = "CHARACTERS")]
    budget: Option<usize>,
    #[command(flatten)]
    #[serde(flatten)]
    filter: Filter,
    #[command(flatten)]
    #[serde(flatten)]
    paging: Paging,
}

/// The symbols of a file, or of the files of a directory.
#[derive(JsonSchema, Serialize)]
#[serde(untagged)]
pub enum OutlineAnswer {
    /// Of a file.
    File(HowFound<FileAnswer>),
    /// Of a directory.
    Directory(Directory),
    /// A map of a directory.
    Map(Map),
}

/// The symbols of a file.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FileAnswer {
    #[serde(flatten)]
    file: FileOutline,
    #[serde(flatten)]
    page: Option<Page>,
    /// Notes about the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// Which part of all symbols is listed.
    #[serde(skip)]
    part: Part,
}

/// The size of the whole list, if not all of it is given.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Page {
    /// How many symbols the file has, or how many files the directory has.
    total: usize,
    /// Where the next ones start; null when these are the last.
    next: Option<usize>,
}

impl Page {
    fn of(part: Part) -> Option<Page> {
        (!part.is_whole()).then(|| Page { total: part.total, next: part.next() })
    }
}

/// The symbols of one file.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FileOutline {
    /// The path of the file, as in the request.
    file_path: String,
    /// The unit in which `character` counts.
    encoding: Encoding,
    /// The symbols at the top level.
    symbols: Vec<Symbol>,
}

impl Ask for Outline {
    type Answer = OutlineAnswer;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<OutlineAnswer, Failure> {
        flags.refuse_unbuilt()?;
        let paging = self.paging.checked()?;
        let filter = self.filter.clone().checked()?;
        let location = self.location(flags, context.files)?;
        let location = self.in_some_file(location, flags, context.files)?;
        let path = &location.path;
        if self.text.is_none() {
            flags.admit(path)?;
        }
        if self.text.is_none() && location.scope.is_none() && flags.base().on_disk(path).is_dir() {
            return match self.budget {
                Some(budget) => map::map(path, budget, flags, context.files).map(OutlineAnswer::Map),
                None => directory::outline(path, filter, paging, flags).map(OutlineAnswer::Directory),
            };
        }
        let source = Source { path, text: self.text.map(String::into_bytes) };
        let document = context.files.open(source, flags)?;
        if document.outline().is_none() {
            return Err(unread(document.path()));
        }
        let wanted = Wanted { encoding: flags.encoding(), filter: &filter, top: None, paging };
        Ok(OutlineAnswer::File(match location.scope {
            None => HowFound::of_file(answer(&document, Wanted { top: None, ..wanted })),
            Some(_) => {
                let Located { found, how } = part(&document, &location, flags)?;
                HowFound::new(answer(&document, Wanted { top: Some(found.offset), ..wanted }), how)
            }
        }))
    }
}

/// The symbols of a document, or only the one whose name starts at `top`, with its members.
fn answer(document: &Document, wanted: Wanted<'_>) -> FileAnswer {
    let (file_path, encoding, top) = (document.path().to_owned(), wanted.encoding, wanted.top);
    let listed = symbols::outline(document, wanted);
    let Listed { symbols, part, note } = listed.expect("the document has an outline");
    // For a single symbol, the remarks on how it was found already report damage.
    let damage = document.outline().filter(|_| top.is_none()).and_then(damage).map(str::to_owned);
    let notes = wire::note(document).into_iter().chain(note).chain(damage).collect();
    let file = FileOutline { file_path, encoding, symbols };
    FileAnswer { file, page: Page::of(part), note: joined(notes), part }
}

fn joined(notes: Vec<String>) -> Option<String> {
    (!notes.is_empty()).then(|| notes.join("; "))
}

/// Finds the symbol that the location names behind the path of the file, as in `models.py:User`.
fn part(document: &Arc<Document>, location: &Location, flags: &Flags) -> Result<Located, Failure> {
    let place = Place {
        document: Arc::clone(document),
        searched: Arc::clone(document),
        location: Location { path: document.path().to_owned(), ..location.clone() },
        is_chosen: flags.find_index.is_some(),
        memory: Memory::Nothing,
        note: None,
        again: OnceLock::new(),
        elsewhere: Vec::new(),
    };
    place.located(flags)
}

/// The note for an outline that may be incomplete.
fn damage(outline: &locant_engine::Outline) -> Option<&'static str> {
    match (outline.is_by_line, outline.is_damaged) {
        (true, _) => Some("the file is too much for its parser: only what single lines tell is listed"),
        (false, true) => Some("the file has syntax errors: symbols may be missing or misread"),
        (false, false) => None,
    }
}

impl Outline {
    /// The location in the file that is meant, if the given path does not exist.
    fn in_some_file(&self, location: Location, flags: &Flags, files: &Files) -> Result<Location, Failure> {
        let is_named = || !location.path.is_empty() && flags.base().on_disk(&location.path).exists();
        if self.text.is_some() || is_named() {
            return Ok(location);
        }
        Ok(match anywhere::found(None, &location, None, flags, files)? {
            Some((found, _)) => found,
            None => location,
        })
    }

    /// The file or directory, and the symbol if one is named.
    fn location(&self, flags: &Flags, files: &Files) -> Result<Location, Failure> {
        let is_there = |path: &str| {
            let is_given = self.text.is_some() && !path.contains([':', '@']);
            is_given || flags.base().on_disk(path).exists()
        };
        let of_path = |path: String| Location { path, ..Location::default() };
        let spoken = match (&self.file_path, &self.locate) {
            (Some(path), _) if is_there(&uri::path(path)) => return Ok(of_path(uri::path(path))),
            (Some(path), _) => Spoken::Words(path.clone()),
            (None, Some(Spoken::Words(path))) if is_there(path) => return Ok(of_path(path.clone())),
            (None, Some(spoken)) => spoken.clone(),
            (None, None) => return Err(Failure::invalid("the request names no file", "give `file_path`")),
        };
        let location = spoken.location(&|path| files.exists(path, flags))?;
        match (&location.scope, &location.find) {
            (None | Some(Scope::Symbol(_)), None) => {
                let find_index = flags.find_index.map_or(0, |index| index as usize);
                Ok(Location { find_index, ..location })
            }
            _ => {
                let read = call("read").with("locate", "LOCATION").with("around", "");
                let or = format!("write {:?}, or show what is around a place: `", location.path);
                let hint = phrase![or, read, "`"];
                Err(Failure::invalid("an outline is of a file or of a symbol in it", hint))
            }
        }
    }
}

impl Answer for OutlineAnswer {
    fn text(&self, voice: &dyn Voice) -> String {
        match self {
            OutlineAnswer::File(file) => file.text(voice),
            OutlineAnswer::Directory(directory) => directory.words(Form::Text),
            OutlineAnswer::Map(map) => map.text(voice),
        }
    }

    fn headline(&self) -> String {
        match self {
            OutlineAnswer::File(file) => file.headline(),
            OutlineAnswer::Directory(_) | OutlineAnswer::Map(_) => String::new(),
        }
    }

    fn markdown(&self, voice: &dyn Voice) -> String {
        match self {
            OutlineAnswer::File(file) => file.markdown(voice),
            OutlineAnswer::Directory(directory) => directory.words(Form::Markdown),
            OutlineAnswer::Map(map) => map.markdown(voice),
        }
    }

    fn n_listed(&self) -> Option<usize> {
        match self {
            OutlineAnswer::File(file) => file.n_listed(),
            OutlineAnswer::Directory(directory) => Some(directory.n_files()),
            OutlineAnswer::Map(_) => None,
        }
    }

    fn how(&self) -> Option<&How> {
        match self {
            OutlineAnswer::File(file) => file.how(),
            OutlineAnswer::Directory(_) | OutlineAnswer::Map(_) => None,
        }
    }

    fn notes(&self) -> Vec<Phrase> {
        match self {
            OutlineAnswer::File(file) => file.notes(),
            OutlineAnswer::Directory(directory) => directory.notes(),
            OutlineAnswer::Map(map) => map.notes(),
        }
    }

    fn write_words(&self, form: Form, voice: &dyn Voice, out: &mut dyn Write) -> io::Result<()> {
        let directory = match self {
            OutlineAnswer::File(file) => return file.write_words(form, voice, out),
            OutlineAnswer::Map(map) => return map.write_words(form, voice, out),
            OutlineAnswer::Directory(directory) => directory,
        };
        directory.write_files(form, out)?;
        // Remarks say what is missing, which is known only now that all files were read.
        let remarks = if form == Form::Markdown { self.remarks() } else { Vec::new() };
        let said: Vec<String> = remarks.iter().map(|remark: &Remark| remark.markdown(voice)).collect();
        out.write_all(said.join("\n").as_bytes())
    }
}

impl Answer for FileAnswer {
    fn text(&self, _: &dyn Voice) -> String {
        self.file.text()
    }

    fn headline(&self) -> String {
        self.file.headline()
    }

    fn markdown(&self, _: &dyn Voice) -> String {
        self.file.markdown()
    }

    fn n_listed(&self) -> Option<usize> {
        Some(self.part.end - self.part.first)
    }

    fn notes(&self) -> Vec<Phrase> {
        let empty = (self.part.total == 0).then(|| NONE.into());
        let note = self.note.clone().map(Phrase::from);
        note.into_iter().chain(self.part.note("symbols")).chain(empty).collect()
    }
}

/// The message when there are no symbols.
pub(crate) const NONE: &str = "there are no symbols";

impl FileOutline {
    /// The file on the first line, in the form that editors jump to. Below it the symbols, each with line and column.
    fn text(&self) -> String {
        let mut width = 0;
        symbols::walk(&self.symbols, &mut |symbol, _| width = width.max(symbol.coordinate().len()));
        let mut lines = String::new();
        if !self.symbols.is_empty() {
            lines.push_str(&format!("{}:1:1\n", show::path(&self.file_path)));
        }
        symbols::walk(&self.symbols, &mut |symbol, depth| {
            let (coordinate, indent) = (symbol.coordinate(), "  ".repeat(depth));
            let kind = show::dim(symbol.kind);
            let name = show::bold(&show::visible(&symbol.title(depth)));
            let signature = symbol.signature().map(|signature| format!("  {}", show::visible(&signature)));
            let signature = signature.unwrap_or_default();
            lines.push_str(&format!("  {coordinate:>width$}  {indent}{kind} {name}{signature}\n"));
        });
        lines
    }

    fn headline(&self) -> String {
        format!("{}\n", show::code(&self.file_path))
    }

    fn markdown(&self) -> String {
        let mut lines = String::new();
        symbols::walk(&self.symbols, &mut |symbol, depth| {
            let (indent, kind, coordinate) = ("  ".repeat(depth), symbol.kind, symbol.coordinate());
            let name = show::code(&symbol.title(depth));
            let signature = symbol.signature().map(|signature| format!(": {}", show::code(&signature)));
            let signature = signature.unwrap_or_default();
            lines.push_str(&format!("{indent}- {kind} {name} at {coordinate}{signature}\n"));
        });
        lines
    }
}

fn unread(path: &str) -> Failure {
    let unknown = || {
        Failure::new(
            Kind::Unsupported,
            format!("`{path}` is in a language whose symbols are not read"),
            phrase![
                "name the language with `",
                setting("language", "NAME"),
                "`, or look for text: `",
                call("locate").with("locate", "FILE@TEXT"),
                "`",
            ],
        )
    };
    left_out(path).unwrap_or_else(unknown)
}
