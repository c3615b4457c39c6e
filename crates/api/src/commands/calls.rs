//! `calls`: lists the callers of a function, or the functions that it calls.

use clap::Args;
use locant_engine::names::{CallDirection, Question};
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

/// List the functions that call the one at a place, or that it calls, with the places of the calls
///
/// Answered by the language server of the file's language. Incoming calls are the default.
///
///   locant calls models.py:User.save
///   locant calls models.py:User.save --outgoing
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Calls {
    #[command(flatten)]
    #[serde(flatten)]
    around: Around,
    #[command(flatten)]
    #[serde(flatten)]
    paging: Paging,
    /// The functions that call this one
    #[arg(long, conflicts_with = "outgoing")]
    #[serde(default)]
    incoming: bool,
    /// The functions that this one calls
    #[arg(long)]
    #[serde(default)]
    outgoing: bool,
}

impl Ask for Calls {
    type Answer = HowFound<Page<RelativeItem>>;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<HowFound<Page<RelativeItem>>, Failure> {
        let direction = match (self.incoming, self.outgoing) {
            (true, true) => {
                return Err(Failure::invalid("both directions are asked for", "ask for one of them"));
            }
            (_, true) => CallDirection::Outgoing,
            (_, false) => CallDirection::Incoming,
        };
        let related = Related { around: self.around, paging: self.paging, question: Question::Calls };
        related.run(flags, context, |provider, asked| provider.calls(asked, direction))
    }
}
