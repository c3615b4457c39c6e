//! `type-definition`: where the type of what is at a place is defined.

use clap::Args;
use locant_engine::names::Question;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Ask;
use super::definition::Targets;
use crate::again::Again;
use crate::answer::Answer;
use crate::around::{Around, PlaceItem};
use crate::failure::Failure;
use crate::files::Files;
use crate::flags::Flags;
use crate::paging::Paging;
use crate::wire::Page;

/// Find where the type of what is at a place is defined
///
/// Built for .proto files: the type of a field, the answer of a method, the enum of a value.
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
    type Wire = Again<Page<PlaceItem>>;

    fn run(self, flags: &Flags, files: &Files) -> Result<Box<dyn Answer>, Failure> {
        let asked = Targets { around: self.around, paging: self.paging, question: Question::TypeDefinition };
        asked.run(flags, files, |provider, asked| provider.type_definition(asked))
    }
}
