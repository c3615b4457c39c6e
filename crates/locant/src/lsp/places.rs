//! Where things are: definitions, references, symbols of the workspace.

use gen_lsp_types as lsp;
use locant_engine::Range;
use locant_engine::names::{FoundSymbol, Mention, Role, Target};
use locant_workspace::{Answered, Asked, Known, Provider, written};
use serde_json::{Value, json};

use super::structure::symbol_kind;
use super::transport::Error;
use super::view::{Cursor, View, answered};

/// How many symbols of the workspace an answer has at most.
const MOST_SYMBOLS: usize = 1000;

impl View {
    /// The targets that a question about a place has, such as its definition.
    pub(super) fn targets(
        &self,
        place: &Cursor,
        ask: impl Fn(&dyn Provider, &Asked<'_>) -> Answered<Vec<Target>>,
    ) -> Result<Option<Value>, Error> {
        let around = self.surroundings(&place.path);
        let asked = Asked { scope: self.scope(&around), document: &place.document, at: place.at };
        let Some(known) = answered(self.providers.targets(|provider| ask(provider, &asked)))? else {
            return Ok(None);
        };
        let found: Vec<Value> = known.value.iter().filter_map(|target| self.target(&known, target)).collect();
        Ok((!found.is_empty()).then_some(Value::Array(found)))
    }

    fn target<T>(&self, known: &Known<T>, target: &Target) -> Option<Value> {
        let path = self.path_of(known, &target.path)?;
        let (name, extent) =
            self.on_sheet(&path, |sheet| (sheet.range(target.name), sheet.range(target.extent)))?;
        let uri = self.uri(&path);
        Some(if self.client.takes_links {
            json!({"targetUri": uri, "targetRange": extent, "targetSelectionRange": name})
        } else {
            json!({"uri": uri, "range": name})
        })
    }

    fn location<T>(&self, known: &Known<T>, path: &str, range: Range) -> Option<lsp::Location> {
        let path = self.path_of(known, path)?;
        let range = self.on_sheet(&path, |sheet| sheet.range(range))?;
        Some(lsp::Location { uri: self.uri(&path).into(), range })
    }

    /// Every mention of the thing at the place. The protocol cannot mark guesses, so they are left out.
    pub(super) fn references(
        &self,
        params: lsp::ReferenceParams,
    ) -> Result<Option<Vec<lsp::Location>>, Error> {
        let Some(place) = self.place(&params.text_document_position_params) else { return Ok(None) };
        let Some(known) = self.ask(&place, |provider, asked| provider.references(asked))? else {
            return Ok(Some(Vec::new()));
        };
        let is_asked = |mention: &&Mention| {
            !mention.is_guess && (params.context.include_declaration || mention.role == Role::Use)
        };
        let asked = known.value.iter().filter(is_asked);
        let found = asked.filter_map(|mention| self.location(&known, &mention.path, mention.range));
        Ok(Some(found.collect()))
    }

    pub(super) fn highlights(&self, place: Cursor) -> Result<Option<Vec<lsp::DocumentHighlight>>, Error> {
        let known = self.ask(&place, |provider, asked| provider.highlights(asked))?;
        let mentions = known.map(|known| known.value).unwrap_or_default();
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

    /// The symbols of open documents in languages that no provider answers for.
    fn open_symbols(&self, query: &str) -> Vec<FoundSymbol> {
        let mut found = Vec::new();
        for (path, document) in self.open.iter().filter_map(|(path, open)| Some((path, open.document()?))) {
            let Some(outline) = document.outline().filter(|_| !self.providers.know(document)) else {
                continue;
            };
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

    pub(super) fn workspace_symbols(
        &self,
        params: lsp::WorkspaceSymbolParams,
    ) -> Result<Vec<lsp::SymbolInformation>, Error> {
        let mut found = self.known_symbols(&params.query);
        let open = Known { value: (), who: String::new(), root: None, gaps: Vec::new() };
        found.extend(self.open_symbols(&params.query).into_iter().map(|symbol| (open.clone(), symbol)));
        // Names equal to the query come first, then those that start with it, then shorter ones.
        let query = params.query.to_lowercase();
        found.sort_by_cached_key(|(_, symbol)| {
            let name = symbol.name.to_lowercase();
            (name != query, !name.starts_with(&query), name.len(), name, symbol.target.path.clone())
        });
        found.truncate(MOST_SYMBOLS);
        Ok(found.iter().filter_map(|(known, symbol)| self.symbol(known, symbol)).collect())
    }

    /// The symbols that the providers find, each with an answer that says where its path starts.
    fn known_symbols(&self, query: &str) -> Vec<(Known<()>, FoundSymbol)> {
        let path = match (self.folders.first(), self.open.keys().next()) {
            (Some(folder), _) => written(&folder.join("any")),
            (None, Some(path)) => path.clone(),
            (None, None) => return Vec::new(),
        };
        let around = self.surroundings(&path);
        let scope = self.scope(&around);
        let all = self.providers.ask_all(|provider| provider.symbols(&scope, query));
        let of_one = |known: Known<Vec<FoundSymbol>>| {
            let Known { value, who, root, gaps } = known;
            let empty = Known { value: (), who, root, gaps };
            value.into_iter().map(move |symbol| (empty.clone(), symbol)).collect::<Vec<_>>()
        };
        all.into_iter().flat_map(of_one).collect()
    }

    #[expect(deprecated, reason = "the type has a field that the protocol no longer wants")]
    fn symbol(&self, known: &Known<()>, symbol: &FoundSymbol) -> Option<lsp::SymbolInformation> {
        let base_symbol_information = lsp::BaseSymbolInformation {
            name: symbol.name.clone(),
            kind: symbol_kind(symbol.kind),
            tags: None,
            container_name: (!symbol.container.is_empty()).then(|| symbol.container.clone()),
        };
        let location = self.location(known, &symbol.target.path, symbol.target.name)?;
        Some(lsp::SymbolInformation { deprecated: None, location, base_symbol_information })
    }
}

/// Whether a name contains the letters of a query in their order, whatever their case.
fn has_letters(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    query.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|letter| letter == wanted))
}
