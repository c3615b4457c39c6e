//! `describe`: from a place to the location that leads there.

use clap::Args;
use locant_engine::{self as engine, Description, Document, Location};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use super::tree::{PathNode, node_at, parse_once};
use crate::answer::{Answer, Form};
use crate::encoding::Encoding;
use crate::failure::{Failure, Kind};
use crate::flags::Flags;
use crate::how_found::HowFound;
use crate::phrase::{Phrase, Voice};
use crate::place::{Located, Place};
use crate::request::Context;
use crate::show::{self, Excerpt};
use crate::subject::Subject;
use crate::wire::{self, Candidate};

/// How many other locations are given.
const ALTERNATIVES: usize = 5;

/// Say how to write a place, given by line and column, as a location
///
/// The location leads back to exactly this place and names it by the text there, so that edits elsewhere do not break
/// it. Columns count in UTF-16 units, as in every location. Instead of line and column, any other location can be
/// given.
///
///   locant describe foo.py:42:10
///   locant describe foo.py:42:10-44:1
///   locant describe foo.py:42-44
///   locant describe foo.py:42:10 --checked
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Describe {
    #[command(flatten)]
    #[serde(flatten)]
    subject: Subject,
    /// End the location with a check: digits by which `--fuzzy` knows the lines around the place
    #[arg(long)]
    #[serde(default)]
    checked: bool,
}

/// The locations that lead to a place.
#[derive(Debug, JsonSchema, Serialize)]
pub struct DescribeAnswer {
    /// The shortest location that leads to this place and to no other.
    location: String,
    /// Other locations that lead there.
    alternatives: Vec<String>,
    /// Whether the location names the place by its text. A line or a coordinate changes with every edit above it.
    stable: bool,
    /// What to keep to find the place, or the start of the range, again after the file has changed. Absent if the file
    /// has only blanks.
    #[serde(skip_serializing_if = "Option::is_none")]
    anchor: Option<wire::Anchor>,
    /// The names of the symbols around the place, outermost first; empty outside of symbols.
    symbol_path: Vec<String>,
    /// The innermost syntax node around the place. Absent if locant does not parse the language.
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<PathNode>,
    /// How many places the given location matches. This is the first of them, or the one with the given number.
    matches: usize,
    /// The other places, at most ten.
    candidates: Vec<Candidate>,
    /// The path of the file, as in the request.
    file_path: String,
    /// The place, or the start of the range.
    position: wire::Position,
    /// The range, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<wire::Range>,
    /// The place as a number of bytes from the start of the file.
    offset: u32,
    /// The unit in which `character` counts.
    encoding: Encoding,
    /// The line of the place, without its line break.
    line_text: String,
    /// Notes about the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// The place in the form that terminals and editors jump to, such as `foo.py:42:10`.
    #[serde(skip)]
    coordinate: String,
    #[serde(skip)]
    excerpt: Excerpt,
}

impl Ask for Describe {
    type Answer = HowFound<DescribeAnswer>;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<HowFound<DescribeAnswer>, Failure> {
        let place = self.subject.open(flags, context.files)?;
        let is_range = place.is_long();
        let Located { found, mut how } = if is_range { place.range(flags)? } else { place.located(flags)? };
        let range = if is_range { found.range } else { engine::Range::empty(found.offset) };
        parse_once(&place.document);
        let description = if is_range {
            engine::describe_range(&place.document, range)
        } else {
            engine::describe(&place.document, range.start())
        };
        let mut description = description.ok_or_else(|| no_position(&place))?;
        let Place { document, .. } = place;
        if self.checked && !is_range {
            let checked = engine::checked(&document, range.start(), &description.location);
            description.location = checked.unwrap_or(description.location);
        }
        how.note_misread(engine::misread_at(&document, description.symbol, range.start()));
        let described = Described { document: &document, range, is_range, description };
        let (matches, candidates) = (found.matches, how.others());
        let answer = described.answer(flags.encoding(), context.form);
        Ok(HowFound::new(DescribeAnswer { matches, candidates, ..answer }, how))
    }
}

/// A place that is to be described.
struct Described<'d> {
    document: &'d Document,
    range: engine::Range,
    is_range: bool,
    description: Description,
}

impl Described<'_> {
    fn answer(&self, encoding: Encoding, form: Form) -> DescribeAnswer {
        let (document, range) = (self.document, wire::range(self.document, self.range, encoding));
        let is_json = form == Form::Json;
        DescribeAnswer {
            location: self.description.location.to_string(),
            alternatives: self.alternatives(),
            stable: self.description.stable,
            anchor: if is_json { self.anchor() } else { None },
            symbol_path: self.symbol_path(),
            node: if is_json { node_at(document, self.range.start(), encoding) } else { None },
            matches: 1,
            candidates: Vec::new(),
            file_path: document.path().to_owned(),
            position: range.start,
            range: self.is_range.then_some(range),
            offset: self.range.start().to_u32(),
            encoding,
            line_text: wire::line_text(document, self.range.start()),
            note: wire::note(document),
            coordinate: self.coordinate(),
            excerpt: show::excerpt(document, self.range),
        }
    }

    fn symbol_path(&self) -> Vec<String> {
        let outline = self.description.symbol.and_then(|symbol| Some((self.document.outline()?, symbol)));
        outline.map_or_else(Vec::new, |(outline, symbol)| {
            outline.path(symbol).into_iter().map(str::to_owned).collect()
        })
    }

    fn anchor(&self) -> Option<wire::Anchor> {
        let (place, location) = (self.range.start(), self.description.location.clone());
        engine::anchor(self.document, place, location).as_ref().map(wire::Anchor::new)
    }

    fn alternatives(&self) -> Vec<String> {
        let all = if self.is_range {
            engine::range_descriptions(self.document, self.range)
        } else {
            engine::descriptions(self.document, self.range.start())
        };
        let is_other = |location: &Location| *location != self.description.location;
        let others = all.into_iter().filter(is_other);
        others.take(ALTERNATIVES).map(|location| location.to_string()).collect()
    }

    fn coordinate(&self) -> String {
        let wire::Range { start, end } = wire::range(self.document, self.range, Encoding::Utf16);
        let from = show::place(self.document.path(), start);
        if self.is_range { format!("{from}-{}:{}", end.line, end.character) } else { from }
    }
}

impl Answer for DescribeAnswer {
    fn text(&self, _: &dyn Voice) -> String {
        let mut text = format!("{}\n{}{}\n", self.coordinate, show::snippet(&self.excerpt), self.location);
        for alternative in &self.alternatives {
            text.push_str(&format!("{alternative}\n"));
        }
        text
    }

    fn headline(&self) -> String {
        format!("{} is {}\n", show::code(&self.coordinate), show::code(&self.location))
    }

    fn markdown(&self, _: &dyn Voice) -> String {
        let path = self.symbol_path.join(".");
        let within = if path.is_empty() { String::new() } else { format!("in {}: ", show::code(&path)) };
        format!("{within}{}\n", show::code(&show::shortened(&self.line_text)))
    }

    fn leads_to(&self) -> Option<(&str, wire::Position)> {
        Some((&self.location, self.position))
    }

    fn notes(&self) -> Vec<Phrase> {
        let unstable = (!self.stable).then_some(UNSTABLE);
        let note = self.note.clone().map(Phrase::from);
        note.into_iter().chain(unstable.map(Phrase::from)).collect()
    }
}

const UNSTABLE: &str = "the location is a line or a coordinate, which edits above it move";

fn no_position(place: &Place) -> Failure {
    Failure::new(
        Kind::NotFound,
        format!("`{}` is not a position in the text", place.location),
        "a position lies between two characters",
    )
}
