//! `search`: symbols of a whole tree by their names, or places by their text.

mod places;
mod symbols;

use std::collections::BTreeMap;

use clap::Args;
use locant_workspace::Gap;
use locant_workspace::query::Place;
use locant_workspace::sweep::Tally;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::answer::Answer;
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::flags::Flags;
use crate::gaps;
use crate::grouped::{Grouped, numbers};
use crate::paging::{Paging, Part};
use crate::phrase::{Phrase, Voice, call, phrase, setting};
use crate::request::Context;
use crate::show;
use crate::whole_tree::WholeTree;
use crate::wire;

/// Search the symbols of a whole tree, or places by a text
///
/// A query is a name, the end of a path, a part of a name, its initials, or any of these with a slip in it; the best
/// come first. With `--text` places are searched by a find, as in a location: words and marks count, blanks do not.
///
///   locant search QuerySet.filter
///   locant search QSfilter --kind method
///   locant search --text 'raise <|>ValueError' --code
#[derive(Args, Debug, Default, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
#[serde(default)]
pub struct Search {
    /// The name, or a part of it
    #[arg(value_name = "QUERY", required_unless_present = "text")]
    query: Option<String>,
    /// Search places by a find instead, with `<|>` at the place
    #[arg(long, value_name = "FIND", conflicts_with = "query")]
    text: Option<String>,
    /// Leave comments and strings out of what `--text` searches
    #[arg(long, requires = "text")]
    code: bool,
    /// Only symbols of this kind: class, function, method …; may be given several times
    #[arg(long, value_name = "KIND")]
    kind: Vec<String>,
    /// Only files below this folder, or that fit this pattern; may be given several times
    #[arg(long = "in", value_name = "FOLDER")]
    #[serde(rename = "in")]
    within: Vec<String>,
    #[command(flatten)]
    #[serde(flatten)]
    paging: Paging,
}

/// The symbols or places that were found.
#[derive(Debug, JsonSchema, Serialize)]
pub struct SearchAnswer {
    /// The symbols or places, best first.
    items: Vec<Found>,
    /// The unit in which `character` counts.
    encoding: Encoding,
    /// The folder that paths start from.
    root: String,
    /// How many symbols or places there are in total.
    total: usize,
    /// The value for `next` to get the following ones; null when there are no more.
    next: Option<usize>,
    /// Which files were looked at.
    files: FileCounts,
    /// Whether all files that may matter were looked at.
    complete: bool,
    /// Why files may be missing, if `complete` is false.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    incomplete_because: Vec<String>,
    #[serde(skip)]
    part: Part,
    #[serde(skip)]
    is_elsewhere: bool,
    /// Whether the request says in which folders.
    #[serde(skip)]
    is_narrowed: bool,
    /// The message when nothing is found.
    #[serde(skip)]
    nothing: Phrase,
}

/// How many files were searched, and why others were not.
#[derive(Debug, JsonSchema, Serialize)]
struct FileCounts {
    /// How many files were read.
    read: usize,
    /// How many files were known from the catalog, without reading them.
    cached: usize,
    /// How many files were left out, for each reason.
    skipped: BTreeMap<&'static str, usize>,
}

/// A symbol or a place that was found.
#[derive(Debug, JsonSchema, Serialize)]
struct Found {
    /// The name of the symbol, or of the symbol around the place.
    name: String,
    /// The kind of the symbol: class, function, method …
    kind: &'static str,
    /// The names of the enclosing symbols, followed by its own name.
    path: Vec<String>,
    /// The path of the file.
    file_path: String,
    /// Where the name of the symbol starts, or where the place is.
    position: wire::Position,
    /// The position as a number of bytes from the start of the file.
    offset: u32,
    /// A location that leads to the position.
    location: String,
    /// The line of the position, without its line break.
    line_text: String,
    /// The signature of the symbol on one line. For a place, the text of its line.
    detail: String,
    /// Whether this is a place found by `--text`; the symbol fields then describe the symbol around it.
    #[serde(skip)]
    is_place: bool,
    /// The symbol around a place, and the line of the place, cut to what is near it.
    #[serde(skip)]
    within: String,
    #[serde(skip)]
    shown: String,
}

/// How many results are listed by default. Every file in the list has to be parsed.
const FEW: usize = 50;

impl Ask for Search {
    type Answer = SearchAnswer;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<SearchAnswer, Failure> {
        let paging = self.paging.checked()?;
        flags.refuse_unbuilt()?;
        let tree = WholeTree::around(flags);
        let wanted = symbols::Wanted::new(&self.kind, &self.within, &tree, flags)?;
        let (items, part, tally) = match (&self.query, &self.text) {
            (Some(query), None) => symbols::search(query, &wanted, &tree, paging, flags, context.files)?,
            (None, Some(find)) => places::search(find, self.code, &wanted, &tree, paging, flags)?,
            (Some(_), Some(_)) => {
                return Err(Failure::invalid("a query and a text to find", "give one of them"));
            }
            (None, None) => return Err(nothing_asked()),
        };
        let gaps = told(&tally.gaps, context.voice);
        let answer = SearchAnswer::new(items, part, tally, gaps, &tree, flags);
        let is_narrowed = !self.within.is_empty();
        let nothing = match self.query {
            _ if is_narrowed && answer.n_files() == 0 => no_file_below(&self.within),
            Some(query) => as_text(query),
            None => "nothing matches; words and marks must be there as they are written".into(),
        };
        Ok(SearchAnswer { nothing, is_narrowed, ..answer })
    }
}

fn no_file_below(within: &[String]) -> Phrase {
    let named: Vec<String> = within.iter().map(|folder| show::code(folder)).collect();
    format!("no file that can be searched is below {}, seen from the root", named.join(" or ")).into()
}

fn as_text(query: String) -> Phrase {
    phrase!["nothing is called so; look for it as text: ", call("search").with("text", query)]
}

fn nothing_asked() -> Failure {
    let (query, text) = (setting("query", "NAME"), setting("text", "FIND"));
    Failure::invalid("nothing to search for", phrase!["give `", query, "` or `", text, "`"])
}

impl SearchAnswer {
    fn new(
        items: Vec<Found>,
        part: Part,
        tally: Tally,
        gaps: Vec<String>,
        tree: &WholeTree,
        flags: &Flags,
    ) -> SearchAnswer {
        let Tally { n_read, n_cached, skipped, .. } = tally;
        SearchAnswer {
            items,
            encoding: flags.encoding(),
            root: tree.written(),
            total: part.total,
            next: part.next(),
            files: FileCounts { read: n_read, cached: n_cached, skipped },
            complete: gaps.is_empty(),
            incomplete_because: gaps,
            part,
            is_elsewhere: tree.is_elsewhere(),
            is_narrowed: false,
            nothing: Phrase::default(),
        }
    }

    /// How many files were searched.
    fn n_files(&self) -> usize {
        self.files.read + self.files.cached
    }
}

/// The gaps in words: the first few, and how many more there are.
fn told(gaps: &[Gap], voice: &dyn Voice) -> Vec<String> {
    const TOLD: usize = 5;
    let mut told: Vec<String> = gaps.iter().take(TOLD).map(|gap| gaps::said(gap).said(voice)).collect();
    if gaps.len() > TOLD {
        told.push(format!("and {} more like these", gaps.len() - TOLD));
    }
    told
}

impl Answer for SearchAnswer {
    fn text(&self, _: &dyn Voice) -> String {
        let mut text = String::new();
        for found in &self.items {
            let place = show::place(&found.file_path, found.position);
            text += &format!("{}: {}\n", show::bold(&place), show::visible(&found.said()));
        }
        text
    }

    fn markdown(&self, voice: &dyn Voice) -> String {
        if self.items.iter().any(|found| found.is_place) { self.places(voice) } else { self.symbols() }
    }

    fn headline(&self) -> String {
        format!("{} found; {} files searched\n", self.total, self.n_files())
    }

    fn is_found(&self) -> bool {
        self.total > 0
    }

    fn n_listed(&self) -> Option<usize> {
        Some(self.items.len())
    }

    fn notes(&self) -> Vec<Phrase> {
        let nothing = (self.total == 0).then(|| self.nothing.clone());
        let root = self.is_elsewhere.then(|| format!("paths start from `{}`", self.root).into());
        let gaps = self.incomplete_because.iter().map(|gap| format!("not complete: {gap}").into());
        nothing.into_iter().chain(root).chain(gaps).chain(self.part.note("found")).collect()
    }
}

impl SearchAnswer {
    /// Symbols for agents, below the paths of their files.
    fn symbols(&self) -> String {
        let mut markdown = String::new();
        let mut above = "";
        for found in &self.items {
            if found.file_path != above {
                markdown += &format!("{}\n", show::code(&show::path(&found.file_path)));
                above = &found.file_path;
            }
            let place = show::below_path(&found.file_path, &found.location, found.position);
            // Most signatures name the kind and the symbol.
            let is_told = found.detail.contains(&found.name);
            let said = if is_told { show::shortened(&found.detail) } else { found.said() };
            markdown += &format!("- {place}: {said}\n");
        }
        markdown
    }

    /// Places for agents. Of tests and examples only the lines are named, where there are other places and the request
    /// does not ask for these folders.
    fn places(&self, voice: &dyn Voice) -> String {
        let is_aside = |found: &Found| Place::new(&found.file_path).is_aside();
        let n_aside = self.items.iter().filter(|found| is_aside(found)).count();
        let is_brief = !self.is_narrowed && n_aside >= MANY_ASIDE && n_aside < self.items.len();
        let (mut list, mut aside) = (Grouped::default(), BTreeMap::<&str, Vec<u32>>::new());
        for found in &self.items {
            if is_brief && is_aside(found) {
                aside.entry(&found.file_path).or_default().push(found.position.line);
            } else {
                list.add(&show::path(&found.file_path), &found.within, found.position.line, &found.shown);
            }
        }
        let mut markdown = list.markdown();
        for (path, lines) in &aside {
            markdown += &format!("{} {}\n", show::code(&show::path(path)), numbers(lines));
        }
        if let Some((path, _)) = aside.first_key_value() {
            let within = voice.setting("in", path);
            markdown += &format!(
                "tests and examples are listed by line only; {} shows these lines\n",
                show::code(&within)
            );
        }
        markdown
    }
}

/// From how many places of tests and examples on only their lines are named.
const MANY_ASIDE: usize = 3;

impl Found {
    /// A description on one line.
    fn said(&self) -> String {
        let path = self.path.join(".");
        match (self.is_place, self.detail.is_empty()) {
            (true, _) if self.path.is_empty() => self.line_text.trim().to_owned(),
            (true, _) => format!("in {path}: {}", self.detail),
            (false, true) => format!("{} {path}", self.kind),
            (false, false) => format!("{} {path}  {}", self.kind, show::shortened(&self.detail)),
        }
    }
}
