//! Code actions: changes that repair the problems that the client shows, and the commands about locations.

use gen_lsp_types as lsp;
use locant_engine::names::Fix;
use locant_engine::{Document, Range};
use serde::Deserialize;
use serde_json::{Value, json};

use super::offered::{COPY, GO, GONE, LOCATIONS, QUICK_FIX};
use super::transport::Error;
use super::view::View;
use locant_api::uri;

/// The parameters of a request for actions. The diagnostics are sent back unchanged.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CodeActionParams {
    text_document: lsp::TextDocumentIdentifier,
    range: lsp::Range,
    #[serde(default)]
    context: Context,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Context {
    #[serde(default)]
    diagnostics: Vec<Value>,
    only: Option<Vec<String>>,
    /// What made the client ask.
    trigger_kind: Option<u8>,
}

/// The client asks by itself, for example after every move of the cursor.
const AUTOMATIC: u8 = 2;

impl Context {
    /// Whether actions of this kind are asked for: the kind itself, or one that it belongs to.
    fn wants(&self, kind: &str) -> bool {
        let belongs = |to: &String| to.is_empty() || kind == to || kind.starts_with(&format!("{to}."));
        self.only.as_ref().is_none_or(|only| only.iter().any(belongs))
    }

    /// Whether actions about locations are asked for. A client that asks by itself would offer them at every place.
    fn wants_locations(&self) -> bool {
        self.wants(LOCATIONS) && (self.only.is_some() || self.trigger_kind != Some(AUTOMATIC))
    }
}

impl View {
    pub(super) fn code_actions(&self, params: CodeActionParams) -> Result<Option<Vec<Value>>, Error> {
        let context = &params.context;
        let wanted = (context.wants(QUICK_FIX), context.wants_locations());
        if wanted == (false, false) || !self.client.takes_actions {
            return Ok(None);
        }
        let path = uri::path(params.text_document.uri.as_ref());
        let Some(range) = self.on_sheet(&path, |sheet| sheet.stretch(params.range)) else { return Ok(None) };
        let Some(start) = self.start_of(&path) else { return Ok(None) };
        let (wants_fixes, wants_locations) = wanted;
        let mut actions = Vec::new();
        if wants_fixes {
            let known = self.ask(&start, |provider, asked| provider.fixes(asked, range))?;
            let fixes = known.map(|known| known.value).unwrap_or_default();
            actions.extend(fixes.iter().filter_map(|fix| self.action(&path, fix, &context.diagnostics)));
        }
        if wants_locations {
            actions.extend(about_locations(&params, said_at(&start.document, range)));
        }
        Ok(Some(actions))
    }

    fn action(&self, path: &str, fix: &Fix, shown: &[Value]) -> Option<Value> {
        let (place, edits) = self.on_sheet(path, |sheet| {
            let edit = |(range, text): &(locant_engine::Range, String)| {
                json!({"range": sheet.range(*range), "newText": text})
            };
            (json!(sheet.range(fix.problem)), fix.edits.iter().map(edit).collect::<Vec<_>>())
        })?;
        let version = self.open.get(path).map(|open| open.version);
        let is_it = |one: &&Value| one["code"] == fix.code && one["range"] == place;
        let diagnostics: Vec<&Value> = shown.iter().filter(is_it).collect();
        let edit = self.workspace_edit(vec![(self.uri(path), version, edits)]);
        let mut action =
            json!({"title": fix.title, "kind": QUICK_FIX, "diagnostics": diagnostics, "edit": edit});
        if self.client.takes_preferred {
            action["isPreferred"] = json!(fix.is_sure);
        }
        Some(action)
    }
}

/// The actions about the location of a place, and about a location that is written there.
fn about_locations(params: &CodeActionParams, said: Option<String>) -> Vec<Value> {
    let uri = &params.text_document.uri;
    let action = |title: String, command: &str, argument: Value| {
        let command = json!({"title": title, "command": command, "arguments": [argument]});
        json!({"title": title, "kind": LOCATIONS, "command": command})
    };
    let here = json!({"uri": uri, "position": params.range.start});
    let go =
        said.map(|said| action(format!("Go to location {said}"), GO, json!({"uri": uri, "location": said})));
    let copy = action("Copy location".to_owned(), COPY, json!({"uri": uri, "range": params.range}));
    let gone = action("Where did this place of the last commit go".to_owned(), GONE, here);
    go.into_iter().chain([copy, gone]).collect()
}

/// The longest text that is taken for a location.
const LONGEST: usize = 500;

/// What is written at a place and looks like a location: the selected text, or else the words around the cursor up to
/// blanks, quotes or brackets. A location that has blanks in it must be selected.
fn said_at(document: &Document, selected: Range) -> Option<String> {
    let text = document.text();
    let said = if selected.is_empty() { unbroken(document, selected) } else { selected };
    let said = text.lossy(said).trim().to_owned();
    let names_file = |end: usize| end > 0 && said[..end].contains('.');
    let is_like = said.find([':', '@']).is_some_and(names_file);
    (is_like && said.len() <= LONGEST && !said.contains('\n')).then_some(said)
}

/// The text around a place up to blanks, quotes or brackets.
fn unbroken(document: &Document, at: Range) -> Range {
    let text = document.text();
    let (bytes, at) = (text.bytes(), at.start().index());
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`()<>[]{},;".contains(byte);
    let start = bytes[..at].iter().rposition(ends).map_or(text.start().index(), |end| end + 1);
    let end = bytes[at..].iter().position(ends).map_or(bytes.len(), |end| at + end);
    Range::of_indices(start..end)
}
