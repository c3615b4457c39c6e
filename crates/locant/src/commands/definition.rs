//! `definition`: where the name at a place is defined.

use clap::Args;
use locant_engine::names::{Names, Target};
use locant_engine::{NameIndex, Offset};
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

/// Find where the name at a place is defined
///
/// Built for .proto and .rho files.
///
///   locant definition 'a.proto:Order.total@<|>Money'
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Definition {
    #[command(flatten)]
    #[serde(flatten)]
    around: Around,
}

impl Ask for Definition {
    type Wire = Again<Page<PlaceItem>>;

    fn run(self, flags: &Flags, files: &Files) -> Result<Box<dyn Answer>, Failure> {
        targets(self.around, "definition", flags, files, |names, path, at| names.definition(path, at))
    }
}

/// The answer of a question whose answer is where something is declared. What is only likely is left out when
/// something is sure.
pub(super) fn targets(
    around: Around,
    command: &str,
    flags: &Flags,
    files: &Files,
    ask: impl Fn(&NameIndex, &str, Offset) -> Vec<Target>,
) -> Result<Box<dyn Answer>, Failure> {
    let asked = around.open(command, flags, files)?;
    let paths = |targets: &Vec<Target>| targets.iter().map(|target| target.path.clone()).collect();
    let (mut targets, searched) = asked.ask(Breadth::Needed, ask, paths);
    if targets.iter().any(|target| !target.is_guess) {
        targets.retain(|target| !target.is_guess);
    }
    if targets.is_empty() {
        return Err(asked.nothing(command));
    }
    let spot = |target: Target| Spot { path: target.path, range: target.name, is_guess: target.is_guess };
    let places = asked.places(targets.into_iter().map(spot).collect(), searched);
    if places.is_empty() {
        return Err(asked.nothing(command));
    }
    Ok(asked.told(places))
}
