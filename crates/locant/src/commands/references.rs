//! `references`: every place that means the same as the name at a place.

use clap::Args;
use locant_engine::names::{Mention, Names};
use schemars::JsonSchema;
use serde::Deserialize;

use super::Ask;
use crate::again::Again;
use crate::answer::Answer;
use crate::around::{Around, PlaceItem, Spot};
use crate::failure::Failure;
use crate::files::Files;
use crate::flags::Flags;
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
}

impl Ask for References {
    type Wire = Again<Page<PlaceItem>>;

    fn run(self, flags: &Flags, files: &Files) -> Result<Box<dyn Answer>, Failure> {
        let asked = self.around.open("references", flags, files)?;
        let paths = |mentions: &Vec<Mention>| mentions.iter().map(|mention| mention.path.clone()).collect();
        let (mentions, searched) =
            asked.ask(Breadth::All, |names, path, at| names.references(path, at), paths);
        if mentions.is_empty() {
            return Err(asked.nothing("references"));
        }
        let spot =
            |mention: Mention| Spot { path: mention.path, range: mention.range, is_guess: mention.is_guess };
        Ok(asked.told(asked.places(mentions.into_iter().map(spot).collect(), searched)))
    }
}
