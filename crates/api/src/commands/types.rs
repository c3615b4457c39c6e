//! `types`: the types above or below a type.

use clap::Args;
use locant_engine::names::{Question, TypeDirection};
use schemars::JsonSchema;
use serde::Deserialize;

use super::Ask;
use crate::failure::Failure;
use crate::flags::Flags;
use crate::how_found::HowFound;
use crate::name_query::Around;
use crate::paging::Paging;
use crate::relatives::{Related, RelativeItem};
use crate::request::Context;
use crate::wire::Page;

/// List the types that the one at a place extends, or that extend it
///
/// Answered by the language server of the file's language. The types below are the default.
///
///   locant types shapes.py:Shape
///   locant types shapes.py:Circle --super
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Types {
    #[command(flatten)]
    #[serde(flatten)]
    around: Around,
    #[command(flatten)]
    #[serde(flatten)]
    paging: Paging,
    /// The types that this one extends or implements
    #[arg(long = "super", conflicts_with = "sub")]
    #[serde(default, rename = "super")]
    is_super: bool,
    /// The types that extend or implement this one
    #[arg(long)]
    #[serde(default)]
    sub: bool,
}

impl Ask for Types {
    type Answer = HowFound<Page<RelativeItem>>;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<HowFound<Page<RelativeItem>>, Failure> {
        let direction = match (self.is_super, self.sub) {
            (true, true) => {
                return Err(Failure::invalid("both directions are asked for", "ask for one of them"));
            }
            (true, false) => TypeDirection::Super,
            (false, _) => TypeDirection::Sub,
        };
        let related = Related { around: self.around, paging: self.paging, question: Question::Types };
        related.run(flags, context, |provider, asked| provider.types(asked, direction))
    }
}
