//! Where things are: definitions, references, symbols of the workspace.

use gen_lsp_types as lsp;
use locant_engine::names::{FoundSymbol, Mention, Names, Role, Target};
use locant_engine::{Document, Offset, Range};
use serde_json::{Value, json};

use super::requests::Cursor;
use super::server::Server;
use super::structure::symbol_kind;
use super::transport::Error;
use crate::known_copies;

/// How many symbols of the workspace an answer has at most.
const MOST_SYMBOLS: usize = 1000;

impl Server {
    /// Where something about a place is. What is only likely is left out when something is sure.
    pub(super) fn targets(
        &mut self,
        place: &Cursor,
        ask: impl Fn(&dyn Names, &str, Offset) -> Vec<Target>,
    ) -> Result<Option<Value>, Error> {
        let files = |targets: &Vec<Target>| targets.iter().map(|target| target.path.clone()).collect();
        let mut targets = self.ask_names(place, ask, files);
        if targets.iter().any(|target| !target.is_guess) {
            targets.retain(|target| !target.is_guess);
        }
        // What comes with protoc is on no disk: a copy is.
        for target in targets.iter_mut().filter(|target| !self.names.has(&target.path)) {
            target.path = known_copies::copy_of(&target.path).unwrap_or_default();
        }
        let found: Vec<Value> = targets.iter().filter_map(|target| self.target(target)).collect();
        Ok((!found.is_empty()).then_some(Value::Array(found)))
    }

    fn target(&self, target: &Target) -> Option<Value> {
        let (name, extent) =
            self.on_sheet(&target.path, |sheet| (sheet.range(target.name), sheet.range(target.extent)))?;
        let uri = self.uri(&target.path);
        Some(if self.client.takes_links {
            json!({"targetUri": uri, "targetRange": extent, "targetSelectionRange": name})
        } else {
            json!({"uri": uri, "range": name})
        })
    }

    fn location(&self, path: &str, range: Range) -> Option<lsp::Location> {
        let range = self.on_sheet(path, |sheet| sheet.range(range))?;
        Some(lsp::Location { uri: self.uri(path).into(), range })
    }

    pub(super) fn references(
        &mut self,
        params: lsp::ReferenceParams,
    ) -> Result<Option<Vec<lsp::Location>>, Error> {
        self.refresh_all();
        let Some(place) = self.place(&params.text_document_position_params) else { return Ok(None) };
        let mut mentions = self.names.references(&place.path, place.at);
        let is_asked = |mention: &Mention| params.context.include_declaration || mention.role == Role::Use;
        mentions.retain(|mention| is_asked(mention) && !mention.is_guess);
        let found = mentions.iter().filter_map(|mention| self.location(&mention.path, mention.range));
        Ok(Some(found.collect()))
    }

    pub(super) fn highlights(&mut self, place: Cursor) -> Result<Option<Vec<lsp::DocumentHighlight>>, Error> {
        let mentions = self.names.highlights(&place.path, place.at);
        Ok(self.on_sheet(&place.path, |sheet| {
            let highlight = |mention: &Mention| lsp::DocumentHighlight {
                range: sheet.range(mention.range),
                kind: Some(match mention.role {
                    Role::Declaration | Role::Definition => lsp::DocumentHighlightKind::Write,
                    Role::Use => lsp::DocumentHighlightKind::Read,
                }),
            };
            mentions.iter().map(highlight).collect()
        }))
    }

    /// The symbols of open documents in languages whose names are not known.
    fn open_symbols(&self, query: &str) -> Vec<FoundSymbol> {
        let mut found = Vec::new();
        for (path, open) in self.open.iter().filter(|(path, _)| !self.names.has(path)) {
            let Some(outline) = open.document().and_then(Document::outline) else { continue };
            for (id, symbol) in outline.iter().filter(|(_, symbol)| has_letters(&symbol.name, query)) {
                let names = outline.path(id);
                found.push(FoundSymbol {
                    name: symbol.name.clone(),
                    kind: symbol.kind,
                    container: names[..names.len() - 1].join("."),
                    target: Target {
                        path: path.clone(),
                        name: symbol.name_range,
                        extent: symbol.extent,
                        is_guess: false,
                    },
                });
            }
        }
        found
    }

    #[expect(deprecated, reason = "the type has a field that the protocol no longer wants")]
    pub(super) fn workspace_symbols(
        &mut self,
        params: lsp::WorkspaceSymbolParams,
    ) -> Result<Vec<lsp::SymbolInformation>, Error> {
        self.refresh_all();
        let mut symbols = self.names.symbols(&params.query);
        symbols.extend(self.open_symbols(&params.query));
        // What is called as asked comes first, then what is short.
        let query = params.query.to_lowercase();
        symbols.sort_by_cached_key(|symbol| {
            let name = symbol.name.to_lowercase();
            (name != query, !name.starts_with(&query), name.len(), name, symbol.target.path.clone())
        });
        symbols.truncate(MOST_SYMBOLS);
        let symbol = |symbol: &FoundSymbol| {
            let base_symbol_information = lsp::BaseSymbolInformation {
                name: symbol.name.clone(),
                kind: symbol_kind(symbol.kind),
                tags: None,
                container_name: (!symbol.container.is_empty()).then(|| symbol.container.clone()),
            };
            let location = self.location(&symbol.target.path, symbol.target.name)?;
            Some(lsp::SymbolInformation { deprecated: None, location, base_symbol_information })
        };
        Ok(symbols.iter().filter_map(symbol).collect())
    }
}

/// Does a name contain the letters of a query in their order, whatever their case?
fn has_letters(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    query.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|letter| letter == wanted))
}
