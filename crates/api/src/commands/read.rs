//! `read`: the source of a symbol or around a place.

mod brief;
mod cut;

use std::sync::Arc;

use clap::Args;
use locant_engine::{self as engine, Document, Found, Location, Offset, Scope, SymbolId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use super::tree::{PathNode, node_at, parse_once};
use crate::answer::Answer;
use crate::encoding::Encoding;
use crate::failure::{Error, Failure};
use crate::files::Files;
use crate::flags::Flags;
use crate::how::How;
use crate::phrase::{Phrase, Voice, call, phrase};
use crate::place::{Located, Memory, Place};
use crate::remark::Remark;
use crate::request::Context;
use crate::show;
use crate::subject::Subject;
use crate::wire::{self, Candidate, Spoken};

/// How many lines are shown before and after a place, for a find or a coordinate.
const CONTEXT: u32 = 3;

/// Show the source of a symbol, or the lines around a place, with line numbers
///
/// A symbol is shown whole, with its comments; lines are shown as asked, as far as the file has them; a place that was
/// found is shown with a few lines around it, or with `--around` the whole symbol that it stands in; a bare file is
/// shown from start to end. Several locations are shown one after the other.
///
///   locant read foo.py:MyClass.my_method
///   locant read 'foo.py@return <|>result'
///   locant read foo.py:42 --around
///   locant read foo.py:10-20 --marks
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
    /// Show each line with its mark, `42~k7bqm3`, by which it is found again after the file has changed
    #[arg(long)]
    #[serde(default)]
    marks: bool,
    /// Show about this many characters of source at most, and say where the rest is
    #[arg(long, value_name = "CHARACTERS")]
    #[serde(default)]
    budget: Option<usize>,
}

/// The source of several places. If only one place was requested, its fields are also at the top level, beside `items`.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ReadAnswer {
    #[serde(flatten)]
    single: Option<Single>,
    /// The places in the order of the request.
    items: Vec<Item>,
}

/// One of the requested places.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "an answer has few of them, and most are found")]
enum Item {
    /// The place was found.
    Found(ItemFound),
    /// The place was not found.
    Failed {
        /// The location, as in the request.
        location: String,
        /// Why the place was not found.
        error: Error,
        /// The error as a remark, for people.
        #[serde(skip)]
        remark: Remark,
    },
}

/// The source of one place.
#[derive(Debug, JsonSchema, Serialize)]
struct ItemFound {
    /// The path of the file, as in the request.
    file_path: String,
    /// The names of the symbol, or of the innermost symbol around the place, outermost first; empty outside of symbols.
    symbol_path: Vec<String>,
    /// The range that is shown.
    range: wire::Range,
    /// A location that leads to the place; for a bare file, its path.
    location: String,
    /// The lines that are shown.
    lines: Vec<Line>,
    /// The symbol's declaration without its body, on one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    /// The symbol's documentation as it stands in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    docs: Option<String>,
    /// Whether only a part of the requested source is shown.
    cut: bool,
    /// A location for the lines that are left out; absent if none are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    /// All remarks on this place, if several places were requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(skip)]
    reading: Words,
}

/// The forms of a place for people and agents.
#[derive(Debug)]
struct Words {
    /// The place in the units that locations use.
    place: wire::Position,
    /// The lines with their numbers.
    text: String,
    /// The same for agents.
    brief: String,
    /// What these lines leave out, unless a remark says it already.
    left_out: Option<Phrase>,
    how: How,
    /// Whether a bare file was requested, without a place in it.
    is_file: bool,
    note: Option<String>,
    /// What the budget leaves out.
    rest: Option<Remark>,
}

/// A line of the source.
#[derive(Debug, JsonSchema, Serialize)]
struct Line {
    /// The number of the line, from 1.
    n: u32,
    /// The text of the line, without the line break.
    text: String,
    /// The mark of the line, if marks were asked for: `FILE:N~CHECK` leads to the line, also after others have changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<String>,
}

/// The source of a symbol or around a place.
#[derive(Debug, JsonSchema, Serialize)]
struct Single {
    /// The path of the file, as in the request.
    file_path: String,
    /// The requested place.
    position: wire::Position,
    /// The place as a number of bytes from the start of the file.
    offset: u32,
    /// The unit in which `character` counts.
    encoding: Encoding,
    /// The range of `text`.
    range: wire::Range,
    /// The source.
    text: String,
    /// The symbol's declaration without its body, on one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    /// The symbol's documentation as it stands in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    docs: Option<String>,
    /// The names of the symbol, or of the innermost symbol around the place, outermost first; empty outside of symbols.
    symbol_path: Vec<String>,
    /// The innermost syntax node around the place. Absent for a bare file, and if locant does not parse the language.
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<PathNode>,
    /// A location that leads to the place; for a bare file, its path.
    location: String,
    /// How many places the location matches. This is the first of them, or the one with the given number.
    matches: usize,
    /// The other places, at most ten.
    candidates: Vec<Candidate>,
    /// How the place was found. Absent if it was found as written.
    #[serde(flatten)]
    how: Option<How>,
    /// Notes about the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// What is shown of a place.
#[derive(Clone, Copy)]
struct Wish {
    /// Whether the whole symbol around it is shown.
    around: bool,
    /// Whether each line is shown with its mark.
    marks: bool,
}

struct Reading {
    /// The marks of all lines of the file, if they were asked for.
    checks: Option<Vec<String>>,
    document: Arc<Document>,
    offset: Offset,
    range: engine::Range,
    symbol: Option<SymbolId>,
    what: What,
    /// How many places the location matches.
    matches: usize,
    how: How,
    /// Whether only a part of the lines is shown.
    is_cut: bool,
    /// The first and the last line that the budget leaves out.
    rest: Option<(u32, u32)>,
    /// Where these lines name the other symbols of the request: `905 self.save_base(`.
    mentions: Vec<String>,
    encoding: Encoding,
}

/// What kind of source is shown.
#[derive(Clone, Copy, PartialEq)]
enum What {
    File,
    Symbol,
    Lines,
    Around,
}

impl Ask for Read {
    type Answer = ReadAnswer;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<ReadAnswer, Failure> {
        let Read { subject, more, locates, around, marks, budget } = self;
        let wish = Wish { around, marks };
        let budget = budget.unwrap_or(usize::MAX);
        let locates: Vec<Spoken> = locates.into_iter().chain(more).collect();
        if locates.is_empty() {
            let reading = Reading::of(&subject, wish, flags, context.files)?;
            return Ok(reading.within(&mut budget.clone()).alone());
        }
        let first = subject.locate.clone().into_iter();
        let read = |spoken: Spoken| {
            let location = spoken.to_string();
            let subject = Subject { locate: Some(spoken), ..subject.clone() };
            (location, Reading::of(&subject, wish, flags, context.files))
        };
        let readings = cut::shared(first.chain(locates).map(read).collect(), budget);
        let item = |(location, reading): (String, Result<Reading, Failure>)| match reading {
            Ok(reading) => Item::Found(reading.item().with_notes(context.voice)),
            Err(failure) => {
                Item::Failed { location, error: failure.error(context.voice), remark: Remark::from(&failure) }
            }
        };
        Ok(ReadAnswer { single: None, items: readings.into_iter().map(item).collect() })
    }
}

impl ReadAnswer {
    fn found(&self) -> impl Iterator<Item = &ItemFound> {
        self.items.iter().filter_map(|item| match item {
            Item::Found(item) => Some(item),
            Item::Failed { .. } => None,
        })
    }

    /// The place, if only one was requested.
    fn alone(&self) -> Option<&ItemFound> {
        self.found().next().filter(|_| self.single.is_some())
    }

    fn failed(&self) -> Vec<Remark> {
        let remark = |item: &Item| match item {
            Item::Found(_) => None,
            Item::Failed { remark, .. } => Some(remark.clone()),
        };
        self.items.iter().filter_map(remark).collect()
    }
}

impl Answer for ReadAnswer {
    fn text(&self, _: &dyn Voice) -> String {
        self.found().map(ItemFound::text).collect::<Vec<_>>().join("\n")
    }

    fn headline(&self) -> String {
        self.alone().map_or_else(String::new, ItemFound::headline)
    }

    fn markdown(&self, voice: &dyn Voice) -> String {
        if let Some(item) = self.alone() {
            return item.markdown(voice);
        }
        let markdown = |item: &ItemFound| {
            let remarks: String = item.remarks().iter().map(|remark| remark.markdown(voice) + "\n").collect();
            format!("{}\n{remarks}{}", item.headline(), item.markdown(voice))
        };
        self.found().map(markdown).collect::<Vec<_>>().join("\n")
    }

    fn is_found(&self) -> bool {
        self.found().count() == self.items.len()
    }

    fn remarks(&self) -> Vec<Remark> {
        self.alone().map_or_else(|| self.failed(), ItemFound::remarks)
    }

    /// The JSON contains what the text leaves out, so only people are told about it.
    fn beside_text(&self) -> Vec<Remark> {
        let of_place = |item: &ItemFound| {
            let left_out = item.reading.left_out.clone().map(Remark::new);
            item.remarks().into_iter().chain(left_out).collect::<Vec<_>>()
        };
        self.found().flat_map(of_place).chain(self.failed()).collect()
    }

    fn leads_to(&self) -> Option<(&str, wire::Position)> {
        self.single.as_ref().map(|single| (single.location.as_str(), single.position))
    }

    fn how(&self) -> Option<&How> {
        self.alone().filter(|item| !item.reading.is_file).map(|item| &item.reading.how)
    }
}

impl ItemFound {
    fn with_notes(self, voice: &dyn Voice) -> ItemFound {
        let notes = self.remarks().iter().map(|remark| remark.said.said(voice)).collect();
        ItemFound { notes, ..self }
    }

    fn remarks(&self) -> Vec<Remark> {
        let Words { how, is_file, note, rest, .. } = &self.reading;
        let note = note.clone().map(Remark::new);
        let of_place = how.remarks.iter().filter(|_| !is_file).cloned();
        let is_new = |note: &Remark| how.remarks.iter().all(|remark| remark.said != note.said);
        of_place.chain(note.filter(|note| *is_file || is_new(note))).chain(rest.clone()).collect()
    }

    fn text(&self) -> String {
        let path = &self.symbol_path;
        let within = if path.is_empty() { String::new() } else { format!(" in {}", path.join(".")) };
        format!("{}{within}\n{}", show::place(&self.file_path, self.reading.place), self.reading.text)
    }

    fn headline(&self) -> String {
        let path = &self.symbol_path;
        let within =
            if path.is_empty() { String::new() } else { format!(", in {}", show::code(&path.join("."))) };
        format!("{}{within}\n", show::code(&self.file_path))
    }

    fn markdown(&self, voice: &dyn Voice) -> String {
        let left_out = self.reading.left_out.as_ref();
        let left_out = left_out.map_or_else(String::new, |left_out| format!("\n{}\n", left_out.said(voice)));
        show::fenced("", &self.reading.brief) + &left_out
    }
}

impl Reading {
    /// Finds the source that a request asks for.
    fn of(subject: &Subject, wish: Wish, flags: &Flags, files: &Files) -> Result<Reading, Failure> {
        let Wish { around, marks } = wish;
        let mut place = subject.open(flags, files)?;
        let what = what(&place);
        if what == What::File {
            return Ok(Reading::of_file(place.document, marks, flags));
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
        let checks = checks(&document, marks);
        Ok(Reading {
            checks,
            document,
            offset,
            range,
            symbol,
            what,
            matches,
            how,
            is_cut,
            rest: None,
            mentions: Vec::new(),
            encoding,
        })
    }

    fn of_file(document: Arc<Document>, marks: bool, flags: &Flags) -> Reading {
        Reading {
            checks: checks(&document, marks),
            offset: document.text().start(),
            range: document.text().range(),
            document,
            symbol: None,
            what: What::File,
            matches: 1,
            how: How::EXACT,
            is_cut: false,
            rest: None,
            mentions: Vec::new(),
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
            lines: self.lines().map(|(n, line)| self.line(n, line)).collect(),
            signature: shown.map(|symbol| super::outline::one_line(&text.lossy(symbol.header))),
            docs: shown.and_then(|symbol| Some(text.lossy(symbol.docs?).into_owned())),
            cut: self.is_cut,
            next: self.next(),
            notes: Vec::new(),
            reading: self.words(),
        }
    }

    fn line(&self, n: u32, line: engine::Range) -> Line {
        let check = self.checks.as_ref().and_then(|checks| checks.get(n.checked_sub(1)? as usize)).cloned();
        Line { n, text: self.document.text().lossy(line).into_owned(), check }
    }

    fn words(&self) -> Words {
        let lines: Vec<_> = self.lines().collect();
        let numbered = show::numbered(&self.document, &lines, self.offset, self.checks.as_deref());
        Words {
            place: wire::position(&self.document, self.offset, Encoding::Utf16),
            brief: match self.checks {
                Some(_) => numbered.text.clone(),
                None => brief::lines(&numbered.text, &self.clipped()),
            },
            text: numbered.text,
            left_out: numbered.left_out.filter(|_| !self.is_cut),
            how: self.how.clone(),
            is_file: self.what == What::File,
            note: wire::note(&self.document),
            rest: self.next().zip(self.rest).map(|(next, (first, last))| {
                let call = call("read").with("locate", next);
                let mentions = match &*self.mentions.join(", ") {
                    "" => String::new(),
                    mentions => format!("; in them are {mentions}"),
                };
                Remark::new(phrase![format!("the lines {first} to {last} are left out: "), call, mentions])
            }),
        }
    }

    /// The answer for a request with a single place.
    fn alone(&self) -> ReadAnswer {
        let (document, item) = (&self.document, self.item());
        let single = Single {
            file_path: item.file_path.clone(),
            position: wire::position(document, self.offset, self.encoding),
            offset: self.offset.to_u32(),
            encoding: self.encoding,
            range: item.range,
            text: document.text().lossy(self.range).into_owned(),
            signature: item.signature.clone(),
            docs: item.docs.clone(),
            symbol_path: item.symbol_path.clone(),
            node: (self.what != What::File).then(|| node_at(document, self.offset, self.encoding)).flatten(),
            location: item.location.clone(),
            matches: self.matches,
            candidates: self.how.others(),
            how: Some(self.how.clone()).filter(|how| !how.is_plain()),
            note: wire::note(document),
        };
        ReadAnswer { single: Some(single), items: vec![Item::Found(item)] }
    }

    /// The symbol and its outline. Without a symbol the outline is not requested, because that would parse the file.
    fn named(&self) -> Option<(&engine::Outline, SymbolId)> {
        let symbol = self.symbol?;
        Some((self.document.outline()?, symbol))
    }

    fn symbol_path(&self) -> Vec<String> {
        let path = self.named().map(|(outline, id)| outline.path(id));
        path.unwrap_or_default().into_iter().map(str::to_owned).collect()
    }

    /// The lines that are shown, with their numbers. Each line is whole, unless the source is cut.
    fn lines(&self) -> impl Iterator<Item = (u32, engine::Range)> {
        let text = self.document.text();
        let first = text.line_of(self.range.start());
        let end = self.range.end();
        // If a range was cut to nothing, no line of it is shown.
        let n_most = if self.is_cut && self.range.is_empty() { 0 } else { usize::MAX };
        // A range that ends after a line break does not reach into the next line.
        let ends_at_line_start = text.line_start(text.line_of(end)) == Some(end);
        let last = text.line_of(end) - u32::from(ends_at_line_start && !self.range.is_empty());
        (first..=last.max(first))
            .filter_map(|line| {
                let content = text.line_content(line)?;
                let shown = if self.is_cut { part_of(content, self.range) } else { content };
                Some((line, shown))
            })
            .take(n_most)
    }
}

fn checks(document: &Document, marks: bool) -> Option<Vec<String>> {
    marks.then(|| engine::Marks::new(document.text()).checks())
}

fn what(place: &Place) -> What {
    match (&place.location.scope, &place.location.find) {
        (_, Some(find)) if !find.is_empty() => What::Around,
        (None, _) => What::File,
        (Some(Scope::Symbol(_) | Scope::Descriptor(_)), _) => What::Symbol,
        (Some(Scope::Lines { .. } | Scope::Marked(_) | Scope::Coordinate { end: Some(_), .. }), _) => {
            What::Lines
        }
        (Some(Scope::Coordinate { end: None, .. }), _) => What::Around,
    }
}

/// If the requested lines run past the end of the file, ends them there and returns a note.
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

/// The most bytes that are shown around a place.
const MOST_AROUND: usize = 20_000;

/// The lines of a match with some lines around it, and whether long lines had to be cut.
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
