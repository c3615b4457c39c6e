//! `references`: every place that means the same as the name at a place.

use clap::Args;
use locant_engine::NameIndex;
use locant_engine::names::{Mention, Names};
use schemars::JsonSchema;
use serde::Deserialize;

use super::Ask;
use crate::again::Again;
use crate::answer::Answer;
use crate::around::{Around, PlaceItem, Spot, paths};
use crate::failure::Failure;
use crate::files::Files;
use crate::flags::Flags;
use crate::paging::{Listed, Paging};
use crate::session::Breadth;
use crate::wire::Page;

/// Find every place that means the same as the name at a place, its declaration included
///
/// Built for .proto and .rho files. All files of the project are looked at: of the repository
/// around the file, else of the package, else of the root. What is hidden or ignored is not; the answer then says so.
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
    type Wire = Again<Page<PlaceItem>>;

    fn run(self, flags: &Flags, files: &Files) -> Result<Box<dyn Answer>, Failure> {
        let paging = self.paging.checked()?;
        let asked = self.around.open("references", flags, files)?;
        // What is on other pages is neither opened nor described.
        let ask = |names: &NameIndex, path: &str, at| paging.cut(names.references(path, at));
        let paths = |mentions: &Listed<Mention>| paths(&mentions.items, |mention| &mention.path);
        let (mentions, searched) = asked.ask(Breadth::All, ask, paths);
        if mentions.part.total == 0 {
            return Err(asked.nothing("references"));
        }
        let spot = |mention: Mention| {
            Some(Spot { path: mention.path, range: mention.range, is_guess: mention.is_guess })
        };
        Ok(asked.told(asked.places(mentions.filter_map(spot), searched)))
    }
}
