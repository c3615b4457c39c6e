//! `type-definition`: where the type of the name or expression at a place is defined.

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

/// Find where the type of what is at a place is defined
///
/// In .proto files: the type of a field, the answer of a method, the enum of a value. Other languages are answered by
/// their language servers.
///
///   locant type-definition a.proto:Order.total
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct TypeDefinition {
    #[command(flatten)]
    #[serde(flatten)]
    around: Around,
    #[command(flatten)]
    #[serde(flatten)]
    paging: Paging,
}

impl Ask for TypeDefinition {
    type Answer = HowFound<Page<PlaceItem>>;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<HowFound<Page<PlaceItem>>, Failure> {
        let asked = Targets { around: self.around, paging: self.paging, question: Question::TypeDefinition };
        asked.run(flags, context, |provider, asked| provider.type_definition(asked))
    }
}
