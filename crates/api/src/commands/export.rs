//! `export`: the symbols of a directory for other programs.

mod ctags;
mod docs;
mod language;
mod meanings;
mod protobuf;
mod scip;
mod symbol;
mod tree;

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Write};

use clap::Args;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize, Serializer};

use super::Ask;
use crate::answer::{Answer, Form, Ink, words};
use crate::base64::Base64;
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::files::no_such_file;
use crate::flags::Flags;
use crate::phrase::{Phrase, Voice, call, phrase, setting};
use crate::request::Context;
use crate::show;
use crate::uri;
use tree::{Tally, Tree};

/// Write the symbols of a directory for other programs
///
/// `--ctags` writes a tags file as universal-ctags does: sorted by name, with line numbers. `--scip` writes an index in
/// the SCIP protocol of code search engines: all definitions, and for .proto and .rho files the references. Paths are
/// relative to the directory, and what .gitignore names is left out. With `--json` and in a batch, the tags come as
/// `tags` and the index as `index`, in base64.
///
///   locant export . --ctags > tags
///   locant export . --scip > index.scip
///   locant export src --scip --language rust --encoding utf-8 > index.scip
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Export {
    /// The directory
    #[arg(value_name = "DIR", required = true)]
    file_path: Option<String>,
    /// As an index in the SCIP protocol
    #[arg(long, conflicts_with = "ctags")]
    #[serde(default)]
    scip: bool,
    /// As a tags file
    #[arg(long)]
    #[serde(default)]
    ctags: bool,
}

/// The symbols of a directory for other programs.
pub enum ExportAnswer {
    /// All symbols, in memory.
    Whole(Whole),
    /// An index that is made while it is written, because it may be larger than the memory.
    Streamed(Streamed),
}

/// The symbols of a directory in the format of another program.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Export")]
pub struct Whole {
    /// The directory, as in the request.
    file_path: String,
    /// How many files have symbols.
    files: usize,
    /// How many symbols there are.
    symbols: usize,
    /// The tags file.
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<String>,
    /// The SCIP index, in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    index: Option<Base64>,
    #[serde(skip)]
    notes: Vec<String>,
}

/// An index that is made while it is written.
pub struct Streamed {
    file_path: String,
    tree: Tree,
    encoding: Encoding,
    /// The counts and notes, which are known once the index is written.
    tally: RefCell<Tally>,
}

impl Ask for Export {
    type Answer = ExportAnswer;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<ExportAnswer, Failure> {
        flags.refuse_unbuilt()?;
        let is_scip = self.is_scip()?;
        let file_path = self.directory(flags)?;
        let tree = Tree::at(&file_path, flags)?;
        if is_scip {
            let streamed =
                Streamed { file_path, tree, encoding: flags.encoding(), tally: RefCell::default() };
            return Ok(match context.form {
                Form::Text => ExportAnswer::Streamed(streamed),
                Form::Json | Form::Line | Form::Markdown => ExportAnswer::Whole(streamed.whole()),
            });
        }
        let (tags, tally) = ctags::tags(&tree);
        Ok(ExportAnswer::Whole(Whole { tags: Some(tags), ..Whole::new(file_path, &tally) }))
    }
}

impl Export {
    fn is_scip(&self) -> Result<bool, Failure> {
        let wrong = match (self.scip, self.ctags) {
            (true, false) => return Ok(true),
            (false, true) => return Ok(false),
            (true, true) => "symbols are exported in one form at a time",
            (false, false) => "there are two forms to export symbols in, and none is named",
        };
        let hint = phrase!["give `", setting("scip", ""), "` or `", setting("ctags", ""), "`"];
        Err(Failure::invalid(wrong, hint))
    }

    fn directory(&self, flags: &Flags) -> Result<String, Failure> {
        let Some(given) = &self.file_path else {
            return Err(Failure::invalid("the request names no directory", "give `file_path`"));
        };
        let path = uri::path(given);
        let on_disk = flags.base().on_disk(&path);
        if on_disk.is_dir() {
            return Ok(path);
        }
        if !on_disk.exists() {
            let missing = no_such_file(&path, flags);
            return Err(Failure { message: format!("there is no directory `{path}`"), ..missing });
        }
        let outline = call("outline").with("file_path", &path);
        Err(Failure::invalid(
            format!("`{path}` is not a directory"),
            phrase!["name the directory that it is in; `", outline, "` lists the symbols of one file"],
        ))
    }
}

impl Streamed {
    /// Makes the whole index in memory.
    fn whole(&self) -> Whole {
        let mut bytes = Vec::new();
        let tally = scip::write(&self.tree, self.encoding, &mut bytes).expect("memory can be written to");
        Whole { index: Some(Base64(bytes)), ..Whole::new(self.file_path.clone(), &tally) }
    }
}

impl Whole {
    fn new(file_path: String, tally: &Tally) -> Whole {
        let (files, symbols) = (tally.n_files, tally.n_symbols);
        Whole { file_path, files, symbols, tags: None, index: None, notes: tally.notes() }
    }

    /// The text that people read instead of the binary index.
    fn summary(&self) -> String {
        let plural = |n: usize| if n == 1 { "" } else { "s" };
        let (path, files, symbols) = (show::code(&self.file_path), self.files, self.symbols);
        format!("{path}: {symbols} symbol{} in {files} file{}\n", plural(symbols), plural(files))
    }
}

impl Serialize for ExportAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            ExportAnswer::Whole(whole) => whole.serialize(serializer),
            ExportAnswer::Streamed(streamed) => streamed.whole().serialize(serializer),
        }
    }
}

impl JsonSchema for ExportAnswer {
    fn schema_name() -> Cow<'static, str> {
        Whole::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Whole::json_schema(generator)
    }
}

impl Answer for ExportAnswer {
    fn text(&self, _: &dyn Voice) -> String {
        match self {
            ExportAnswer::Whole(Whole { tags: Some(tags), .. }) => tags.clone(),
            ExportAnswer::Whole(whole) => whole.summary(),
            ExportAnswer::Streamed(streamed) => streamed.whole().summary(),
        }
    }

    fn markdown(&self, voice: &dyn Voice) -> String {
        match self {
            ExportAnswer::Whole(Whole { tags: Some(tags), .. }) => show::fenced("", tags),
            _ => self.text(voice),
        }
    }

    fn notes(&self) -> Vec<Phrase> {
        let notes = match self {
            ExportAnswer::Whole(whole) => whole.notes.clone(),
            ExportAnswer::Streamed(streamed) => streamed.tally.borrow().notes(),
        };
        notes.into_iter().map(Phrase::from).collect()
    }

    fn ink(&self) -> Ink {
        match self {
            ExportAnswer::Whole(Whole { tags: Some(_), .. }) => Ink::Plain,
            ExportAnswer::Whole(_) => Ink::Styled,
            ExportAnswer::Streamed(_) => Ink::Bytes,
        }
    }

    fn write_words(&self, form: Form, voice: &dyn Voice, out: &mut dyn Write) -> io::Result<()> {
        match self {
            ExportAnswer::Streamed(Streamed { tree, encoding, tally, .. }) if form == Form::Text => {
                *tally.borrow_mut() = scip::write(tree, *encoding, out)?;
                Ok(())
            }
            _ => out.write_all(words(self, form, voice).as_bytes()),
        }
    }
}
