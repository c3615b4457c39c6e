//! Where changes are in their files, once they are made.

use locant_engine::{self as engine, Document, Offset};
use locant_workspace::preview::Applied;
use locant_workspace::written;

use crate::files::{Files, Source};
use crate::flags::Flags;
use crate::phrase::{Voice, call};
use crate::{show, wire};

/// A location for each change: of the symbol that it wrote, else of its first word. Paths are relative to the folder
/// that paths of requests start from.
pub(crate) fn locations(applied: &Applied, flags: &Flags, files: &Files) -> Vec<String> {
    let base = flags.base().folder();
    let mut locations = Vec::new();
    for (file, places) in applied.files.iter().zip(&applied.places) {
        let path = written(file.strip_prefix(&base).unwrap_or(file));
        // A file that was removed since has no places.
        let Ok(document) = files.open(Source { path: &path, text: None }, flags) else { continue };
        for place in places {
            locations.push(location(&document, place.clone(), applied.n_edits));
        }
    }
    locations
}

/// Where changes are and how they are taken back, in the form for agents.
pub(crate) fn told(locations: &[String], undo: &str, voice: &dyn Voice) -> String {
    let shown: String =
        locations.iter().take(MOST_TOLD).map(|location| format!("- {}\n", show::code(location))).collect();
    let more = match locations.len().saturating_sub(MOST_TOLD) {
        0 => String::new(),
        n => format!("- and {n} more\n"),
    };
    let places = if shown.is_empty() { shown } else { format!("now at:\n{shown}{more}\n") };
    let undo = voice.call(&call("undo").with("preview", undo));
    format!("{places}{} takes it back.\n", show::code(&undo))
}

/// How many places of a change are listed for agents.
const MOST_TOLD: usize = 20;

fn location(document: &Document, place: std::ops::Range<usize>, n_places: usize) -> String {
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
    let offset = symbol_in(document, written).unwrap_or(start);
    wire::location_of_one(document, offset, n_places)
}

/// The name of the first symbol that a new text declares.
fn symbol_in(document: &Document, written: engine::Range) -> Option<Offset> {
    let outline = document.outline().filter(|_| !written.is_empty())?;
    let starts =
        |symbol: &engine::Symbol| symbol.extent.start() == written.start() && written.covers(symbol.extent);
    let symbol = outline.symbols().iter().find(|symbol| starts(symbol))?;
    Some(symbol.name_range.start())
}
