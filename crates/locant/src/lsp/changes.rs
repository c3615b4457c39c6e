//! Renames: the request itself, and the one that asks whether a name can be changed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use gen_lsp_types as lsp;
use locant_engine::names::{Refusal, Replacement};
use locant_workspace::{Gap, Known, written};
use serde_json::{Value, json};

use super::convert::Sheet;
use super::transport::Error;
use super::view::{Cursor, View};
use crate::voice::Editor;

impl View {
    pub(super) fn prepare_rename(&self, place: Cursor) -> Result<Option<Value>, Error> {
        let Some(known) = self.ask(&place, |provider, asked| provider.renamable(asked))? else {
            return Err(Error::new(Error::REQUEST_FAILED, "the names of this file are not known"));
        };
        let range = known.value.map_err(refused)?;
        Ok(self.on_sheet(
            &place.path,
            |sheet| json!({"range": sheet.range(range), "placeholder": sheet.text.lossy(range)}),
        ))
    }

    pub(super) fn rename(&self, params: lsp::RenameParams) -> Result<Option<Value>, Error> {
        let Some(place) = self.place(&params.text_document_position_params) else { return Ok(None) };
        let known = self.ask(&place, |provider, asked| provider.rename(asked, &params.new_name))?;
        let Some(Known { value, root, gaps, .. }) = known else {
            return Err(Error::new(Error::REQUEST_FAILED, "the names of this file are not known"));
        };
        let mut by_file: BTreeMap<String, Vec<Replacement>> = BTreeMap::new();
        for replacement in value.map_err(refused)?.replacements {
            let path =
                root.as_ref().map_or(PathBuf::from(&replacement.path), |root| root.join(&replacement.path));
            by_file.entry(written(&path)).or_default().push(replacement);
        }
        let mut by_uri: Vec<(String, Option<i32>, Vec<Value>)> = Vec::new();
        for (path, replacements) in by_file {
            // All or nothing: half a rename is worse than none.
            let edits = self.on_sheet(&path, |sheet| edits(&replacements, sheet)).ok_or_else(|| {
                Error::new(Error::REQUEST_FAILED, format!("`{path}` cannot be read any more"))
            })?;
            by_uri.push((self.uri(&path), self.open.get(&path).map(|open| open.version), edits));
        }
        let edit = self.workspace_edit(by_uri);
        let gaps = self.doubts(&place, &gaps);
        Ok(Some(if gaps.is_empty() { edit } else { self.in_doubt(edit, &gaps) }))
    }

    /// Why a rename may not reach all uses of the name.
    fn doubts(&self, place: &Cursor, gaps: &[Gap]) -> Vec<String> {
        if !self.is_in_folder(&place.path) {
            return vec![format!("`{}` is in no folder of the workspace", place.path)];
        }
        gaps.iter().map(|gap| locant_api::gap(gap).said(&Editor)).collect()
    }

    /// Marks a change that may be incomplete: the client asks the user before it makes the change, if it can; otherwise
    /// it gets a warning to show.
    fn in_doubt(&self, mut edit: Value, gaps: &[String]) -> Value {
        let said = gaps.join("; ");
        let changes = edit.get_mut("documentChanges").and_then(Value::as_array_mut);
        match changes.filter(|_| self.client.asks_about_edits) {
            Some(changes) => {
                let edits = changes.iter_mut().filter_map(|change| change["edits"].as_array_mut()).flatten();
                edits.for_each(|edit| edit["annotationId"] = json!(IN_DOUBT));
                let annotation =
                    json!({"label": "May not be complete", "needsConfirmation": true, "description": said});
                edit["changeAnnotations"] = json!({IN_DOUBT: annotation});
            }
            None => {
                let message = format!("the rename may not be complete: {said}");
                self.output.tell("window/showMessage", &json!({"type": WARNING, "message": message}));
            }
        }
        edit
    }

    /// Changes to documents, by their URIs, with the versions of those that are open.
    pub(super) fn workspace_edit(&self, by_uri: Vec<(String, Option<i32>, Vec<Value>)>) -> Value {
        if self.client.takes_versions {
            let change = |(uri, version, edits): &(String, Option<i32>, Vec<Value>)| {
                let document = json!({"uri": uri, "version": version});
                json!({"textDocument": document, "edits": edits})
            };
            json!({"documentChanges": by_uri.iter().map(change).collect::<Vec<_>>()})
        } else {
            let changes = by_uri.into_iter().map(|(uri, _, edits)| (uri, Value::Array(edits)));
            json!({"changes": changes.collect::<serde_json::Map<_, _>>()})
        }
    }
}

/// The id of the annotation for a change that may be incomplete.
const IN_DOUBT: &str = "in-doubt";

/// The protocol's number for a warning among the types of messages.
const WARNING: u8 = 2;

pub(super) fn edits(replacements: &[Replacement], sheet: Sheet<'_>) -> Vec<Value> {
    let edit = |one: &Replacement| json!({"range": sheet.range(one.range), "newText": one.text});
    replacements.iter().map(edit).collect()
}

fn refused(refusal: Refusal) -> Error {
    Error::new(Error::REQUEST_FAILED, format!("{}; {}", refusal.message, refusal.hint))
}
