//! `rename`: what to change to give a symbol a new name.

use std::path::Path;
use std::sync::Arc;

use clap::Args;
use locant_engine::names::{Fault, FileStep, Proposal, Question, Refusal, Replacement};
use locant_engine::{self as engine, Document};
use schemars::JsonSchema;
use serde::Deserialize;

use super::Ask;
use crate::failure::{Failure, Kind};
use crate::flags::Flags;
use crate::how_found::HowFound;
use crate::name_query::{Around, Asked};
use crate::namesakes;
use crate::phrase::{call, phrase};
use crate::preview::{
    Applying, ChangedFile, Changes, Checking, PreviewAnswer, Whole, refuse_outside, refuse_unsure,
};
use crate::request::Context;

/// Preview a rename: every place that changes, and an id for `apply`
///
/// .proto and .rho files are answered by locant itself, other languages by their language servers. All files of the
/// project are looked at. A rename is refused if any name would mean something else after it, and so is a location that
/// matches more than one place.
///
///   locant rename a.proto:Order Purchase
///   locant rename a.proto:Order Purchase --apply
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(
    verbatim_doc_comment,
    allow_missing_positional = true,
    // A single word is taken for the new name, so the location would be reported as missing, although the word may be
    // the location. Therefore the location is not required here, and `missing` says which of the two is missing.
    mut_arg("locate", |arg| arg.required_unless_present(clap::builder::Resettable::Reset).index(1)),
)]
pub struct Rename {
    #[command(flatten)]
    #[serde(flatten)]
    around: Around,
    /// The new name
    #[arg(value_name = "NEW_NAME", index = 2)]
    new_name: String,
    #[command(flatten)]
    #[serde(flatten)]
    applying: Applying,
    #[command(flatten)]
    #[serde(flatten)]
    checking: Checking,
}

impl Ask for Rename {
    type Answer = HowFound<PreviewAnswer>;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<HowFound<PreviewAnswer>, Failure> {
        let subject = &self.around.subject;
        if subject.locate.is_none() && subject.anchor.is_none() && subject.file_path.is_none() {
            return Err(missing(&self.new_name));
        }
        // A command that changes files acts only if the location cannot mean another place.
        let strict = Flags { strict: true, ..flags.clone() };
        let are_texts = subject.text.is_some() || subject.files.is_some();
        let asked = self.around.open(Question::Rename, &strict, context)?;
        refuse_unsure(&asked.document, asked.offset, &asked.how)?;
        if !are_texts {
            refuse_outside(asked.document.path(), flags)?;
        }
        let renamed = asked.ask(|provider, asked| provider.rename(asked, &self.new_name))?;
        let changes = Changes {
            title: format!("Rename `{}` to `{}`", asked.asked().word(), self.new_name),
            nothing: "it has that name already: nothing changes",
            reach: asked.reach(&renamed),
            files: by_file(&asked, renamed.root.as_deref(), renamed.value.map_err(refused)?)?,
            are_texts,
        };
        let check = self.checking.of(&changes, &asked.around(), flags.encoding());
        let kept = namesakes::note(&asked.asked().word(), &changes);
        let preview = changes.preview(self.applying, flags, context.files)?.with_check(check);
        Ok(asked.told(preview.with_notes(kept.into_iter().collect())))
    }
}

/// The failure for a single word, which is either the location or the new name. A word with `:`, `@` or `/` is a
/// location, because no name contains these characters.
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

/// The files that a proposal changes, creates, removes and moves.
pub(super) fn by_file(
    asked: &Asked<'_>,
    root: Option<&Path>,
    proposal: Proposal,
) -> Result<Vec<ChangedFile>, Failure> {
    // All or nothing: half a rename is worse than none.
    let opened = |path: &str| {
        let document = asked.document_at(root, path).ok_or_else(|| unread(path))?;
        let path = path.to_owned();
        Ok::<_, Failure>(ChangedFile { path, document, replacements: Vec::new(), whole: Whole::Stays })
    };
    let mut files: Vec<ChangedFile> = Vec::new();
    for replacement in proposal.replacements {
        if files.last().is_none_or(|file| file.path != replacement.path) {
            files.push(opened(&replacement.path)?);
        }
        files.last_mut().into_iter().for_each(|file| file.replacements.push(replacement.clone()));
    }
    for step in proposal.files {
        match step {
            FileStep::Create { path, text } => files.push(created(path, text)?),
            FileStep::Remove { path } => files.push(removed(opened(&path)?)),
            FileStep::Move { from, to } => {
                let at = files.iter().position(|file| file.path == from);
                let file = at.map_or_else(|| opened(&from), |at| Ok(files.remove(at)))?;
                files.push(ChangedFile { whole: Whole::MovedTo(to), ..file });
            }
        }
    }
    Ok(files)
}

fn created(path: String, text: String) -> Result<ChangedFile, Failure> {
    let document = Document::new(path.clone(), "").map_err(|_| unread(&path))?;
    let nowhere = engine::Range::of_indices(0..0);
    let replacements = vec![Replacement { path: path.clone(), range: nowhere, text }];
    Ok(ChangedFile { path, document: Arc::new(document), replacements, whole: Whole::Created })
}

fn removed(file: ChangedFile) -> ChangedFile {
    let all = engine::Range::of_indices(0..file.document.text().bytes().len());
    let replacements = vec![Replacement { path: file.path.clone(), range: all, text: String::new() }];
    ChangedFile { replacements, whole: Whole::Removed, ..file }
}

fn unread(path: &str) -> Failure {
    Failure::new(Kind::Io, format!("`{path}` cannot be read any more, so nothing is changed"), "ask again")
}
