//! `outline`: the symbols of a file, or of all files of a directory.

mod directory;
mod symbols;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::answer::{Answer, Form};
use crate::failure::{Failure, Kind};
use crate::files::{Files, Source, on_disk};
use crate::flags::{Encoding, Flags};
use crate::show;
use crate::uri;
use crate::wire::{self, Spoken};
use symbols::Symbol;
pub(crate) use symbols::one_line;

/// List the symbols of a file, or of all files of a directory
///
/// A symbol is a named declaration: a type, function, method, field, constant … Each comes with a location
/// that leads to it. In a directory, what .gitignore names is left out.
///
///   locant outline src/models.py
///   locant outline src --language rust
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Outline {
    /// The file or the directory
    #[arg(value_name = "FILE|DIR", required = true)]
    file_path: Option<String>,
    /// The same as `file_path`.
    #[arg(skip)]
    locate: Option<Spoken>,
    /// The text of the file, in place of what is on disk.
    #[arg(skip)]
    text: Option<String>,
}

/// The symbols of a file, or of the files of a directory. The latter are written file by file and never held, so
/// this is only their form.
#[derive(JsonSchema)]
#[serde(untagged)]
pub enum OutlineForm {
    /// Of a file.
    File(OutlineAnswer),
    /// Of a directory.
    Directory {
        /// The directory, as it was given.
        file_path: String,
        /// Its files that have symbols, by path.
        files: Vec<FileOutline>,
        /// What should be known besides.
        note: Option<String>,
    },
}

/// The symbols of a file.
#[derive(Debug, JsonSchema, Serialize)]
pub struct OutlineAnswer {
    #[serde(flatten)]
    file: FileOutline,
    /// What should be known besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// The symbols of one file.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FileOutline {
    /// The file, as it was given.
    file_path: String,
    /// What `character` counts.
    encoding: Encoding,
    /// The symbols at its top.
    symbols: Vec<Symbol>,
}

impl Ask for Outline {
    type Wire = OutlineForm;

    fn run(self, flags: &Flags, files: &Files) -> Result<Box<dyn Answer>, Failure> {
        flags.refuse_unbuilt()?;
        let path = self.path(flags, files)?;
        if self.text.is_none() && on_disk(&path, flags).is_dir() {
            return directory::outline(&path, flags);
        }
        let source = Source { path: &path, text: self.text.map(String::into_bytes) };
        let document = files.open(source, flags)?;
        let note = wire::note(&document).or_else(|| document.outline().and_then(damage).map(str::to_owned));
        match symbols::outline(&document, flags.encoding()) {
            Some(listed) => {
                let (file_path, encoding) = (document.path().to_owned(), flags.encoding());
                let file = FileOutline { file_path, encoding, symbols: listed.symbols };
                let notes: Vec<String> = note.into_iter().chain(listed.note).collect();
                let note = (!notes.is_empty()).then(|| notes.join("; "));
                Ok(Box::new(OutlineAnswer { file, note }))
            }
            None => Err(unread(document.path())),
        }
    }
}

/// What to say of an outline that may not be all there is.
fn damage(outline: &locant_engine::Outline) -> Option<&'static str> {
    match (outline.is_by_line, outline.is_damaged) {
        (true, _) => Some("the file is too much for its parser: only what single lines tell is listed"),
        (false, true) => Some("the file has syntax errors: symbols may be missing or misread"),
        (false, false) => None,
    }
}

impl Outline {
    fn path(&self, flags: &Flags, files: &Files) -> Result<String, Failure> {
        match (&self.file_path, &self.locate) {
            (Some(path), _) => Ok(uri::path(path)),
            (None, Some(Spoken::Words(path))) if on_disk(path, flags).exists() => Ok(path.clone()),
            (None, Some(spoken)) => {
                let location = spoken.clone().location(&|path| files.exists(path, flags))?;
                if location.scope.is_some() || location.find.is_some() {
                    let hint = format!("write {:?}, or use `read` for one symbol", location.path);
                    return Err(Failure::invalid("an outline is of a whole file", hint));
                }
                Ok(location.path)
            }
            (None, None) => Err(Failure::invalid("the request names no file", "give `file_path`")),
        }
    }
}

impl Answer for OutlineAnswer {
    fn json(&self) -> String {
        wire::to_json(self)
    }

    fn text(&self) -> String {
        self.file.text()
    }

    fn headline(&self) -> String {
        self.file.headline()
    }

    fn markdown(&self) -> String {
        self.file.markdown()
    }

    fn notes(&self) -> Vec<String> {
        let empty = self.file.symbols.is_empty().then(|| NONE.to_owned());
        self.note.iter().cloned().chain(empty).collect()
    }
}

/// What is said of an outline without symbols.
const NONE: &str = "there are no symbols";

impl FileOutline {
    fn written(&self, form: Form) -> String {
        match form {
            Form::Json => wire::to_json(self),
            Form::Text => self.text(),
            Form::Markdown => format!("{}\n{}\n", self.headline(), self.markdown()),
        }
    }

    fn text(&self) -> String {
        let (mut lines, path) = (String::new(), show::path(&self.file_path));
        symbols::walk(&self.symbols, &mut |symbol, _| {
            let wire::Position { line, character } = symbol.selection_range.start;
            let (kind, scope) = (symbol.kind, &symbol.scope);
            lines.push_str(&format!("{path}:{line}:{character}: {kind} {scope}\n"));
        });
        lines
    }

    fn headline(&self) -> String {
        format!("{}\n", show::code(&self.file_path))
    }

    fn markdown(&self) -> String {
        let mut lines = String::new();
        symbols::walk(&self.symbols, &mut |symbol, depth| {
            let wire::Position { line, character } = symbol.selection_range.start;
            let (indent, kind, name) = ("  ".repeat(depth), symbol.kind, &symbol.name);
            lines.push_str(&format!("{indent}- {kind} `{name}` at {line}:{character}\n"));
        });
        lines
    }
}

fn unread(path: &str) -> Failure {
    Failure::new(
        Kind::Unsupported,
        format!("`{path}` is in a language whose symbols are not read"),
        "name the language with `--language`, or look for text: `locant locate 'FILE@TEXT'`",
    )
}
