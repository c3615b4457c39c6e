//! `read`: the source of a symbol or around a place.

use std::sync::Arc;

use clap::Args;
use locant_engine::{self as engine, Document, Found, Location, Offset, Scope, SymbolId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use super::tree::{PathNode, node_at, parse_once};
use crate::answer::Answer;
use crate::failure::Failure;
use crate::files::Files;
use crate::flags::{Encoding, Flags};
use crate::place::{Located, Place};
use crate::show;
use crate::subject::Subject;
use crate::wire::{self, Candidate, How};

/// How many lines are shown before and after a place that a find or a coordinate gives.
const CONTEXT: u32 = 3;

/// Show the source of a symbol, or the lines around a place, with line numbers
///
/// A symbol is shown whole, with its comments; lines are shown as asked; a place that was found is shown with
/// a few lines around it; a bare file is shown from start to end.
///
///   locant read foo.py:MyClass.my_method
///   locant read 'foo.py@return <|>result'
///   locant read foo.py
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Read {
    #[command(flatten)]
    #[serde(flatten)]
    subject: Subject,
}

/// The source of a symbol or around a place.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ReadAnswer {
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

struct Reading {
    document: Arc<Document>,
    offset: Offset,
    range: engine::Range,
    symbol: Option<SymbolId>,
    what: What,
    /// How many places the location matches.
    matches: usize,
    how: How,
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
        let place = self.subject.open(flags, files)?;
        let what = what(&place);
        if what == What::File {
            let (offset, range) = (place.document.text().start(), place.document.text().range());
            let document = place.document;
            let encoding = flags.encoding();
            return Ok(Box::new(Reading {
                document,
                offset,
                range,
                symbol: None,
                what,
                matches: 1,
                how: How::EXACT,
                encoding,
            }));
        }
        parse_once(&place.document);
        let offset = place.locate(flags)?.offset;
        let Located { found, mut how } = place.range(flags)?;
        let range = match what {
            What::Around => around(&place.document, &found),
            _ => found.range,
        };
        let symbol = found.symbol.filter(|_| what == What::Symbol);
        let symbol = symbol.or_else(|| engine::describe(&place.document, offset)?.symbol);
        let document = place.document;
        how.note_misread(engine::misread_at(&document, symbol, offset));
        let (matches, encoding) = (found.matches, flags.encoding());
        Ok(Box::new(Reading { document, offset, range, symbol, what, matches, how, encoding }))
    }
}

impl Answer for Reading {
    fn json(&self) -> String {
        let document = &self.document;
        let text = document.text();
        let shown = self.named().map(|(outline, id)| outline.get(id));
        let shown = shown.filter(|_| self.what == What::Symbol);
        wire::to_json(&ReadAnswer {
            file_path: document.path().to_owned(),
            position: wire::position(document, self.offset, self.encoding),
            offset: self.offset.to_u32(),
            encoding: self.encoding,
            range: wire::range(document, self.range, self.encoding),
            text: text.lossy(self.range).into_owned(),
            signature: shown.map(|symbol| super::outline::one_line(&text.lossy(symbol.header))),
            docs: shown.and_then(|symbol| Some(text.lossy(symbol.docs?).into_owned())),
            symbol_path: self.symbol_path(),
            node: (self.what != What::File).then(|| node_at(document, self.offset, self.encoding)).flatten(),
            location: match self.what {
                What::File => {
                    Location { path: document.path().to_owned(), ..Location::default() }.to_string()
                }
                _ => wire::location(document, self.offset),
            },
            matches: self.matches,
            candidates: self.how.others(),
            how: Some(self.how.clone()).filter(|how| !how.is_plain()),
            note: wire::note(document),
        })
    }

    fn text(&self) -> String {
        let position = wire::position(&self.document, self.offset, Encoding::Utf16);
        let path = self.symbol_path();
        let within = if path.is_empty() { String::new() } else { format!(" in {}", path.join(".")) };
        format!("{}{within}\n{}", show::place(&self.document, position), self.numbered())
    }

    fn headline(&self) -> String {
        let wire::Position { line, character } = wire::position(&self.document, self.offset, Encoding::Utf16);
        let path = self.symbol_path();
        let within = if path.is_empty() { String::new() } else { format!(", in `{}`", path.join(".")) };
        format!("`{}` at {line}:{character}{within}\n", self.document.path())
    }

    fn markdown(&self) -> String {
        show::fenced("", &self.numbered())
    }

    fn notes(&self) -> Vec<String> {
        wire::note(&self.document).into_iter().collect()
    }

    /// A bare file is no place.
    fn how(&self) -> Option<&How> {
        Some(&self.how).filter(|_| self.what != What::File)
    }
}

impl Reading {
    /// The symbol with its outline. Without a symbol the outline is not asked for, as that would parse the file.
    fn named(&self) -> Option<(&engine::Outline, SymbolId)> {
        let symbol = self.symbol?;
        Some((self.document.outline()?, symbol))
    }

    fn symbol_path(&self) -> Vec<String> {
        let path = self.named().map(|(outline, id)| outline.path(id));
        path.unwrap_or_default().into_iter().map(str::to_owned).collect()
    }

    fn numbered(&self) -> String {
        let text = self.document.text();
        let first = text.line_of(self.range.start());
        let end = self.range.end();
        // A range that ends behind a line break does not reach into the next line.
        let ends_at_line_start = text.line_start(text.line_of(end)) == Some(end);
        let last = text.line_of(end) - u32::from(ends_at_line_start && !self.range.is_empty());
        show::numbered(&self.document, first, last.max(first))
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

/// The lines of a match with some around them.
fn around(document: &Document, found: &Found) -> engine::Range {
    let text = document.text();
    let first = text.line_of(found.range.start()).saturating_sub(CONTEXT).max(1);
    let last = (text.line_of(found.range.end()) + CONTEXT).min(text.n_lines());
    let start = text.line_start(first).unwrap_or(text.start());
    let end = text.line_with_break(last).map_or(text.end(), |line| line.end());
    engine::Range::new(start, end)
}
