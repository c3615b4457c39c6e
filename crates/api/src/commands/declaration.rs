//! `declaration`: where the name at a place is declared.

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

/// Find where the name at a place is declared
///
/// In .proto files it is the definition; in .rho files it is what binds the name. Other languages are answered by their
/// language servers.
///
///   locant declaration 'a.proto:Order.total@<|>Money'
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Declaration {
    #[command(flatten)]
    #[serde(flatten)]
    around: Around,
    #[command(flatten)]
    #[serde(flatten)]
    paging: Paging,
}

impl Ask for Declaration {
    type Answer = HowFound<Page<PlaceItem>>;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<HowFound<Page<PlaceItem>>, Failure> {
        let asked = Targets { around: self.around, paging: self.paging, question: Question::Declaration };
        asked.run(flags, context, |provider, asked| provider.declaration(asked))
    }
}
