//! `definition`: where the name at a place is defined.

use clap::Args;
use locant_engine::names::{Question, Target};
use locant_workspace::{Answered, Asked, Provider};
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

/// Find where the name at a place is defined
///
/// .proto and .rho files are answered by locant itself, other languages by their language servers. Where there is none,
/// the symbols that have the name are given, and the answer says that it is by text.
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
    type Answer = HowFound<Page<PlaceItem>>;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<HowFound<Page<PlaceItem>>, Failure> {
        let asked = Targets { around: self.around, paging: self.paging, question: Question::Definition };
        asked.run(flags, context, |provider, asked| provider.definition(asked))
    }
}

/// A question whose answer is a list of places where something is declared.
pub(super) struct Targets {
    pub(super) around: Around,
    pub(super) paging: Paging,
    pub(super) question: Question,
}

impl Targets {
    /// Answers the question.
    pub(super) fn run(
        self,
        flags: &Flags,
        context: Context<'_>,
        ask: impl Fn(&dyn Provider, &Asked<'_>) -> Answered<Vec<Target>>,
    ) -> Result<HowFound<Page<PlaceItem>>, Failure> {
        let Targets { around, paging, question } = self;
        let paging = paging.checked()?;
        let asked = around.open(question, flags, context)?;
        let targets = asked.targets(ask)?;
        let reach = asked.reach(&targets);
        // Places on other pages are neither opened nor described.
        let spots = paging.cut(targets.value).filter_map(Spot::of_target);
        let places = asked.places(spots, targets.root.as_deref(), &reach);
        if places.is_empty() {
            return Err(asked.nothing());
        }
        Ok(asked.told(places))
    }
}
