//! `rename`: what to change to give a symbol a new name.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use clap::Args;
use locant_engine::names::{Fault, Question, Refusal, Replacement};
use locant_engine::{Document, Range};
use locant_workspace::preview::{self, Edit, Preview, Store};
use locant_workspace::{Origin, Project};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::answer::Answer;
use crate::encoding::Encoding;
use crate::failure::{Failure, Kind};
use crate::flags::Flags;
use crate::how_found::HowFound;
use crate::name_query::{Around, Asked};
use crate::phrase::{Phrase, Voice, call, phrase};
use crate::request::Context;
use crate::wire::Reach;
use crate::{show, wire};

/// Preview a rename: every place that changes, and an id for `apply`
///
/// Built for .proto and .rho files. All files of the project are looked at. A rename after which any name would mean
/// something else is refused, and so is a location that matches more than one place.
///
///   locant rename a.proto:Order Purchase
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(
    verbatim_doc_comment,
    allow_missing_positional = true,
    // With only one word, clap would say that the location is missing. So clap does not require it, and the function
    // `missing` says which of the two is absent.
    mut_arg("locate", |arg| arg.required_unless_present(clap::builder::Resettable::Reset).index(1)),
)]
pub struct Rename {
    #[command(flatten)]
    #[serde(flatten)]
    around: Around,
    /// The new name
    #[arg(value_name = "NEW_NAME", index = 2)]
    new_name: String,
}

/// How certain a relocated place must be before names are changed because of it.
const SURE: f64 = 0.9;

/// A file, and its changes sorted by place.
type ChangedFile = (Arc<Document>, Vec<Replacement>);

/// The changes that a rename makes.
#[derive(Debug, JsonSchema, Serialize)]
pub struct RenameAnswer {
    /// The id for `apply`. Null when nothing changes, or when the texts came with the request and not from disk.
    id: Option<String>,
    /// The changes, file by file.
    changes: Vec<Change>,
    /// How many places change.
    total: usize,
    /// The folder that paths start from; absent when all files came with the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    root: Option<String>,
    /// Whether all files that may matter were looked at.
    complete: bool,
    /// Why files may be missing, if `complete` is false.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    incomplete_because: Vec<String>,
    /// The unit in which `character` counts.
    encoding: Encoding,
    /// The provider that answered.
    server: String,
    /// The changed lines, before and after.
    #[serde(skip)]
    diff: String,
    #[serde(skip)]
    reach: Reach,
}

/// The changes in one file.
#[derive(Debug, JsonSchema, Serialize)]
struct Change {
    /// The path of the file.
    file_path: String,
    /// The places that change, in order.
    edits: Vec<PlaceChange>,
}

/// A place that changes.
#[derive(Debug, JsonSchema, Serialize)]
struct PlaceChange {
    /// The range that is replaced.
    range: wire::Range,
    /// Where the range starts, as a number of bytes from the start of the file.
    offset: u32,
    /// The new text.
    new_text: String,
    /// The line as it is now, without its line break. If the line is very long, only its first change has this field.
    #[serde(skip_serializing_if = "Option::is_none")]
    line_text: Option<String>,
}

impl Ask for Rename {
    type Answer = HowFound<RenameAnswer>;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<HowFound<RenameAnswer>, Failure> {
        let subject = &self.around.subject;
        if subject.locate.is_none() && subject.anchor.is_none() && subject.file_path.is_none() {
            return Err(missing(&self.new_name));
        }
        // A command that changes files must not act on an ambiguous place.
        let strict = Flags { strict: true, ..flags.clone() };
        let has_texts = self.around.subject.text.is_some() || self.around.subject.files.is_some();
        let asked = self.around.open(Question::Rename, &strict, context)?;
        if asked.how.confidence.is_some_and(|confidence| confidence < SURE) {
            return Err(unsure(&asked));
        }
        if !has_texts {
            refuse_outside(asked.document.path(), flags)?;
        }
        let renamed = asked.ask(|provider, asked| provider.rename(asked, &self.new_name))?;
        let reach = asked.reach(&renamed);
        let files = by_file(&asked, renamed.root.as_deref(), renamed.value.map_err(refused)?)?;
        // There is nothing to apply where nothing changes.
        let id = if has_texts || files.is_empty() { None } else { Some(preview(&files, &reach)?) };
        Ok(asked.told(answer(id, &files, flags.encoding(), reach)))
    }
}

fn answer(id: Option<String>, files: &[ChangedFile], encoding: Encoding, reach: Reach) -> RenameAnswer {
    RenameAnswer {
        id,
        changes: files.iter().map(|file| change(file, encoding)).collect(),
        total: files.iter().map(|(_, replacements)| replacements.len()).sum(),
        root: reach.root.clone(),
        complete: reach.gaps.is_empty(),
        incomplete_because: reach.gaps.clone(),
        encoding,
        server: reach.who.clone().unwrap_or_else(wire::server),
        diff: diff(files),
        reach,
    }
}

fn change((document, replacements): &ChangedFile, encoding: Encoding) -> Change {
    let edit = |(index, one): (usize, &Replacement)| PlaceChange {
        range: wire::range(document, one.range, encoding),
        offset: one.range.start().to_u32(),
        new_text: one.text.clone(),
        line_text: quoted(document, &replacements[..=index]),
    };
    Change {
        file_path: path(replacements).to_owned(),
        edits: replacements.iter().enumerate().map(edit).collect(),
    }
}

fn unsure(asked: &Asked<'_>) -> Failure {
    let location = wire::location(&asked.document, asked.offset);
    Failure::new(
        Kind::Ambiguous,
        "the place is not sure enough in the text as it is now to change names by it",
        format!("if it is `{location}` that you mean, give that"),
    )
}

/// The failure for a request with only one word: either the location or the new name is missing. Names never contain
/// `:`, `@` or `/`, so the word tells which.
fn missing(word: &str) -> Failure {
    if word.contains([':', '@', '/']) {
        Failure::invalid(
            "the new name is missing",
            phrase!["`", call("rename").with("locate", word).with("new_name", "NEW_NAME"), "`"],
        )
    } else {
        Failure::invalid(
            "the location is missing",
            phrase!["`", call("rename").with("locate", "FILE:SYMBOL").with("new_name", word), "`"],
        )
    }
}

fn refused(Refusal { fault, message, hint }: Refusal) -> Failure {
    let kind = match fault {
        Fault::Place => Kind::NotFound,
        Fault::NewName => Kind::InvalidLocation,
        Fault::Meaning => Kind::Refused,
    };
    Failure::new(kind, message, hint)
}

fn by_file(
    asked: &Asked<'_>,
    root: Option<&Path>,
    replacements: Vec<Replacement>,
) -> Result<Vec<ChangedFile>, Failure> {
    let mut files: Vec<ChangedFile> = Vec::new();
    for replacement in replacements {
        let is_same = |(_, last): &&mut (_, Vec<Replacement>)| path(last) == replacement.path;
        match files.last_mut().filter(is_same) {
            Some((_, replacements)) => replacements.push(replacement),
            None => {
                // All or nothing: half a rename is worse than none.
                let document = asked.document_at(root, &replacement.path);
                files.push((document.ok_or_else(|| unread(&replacement.path))?, vec![replacement]));
            }
        }
    }
    Ok(files)
}

fn unread(path: &str) -> Failure {
    Failure::new(Kind::Io, format!("`{path}` cannot be read any more, so nothing is renamed"), "ask again")
}

/// Refuses changes outside of the project that relative paths start in. A file without a project must be below that
/// folder.
fn refuse_outside(path: &str, flags: &Flags) -> Result<(), Failure> {
    let (Project { root, origin }, base) = (Project::around(path, &flags.base()), flags.base().folder());
    let is_near = root.starts_with(&base) || base.starts_with(&root);
    if origin != Origin::Guess && is_near {
        Ok(())
    } else {
        Err(preview::outside(Path::new(path), &base).into())
    }
}

fn preview(files: &[ChangedFile], reach: &Reach) -> Result<String, Failure> {
    let root = Path::new(reach.root.as_deref().unwrap_or("."));
    let mut preview = Preview::new(root).map_err(|error| {
        let message = format!("cannot open `{}`: {error}", root.display());
        Failure::new(Kind::Io, message, "check the folder that paths start from")
    })?;
    for (document, replacements) in files {
        let edit = |one: &Replacement| Edit {
            start: one.range.start().index(),
            end: one.range.end().index(),
            text: one.text.clone(),
        };
        let edits = replacements.iter().map(edit).collect();
        preview.change(&root.join(path(replacements)), document.text().bytes(), edits)?;
    }
    Ok(Store::of_user()?.keep(&preview)?)
}

/// The path of the file that all these changes are in.
fn path(replacements: &[Replacement]) -> &str {
    replacements.first().map_or("", |replacement| &replacement.path)
}

/// The bytes of a line after its changes. The changes are in order, and one may reach past the end of the line.
fn replaced(bytes: &[u8], line: Range, replacements: &[&Replacement]) -> Vec<u8> {
    let mut new = Vec::new();
    let mut done = line.start().index();
    for one in replacements {
        new.extend_from_slice(&bytes[done..one.range.start().index()]);
        new.extend_from_slice(one.text.as_bytes());
        done = one.range.end().index().min(line.end().index());
    }
    new.extend_from_slice(&bytes[done..line.end().index()]);
    new
}

/// The line of the last of these changes. `None` if the line is very long and the previous change is in the same line:
/// otherwise an answer would repeat that line for each change.
fn quoted(document: &Document, replacements: &[Replacement]) -> Option<String> {
    let text = document.text();
    let mut last = replacements.iter().rev().map(|one| one.range.start());
    let (place, before) = (last.next()?, last.next());
    let line = text.line_of(place);
    let is_long = text.line_content(line).is_some_and(|content| content.extent().len() > wire::QUOTED);
    let is_told = is_long && before.is_some_and(|before| text.line_of(before) == line);
    (!is_told).then(|| wire::line_text(document, place))
}

/// The changed lines of a file, before and after.
fn lines(document: &Document, replacements: &[Replacement]) -> Vec<(u32, String, String)> {
    let text = document.text();
    let mut lines: Vec<(u32, Vec<&Replacement>)> = Vec::new();
    for one in replacements {
        let line = text.line_of(one.range.start());
        match lines.last_mut().filter(|(last, _)| *last == line) {
            Some((_, replacements)) => replacements.push(one),
            None => lines.push((line, vec![one])),
        }
    }
    let changed = |(line, replacements): (u32, Vec<&Replacement>)| {
        let content = text.line_content(line)?;
        // The changes are made to the bytes, because replacing invalid UTF-8 for display changes the length.
        let new = replaced(text.bytes(), content, &replacements);
        Some((line, text.lossy(content).into_owned(), String::from_utf8_lossy(&new).into_owned()))
    };
    lines.into_iter().filter_map(changed).collect()
}

fn diff(files: &[ChangedFile]) -> String {
    let mut diff = String::new();
    for (document, replacements) in files {
        let path = show::path(path(replacements));
        for (line, old, new) in lines(document, replacements) {
            // Writing to a string does not fail.
            let _ = writeln!(diff, "{path}:{line}\n- {}\n+ {}", old.trim(), new.trim());
        }
    }
    diff
}

impl RenameAnswer {
    /// The call that makes the changes; `None` if nothing changes.
    fn apply(&self, voice: &dyn Voice) -> Option<String> {
        self.id.as_ref().map(|id| voice.call(&call("apply").with("preview", id)))
    }
}

impl Answer for RenameAnswer {
    fn text(&self, voice: &dyn Voice) -> String {
        let apply = self.apply(voice).map(|apply| format!("{apply}\n")).unwrap_or_default();
        format!("{}{apply}", self.diff)
    }

    fn markdown(&self, voice: &dyn Voice) -> String {
        let apply = self.apply(voice).map(|apply| format!("\n{} makes these changes.\n", show::code(&apply)));
        if self.changes.is_empty() {
            return String::new();
        }
        show::fenced("diff", &self.diff) + &apply.unwrap_or_default()
    }

    fn notes(&self) -> Vec<Phrase> {
        let [places, files] =
            [(self.total, "place"), (self.changes.len(), "file")].map(|(n, what)| match n {
                1 => format!("1 {what}"),
                n => format!("{n} {what}s"),
            });
        let changes = match self.total {
            0 => "it has that name already: nothing changes".into(),
            _ => format!("{places} in {files}; nothing is changed yet").into(),
        };
        [changes].into_iter().chain(self.reach.notes()).collect()
    }
}
