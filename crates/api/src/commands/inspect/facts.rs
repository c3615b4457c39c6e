//! What the page knows of a file. It is written into the page as JSON.

use locant_engine::{Document, Location, Nature, Outline, Reader, Symbol, SymbolId, symbol_locations};
use serde::Serialize;

use super::nodes::{Compared, Given, Nodes};
use super::places::Places;
use super::table::Table;
use crate::base64::Base64;
use crate::flags::Flags;
use crate::wire;

/// How deep a symbol may be nested to be listed. Without a limit, the paths of all symbols could take the square of the
/// text's size.
const DEEPEST: usize = 1000;

/// What the page knows of a file.
#[derive(Serialize)]
pub(super) struct Facts {
    /// The path of the file.
    path: String,
    /// The path as a location starts with it, in quotes if needed.
    written: String,
    /// The title of the language; empty if it is not read.
    language: String,
    version: &'static str,
    /// The bytes of the file.
    text: Base64,
    /// Whether all of the text is UTF-8.
    is_utf8: bool,
    package: Vec<String>,
    symbols: Vec<ShownSymbol>,
    places: Places,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<Nodes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<Compared>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<Table>,
    notes: Vec<String>,
}

/// A symbol. Ranges are the bytes where they start and end.
#[derive(Serialize)]
struct ShownSymbol {
    name: String,
    kind: &'static str,
    /// The index of the parent.
    parent: Option<usize>,
    qualifier: Vec<String>,
    name_range: [u32; 2],
    extent: [u32; 2],
    /// Where the declaration starts, after its comments and decorators.
    declaration: u32,
    location: String,
}

impl Facts {
    pub(super) fn of(
        document: &Document,
        compared: Option<Given>,
        proto_path: &[String],
        flags: &Flags,
    ) -> Facts {
        document.parse();
        let outline = document.outline();
        let tree = document.tree_as_it_stands();
        let nodes = tree.as_deref().map(|tree| Nodes::of(document, tree));
        let compared = tree.as_deref().and_then(|tree| Compared::of(document, tree, compared));
        let notes = wire::note(document).into_iter().chain(outline.and_then(damage));
        Facts {
            path: document.path().to_owned(),
            written: Location { path: document.path().to_owned(), ..Location::default() }.to_string(),
            language: title(document).to_owned(),
            version: env!("CARGO_PKG_VERSION"),
            text: Base64(document.text().bytes().to_vec()),
            is_utf8: document.text().nature() == Nature::Utf8,
            package: outline.map_or_else(Vec::new, |outline| outline.package.clone()),
            symbols: outline.map_or_else(Vec::new, |outline| symbols(document, outline)),
            places: Places::of(document),
            nodes,
            compared,
            table: Table::of(document, proto_path, flags),
            notes: notes.collect(),
        }
    }
}

fn title(document: &Document) -> &str {
    match document.reader() {
        Some(Reader::Grammar(language)) => language.title(),
        Some(Reader::Proto) => "Protocol Buffers",
        None => "",
    }
}

/// The note for symbols that may be incomplete.
fn damage(outline: &Outline) -> Option<String> {
    let note = match (outline.is_by_line, outline.is_damaged) {
        (true, _) => "the file is too much for its parser: only symbols that single lines tell are listed",
        (false, true) => "the file has syntax errors: symbols may be missing or misread",
        (false, false) => return None,
    };
    Some(note.to_owned())
}

fn symbols(document: &Document, outline: &Outline) -> Vec<ShownSymbol> {
    let mut locations = vec![String::new(); outline.symbols().len()];
    for (id, location) in symbol_locations(document, DEEPEST) {
        locations[id.index()] = location.to_string();
    }
    let shown = |(symbol, location): (&Symbol, String)| ShownSymbol {
        name: symbol.name.clone(),
        kind: symbol.kind.word(),
        parent: symbol.parent.map(SymbolId::index),
        qualifier: symbol.qualifier.clone(),
        name_range: ends(symbol.name_range),
        extent: ends(symbol.extent),
        declaration: symbol.declaration.start().to_u32(),
        location,
    };
    outline.symbols().iter().zip(locations).map(shown).collect()
}

pub(super) fn ends(range: locant_engine::Range) -> [u32; 2] {
    [range.start().to_u32(), range.end().to_u32()]
}
