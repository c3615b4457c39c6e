//! Code actions: changes that repair the problems that the client shows.

use gen_lsp_types as lsp;
use locant_engine::names::Fix;
use serde::Deserialize;
use serde_json::{Value, json};

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
struct Context {
    #[serde(default)]
    diagnostics: Vec<Value>,
    only: Option<Vec<String>>,
}

/// The kind of all actions.
const QUICK_FIX: &str = "quickfix";

impl View {
    pub(super) fn code_actions(&self, params: CodeActionParams) -> Result<Option<Vec<Value>>, Error> {
        let is_asked = |kind: &String| kind.is_empty() || kind == QUICK_FIX;
        let is_other = params.context.only.as_ref().is_some_and(|only| !only.iter().any(is_asked));
        if is_other || !self.client.takes_actions {
            return Ok(None);
        }
        let path = uri::path(params.text_document.uri.as_ref());
        let Some(range) = self.on_sheet(&path, |sheet| sheet.stretch(params.range)) else { return Ok(None) };
        let Some(start) = self.start_of(&path) else { return Ok(None) };
        let known = self.ask(&start, |provider, asked| provider.fixes(asked, range))?;
        let fixes = known.map(|known| known.value).unwrap_or_default();
        Ok(Some(
            fixes.iter().filter_map(|fix| self.action(&path, fix, &params.context.diagnostics)).collect(),
        ))
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
