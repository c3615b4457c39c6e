//! `edit`: changes text at locations.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Ask;
use crate::edits::{self, Edit as OneEdit, Planned, Wish};
use crate::failure::{Failure, unwritten};
use crate::flags::Flags;
use crate::given::GivenPlan;
use crate::how::How;
use crate::how_found::HowFound;
use crate::phrase::Phrase;
use crate::preview::{Applying, Changes, Checking, PreviewAnswer};
use crate::request::Context;
use crate::subject::Subject;
use crate::wire::Reach;

/// Change the text at a location: replace it, add before or after it, or remove it
///
/// A location means a whole symbol with its comments and decorators, whole lines, or the text that its find matches;
/// with a marker, text goes in at the mark. For symbols and lines the new text may come with or without its
/// indentation. A text that goes before or after a symbol stands on lines of its own. Line breaks, the end of the file
/// and all other bytes stay as they are. The answer is a preview, as of a rename; `--apply` makes the change at once.
/// If the file has changed since the location was written, the place is found again, or nothing is written.
///
///   locant edit foo.py:MyClass.my_method --replace - < new.py
///   locant edit foo.py:MyClass.my_method --after 'def other(self): ...'
///   locant edit 'foo.py@return <|>result' --before 'not ' --apply
///   locant edit foo.py:10-12 --delete
///   locant edit --plan edits.json
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(
    verbatim_doc_comment,
    mut_arg("locate", |arg| arg
        .required_unless_present(clap::builder::Resettable::Reset)
        .required_unless_present_any(["anchor", "plan"])),
)]
pub struct Edit {
    #[command(flatten)]
    #[serde(flatten)]
    subject: Subject,
    #[command(flatten)]
    #[serde(flatten)]
    wish: Wish,
    /// Make all edits of a JSON list, in many files, as one change; `-` reads it from standard input
    #[arg(long, value_name = "FILE", value_parser = GivenPlan::of_argument)]
    #[schemars(with = "Option<Vec<serde_json::Map<String, serde_json::Value>>>")]
    #[serde(default)]
    plan: Option<GivenPlan>,
    #[command(flatten)]
    #[serde(flatten)]
    applying: Applying,
    #[command(flatten)]
    #[serde(flatten)]
    checking: Checking,
}

impl Ask for Edit {
    type Answer = HowFound<PreviewAnswer>;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<HowFound<PreviewAnswer>, Failure> {
        let (applying, checking) = (self.applying, self.checking);
        let answer = match &self.plan {
            Some(plan) => self.many(plan, flags, context),
            None => self.one(flags, context),
        };
        let Wanted { changes, how, notes } = answer.map_err(unwritten)?;
        let check = checking.of_edits(&changes, flags, context);
        let preview = changes.preview(applying, flags, context.files)?;
        let preview = preview.with_check(check).with_notes(notes);
        Ok(match how {
            Some(how) => HowFound::new(preview, how),
            None => HowFound::of_file(preview),
        })
    }
}

/// What the edits of a request want to change.
struct Wanted {
    changes: Changes,
    /// How the place was found; `None` for a plan.
    how: Option<How>,
    notes: Vec<Phrase>,
}

impl Edit {
    fn one(&self, flags: &Flags, context: Context<'_>) -> Result<Wanted, Failure> {
        let edit = OneEdit { subject: self.subject.clone(), wish: self.wish.clone() };
        let planned = edit.planned(flags, context)?;
        let (title, how) = (format!("Edit `{}`", planned.said), planned.how.clone());
        let notes = planned.note().into_iter().collect();
        let changes = changes(title, vec![planned], edit.is_of_text(), flags)?;
        Ok(Wanted { changes, how: Some(how), notes })
    }

    fn many(&self, plan: &GivenPlan, flags: &Flags, context: Context<'_>) -> Result<Wanted, Failure> {
        let mut edits = Vec::new();
        let mut are_texts = false;
        let items = plan.read(context.files)?;
        let n_items = items.len();
        for (index, fields) in items.into_iter().enumerate() {
            let planned = OneEdit::of_item(fields, flags).and_then(|(edit, flags)| {
                let subject = Subject {
                    text: edit.subject.text.clone().or_else(|| self.subject.text.clone()),
                    files: edit.subject.files.clone().or_else(|| self.subject.files.clone()),
                    ..edit.subject
                };
                let edit = OneEdit { subject, wish: edit.wish };
                are_texts |= edit.is_of_text();
                edit.planned(&flags, context)
            });
            edits.push(planned.map_err(|failure| numbered(failure, index + 1, n_items))?);
        }
        let title = format!("Make {n_items} edits");
        let notes = edits.iter().filter_map(Planned::note).collect();
        Ok(Wanted { changes: changes(title, edits, are_texts, flags)?, how: None, notes })
    }
}

/// The changes of several edits.
pub(super) fn changes(
    title: String,
    edits: Vec<Planned>,
    are_texts: bool,
    flags: &Flags,
) -> Result<Changes, Failure> {
    let root = if are_texts { None } else { edits::root_of(&edits, flags) };
    Ok(Changes {
        title,
        nothing: "that is what stands there: nothing changes",
        files: edits::by_file(edits, flags, are_texts)?,
        reach: Reach { root, ..Reach::default() },
        are_texts,
    })
}

/// Says which of several edits has failed.
fn numbered(failure: Failure, number: usize, n_edits: usize) -> Failure {
    Failure { message: format!("edit {number} of {n_edits}: {}", failure.message), ..failure }
}
