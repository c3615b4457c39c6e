//! Where changes are in their files, once they are made.

use locant_engine::{self as engine, Document, Offset};
use locant_workspace::preview::{Applied, SHORT_ID};
use locant_workspace::written;

use crate::files::{Files, Source};
use crate::flags::Flags;
use crate::grouped::numbers;
use crate::{show, wire};

/// Where a change stands.
#[derive(Debug)]
pub(crate) struct Now {
    /// The symbol that it wrote, else its first word.
    pub(crate) location: String,
    path: String,
    line: u32,
}

/// Where each change stands. Paths are relative to the folder that paths of requests start from.
pub(crate) fn places(applied: &Applied, flags: &Flags, files: &Files) -> Vec<Now> {
    let base = flags.base().folder();
    let mut locations = Vec::new();
    for (file, places) in applied.files.iter().zip(&applied.places) {
        let path = written(file.strip_prefix(&base).unwrap_or(file));
        // A file that was removed since has no places.
        let Ok(document) = files.open(Source { path: &path, text: None }, flags) else { continue };
        for place in places {
            let at = at(&document, place.clone());
            locations.push(Now {
                location: wire::location_of_one(&document, at, applied.n_edits),
                path: path.clone(),
                line: document.text().line_of(at),
            });
        }
    }
    locations
}

/// Where changes stand and how they are taken back, as an agent reads it.
pub(crate) fn told(places: &[Now], undo: &str) -> String {
    let mut told = String::new();
    for file in places[..places.len().min(MOST_TOLD)].chunk_by(|one, next| one.path == next.path) {
        let mut lines: Vec<u32> = file.iter().map(|place| place.line).collect();
        lines.dedup();
        told += &format!("{} {}\n", show::code(&show::path(&file[0].path)), numbers(&lines));
    }
    let more = match places.len().saturating_sub(MOST_TOLD) {
        0 => String::new(),
        n => format!("and {n} more\n"),
    };
    format!("{told}{more}{}", undone_by(undo))
}

/// How changes are taken back.
pub(crate) fn undone_by(id: &str) -> String {
    format!("undo: {}\n", show::code(short(id)))
}

/// As much of an id as tells it from others. Agents pay for each digit.
pub(crate) fn short(id: &str) -> &str {
    id.get(..SHORT_ID).unwrap_or(id)
}

/// How many places of a change are told in words.
const MOST_TOLD: usize = 100;

fn at(document: &Document, place: std::ops::Range<usize>) -> Offset {
    let text = document.text();
    let end = text.bytes().len();
    let range = engine::Range::of_indices(place.start.min(end)..place.end.min(end));
    let new = text.slice(range);
    let n_blanks = new.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let start = if n_blanks == new.len() {
        range.start()
    } else {
        Offset::of_index(range.start().index() + n_blanks)
    };
    let written = engine::Range::new(start, range.end().max(start));
    symbol_in(document, written).unwrap_or(start)
}

/// The name of the first symbol that a new text declares.
fn symbol_in(document: &Document, written: engine::Range) -> Option<Offset> {
    let outline = document.outline().filter(|_| !written.is_empty())?;
    let starts =
        |symbol: &engine::Symbol| symbol.extent.start() == written.start() && written.covers(symbol.extent);
    let symbol = outline.symbols().iter().find(|symbol| starts(symbol))?;
    Some(symbol.name_range.start())
}
