//! `undo`: takes the changes of a preview back.

use clap::Args;
use locant_workspace::preview::Store;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Ask;
use super::apply::ApplyAnswer;
use crate::failure::Failure;
use crate::flags::Flags;
use crate::request::Context;

/// Take applied changes back, while their files are still as they left them
///
/// Every byte is as before. If one of the files has changed since, nothing is done. The answer has an id by which the
/// changes are made again. Changes can be taken back for a week.
///
///   locant undo 0123456789abcdef0123456789abcdef
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Undo {
    /// The id by which the changes were applied
    #[arg(value_name = "ID")]
    preview: String,
}

impl Ask for Undo {
    type Answer = ApplyAnswer;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<ApplyAnswer, Failure> {
        Ok(ApplyAnswer::new(Store::of_user()?.undo(&self.preview)?, flags, context))
    }
}
