//! `references`: every place that means the same as the name at a place.

use clap::Args;
use locant_engine::names::Question;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Ask;
use crate::failure::Failure;
use crate::flags::Flags;
use crate::how_found::HowFound;
use crate::name_query::{Around, PlaceItem, Spot};
use crate::paging::Paging;
use crate::request::Context;
use crate::wire::Page;

/// Find every place that means the same as the name at a place, its declaration included
///
/// .proto and .rho files are answered by locant itself, other languages by their language servers. All files of the
/// project are looked at: of the repository around the file, else of the package, else of the root. Hidden and ignored
/// files are left out; the answer says so.
///
/// Where there is no server, the answer is by text, and says so: where the name stands as a word in files of the
/// language, outside of comments and strings.
///
///   locant references a.proto:Order
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct References {
    #[command(flatten)]
    #[serde(flatten)]
    around: Around,
    #[command(flatten)]
    #[serde(flatten)]
    paging: Paging,
}

impl Ask for References {
    type Answer = HowFound<Page<PlaceItem>>;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<HowFound<Page<PlaceItem>>, Failure> {
        let paging = self.paging.checked()?;
        let asked = self.around.open(Question::References, flags, context)?;
        let mentions = asked.ask(|provider, asked| provider.references(asked))?;
        if mentions.value.is_empty() {
            return Err(asked.nothing());
        }
        let reach = asked.reach(&mentions);
        // Places on other pages are neither opened nor described.
        let spots = paging.cut(mentions.value).filter_map(Spot::of_mention);
        Ok(asked.told(asked.places(spots, mentions.root.as_deref(), &reach)))
    }
}
