//! Changes to files as an answer: the lines that change as a diff, and an id by which the changes are made.
//!
//! All commands that change files answer in this form, and keep to the same rules. They act only if the location cannot
//! mean another place, and change no file outside of the project.

pub(crate) mod added;
mod brief;
mod check;
mod composed;
pub(crate) mod imports;
pub(crate) mod now;
mod unified;

use std::path::Path;
use std::sync::Arc;

use clap::Args;
use locant_engine::names::Replacement;
use locant_engine::{Document, Offset};
use locant_workspace::preview::{self, Edit, Preview, Store, sha256};
use locant_workspace::{Origin, Project, written};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::Answer;

use crate::encoding::Encoding;
use crate::failure::{Failure, Kind, unwritten};
use crate::files::Files;
use crate::flags::Flags;
use crate::how::How;
use crate::phrase::{Phrase, Voice, call};
use crate::wire::Reach;
use crate::{show, wire};
pub(crate) use check::{Around, CheckAnswer, Checking};

/// When changes are made.
#[derive(Args, Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Applying {
    /// Make the changes at once, all or nothing
    #[arg(long)]
    pub(crate) apply: bool,
}

/// A file, and what changes in it.
#[derive(Debug)]
pub(crate) struct ChangedFile {
    /// Its path from the root.
    pub(crate) path: String,
    /// The file as it is.
    pub(crate) document: Arc<Document>,
    /// Invariant: in the order of places, without overlaps. If the file stays, there is at least one. They insert the
    /// whole text of a file that is created, and take away the whole text of one that is removed.
    pub(crate) replacements: Vec<Replacement>,
    /// What becomes of it as a whole.
    pub(crate) whole: Whole,
}

/// What becomes of a file as a whole.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Whole {
    Stays,
    Created,
    Removed,
    /// It gets this path.
    MovedTo(String),
}

/// Changes that can be shown.
pub(crate) struct Changes {
    /// What the changes do, in a few words.
    pub(crate) title: String,
    /// The note of the answer if nothing changes.
    pub(crate) nothing: &'static str,
    /// The files that change.
    pub(crate) files: Vec<ChangedFile>,
    /// Where the files were looked for.
    pub(crate) reach: Reach,
    /// Whether the texts came with the request, so that there are no files to change.
    pub(crate) are_texts: bool,
}

/// Changes to files: what changes, and how to make it so.
#[derive(Debug, JsonSchema, Serialize)]
pub struct PreviewAnswer {
    /// The id by which `apply` makes the changes; null when nothing changes, when texts do that came with the request,
    /// or when the changes are made already.
    id: Option<String>,
    /// What the changes do.
    title: String,
    /// The lines that change, as a unified diff.
    diff: String,
    /// The changes, file by file.
    changes: Vec<Change>,
    /// How many places change.
    total: usize,
    /// The files that were changed; absent while nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file_paths: Option<Vec<String>>,
    /// Where each change stands now; absent while nothing is changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    locations: Option<Vec<String>>,
    /// The id by which `undo` takes the changes back; absent while nothing is changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    undo: Option<String>,
    /// The folder that paths start from; absent when all files came with the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    root: Option<String>,
    /// Whether all files that may matter were looked at.
    complete: bool,
    /// Why not, if they were not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    incomplete_because: Vec<String>,
    /// What `character` counts.
    encoding: Encoding,
    /// Who has answered.
    server: String,
    /// The problems that the changes bring and take away; absent when that was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    check: Option<CheckAnswer>,
    /// The lines that change, for agents; once they have changed, where they stand.
    #[serde(skip)]
    brief: String,
    #[serde(skip)]
    nothing: &'static str,
    /// What else the reader should know.
    #[serde(skip)]
    more: Vec<Phrase>,
    #[serde(skip)]
    reach: Reach,
    /// Messages for people about interrupted changes that were finished or taken back first.
    #[serde(skip)]
    recovered: Vec<String>,
}

/// The changes of a file.
#[derive(Debug, JsonSchema, Serialize)]
struct Change {
    /// The file.
    file_path: String,
    /// Whether the file is created; absent when it is not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    created: bool,
    /// Whether the file is removed; absent when it is not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    removed: bool,
    /// The path that the file gets; absent when it keeps its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    moved_to: Option<String>,
    /// The SHA-256 of the file before the changes.
    sha256: String,
    /// Its places that change, in their order.
    edits: Vec<PlaceChange>,
}

/// A place that changes.
#[derive(Debug, JsonSchema, Serialize)]
struct PlaceChange {
    /// What is replaced.
    range: wire::Range,
    /// Where it starts, as a number of bytes from the start of the file.
    offset: u32,
    /// By what.
    new_text: String,
    /// The line of the place as it is, without its line break. Of a very long line only the first change has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    line_text: Option<String>,
}

impl Changes {
    /// Keeps the changes under an id, or makes them.
    pub(crate) fn preview(
        self,
        applying: Applying,
        flags: &Flags,
        files: &Files,
    ) -> Result<PreviewAnswer, Failure> {
        if applying.apply && self.are_texts {
            return Err(unwritten(no_files()));
        }
        // There is nothing to apply where nothing changes.
        let has_files = !self.are_texts && !self.files.is_empty();
        let id = if has_files { Some(self.keep().map_err(unwritten)?) } else { None };
        let answer = self.answer(applying, flags.encoding());
        match id {
            Some(id) if applying.apply => answer.made(&id, flags, files),
            id => Ok(PreviewAnswer { id, ..answer }),
        }
    }

    /// Keeps the changes under an id.
    pub(crate) fn keep(&self) -> Result<String, Failure> {
        let root = Path::new(self.reach.root.as_deref().unwrap_or("."));
        let mut preview = Preview::new(root).map_err(|error| {
            let message = format!("cannot open `{}`: {error}", root.display());
            Failure::new(Kind::Io, message, "check the folder that paths start from")
        })?;
        for file in &self.files {
            file.keep(root, &mut preview)?;
        }
        Ok(Store::of_user()?.keep(&preview)?)
    }

    fn answer(self, applying: Applying, encoding: Encoding) -> PreviewAnswer {
        let Changes { title, nothing, files, reach, .. } = self;
        PreviewAnswer {
            id: None,
            title,
            diff: files.iter().map(unified::diff).collect(),
            brief: if applying.apply { brief::made(&files) } else { brief::brief(&files) },
            changes: files.iter().map(|file| file.change(encoding)).collect(),
            total: files.iter().map(ChangedFile::n_places).sum(),
            file_paths: None,
            locations: None,
            undo: None,
            root: reach.root.clone(),
            complete: reach.gaps.is_empty(),
            incomplete_because: reach.gaps.clone(),
            encoding,
            server: reach.who.clone().unwrap_or_else(wire::server),
            check: None,
            nothing,
            more: Vec::new(),
            reach,
            recovered: Vec::new(),
        }
    }
}

impl ChangedFile {
    /// Adds the changes to a preview of files below a folder.
    fn keep(&self, root: &Path, preview: &mut Preview) -> Result<(), Failure> {
        let (path, old) = (root.join(&self.path), self.document.text().bytes());
        let edit = |one: &Replacement| Edit {
            start: one.range.start().index(),
            end: one.range.end().index(),
            text: one.text.clone().into_bytes(),
        };
        match &self.whole {
            Whole::Stays => preview.change(&path, old, self.replacements.iter().map(edit).collect())?,
            Whole::Created => preview.create(&path, &self.changed())?,
            Whole::Removed => preview.remove(&path, old)?,
            Whole::MovedTo(to) => preview.move_file(&path, old, &root.join(to), &self.changed())?,
        }
        Ok(())
    }

    /// How many places change. A file that is created or removed counts as one place, and a file that moves as two.
    fn n_places(&self) -> usize {
        match self.whole {
            Whole::Stays => self.replacements.len(),
            Whole::Created | Whole::Removed => 1,
            Whole::MovedTo(_) => 2,
        }
    }

    /// The path that it gets, if it does not keep its own.
    pub(crate) fn moved_to(&self) -> Option<&str> {
        match &self.whole {
            Whole::MovedTo(to) => Some(to),
            _ => None,
        }
    }

    /// Its text with the changes.
    pub(crate) fn changed(&self) -> Vec<u8> {
        let old = self.document.text().bytes();
        let mut new = Vec::with_capacity(old.len());
        let mut end = 0;
        for one in &self.replacements {
            new.extend_from_slice(&old[end..one.range.start().index()]);
            new.extend_from_slice(one.text.as_bytes());
            end = one.range.end().index();
        }
        new.extend_from_slice(&old[end..]);
        new
    }

    fn change(&self, encoding: Encoding) -> Change {
        let edit = |(index, one): (usize, &Replacement)| PlaceChange {
            range: wire::range(&self.document, one.range, encoding),
            offset: one.range.start().to_u32(),
            new_text: one.text.clone(),
            line_text: self.quoted(index),
        };
        Change {
            file_path: self.path.clone(),
            created: self.whole == Whole::Created,
            removed: self.whole == Whole::Removed,
            moved_to: self.moved_to().map(str::to_owned),
            sha256: sha256(self.document.text().bytes()),
            edits: self.replacements.iter().enumerate().map(edit).collect(),
        }
    }

    /// The line of a change. `None` if the line is very long and the change before is in the same line, so that the
    /// answer has the long line only once.
    fn quoted(&self, index: usize) -> Option<String> {
        let text = self.document.text();
        let line_of = |one: &Replacement| text.line_of(one.range.start());
        let place = self.replacements.get(index)?;
        let line = line_of(place);
        let before = index.checked_sub(1).and_then(|index| self.replacements.get(index));
        let is_long = text.line_content(line).is_some_and(|content| content.extent().len() > wire::QUOTED);
        let is_told = is_long && before.is_some_and(|before| line_of(before) == line);
        (!is_told).then(|| wire::line_text(&self.document, place.range.start()))
    }
}

/// If a place that was found again has less confidence than this, no file is changed.
const SURE: f64 = 0.9;

/// Refuses a place that was found again with too little confidence to change files.
pub(crate) fn refuse_unsure(document: &Document, offset: Offset, how: &How) -> Result<(), Failure> {
    if how.confidence.is_none_or(|confidence| confidence >= SURE) {
        return Ok(());
    }
    let location = wire::location(document, offset);
    Err(Failure::new(
        Kind::Ambiguous,
        "the place is not sure enough in the text as it is now to change a file by it",
        format!("if it is `{location}` that you mean, give that"),
    ))
}

/// Refuses changes to a file that is in no project, or in a project that is neither above nor below the folder in which
/// paths start.
pub(crate) fn refuse_outside(path: &str, flags: &Flags) -> Result<(), Failure> {
    flags.admit(path)?;
    let (Project { root, origin }, base) = (Project::around(path, &flags.base()), flags.base().folder());
    let is_near = root.starts_with(&base) || base.starts_with(&root);
    if origin != Origin::Guess && is_near {
        Ok(())
    } else {
        Err(preview::outside(Path::new(path), &base).into())
    }
}

fn no_files() -> Failure {
    Failure::invalid(
        "the text came with the request, so there is no file to change",
        "ask without `apply`, and make the changes where the text is",
    )
}

impl PreviewAnswer {
    /// Adds notes for the reader.
    pub(crate) fn with_notes(self, more: Vec<Phrase>) -> PreviewAnswer {
        PreviewAnswer { more, ..self }
    }

    /// The same with the problems that the changes bring and take away.
    pub(crate) fn with_check(self, check: Option<CheckAnswer>) -> PreviewAnswer {
        PreviewAnswer { check, ..self }
    }

    /// Makes the changes, and adds to the answer what was changed.
    fn made(self, id: &str, flags: &Flags, files: &Files) -> Result<PreviewAnswer, Failure> {
        let applied = Store::of_user()?.apply(id)?;
        let file_paths = Some(applied.files.iter().map(|file| written(file)).collect());
        let places = now::places(&applied, flags, files);
        let (locations, undo) =
            (Some(places.into_iter().map(|now| now.location).collect()), Some(id.to_owned()));
        Ok(PreviewAnswer { file_paths, locations, undo, recovered: applied.recovered, ..self })
    }

    /// The command that makes the changes, if there is anything to change.
    fn apply(&self, voice: &dyn Voice) -> Option<String> {
        self.id.as_ref().map(|id| voice.call(&call("apply").with("preview", id)))
    }
}

impl Answer for PreviewAnswer {
    fn text(&self, voice: &dyn Voice) -> String {
        let apply = self.apply(voice).map(|apply| format!("{apply}\n")).unwrap_or_default();
        let check = self.check.as_ref().map(CheckAnswer::lines).unwrap_or_default();
        format!("{}{check}{apply}", show::visible(&self.diff))
    }

    fn markdown(&self, voice: &dyn Voice) -> String {
        let short = self.id.as_ref().map(|id| voice.call(&call("apply").with("preview", now::short(id))));
        let apply = short.map(|apply| format!("\n{} makes these changes.\n", show::code(&apply)));
        if self.changes.is_empty() {
            return String::new();
        }
        let check = self.check.as_ref().map(CheckAnswer::list).unwrap_or_default();
        match &self.undo {
            Some(undo) => format!("{}{check}{}", self.brief, now::undone_by(undo)),
            None => show::fenced("diff", &show::visible(&self.brief)) + &check + &apply.unwrap_or_default(),
        }
    }

    fn notes(&self) -> Vec<Phrase> {
        let [places, files] =
            [(self.total, "place"), (self.changes.len(), "file")].map(|(n, what)| match n {
                1 => format!("1 {what}"),
                n => format!("{n} {what}s"),
            });
        let changes = match self.total {
            0 => self.nothing.to_owned(),
            _ if self.file_paths.is_some() => format!("{places} in {files} changed"),
            _ => format!("{places} in {files}; nothing is changed yet"),
        };
        let done = self.recovered.iter().cloned().chain([changes]).map(Phrase::from);
        let checked = self.check.iter().flat_map(CheckAnswer::notes);
        done.chain(self.more.iter().cloned()).chain(checked).chain(self.reach.notes()).collect()
    }
}
