//! `definition`: where the name at a place is defined.

use clap::Args;
use locant_engine::names::{Names, Target};
use locant_engine::{NameIndex, Offset};
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
    #[command(flatten)]
    #[serde(flatten)]
    paging: Paging,
}

impl Ask for Definition {
    type Wire = Again<Page<PlaceItem>>;

    fn run(self, flags: &Flags, files: &Files) -> Result<Box<dyn Answer>, Failure> {
        let asked = Targets { around: self.around, paging: self.paging, command: "definition" };
        asked.run(flags, files, |names, path, at| names.definition(path, at))
    }
}

/// A question whose answer is where something is declared.
pub(super) struct Targets {
    pub(super) around: Around,
    pub(super) paging: Paging,
    /// The name of its command.
    pub(super) command: &'static str,
}

impl Targets {
    /// The answer. What is only likely is left out when something is sure.
    pub(super) fn run(
        self,
        flags: &Flags,
        files: &Files,
        ask: impl Fn(&NameIndex, &str, Offset) -> Vec<Target>,
    ) -> Result<Box<dyn Answer>, Failure> {
        let Targets { around, paging, command } = self;
        let paging = paging.checked()?;
        let asked = around.open(command, flags, files)?;
        let page = |names: &NameIndex, path: &str, at| {
            let mut targets = ask(names, path, at);
            if targets.iter().any(|target| !target.is_guess) {
                targets.retain(|target| !target.is_guess);
            }
            paging.cut(targets)
        };
        let paths = |targets: &Listed<Target>| paths(&targets.items, |target| &target.path);
        let (targets, searched) = asked.ask(Breadth::Needed, page, paths);
        let spot =
            |target: Target| Some(Spot { path: target.path, range: target.name, is_guess: target.is_guess });
        let places = asked.places(targets.filter_map(spot), searched);
        if places.is_empty() {
            return Err(asked.nothing(command));
        }
        Ok(asked.told(places))
    }
}
