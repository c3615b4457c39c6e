//! Functions and types that are related to the one at a place, as an answer.

use locant_engine::names::Relative;
use locant_workspace::{Answered, Provider};
use schemars::JsonSchema;
use serde::Serialize;

use crate::failure::Failure;
use crate::flags::Flags;
use crate::how_found::HowFound;
use crate::name_query::{Around, Asked, PlaceItem, Places, Spot};
use crate::paging::Paging;
use crate::request::Context;
use crate::show;
use crate::wire::{Item, Page};
use locant_engine::names::Question;

/// A function or a type that is related to the one that was asked about.
#[derive(Debug, JsonSchema, Serialize)]
pub struct RelativeItem {
    /// Its name.
    name: String,
    /// What it is: `function`, `class` …; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(flatten)]
    place: PlaceItem,
    /// Where the calls are, as locations; absent for types.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call_sites: Option<Vec<String>>,
}

impl Item for RelativeItem {
    const PLURAL: &'static str = "symbols";

    fn text(&self, _: bool) -> String {
        self.place.text(false)
    }

    fn path(&self) -> Option<String> {
        self.place.path()
    }

    fn markdown(&self) -> String {
        let sites =
            self.call_sites.iter().flatten().map(|site| format!("  - called at {}\n", show::code(site)));
        self.place.markdown() + &sites.collect::<String>()
    }
}

/// A question about what is related to the symbol at a place.
pub(crate) struct Related {
    pub(crate) around: Around,
    pub(crate) paging: Paging,
    pub(crate) question: Question,
}

impl Related {
    /// The answer.
    pub(crate) fn run(
        self,
        flags: &Flags,
        context: Context<'_>,
        ask: impl Fn(&dyn Provider, &locant_workspace::Asked<'_>) -> Answered<Vec<Relative>>,
    ) -> Result<HowFound<Page<RelativeItem>>, Failure> {
        let paging = self.paging.checked()?;
        let has_sites = self.question == Question::Calls;
        let asked = self.around.open(self.question, flags, context)?;
        let known = asked.ask(ask)?;
        let (reach, root) = (asked.reach(&known), known.root.as_deref());
        let spot = |relative: &Relative| Spot {
            path: relative.target.path.clone(),
            range: relative.target.name,
            is_guess: relative.target.is_guess,
        };
        let page = asked.page(paging.cut(known.value), root, &reach, spot, |relative, place, places| {
            let call_sites = has_sites.then(|| sites(&asked, root, &relative, places));
            RelativeItem {
                kind: relative.kind.map(|kind| kind.word()),
                name: relative.name,
                place,
                call_sites,
            }
        });
        Ok(asked.told(page))
    }
}

/// Where the calls of a related function are.
fn sites(
    asked: &Asked<'_>,
    root: Option<&std::path::Path>,
    relative: &Relative,
    places: &Places<'_>,
) -> Vec<String> {
    let location = |(path, range): &(String, locant_engine::Range)| {
        let document = asked.document_at(root, path)?;
        let spot = Spot { path: path.clone(), range: *range, is_guess: false };
        Some(places.location(&document, &spot)).filter(|location| !location.is_empty())
    };
    relative.call_sites.iter().filter_map(location).collect()
}
