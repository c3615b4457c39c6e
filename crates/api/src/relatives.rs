//! Functions and types that are related to the one at a place, as an answer.

use std::path::Path;

use locant_engine::names::Relative;
use locant_workspace::{Answered, Provider};
use schemars::JsonSchema;
use serde::Serialize;

use crate::failure::Failure;
use crate::flags::Flags;
use crate::grouped::numbers;
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
    /// The lines of the calls, below the path of their file.
    #[serde(skip)]
    site_lines: Vec<(String, Vec<u32>)>,
}

impl Item for RelativeItem {
    const PLURAL: &'static str = "symbols";

    fn text(&self, _: bool) -> String {
        self.place.text(false)
    }

    fn path(&self) -> Option<String> {
        if self.is_outside() { Some(OUTSIDE.to_owned()) } else { self.place.path() }
    }

    /// What a function calls in libraries is told by name alone.
    fn is_outside(&self) -> bool {
        !self.site_lines.is_empty() && self.place.path().is_some_and(|path| Path::new(&path).is_absolute())
    }

    fn within(&self) -> Option<String> {
        if self.site_lines.is_empty() { self.place.within() } else { None }
    }

    fn markdown(&self) -> String {
        if self.site_lines.is_empty() {
            return self.place.markdown();
        }
        let path = self.place.path().unwrap_or_default();
        let mut sites: Vec<String> = Vec::new();
        for (file, lines) in &self.site_lines {
            let file = if *file == path { String::new() } else { show::path(file) };
            sites.push(file + &numbers(lines));
        }
        let named = if self.is_outside() { self.place.symbol() } else { self.place.named() };
        format!("{named}, called at {}\n", sites.join(" "))
    }
}

/// The heading of what is outside of the project.
const OUTSIDE: &str = "outside of the root";

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
            let site_lines = if has_sites { site_lines(&asked, root, &relative, places) } else { Vec::new() };
            RelativeItem {
                site_lines,
                kind: relative.kind.map(|kind| kind.word()),
                name: relative.name,
                place,
                call_sites,
            }
        });
        Ok(asked.told(page))
    }
}

/// The lines of the calls, in the order of the calls.
fn site_lines(
    asked: &Asked<'_>,
    root: Option<&std::path::Path>,
    relative: &Relative,
    places: &Places<'_>,
) -> Vec<(String, Vec<u32>)> {
    let mut sites: Vec<(String, Vec<u32>)> = Vec::new();
    for (path, range) in &relative.call_sites {
        let Some(document) = asked.document_at(root, path) else { continue };
        let (path, line) = (places.pasted(path), document.text().line_of(range.start()));
        match sites.iter_mut().find(|(known, _)| *known == path) {
            Some((_, lines)) if lines.contains(&line) => {}
            Some((_, lines)) => lines.push(line),
            None => sites.push((path, vec![line])),
        }
    }
    sites
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
