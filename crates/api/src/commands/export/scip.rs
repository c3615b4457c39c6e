//! An index in the SCIP protocol.
//!
//! The index is one message: first the metadata, then one document after the other, so it can be written while it is
//! made. The field numbers and enum values are those of `scip.proto`.

use std::io::{self, Write};

use locant_engine::{self as engine, Document, Outline, SymbolId, SymbolKind};
use locant_workspace::written;

use super::docs;
use super::language;
use super::meanings::{Local, Meanings, Mentioned};
use super::protobuf::Message;
use super::symbol::Symbols;
use super::tree::{Listed, Piece, Tally, Tree};
use crate::commands::outline::one_line;
use crate::encoding::Encoding;
use crate::uri;
use crate::wire;

/// The fields of `Index`.
mod index {
    pub(super) const METADATA: u32 = 1;
    pub(super) const DOCUMENTS: u32 = 2;
}

/// The fields of `Metadata` and of `ToolInfo` in it.
mod metadata {
    pub(super) const TOOL_INFO: u32 = 2;
    pub(super) const PROJECT_ROOT: u32 = 3;
    pub(super) const TEXT_DOCUMENT_ENCODING: u32 = 4;
    pub(super) const TOOL_NAME: u32 = 1;
    pub(super) const TOOL_VERSION: u32 = 2;
}

/// The fields of `Document`.
mod document {
    pub(super) const RELATIVE_PATH: u32 = 1;
    pub(super) const OCCURRENCES: u32 = 2;
    pub(super) const SYMBOLS: u32 = 3;
    pub(super) const LANGUAGE: u32 = 4;
    pub(super) const TEXT: u32 = 5;
    pub(super) const POSITION_ENCODING: u32 = 6;
}

/// The fields of `Occurrence`.
mod occurrence {
    pub(super) const RANGE: u32 = 1;
    pub(super) const SYMBOL: u32 = 2;
    pub(super) const SYMBOL_ROLES: u32 = 3;
    pub(super) const ENCLOSING_RANGE: u32 = 7;
}

/// The fields of `SymbolInformation`.
mod information {
    pub(super) const SYMBOL: u32 = 1;
    pub(super) const DOCUMENTATION: u32 = 3;
    pub(super) const KIND: u32 = 5;
    pub(super) const DISPLAY_NAME: u32 = 6;
    pub(super) const SIGNATURE_DOCUMENTATION: u32 = 7;
    pub(super) const ENCLOSING_SYMBOL: u32 = 8;
}

/// `TextEncoding.UTF8`.
const UTF8: u32 = 1;

/// `SymbolRole.Definition`.
const DEFINITION: u32 = 1;

/// `SymbolInformation.Kind.Parameter`.
const PARAMETER: u32 = 37;

/// Writes the index of a tree. Columns are counted in `encoding`.
pub(super) fn write(tree: &Tree, encoding: Encoding, out: &mut dyn Write) -> io::Result<Tally> {
    let mut head = Message::default();
    head.message(index::METADATA, &metadata(tree));
    out.write_all(head.bytes())?;
    let meanings = Meanings::of(tree);
    let made = |document: &Document, outline: &Outline, listed: &Listed| {
        let symbols = Symbols::of(document.path(), outline, listed);
        let mentioned = meanings.mentioned(document.path());
        let bytes = Indexed { document, outline, listed, symbols, encoding }.bytes(mentioned);
        Piece { bytes, n_symbols: listed.ids.len() }
    };
    tree.each_file(made, |bytes| out.write_all(&bytes))
}

fn metadata(tree: &Tree) -> Message {
    let mut tool = Message::default();
    tool.string(metadata::TOOL_NAME, "locant");
    tool.string(metadata::TOOL_VERSION, env!("CARGO_PKG_VERSION"));
    let mut message = Message::default();
    message.message(metadata::TOOL_INFO, &tool);
    message.string(metadata::PROJECT_ROOT, &uri::of_path(&written(&tree.top)));
    message.number(metadata::TEXT_DOCUMENT_ENCODING, UTF8);
    message
}

/// A file with the SCIP names of its symbols.
struct Indexed<'d> {
    document: &'d Document,
    outline: &'d Outline,
    listed: &'d Listed,
    symbols: Symbols,
    encoding: Encoding,
}

/// A place that refers to a symbol.
struct Occurrence<'s> {
    range: engine::Range,
    symbol: &'s str,
    /// The range of the whole definition, if the place is the name in a definition.
    extent: Option<engine::Range>,
}

impl Indexed<'_> {
    /// The document as a field of the index; empty if it has no names.
    fn bytes(&self, mentioned: Mentioned) -> Vec<u8> {
        if self.listed.ids.is_empty() && mentioned.locals.is_empty() && mentioned.mentions.is_empty() {
            return Vec::new();
        }
        let language = self.document.reader().map_or("", language::scip);
        let mut message = Message::default();
        message.string(document::RELATIVE_PATH, self.document.path());
        for occurrence in self.occurrences(&mentioned) {
            message.message(document::OCCURRENCES, &self.occurrence(&occurrence));
        }
        for &id in &self.listed.ids {
            message.message(document::SYMBOLS, &self.information(id, language));
        }
        for local in &mentioned.locals {
            message.message(document::SYMBOLS, &self.local(local));
        }
        message.string(document::LANGUAGE, language);
        message.number(document::POSITION_ENCODING, position_encoding(self.encoding));
        let mut field = Message::default();
        field.message(index::DOCUMENTS, &message);
        field.bytes().to_vec()
    }

    /// All places that refer to something, in the order of the text.
    fn occurrences<'s>(&'s self, mentioned: &'s Mentioned) -> Vec<Occurrence<'s>> {
        let definitions = self.listed.ids.iter().filter_map(|&id| {
            let symbol = self.outline.get(id);
            Some(Occurrence {
                range: symbol.name_range,
                symbol: self.symbols.get(id)?,
                extent: Some(symbol.extent),
            })
        });
        let locals = mentioned.locals.iter().map(|local| Occurrence {
            range: local.name,
            symbol: &local.symbol,
            extent: Some(local.extent),
        });
        let mentions = mentioned.mentions.iter().map(|mention| Occurrence {
            range: mention.range,
            symbol: &mention.symbol,
            extent: None,
        });
        let mut occurrences: Vec<Occurrence<'_>> = definitions.chain(locals).chain(mentions).collect();
        occurrences.sort_by_key(|one| (one.range.start(), one.range.end(), one.symbol));
        occurrences
    }

    fn occurrence(&self, Occurrence { range, symbol, extent }: &Occurrence<'_>) -> Message {
        let mut message = Message::default();
        message.numbers(occurrence::RANGE, &self.range(*range));
        message.string(occurrence::SYMBOL, symbol);
        if let Some(extent) = extent {
            message.number(occurrence::SYMBOL_ROLES, DEFINITION);
            message.numbers(occurrence::ENCLOSING_RANGE, &self.range(*extent));
        }
        message
    }

    /// The `SymbolInformation` of a symbol.
    fn information(&self, id: SymbolId, language: &str) -> Message {
        let symbol = self.outline.get(id);
        let text = self.document.text();
        let mut signature = Message::default();
        signature.string(document::LANGUAGE, language);
        signature.string(document::TEXT, &one_line(&text.lossy(symbol.header)));
        let mut message = Message::default();
        message.string(information::SYMBOL, self.symbols.get(id).unwrap_or_default());
        if let Some(docs) = symbol.docs {
            message.string(information::DOCUMENTATION, &docs::words(&text.lossy(docs)));
        }
        message.number(information::KIND, kind(symbol.kind));
        message.string(information::DISPLAY_NAME, &symbol.name);
        message.message(information::SIGNATURE_DOCUMENTATION, &signature);
        let parent = symbol.parent.and_then(|parent| self.symbols.get(parent));
        message.string(information::ENCLOSING_SYMBOL, parent.unwrap_or_default());
        message
    }

    /// The `SymbolInformation` of something that no other file can name.
    fn local(&self, local: &Local) -> Message {
        let around = self.outline.around(local.name).map(|(id, _)| id).max();
        let mut message = Message::default();
        message.string(information::SYMBOL, &local.symbol);
        message.number(
            information::KIND,
            if local.is_parameter { PARAMETER } else { kind(SymbolKind::Variable) },
        );
        message.string(information::DISPLAY_NAME, &self.document.text().lossy(local.name));
        let around = around.and_then(|id| self.symbols.get(id));
        message.string(information::ENCLOSING_SYMBOL, around.unwrap_or_default());
        message
    }

    /// The start line, start column, end line and end column, from 0. The end line is left out if it is the start line.
    fn range(&self, range: engine::Range) -> Vec<u32> {
        let wire::Range { start, end } = wire::range(self.document, range, self.encoding);
        if start.line == end.line {
            vec![start.line - 1, start.character - 1, end.character - 1]
        } else {
            vec![start.line - 1, start.character - 1, end.line - 1, end.character - 1]
        }
    }
}

/// The value of `PositionEncoding`.
fn position_encoding(encoding: Encoding) -> u32 {
    match encoding {
        Encoding::Utf8 => 1,
        Encoding::Utf16 => 2,
        Encoding::Utf32 => 3,
    }
}

/// The value of `SymbolInformation.Kind`; 0 for kinds that SCIP does not have.
fn kind(kind: SymbolKind) -> u32 {
    match kind {
        SymbolKind::Module => 29,
        SymbolKind::Class => 7,
        SymbolKind::Struct => 49,
        SymbolKind::Interface => 21,
        SymbolKind::Enum => 11,
        SymbolKind::EnumMember => 12,
        SymbolKind::Type => 55,
        SymbolKind::Function => 17,
        SymbolKind::Method => 26,
        SymbolKind::Constructor => 9,
        SymbolKind::Field => 15,
        SymbolKind::Property => 41,
        SymbolKind::Constant => 8,
        SymbolKind::Variable => 61,
        SymbolKind::Macro => 25,
        SymbolKind::Key => 22,
        SymbolKind::Heading | SymbolKind::Selector | SymbolKind::Element => 0,
    }
}
