//! `apply`: makes the changes of a preview.

use clap::Args;
use locant_workspace::preview::{Applied, Store};
use locant_workspace::written;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::answer::Answer;

use crate::failure::{Failure, unwritten};
use crate::flags::Flags;
use crate::phrase::{Phrase, Voice};
use crate::preview::now::{self, Now};
use crate::request::Context;

/// Make the changes of a preview, all or nothing
///
/// When a file has changed since the preview, nothing is done, and what someone saves at the same time is kept. Owner,
/// mode and attributes of a file stay; one that is read-only or has other hard links is refused. If it is interrupted,
/// the next command finishes the changes or takes all of them back.
///
///   locant apply 0123456789abcdef0123456789abcdef
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Apply {
    /// The id that the preview gave
    #[arg(value_name = "ID")]
    preview: String,
    /// Which of several actions: the number that `code-actions` gave
    #[arg(long, value_name = "N")]
    #[serde(default)]
    action: Option<usize>,
}

/// The changes that were made.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ApplyAnswer {
    /// The files that were changed.
    file_paths: Vec<String>,
    /// How many places were changed in these files.
    total: usize,
    /// Where each change stands now.
    locations: Vec<String>,
    /// The id by which `undo` takes the changes back.
    undo: String,
    /// Messages about interrupted changes that were finished or taken back first.
    #[serde(skip)]
    recovered: Vec<String>,
    #[serde(skip)]
    places: Vec<Now>,
}

impl Ask for Apply {
    type Answer = ApplyAnswer;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<ApplyAnswer, Failure> {
        let store = Store::of_user()?;
        let applied = match self.action {
            None => store.apply(&self.preview)?,
            Some(number) => store
                .apply(&store.choice(&self.preview, number).map_err(Failure::from).map_err(unwritten)?)?,
        };
        Ok(ApplyAnswer::new(applied, flags, context))
    }
}

impl ApplyAnswer {
    /// The answer once changes are made.
    pub(super) fn new(applied: Applied, flags: &Flags, context: Context<'_>) -> ApplyAnswer {
        let places = now::places(&applied, flags, context.files);
        let file_paths = applied.files.iter().map(|file| written(file)).collect();
        let Applied { n_edits: total, id: undo, recovered, .. } = applied;
        let locations = places.iter().map(|now| now.location.clone()).collect();
        ApplyAnswer { file_paths, total, locations, undo, recovered, places }
    }
}

impl Answer for ApplyAnswer {
    fn text(&self, _: &dyn Voice) -> String {
        self.file_paths.iter().map(|path| format!("{path}\n")).collect()
    }

    fn markdown(&self, _: &dyn Voice) -> String {
        now::told(&self.places, &self.undo)
    }

    fn notes(&self) -> Vec<Phrase> {
        let places = if self.total == 1 { "place" } else { "places" };
        let changed = format!("{} {places} changed", self.total);
        self.recovered.iter().cloned().chain([changed]).map(Phrase::from).collect()
    }
}
