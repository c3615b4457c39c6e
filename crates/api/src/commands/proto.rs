//! `proto`: the table of locations of a .proto file, and lookups in it.

mod answer;
pub(super) mod imports;

use clap::Args;
use locant_engine::proto::{Interpretation, Lookup, Pool, TableKind, descriptor_set};
use locant_engine::{Document, Offset, Reader};
use schemars::JsonSchema;
use serde::Deserialize;

use super::Ask;
use crate::coordinates;
use crate::failure::{Failure, Kind};
use crate::files::{Files, Source};
use crate::flags::Flags;
use crate::phrase::{call, phrase, setting};
use crate::request::Context;
use crate::uri;
use crate::wire::{self, Spoken};
pub use answer::ProtoAnswer;

use answer::Rows;
use imports::Imports;

/// Show the locations of a .proto file, as protoc records them
///
/// Each location is a path through the file's descriptor and the span of text it stands for, in the order of
/// protoc's table: the same lines, columns and comments. A broken file has a table of what is whole in it.
///
///   locant proto a.proto
///   locant proto a.proto --path '[4,0,2,0,1]'
///   locant proto a.proto --path 'message_type[0].field[0].name'
///   locant proto a.proto --path Foo.foo
///   locant proto a.proto --at 3:12
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Proto {
    /// The file
    #[arg(value_name = "FILE", required = true)]
    file_path: Option<String>,
    /// The same as `file_path`.
    #[arg(skip)]
    locate: Option<Spoken>,
    /// The text of the file, in place of what is on disk.
    #[arg(skip)]
    text: Option<String>,
    /// Only the locations with this path: by number, by name, or that of a symbol
    #[arg(long, value_name = "PATH", conflicts_with = "at")]
    path: Option<String>,
    /// Only the locations that cover this place, the most specific first
    #[arg(long, value_name = "LINE:COL")]
    at: Option<String>,
    /// A place by line and character, in place of `at`.
    #[arg(skip)]
    position: Option<wire::Position>,
    /// Which table: as it is parsed, with all options, or with those that are kept at run time
    #[arg(long, value_name = "TABLE")]
    table: Option<Table>,
    /// Where imported files are; the default is the root
    #[arg(long, value_name = "DIR")]
    #[serde(default)]
    proto_path: Vec<String>,
    /// Write the file's descriptor, with its locations, as a FileDescriptorSet
    #[arg(long, value_name = "FILE")]
    descriptor_set_out: Option<String>,
}

/// Which of the location tables to show.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
enum Table {
    /// Options are not interpreted.
    Raw,
    /// With all options: `protoc --retain_options`.
    Retained,
    /// As protoc writes it.
    #[default]
    Default,
}

impl From<Table> for TableKind {
    fn from(table: Table) -> TableKind {
        match table {
            Table::Raw => TableKind::Raw,
            Table::Retained => TableKind::Retained,
            Table::Default => TableKind::Default,
        }
    }
}

impl Ask for Proto {
    type Answer = ProtoAnswer;

    fn run(mut self, flags: &Flags, context: Context<'_>) -> Result<ProtoAnswer, Failure> {
        let files = context.files;
        flags.refuse_unbuilt()?;
        let path = self.file(flags, files)?;
        let source = Source { path: &path, text: self.text.take().map(String::into_bytes) };
        let document = files.open(source, flags)?;
        if !matches!(document.reader(), Some(Reader::Proto)) {
            let language = setting("language", "proto");
            let hint = phrase!["if it holds protocol buffers all the same, add `", language, "`"];
            return Err(Failure::new(Kind::Unsupported, format!("`{path}` is not a .proto file"), hint));
        }
        let imports = Imports::new(&path, &self.proto_path, flags);
        let file = document.proto().cloned().unwrap_or_default();
        let pool = Pool::of(&imports.name(&path), document.text().bytes(), file, &imports);
        let interpretation = Interpretation::new(&pool);
        let kind = self.table.unwrap_or_default().into();
        if let Some(out) = &self.descriptor_set_out {
            let set = descriptor_set(&pool, &interpretation, kind);
            imports::write(out, &set, flags)?;
        }
        let lookup = Lookup::new(&pool, &interpretation);
        let rows = match (&self.path, self.offset(&document, flags)?) {
            (Some(words), _) => by_path(&lookup, words, kind, &path)?,
            (None, Some(offset)) => {
                at(&lookup, offset, kind, wire::position(&document, offset, flags.encoding()), &path)?
            }
            (None, None) => lookup.rows(kind),
        };
        let covers_only_file = rows.iter().all(|row| row.path.is_empty());
        let note = self.offset(&document, flags)?.filter(|_| self.path.is_none()).and_then(|offset| {
            let why = || lookup.why_nothing_at(offset).filter(|_| covers_only_file);
            lookup.comment_at(offset, kind).or_else(|| why().map(|why| why.message().to_owned()))
        });
        let is_lookup = self.path.is_some() || self.at.is_some() || self.position.is_some();
        let rows = rows.into_iter().map(|row| (row.path, row.location.id())).collect();
        let encoding = flags.encoding();
        let rows = Rows { document: &document, pool, interpretation, rows, is_lookup, encoding, note };
        Ok(rows.answer(context.form))
    }
}

impl Proto {
    fn file(&self, flags: &Flags, files: &Files) -> Result<String, Failure> {
        match (&self.file_path, &self.locate) {
            (Some(path), _) => Ok(uri::path(path)),
            (None, Some(Spoken::Words(path))) if files.exists(path, flags) => Ok(path.clone()),
            (None, Some(spoken)) => Ok(spoken.clone().location(&|path| files.exists(path, flags))?.path),
            (None, None) => Err(Failure::invalid("the request names no file", "give `file_path`")),
        }
    }

    /// The offset of the place that `at` or `position` names.
    fn offset(&self, document: &Document, flags: &Flags) -> Result<Option<Offset>, Failure> {
        let position = match (&self.at, self.position) {
            (Some(at), _) => Some(wire::Position::of_argument(at)?),
            (None, position) => position,
        };
        let Some(position) = position else { return Ok(None) };
        coordinates::offset(document, position, flags.encoding()).map(Some)
    }
}

/// How many possible names a failure lists.
const MOST_NAMED: usize = 10;

fn by_path<'p>(
    lookup: &Lookup<'p>,
    words: &str,
    kind: TableKind,
    path: &str,
) -> Result<Vec<locant_engine::proto::Row<'p>>, Failure> {
    let Some(numbers) = lookup.path(words) else {
        let symbols = lookup.symbols_ending_with(words);
        if !symbols.is_empty() {
            let named = symbols.iter().take(MOST_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
            let more = match symbols.len().saturating_sub(MOST_NAMED) {
                0 => String::new(),
                n_more => format!(" and {n_more} more"),
            };
            let message = format!("`{words}` is the end of several names in {path}: {named}{more}");
            return Err(Failure::new(Kind::Ambiguous, message, "write more of the name"));
        }
        return Err(no_path(words, path));
    };
    let rows = lookup.by_path(&numbers, kind);
    if rows.is_empty() {
        let why = lookup.why_not(&numbers).message();
        let message = format!("`{words}` has no location in {path}: {why}");
        let hint = phrase!["`", call("proto").with("file_path", "FILE"), "` lists all paths"];
        return Err(Failure::new(Kind::NotFound, message, hint));
    }
    Ok(rows)
}

/// The failure for a path that leads nowhere. It distinguishes a badly written path from names that the file does not
/// have.
fn no_path(words: &str, path: &str) -> Failure {
    let hint = "write numbers ([4,0,2,0,1]), names (message_type[0].field[0].name) or a symbol (Foo.foo)";
    if is_path(words) {
        Failure::new(Kind::NotFound, format!("`{words}` is not a path in {path}"), hint)
    } else {
        Failure::invalid(format!("`{words}` cannot be read as a path"), hint)
    }
}

/// Whether the words may be names with indices in brackets. A list of numbers is always a path, so it is not tested
/// here.
fn is_path(words: &str) -> bool {
    let is_name = |name: &str| {
        let name =
            name.strip_suffix(']').and_then(|name| name.split_once('[')).map_or(name, |(name, _)| name);
        !name.is_empty()
            && !name.contains(['[', ']', ',', ' '])
            && !name.starts_with(|c: char| c.is_ascii_digit())
    };
    words.trim_start_matches('.').split('.').all(is_name)
}

fn at<'p>(
    lookup: &Lookup<'p>,
    offset: Offset,
    kind: TableKind,
    position: wire::Position,
    path: &str,
) -> Result<Vec<locant_engine::proto::Row<'p>>, Failure> {
    let rows = lookup.at(offset, kind);
    if rows.is_empty() {
        let why = || lookup.why_nothing_at(offset).map_or("", |why| why.message()).to_owned();
        let why = lookup.comment_at(offset, kind).unwrap_or_else(why);
        let message = format!("nothing covers {}:{} in {path}: {why}", position.line, position.character);
        return Err(Failure::new(Kind::NotFound, message, "name a place in a declaration"));
    }
    Ok(rows)
}
