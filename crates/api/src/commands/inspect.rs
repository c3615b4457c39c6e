//! `inspect`: a page that shows the places of a file.

mod facts;
mod nodes;
mod page;
mod places;
mod table;

use clap::Args;
use locant_engine::Document;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use super::proto::imports;
use crate::answer::{Answer, Ink};
use crate::failure::{Failure, Kind};
use crate::files::{Files, Source};
use crate::flags::Flags;
use crate::phrase::{Phrase, Voice, call, phrase, setting};
use crate::request::Context;
use crate::show;
use crate::uri;
use crate::wire::{self, Spoken};

/// Write a page that shows the places of a file
///
/// The page is a single HTML file for a browser. It loads nothing and sends nothing. Beside the source it shows the
/// symbols, the syntax tree and, of a .proto file, the location table. A place that is pointed at, or a location that
/// is typed, shows its coordinates in three encodings, what is around it, and the locations that lead there.
/// `--compare` shows the positions of another program beside those of the parser.
///
///   locant inspect src/models.py -o models.html
///   locant inspect shop.proto > shop.html
///   locant inspect a.rho --compare nodes.json -o a.html
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Inspect {
    /// The file
    #[arg(value_name = "FILE", required = true)]
    file_path: Option<String>,
    /// The same as `file_path`.
    #[arg(skip)]
    locate: Option<Spoken>,
    /// The text of the file, in place of what is on disk.
    #[arg(skip)]
    text: Option<String>,
    /// Where to write the page; the default is standard output
    #[arg(short, long, value_name = "OUT")]
    out: Option<String>,
    /// A file with the nodes of another program, to compare them with the parser's: a JSON list of
    /// `["kind", start byte, end byte]`, parents first, as `tree --nodes --json` has it
    #[arg(long, value_name = "NODES")]
    compare: Option<String>,
    /// Where files are that a .proto file imports; the default is the root
    #[arg(long, value_name = "DIR")]
    #[serde(default)]
    proto_path: Vec<String>,
}

/// The page of a file.
#[derive(Debug, JsonSchema, Serialize)]
pub struct InspectAnswer {
    /// The path of the file, as in the request.
    file_path: String,
    /// Where the page was written; absent if the answer has the page itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<String>,
    /// How many bytes the page has.
    bytes: usize,
    /// The page.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
    /// Notes about the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// A larger file is not shown, because no browser could hold its page.
const LARGEST: usize = 16 << 20;

impl Ask for Inspect {
    type Answer = InspectAnswer;

    fn run(mut self, flags: &Flags, context: Context<'_>) -> Result<InspectAnswer, Failure> {
        flags.refuse_unbuilt()?;
        let path = self.file(flags, context.files)?;
        if self.text.is_none() {
            flags.admit(&path)?;
        }
        let source = Source { path: &path, text: self.text.take().map(String::into_bytes) };
        let document = context.files.open(source, flags)?;
        let size = document.text().bytes().len();
        if size > LARGEST {
            return Err(too_large(&document, size));
        }
        if self.compare.is_some() && document.tree_as_it_stands().is_none() {
            return Err(no_nodes(&document));
        }
        let compared = self.compare.as_deref().map(|path| nodes::given(path, flags)).transpose()?;
        let facts = facts::Facts::of(&document, compared, &self.proto_path, flags);
        let page = page::of(&document, &facts);
        if let Some(out) = &self.out {
            flags.admit(out)?;
            imports::write(out, page.as_bytes(), flags)?;
        }
        Ok(InspectAnswer {
            file_path: document.path().to_owned(),
            bytes: page.len(),
            page: self.out.is_none().then_some(page),
            out: self.out,
            note: wire::note(&document),
        })
    }
}

impl Inspect {
    fn file(&self, flags: &Flags, files: &Files) -> Result<String, Failure> {
        match (&self.file_path, &self.locate) {
            (Some(path), _) => Ok(uri::path(path)),
            (None, Some(Spoken::Words(path))) if files.exists(path, flags) => Ok(path.clone()),
            (None, Some(spoken)) => Ok(spoken.clone().location(&|path| files.exists(path, flags))?.path),
            (None, None) => Err(Failure::invalid("the request names no file", "give `file_path`")),
        }
    }
}

fn no_nodes(document: &Document) -> Failure {
    let message = format!("`{}` has no syntax tree here, so there are no nodes to compare", document.path());
    let language = setting("language", "NAME");
    Failure::new(Kind::Unsupported, message, phrase!["name the language with `", language, "`"])
}

fn too_large(document: &Document, size: usize) -> Failure {
    let path = document.path();
    let message = format!("`{path}` has {} MB, and a page holds at most {} MB", size >> 20, LARGEST >> 20);
    let locate = call("locate").with("locate", "FILE@TEXT");
    Failure::new(Kind::Unsupported, message, phrase!["ask for single places: `", locate, "`"])
}

impl Answer for InspectAnswer {
    fn text(&self, _: &dyn Voice) -> String {
        match (&self.page, &self.out) {
            (Some(page), _) => page.clone(),
            (None, Some(out)) => {
                format!("{}: the places of {}\n", show::path(out), show::path(&self.file_path))
            }
            (None, None) => String::new(),
        }
    }

    fn line(&self, _: &dyn Voice) -> String {
        self.summary()
    }

    fn markdown(&self, _: &dyn Voice) -> String {
        self.summary() + "\n"
    }

    fn notes(&self) -> Vec<Phrase> {
        self.note.clone().map(Phrase::from).into_iter().collect()
    }

    fn ink(&self) -> Ink {
        if self.page.is_some() { Ink::Plain } else { Ink::Styled }
    }
}

impl InspectAnswer {
    /// What people and agents read instead of the page.
    fn summary(&self) -> String {
        let page = self.out.as_deref().map_or_else(|| "a page".to_owned(), show::code);
        format!("{page} of {} bytes shows the places of {}", self.bytes, show::code(&self.file_path))
    }
}
