//! `read`: the source of a symbol or around a place.

use std::sync::Arc;

use clap::Args;
use locant_engine::{self as engine, Document, Found, Location, Offset, Scope, SymbolId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use super::tree::{PathNode, node_at, parse_once};
use crate::answer::{Answer, Form};
use crate::failure::Failure;
use crate::files::Files;
use crate::flags::{Encoding, Flags};
use crate::place::{Located, Memory, Place};
use crate::remark::Remark;
use crate::show;
use crate::subject::Subject;
use crate::wire::{self, Candidate, How, Spoken};

/// How many lines are shown before and after a place that a find or a coordinate gives.
const CONTEXT: u32 = 3;

/// Show the source of a symbol, or the lines around a place, with line numbers
///
/// A symbol is shown whole, with its comments; lines are shown as asked, as far as there are so many; a place that was
/// found is shown with a few lines around it, or with `--around` the whole symbol that it stands in; a bare file is
/// shown from start to end. Several locations are shown one after the other.
///
///   locant read foo.py:MyClass.my_method
///   locant read 'foo.py@return <|>result'
///   locant read foo.py:42 --around
///   locant read foo.py:MyClass bar.py:10-20
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Read {
    #[command(flatten)]
    #[serde(flatten)]
    subject: Subject,
    /// More places
    #[arg(value_name = "LOCATION")]
    #[serde(skip)]
    more: Vec<Spoken>,
    /// Several places, in place of one.
    #[arg(skip)]
    #[serde(default)]
    locates: Vec<Spoken>,
    /// Show the whole symbol that the place stands in
    #[arg(long)]
    #[serde(default)]
    around: bool,
}

/// The source of places. Of a single one the fields of its answer stand beside `items`.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ReadAnswer {
    #[serde(flatten)]
    single: Option<Single>,
    /// The places in the order in which they were asked for.
    items: Vec<Item>,
}

/// One of the places that were asked for.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(untagged)]
enum Item {
    /// It was found.
    Found(ItemFound),
    /// It was not.
    Failed {
        /// As it was asked for.
        location: String,
        /// Why.
        error: Failure,
    },
}

/// The source of one place.
#[derive(Debug, JsonSchema, Serialize)]
struct ItemFound {
    /// The file, as it was given.
    file_path: String,
    /// The names that lead to the symbol, or to the innermost one around the place; empty outside of symbols.
    symbol_path: Vec<String>,
    /// What is shown.
    range: wire::Range,
    /// A location that leads to the place; of a bare file, its path.
    location: String,
    /// The lines that are shown.
    lines: Vec<Line>,
    /// The symbol's declaration without its body, on one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    /// The symbol's documentation as it stands in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    docs: Option<String>,
    /// Is it only a part of what was asked for?
    cut: bool,
    /// All that should be known of it besides, if there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// A line of the source.
#[derive(Debug, JsonSchema, Serialize)]
struct Line {
    /// Its number, from 1.
    n: u32,
    /// Its text, without the line break.
    text: String,
}

/// The source of a symbol or around a place.
#[derive(Debug, JsonSchema, Serialize)]
struct Single {
    /// The file, as it was given.
    file_path: String,
    /// The place that was asked for.
    position: wire::Position,
    /// The place as a number of bytes from the start of the file.
    offset: u32,
    /// What `character` counts.
    encoding: Encoding,
    /// What `text` spans.
    range: wire::Range,
    /// The source.
    text: String,
    /// The symbol's declaration without its body, on one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    /// The symbol's documentation as it stands in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    docs: Option<String>,
    /// The names that lead to the symbol, or to the innermost one around the place; empty outside of symbols.
    symbol_path: Vec<String>,
    /// What stands at the place in the syntax: the innermost node around it. Absent for a bare file, and where the
    /// language is not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<PathNode>,
    /// A location that leads to the place; of a bare file, its path.
    location: String,
    /// How many places the location matches; this is the first, or the one asked for.
    matches: usize,
    /// The other places, at most ten.
    candidates: Vec<Candidate>,
    /// How the place was found, if not as it was written.
    #[serde(flatten)]
    how: Option<How>,
    /// What should be known besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// What was found of several places.
struct Readings(Vec<Result<Reading, (String, Failure)>>);

struct Reading {
    document: Arc<Document>,
    offset: Offset,
    range: engine::Range,
    symbol: Option<SymbolId>,
    what: What,
    /// How many places the location matches.
    matches: usize,
    how: How,
    /// Is only a part of the lines shown?
    is_cut: bool,
    encoding: Encoding,
}

/// What is shown.
#[derive(Clone, Copy, PartialEq)]
enum What {
    File,
    Symbol,
    Lines,
    Around,
}

impl Ask for Read {
    type Wire = ReadAnswer;

    fn run(self, flags: &Flags, files: &Files) -> Result<Box<dyn Answer>, Failure> {
        let Read { subject, more, locates, around } = self;
        let locates: Vec<Spoken> = locates.into_iter().chain(more).collect();
        if locates.is_empty() {
            return Ok(Box::new(Reading::of(&subject, around, flags, files)?));
        }
        let first = subject.locate.clone().into_iter();
        let read = |spoken: Spoken| {
            let asked = spoken.to_string();
            let subject = Subject { locate: Some(spoken), ..subject.clone() };
            Reading::of(&subject, around, flags, files).map_err(|failure| (asked, failure))
        };
        Ok(Box::new(Readings(first.chain(locates).map(read).collect())))
    }
}

impl Answer for Readings {
    fn json(&self) -> String {
        let item = |reading: &Result<Reading, (String, Failure)>| match reading {
            Ok(reading) => Item::Found(ItemFound {
                notes: reading.remarks().into_iter().map(|remark| remark.said).collect(),
                ..reading.item()
            }),
            Err((location, error)) => Item::Failed { location: location.clone(), error: error.clone() },
        };
        wire::to_json(&ReadAnswer { single: None, items: self.0.iter().map(item).collect() })
    }

    fn text(&self) -> String {
        self.found().map(Reading::text).collect::<Vec<_>>().join("\n")
    }

    fn markdown(&self) -> String {
        let markdown = |reading: &Reading| {
            let remarks: String = reading.remarks().iter().map(|remark| remark.markdown() + "\n").collect();
            format!("{}\n{remarks}{}", reading.headline(), reading.markdown())
        };
        self.found().map(markdown).collect::<Vec<_>>().join("\n")
    }

    fn is_found(&self) -> bool {
        self.0.iter().all(Result::is_ok)
    }

    fn remarks(&self) -> Vec<Remark> {
        let failed = self.0.iter().filter_map(|reading| reading.as_ref().err());
        failed.map(|(_, failure)| failure.remark()).collect()
    }

    fn beside(&self, form: Form) -> Vec<Remark> {
        let of_places = self.found().flat_map(|reading| reading.beside(form));
        let failed = if form == Form::Text { self.remarks() } else { Vec::new() };
        of_places.chain(failed).collect()
    }
}

impl Readings {
    fn found(&self) -> impl Iterator<Item = &Reading> {
        self.0.iter().filter_map(|reading| reading.as_ref().ok())
    }
}

impl Answer for Reading {
    fn json(&self) -> String {
        let document = &self.document;
        let ItemFound { file_path, symbol_path, range, location, signature, docs, .. } = self.item();
        let single = Single {
            file_path,
            position: wire::position(document, self.offset, self.encoding),
            offset: self.offset.to_u32(),
            encoding: self.encoding,
            range,
            text: document.text().lossy(self.range).into_owned(),
            signature,
            docs,
            symbol_path,
            node: (self.what != What::File).then(|| node_at(document, self.offset, self.encoding)).flatten(),
            location,
            matches: self.matches,
            candidates: self.how.others(),
            how: Some(self.how.clone()).filter(|how| !how.is_plain()),
            note: wire::note(document),
        };
        wire::to_json(&ReadAnswer { single: Some(single), items: vec![Item::Found(self.item())] })
    }

    fn text(&self) -> String {
        let position = wire::position(&self.document, self.offset, Encoding::Utf16);
        let path = self.symbol_path();
        let within = if path.is_empty() { String::new() } else { format!(" in {}", path.join(".")) };
        format!("{}{within}\n{}", show::place(&self.document, position), self.numbered().text)
    }

    fn headline(&self) -> String {
        let wire::Position { line, character } = wire::position(&self.document, self.offset, Encoding::Utf16);
        let path = self.symbol_path();
        let within =
            if path.is_empty() { String::new() } else { format!(", in {}", show::code(&path.join("."))) };
        format!("{} at {line}:{character}{within}\n", show::code(self.document.path()))
    }

    fn markdown(&self) -> String {
        let numbered = self.numbered();
        let left_out =
            self.left_out(&numbered).map_or_else(String::new, |left_out| format!("\n{left_out}\n"));
        show::fenced("", &numbered.text) + &left_out
    }

    fn notes(&self) -> Vec<String> {
        wire::note(&self.document).into_iter().collect()
    }

    /// What is left out of the text stands in the JSON, so that only people are told.
    fn beside(&self, form: Form) -> Vec<Remark> {
        match form {
            Form::Text => {
                let left_out = self.left_out(&self.numbered()).map(Remark::new);
                self.remarks().into_iter().chain(left_out).collect()
            }
            Form::Json | Form::Markdown => Vec::new(),
        }
    }

    /// A bare file is no place.
    fn how(&self) -> Option<&How> {
        Some(&self.how).filter(|_| self.what != What::File)
    }
}

impl Reading {
    /// What a request asks to see.
    fn of(subject: &Subject, around: bool, flags: &Flags, files: &Files) -> Result<Reading, Failure> {
        let mut place = subject.open(flags, files)?;
        let what = what(&place);
        if what == What::File {
            return Ok(Reading::of_file(place.document, flags));
        }
        let clipped = clip(&mut place);
        parse_once(&place.document);
        let offset = place.locate(flags)?.offset;
        let Located { found, mut how } = place.range(flags)?;
        let document = place.document;
        let symbol = found.symbol.filter(|_| what == What::Symbol);
        let symbol = symbol.or_else(|| engine::describe(&document, offset)?.symbol);
        let enclosing = symbol.filter(|_| around).and_then(|id| Some(document.outline()?.get(id).extent));
        let (what, (range, is_cut)) = match (enclosing, what) {
            (Some(extent), _) => (What::Symbol, (extent, false)),
            (None, What::Around) => (what, self::around(&document, &found)),
            (None, _) => (what, (found.range, false)),
        };
        let alone = (around && enclosing.is_none()).then(|| "no symbol is around the place".to_owned());
        let cut = is_cut.then(|| "the lines are long: only what is near the place is shown".to_owned());
        how.remarks.extend(clipped.into_iter().chain(alone).chain(cut).map(Remark::new));
        how.note_misread(engine::misread_at(&document, symbol, offset));
        let (matches, encoding) = (found.matches, flags.encoding());
        Ok(Reading { document, offset, range, symbol, what, matches, how, is_cut, encoding })
    }

    fn of_file(document: Arc<Document>, flags: &Flags) -> Reading {
        Reading {
            offset: document.text().start(),
            range: document.text().range(),
            document,
            symbol: None,
            what: What::File,
            matches: 1,
            how: How::EXACT,
            is_cut: false,
            encoding: flags.encoding(),
        }
    }

    fn item(&self) -> ItemFound {
        let document = &self.document;
        let text = document.text();
        let shown = self.named().map(|(outline, id)| outline.get(id));
        let shown = shown.filter(|_| self.what == What::Symbol);
        let file = Location { path: document.path().to_owned(), ..Location::default() };
        ItemFound {
            file_path: document.path().to_owned(),
            symbol_path: self.symbol_path(),
            range: wire::range(document, self.range, self.encoding),
            location: match self.what {
                What::File => file.to_string(),
                _ => wire::location(document, self.offset),
            },
            lines: self.lines().map(|(n, line)| Line { n, text: text.lossy(line).into_owned() }).collect(),
            signature: shown.map(|symbol| super::outline::one_line(&text.lossy(symbol.header))),
            docs: shown.and_then(|symbol| Some(text.lossy(symbol.docs?).into_owned())),
            cut: self.is_cut,
            notes: Vec::new(),
        }
    }

    /// The symbol with its outline. Without a symbol the outline is not asked for, as that would parse the file.
    fn named(&self) -> Option<(&engine::Outline, SymbolId)> {
        let symbol = self.symbol?;
        Some((self.document.outline()?, symbol))
    }

    fn symbol_path(&self) -> Vec<String> {
        let path = self.named().map(|(outline, id)| outline.path(id));
        path.unwrap_or_default().into_iter().map(str::to_owned).collect()
    }

    /// The lines that are shown, by their numbers: all of each, unless they are cut.
    fn lines(&self) -> impl Iterator<Item = (u32, engine::Range)> {
        let text = self.document.text();
        let first = text.line_of(self.range.start());
        let end = self.range.end();
        // A range that ends after a line break does not reach into the next line.
        let ends_at_line_start = text.line_start(text.line_of(end)) == Some(end);
        let last = text.line_of(end) - u32::from(ends_at_line_start && !self.range.is_empty());
        (first..=last.max(first)).filter_map(|line| {
            let content = text.line_content(line)?;
            let shown = if self.is_cut { part_of(content, self.range) } else { content };
            Some((line, shown))
        })
    }

    fn numbered(&self) -> show::Numbered {
        show::numbered(&self.document, &self.lines().collect::<Vec<_>>(), self.offset)
    }

    /// What the shown lines lack, unless a remark says it already.
    fn left_out(&self, numbered: &show::Numbered) -> Option<String> {
        numbered.left_out.clone().filter(|_| !self.is_cut)
    }
}

fn what(place: &Place) -> What {
    match (&place.location.scope, &place.location.find) {
        (_, Some(find)) if !find.is_empty() => What::Around,
        (None, _) => What::File,
        (Some(Scope::Symbol(_) | Scope::Descriptor(_)), _) => What::Symbol,
        (Some(Scope::Lines { .. } | Scope::Coordinate { end: Some(_), .. }), _) => What::Lines,
        (Some(Scope::Coordinate { end: None, .. }), _) => What::Around,
    }
}

/// Ends lines that run past the end of the file there, and says so.
fn clip(place: &mut Place) -> Option<String> {
    let n_lines = place.document.text().n_lines();
    match (&mut place.location.scope, &place.memory) {
        (Some(Scope::Lines { first, last: Some(last) }), Memory::Nothing)
            if *first <= n_lines && n_lines < *last && *first < *last =>
        {
            *last = n_lines;
        }
        (Some(Scope::Coordinate { start, end: Some(end) }), Memory::Nothing)
            if start.line <= n_lines && n_lines < end.line =>
        {
            let text = place.document.text();
            *end = text.position(text.end(), engine::Encoding::Utf16)?;
        }
        _ => return None,
    }
    Some(format!("the file ends at line {n_lines}"))
}

/// How many bytes are shown around a place at most.
const MOST_AROUND: usize = 20_000;

/// The lines of a match with some around them, or where they are long a part of them; and whether it is one.
fn around(document: &Document, found: &Found) -> (engine::Range, bool) {
    let text = document.text();
    let first = text.line_of(found.range.start()).saturating_sub(CONTEXT).max(1);
    let last = (text.line_of(found.range.end()) + CONTEXT).min(text.n_lines());
    let start = text.line_start(first).unwrap_or(text.start());
    let end = text.line_with_break(last).map_or(text.end(), |line| line.end());
    let lines = engine::Range::new(start, end);
    if lines.extent().len() <= MOST_AROUND {
        return (lines, false);
    }
    let (_, near, _) = wire::window(document, lines, found.offset, MOST_AROUND / 2);
    (near, true)
}

fn part_of(line: engine::Range, shown: engine::Range) -> engine::Range {
    let start = line.start().max(shown.start());
    engine::Range::new(start, line.end().min(shown.end()).max(start))
}
