//! The structure of a document: its symbols, what can be folded, and what to select around a place. All languages have
//! these.

use gen_lsp_types as lsp;
use locant_engine::names::{Fold, FoldKind};
use locant_engine::{Document, Offset, Outline, Range, Symbol, SymbolId, SymbolKind};

use super::convert::Sheet;
use super::folds;
use super::transport::Error;
use super::view::View;
use locant_api::uri;

impl View {
    pub(super) fn document_symbols(
        &self,
        params: lsp::DocumentSymbolParams,
    ) -> Result<Option<lsp::DocumentSymbolResponse>, Error> {
        let uri = params.text_document.uri;
        let Some(source) = self.source(&uri::path(uri.as_ref())) else { return Ok(None) };
        let sheet = source.sheet(&self.client);
        let Some(document) = &source.document else { return Ok(None) };
        // Makes the tree first: it is small and kept, selections need it as well, and the symbols can be read from it.
        document.tree();
        let Some(outline) = document.outline() else { return Ok(None) };
        Ok(Some(if self.client.nests_symbols {
            lsp::DocumentSymbolResponse::DocumentSymbolList(nested(outline, sheet))
        } else {
            let flat = outline.iter().map(|(id, _)| flat(outline, id, sheet, &uri));
            lsp::DocumentSymbolResponse::SymbolInformationList(flat.collect())
        }))
    }

    pub(super) fn folding_ranges(
        &self,
        params: lsp::FoldingRangeParams,
    ) -> Result<Option<Vec<lsp::FoldingRange>>, Error> {
        let path = uri::path(params.text_document.uri.as_ref());
        let Some(source) = self.source(&path) else { return Ok(None) };
        let known = match self.start_of(&path) {
            Some(start) => self.ask(&start, |provider, asked| provider.folds(asked))?,
            None => None,
        };
        let folds = match (known, &source.document) {
            (Some(known), _) => known.value,
            (None, Some(document)) => folds::folds(document),
            (None, None) => Vec::new(),
        };
        let sheet = source.sheet(&self.client);
        let folds = folds.iter().filter_map(|fold| folding_range(fold, sheet, self.client.folds_lines));
        Ok(Some(folds.take(self.client.most_folds.unwrap_or(usize::MAX)).collect()))
    }

    pub(super) fn selection_ranges(
        &self,
        params: lsp::SelectionRangeParams,
    ) -> Result<Option<Vec<lsp::SelectionRange>>, Error> {
        let path = uri::path(params.text_document.uri.as_ref());
        let Some(source) = self.source(&path) else { return Ok(None) };
        let sheet = source.sheet(&self.client);
        let ranges = params.positions.iter().map(|&position| {
            let at = sheet.offset(position);
            let around = source.document.as_ref().map(|document| around(document, at)).unwrap_or_default();
            selection_range(&around, sheet, at)
        });
        Ok(Some(ranges.collect()))
    }
}

/// The symbols of an outline, nested.
fn nested(outline: &Outline, sheet: Sheet<'_>) -> Vec<lsp::DocumentSymbol> {
    // Members come after their parents in the outline. So, from the last symbol to the first, all members of a symbol
    // are made before the symbol itself.
    let mut made: Vec<Vec<lsp::DocumentSymbol>> = vec![Vec::new(); outline.symbols().len()];
    let ids: Vec<SymbolId> = outline.iter().map(|(id, _)| id).collect();
    let mut roots = Vec::new();
    for &id in ids.iter().rev() {
        let mut children = std::mem::take(&mut made[id.index()]);
        children.reverse();
        let symbol = document_symbol(outline.get(id), children, sheet);
        match outline.get(id).parent {
            Some(parent) => made[parent.index()].push(symbol),
            None => roots.push(symbol),
        }
    }
    roots.reverse();
    roots
}

#[expect(deprecated, reason = "the type has a field that the protocol no longer wants")]
fn document_symbol(
    symbol: &Symbol,
    children: Vec<lsp::DocumentSymbol>,
    sheet: Sheet<'_>,
) -> lsp::DocumentSymbol {
    lsp::DocumentSymbol {
        // The protocol forbids empty names. If there is one, some clients show no symbols at all.
        name: if symbol.name.trim().is_empty() { "_".to_owned() } else { symbol.name.clone() },
        detail: (!symbol.qualifier.is_empty()).then(|| symbol.qualifier.join(".")),
        kind: symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: sheet.range(symbol.extent.cover(symbol.name_range)),
        selection_range: sheet.range(symbol.name_range),
        children: (!children.is_empty()).then_some(children),
    }
}

/// A symbol for clients that do not accept nested ones.
#[expect(deprecated, reason = "the type has a field that the protocol no longer wants")]
fn flat(outline: &Outline, id: SymbolId, sheet: Sheet<'_>, uri: &lsp::Uri) -> lsp::SymbolInformation {
    let symbol = outline.get(id);
    let path = outline.path(id);
    let base_symbol_information = lsp::BaseSymbolInformation {
        name: symbol.name.clone(),
        kind: symbol_kind(symbol.kind),
        tags: None,
        container_name: Some(path[..path.len() - 1].join(".")),
    };
    let range = sheet.range(symbol.extent.cover(symbol.name_range));
    let location = lsp::Location { uri: uri.clone(), range };
    lsp::SymbolInformation { deprecated: None, location, base_symbol_information }
}

/// The kind of a symbol in the protocol.
pub(super) fn symbol_kind(kind: SymbolKind) -> lsp::SymbolKind {
    match kind {
        SymbolKind::Module => lsp::SymbolKind::Module,
        SymbolKind::Class | SymbolKind::Selector | SymbolKind::Type => lsp::SymbolKind::Class,
        SymbolKind::Struct => lsp::SymbolKind::Struct,
        SymbolKind::Interface => lsp::SymbolKind::Interface,
        SymbolKind::Enum => lsp::SymbolKind::Enum,
        SymbolKind::EnumMember => lsp::SymbolKind::EnumMember,
        SymbolKind::Function | SymbolKind::Macro => lsp::SymbolKind::Function,
        SymbolKind::Method => lsp::SymbolKind::Method,
        SymbolKind::Constructor => lsp::SymbolKind::Constructor,
        SymbolKind::Field => lsp::SymbolKind::Field,
        SymbolKind::Property => lsp::SymbolKind::Property,
        SymbolKind::Constant => lsp::SymbolKind::Constant,
        SymbolKind::Variable => lsp::SymbolKind::Variable,
        SymbolKind::Key => lsp::SymbolKind::Key,
        SymbolKind::Heading => lsp::SymbolKind::String,
        SymbolKind::Element => lsp::SymbolKind::Object,
    }
}

/// A fold as the protocol writes it. A bracket that closes a block stays visible. `None` when fewer than two lines are
/// left.
fn folding_range(fold: &Fold, sheet: Sheet<'_>, by_lines: bool) -> Option<lsp::FoldingRange> {
    let mut range = sheet.range(fold.range);
    let bytes = sheet.text.slice(fold.range);
    let closes = matches!(bytes.last(), Some(b'}' | b')' | b']')) && fold.kind == FoldKind::Block;
    if closes && by_lines {
        range.end.line = range.end.line.checked_sub(1)?;
    } else if closes {
        range.end.character = range.end.character.saturating_sub(1);
    }
    if closes && matches!(bytes.first(), Some(b'{' | b'(' | b'[')) {
        range.start.character += 1;
    }
    (range.start.line < range.end.line).then(|| lsp::FoldingRange {
        start_line: range.start.line,
        start_character: (!by_lines).then_some(range.start.character),
        end_line: range.end.line,
        end_character: (!by_lines).then_some(range.end.character),
        kind: match fold.kind {
            FoldKind::Block => None,
            FoldKind::Comment => Some(lsp::FoldingRangeKind::Comment),
            FoldKind::Imports => Some(lsp::FoldingRangeKind::Imports),
        },
        collapsed_text: None,
    })
}

/// The ranges around a place, the outermost first: of the nodes of the syntax tree, or of symbols where there is no
/// tree.
fn around(document: &Document, at: Offset) -> Vec<Range> {
    match document.tree() {
        Some(tree) => {
            tree.path_at_cursor(at, document.text().bytes()).iter().map(|node| node.range).collect()
        }
        None => symbols_around(document, at),
    }
}

fn symbols_around(document: &Document, at: Offset) -> Vec<Range> {
    let mut ranges = vec![document.text().range()];
    let symbols = document.outline().map(Outline::symbols).unwrap_or_default();
    for symbol in symbols.iter().filter(|symbol| symbol.extent.touches(at)) {
        ranges.extend([symbol.extent, symbol.declaration, symbol.header, symbol.name_range]);
    }
    ranges
}

/// Nested selections around a place, each inside the one before. A range that is not inside the one before is left out.
fn selection_range(ranges: &[Range], sheet: Sheet<'_>, at: Offset) -> lsp::SelectionRange {
    let mut outer = sheet.text.range();
    let mut selection = lsp::SelectionRange { range: sheet.range(outer), parent: None };
    for &range in ranges.iter().filter(|range| range.touches(at)) {
        if range != outer && outer.covers(range) {
            outer = range;
            selection = lsp::SelectionRange { range: sheet.range(range), parent: Some(Box::new(selection)) };
        }
    }
    selection
}
