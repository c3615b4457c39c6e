//! Edits at locations: what each of them changes, and all of them together.
//!
//! All edits of a request name their places in the files as they are before any of them is made.

mod emptied;
pub(crate) mod new_file;
mod target;
mod uses;

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, LazyLock};

use clap::Args;
use locant_engine::names::Replacement;
use locant_engine::{self as engine, Change, Document, Rewrite, Stretch, SymbolId, Unchangeable};
use locant_workspace::{Project, written};
use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::failure::{Failure, Kind};
use crate::files::Files;
use crate::flags::Flags;
use crate::given::GivenText;
use crate::how::How;
use crate::phrase::{Phrase, phrase, setting};
use crate::preview::{ChangedFile, Whole, refuse_outside};
use crate::request::{Context, read_fields};
use crate::subject::Subject;
use crate::{show, wire};
pub(crate) use target::Target;
pub(crate) use uses::{Uses, Using};

/// What is done at the place.
#[derive(Args, Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Wish {
    /// Put this text in place of what the location means; `-` reads it from standard input
    #[arg(long, value_name = "TEXT", value_parser = GivenText::of_argument, allow_hyphen_values = true)]
    #[schemars(with = "Option<String>")]
    pub(crate) replace: Option<GivenText>,
    /// Put this text before it
    #[arg(long, value_name = "TEXT", value_parser = GivenText::of_argument, allow_hyphen_values = true)]
    #[schemars(with = "Option<String>")]
    pub(crate) before: Option<GivenText>,
    /// Put this text after it
    #[arg(long, value_name = "TEXT", value_parser = GivenText::of_argument, allow_hyphen_values = true)]
    #[schemars(with = "Option<String>")]
    pub(crate) after: Option<GivenText>,
    /// Remove it
    #[arg(long)]
    pub(crate) delete: bool,
    /// With `delete`: only if nothing uses the symbol
    #[arg(long)]
    pub(crate) unused: bool,
    /// The SHA-256 of the file in which the location was written: if the file is another now, the place is found
    /// again, or nothing is done
    #[arg(long, value_name = "DIGITS")]
    pub(crate) sha256: Option<String>,
}

/// One edit of a request.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Edit {
    #[serde(flatten)]
    pub(crate) subject: Subject,
    #[serde(flatten)]
    pub(crate) wish: Wish,
}

/// What an edit changes.
pub(crate) struct Planned {
    /// The location as it was given.
    pub(crate) said: String,
    pub(crate) document: Arc<Document>,
    pub(crate) how: How,
    /// `None` when nothing changes.
    pub(crate) rewrite: Option<Rewrite>,
    /// The symbol that it removes, if it removes one.
    pub(crate) removes: Option<SymbolId>,
    /// What is replaced or removed around a mark, if it is more than the word at the mark.
    pub(crate) around_mark: Option<String>,
}

impl Wish {
    /// What is to be done.
    pub(crate) fn change(&self, files: &Files) -> Result<Change, Failure> {
        let read = |text: &Option<GivenText>| text.as_ref().map(|text| text.read(files)).transpose();
        let n_modes = [&self.replace, &self.before, &self.after].iter().filter(|mode| mode.is_some()).count();
        match n_modes + usize::from(self.delete) {
            1 => {}
            0 => return Err(no_mode("the edit does not say what to do")),
            _ => return Err(no_mode("the edit says several things to do")),
        }
        let texts = [read(&self.replace)?, read(&self.before)?, read(&self.after)?];
        Ok(match texts {
            [Some(text), ..] => Change::Replace(text),
            [_, Some(text), _] => Change::Before(text),
            [.., Some(text)] => Change::After(text),
            [None, None, None] => Change::Delete,
        })
    }
}

/// The names of the fields that an item of a plan may have.
static FIELDS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let schemas = [schema_for!(Subject), schema_for!(Wish), schema_for!(Flags)];
    let names = |schema: Schema| -> Vec<String> {
        let fields = schema.to_value();
        fields["properties"].as_object().map(|fields| fields.keys().cloned().collect()).unwrap_or_default()
    };
    // An item may be a request that was written for a batch, where it has these two fields as well.
    schemas.into_iter().flat_map(names).chain(["op", "id"].map(str::to_owned)).collect()
});

impl Edit {
    /// Reads an item of a plan: the edit and the flags that it has of its own.
    pub(crate) fn of_item(fields: Map<String, Value>, flags: &Flags) -> Result<(Edit, Flags), Failure> {
        let mut fields = fields;
        fields.retain(|_, value| !value.is_null());
        // A misspelt field is refused, not ignored: it could be one that says what the author of the edit saw, such as
        // `sha256`.
        if let Some(unknown) = fields.keys().find(|name| !FIELDS.contains(*name)) {
            return Err(unknown_field(unknown));
        }
        let fields = Value::Object(fields);
        let own: Flags = read_fields(&fields)?;
        Ok((read_fields(&fields)?, own.or(flags)))
    }

    /// Whether the texts came with the request.
    pub(crate) fn is_of_text(&self) -> bool {
        self.subject.text.is_some() || self.subject.files.is_some()
    }

    /// What the edit changes in the file as it is now.
    pub(crate) fn planned(&self, flags: &Flags, context: Context<'_>) -> Result<Planned, Failure> {
        let files = context.files;
        let change = self.wish.change(files)?;
        let target = Target::find(&self.subject, &change, self.wish.sha256.as_deref(), flags, files)?;
        if !self.is_of_text() {
            refuse_outside(target.document.path(), flags)?;
        }
        let Target { said, document, how, stretch } = target;
        if let Some(mark) = copied_mark(&document, &change) {
            return Err(with_mark(mark));
        }
        if self.wish.unused {
            match (stretch, &change) {
                (Stretch::Symbol(id), Change::Delete) => {
                    Uses::of(&document, id, &self.subject, flags, context)?.refused(&said)?;
                }
                _ => return Err(only_symbols()),
            }
        }
        let rewrite = engine::change(&document, stretch, &change).map_err(unchangeable)?;
        let removes = match stretch {
            Stretch::Symbol(id) => rewrite.as_ref().filter(|rewrite| rewrite.text.is_empty()).map(|_| id),
            Stretch::Lines { .. } | Stretch::Text { .. } => None,
        };
        let around_mark = around_mark(&document, stretch, &change);
        Ok(Planned { said, document, how, rewrite, removes, around_mark })
    }
}

impl Planned {
    /// A note for an author who may have thought that a mark makes the edit take less than the whole match.
    pub(crate) fn note(&self) -> Option<Phrase> {
        let taken = show::code(&show::shortened(self.around_mark.as_ref()?));
        Some(format!("the mark `<|>` does not narrow what is replaced: all of {taken} is").into())
    }
}

fn around_mark(document: &Document, stretch: Stretch, change: &Change) -> Option<String> {
    let Stretch::Text { range, mark: Some(_) } = stretch else { return None };
    let taken = document.text().lossy(range).into_owned();
    let is_word = taken.chars().all(|c| c.is_alphanumeric() || c == '_');
    (matches!(change, Change::Replace(_) | Change::Delete) && !is_word).then_some(taken)
}

/// A file and what edits change in it.
struct Rewritten {
    path: String,
    document: Arc<Document>,
    /// The location of each edit, what it changes, and the symbol that it removes, if it removes one.
    rewrites: Vec<(String, Rewrite, Option<SymbolId>)>,
}

/// The files that edits change, in the order in which they are named first. Fails if edits overlap.
pub(crate) fn by_file(
    edits: Vec<Planned>,
    flags: &Flags,
    are_texts: bool,
) -> Result<Vec<ChangedFile>, Failure> {
    let mut files: Vec<Rewritten> = Vec::new();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for Planned { said, document, rewrite, removes, .. } in edits {
        let Some(rewrite) = rewrite else { continue };
        let path = if are_texts { document.path().to_owned() } else { key(&document, flags) };
        let number = *numbers.entry(path.clone()).or_insert(files.len());
        match files.get_mut(number) {
            Some(file) if file.document.text().bytes() != document.text().bytes() => {
                return Err(changing(&path));
            }
            Some(file) => file.rewrites.push((said, rewrite, removes)),
            None => files.push(Rewritten { path, document, rewrites: vec![(said, rewrite, removes)] }),
        }
    }
    files.into_iter().map(Rewritten::changed).collect()
}

impl Rewritten {
    fn changed(self) -> Result<ChangedFile, Failure> {
        let Rewritten { path, document, mut rewrites } = self;
        emptied::fill(&document, &mut rewrites);
        let rewrites = rewrites.into_iter().map(|(said, rewrite, _)| (said, rewrite)).collect();
        let replacement =
            |rewrite: Rewrite| Replacement { path: path.clone(), range: rewrite.range, text: rewrite.text };
        let replacements = apart(rewrites)?.into_iter().map(replacement).collect();
        Ok(ChangedFile { path: path.clone(), document, replacements, whole: Whole::Stays })
    }
}

/// The folder that paths of an answer start from: the project of the files.
pub(crate) fn root_of(edits: &[Planned], flags: &Flags) -> Option<String> {
    let first = edits.first()?;
    Some(written(&Project::around(first.document.path(), &flags.base()).root))
}

/// The path of a file from its project.
pub(crate) fn key(document: &Document, flags: &Flags) -> String {
    let base = flags.base();
    Project::around(document.path(), &base).key(document.path(), &base)
}

/// The changes of a file in the order of the text. If two changes overlap only in the blank lines between them, each is
/// cut down to its core.
fn apart(mut rewrites: Vec<(String, Rewrite)>) -> Result<Vec<Rewrite>, Failure> {
    let order = |(_, rewrite): &(String, Rewrite)| (rewrite.core.start(), rewrite.core.end());
    rewrites.sort_by_key(order);
    for at in 1..rewrites.len() {
        let (before, after) = rewrites.split_at_mut(at);
        let ((first_said, first), (next_said, next)) = (&mut before[at - 1], &mut after[0]);
        if first.range.end() <= next.range.start() {
            continue;
        }
        (first.range, next.range) = (first.core, next.core);
        if next.range.start() < first.range.end() {
            return Err(overlapping(first_said, next_said));
        }
    }
    Ok(rewrites.into_iter().map(|(_, rewrite)| rewrite).collect())
}

fn overlapping(first: &str, next: &str) -> Failure {
    Failure::new(
        Kind::Refused,
        format!("`{first}` and `{next}` overlap"),
        "join the two edits into one, or make one after the other",
    )
}

fn changing(path: &str) -> Failure {
    Failure::new(Kind::Refused, format!("`{path}` is being changed by someone else"), "ask again")
}

/// Why an edit cannot be made.
pub(crate) fn unchangeable(why: Unchangeable) -> Failure {
    let Unchangeable::DeclaredTogether(other) = why;
    Failure::new(
        Kind::Refused,
        format!("the same declaration declares `{other}` as well, which would be lost"),
        "replace the lines of the declaration: FILE:LINE",
    )
}

/// A mark of the file at the start of a line of the new text, as `read --marks` shows it.
fn copied_mark<'t>(document: &Document, change: &'t Change) -> Option<&'t str> {
    let (Change::Replace(text) | Change::Before(text) | Change::After(text)) = change else { return None };
    let written = |line: &'t str| Some((line.split_once('│')?.0.trim(), line.split_once('~')?));
    let mut marks = text.lines().filter_map(written).filter_map(|(head, (line, _))| {
        let check = head.split_once('~')?.1.to_owned();
        Some((head, engine::Mark { line: line.trim().parse().ok()?, check }))
    });
    let known = std::cell::LazyCell::new(|| engine::Marks::new(document.text()));
    marks
        .find(|(_, mark)| known.find(&engine::Marked { first: mark.clone(), last: None }).is_ok())
        .map(|(head, _)| head)
}

fn with_mark(mark: &str) -> Failure {
    Failure::new(
        Kind::Refused,
        format!("the new text has the mark `{mark}` in it, which is not part of the line"),
        "give the text of the lines without their marks",
    )
}

fn only_symbols() -> Failure {
    Failure::invalid(
        "only a symbol that is removed can be asked for to be unused",
        phrase!["name a symbol, and give `", setting("delete", ""), "`"],
    )
}

fn unknown_field(name: &str) -> Failure {
    let known: Vec<String> = FIELDS.iter().map(|name| format!("`{name}`")).collect();
    Failure::invalid(format!("an edit has no field `{name}`"), format!("its fields are {}", known.join(", ")))
}

fn no_mode(message: &str) -> Failure {
    let settings = phrase![
        "give one of `",
        setting("replace", "TEXT"),
        "`, `",
        setting("before", "TEXT"),
        "`, `",
        setting("after", "TEXT"),
        "`, `",
        setting("delete", ""),
        "`"
    ];
    Failure::invalid(message, settings)
}

/// The location of a place in a document, for messages.
pub(crate) fn pasted(document: &Document, offset: engine::Offset, why: &'static str) -> wire::Candidate {
    wire::Candidate {
        location: wire::location(document, offset),
        position: Some(wire::position(document, offset, crate::encoding::Encoding::default())),
        offset: Some(offset.to_u32()),
        line_text: Some(wire::line_text(document, offset)),
        why: why.into(),
    }
}
