//! `implementation`: finds the code that implements an interface or overrides a method.

use clap::Args;
use locant_engine::names::Question;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Ask;
use super::definition::Targets;
use crate::failure::Failure;
use crate::flags::Flags;
use crate::how_found::HowFound;
use crate::name_query::{Around, PlaceItem};
use crate::paging::Paging;
use crate::request::Context;
use crate::wire::Page;

/// Find what implements the symbol at a place: the types of an interface, the overrides of a method
///
/// Answered by the language server of the file's language.
///
///   locant implementation shapes.ts:Shape.area
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Implementation {
    #[command(flatten)]
    #[serde(flatten)]
    around: Around,
    #[command(flatten)]
    #[serde(flatten)]
    paging: Paging,
}

impl Ask for Implementation {
    type Answer = HowFound<Page<PlaceItem>>;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<HowFound<Page<PlaceItem>>, Failure> {
        let asked = Targets { around: self.around, paging: self.paging, question: Question::Implementation };
        asked.run(flags, context, |provider, asked| provider.implementation(asked))
    }
}
