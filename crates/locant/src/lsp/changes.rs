//! Renames.

use std::collections::BTreeMap;

use gen_lsp_types as lsp;
use locant_engine::names::{Names, Refusal, Replacement};
use serde_json::{Value, json};

use super::requests::Cursor;
use super::server::Server;
use super::transport::Error;

impl Server {
    pub(super) fn prepare_rename(&mut self, place: Cursor) -> Result<Option<Value>, Error> {
        let range = self.names.renamable(&place.path, place.at).map_err(refused)?;
        Ok(self.on_sheet(
            &place.path,
            |sheet| json!({"range": sheet.range(range), "placeholder": sheet.text.lossy(range)}),
        ))
    }

    pub(super) fn rename(&mut self, params: lsp::RenameParams) -> Result<Option<Value>, Error> {
        self.refresh_all();
        // A file that is not known would keep the old name.
        self.find_all();
        let Some(place) = self.place(&params.text_document_position_params) else { return Ok(None) };
        let replacements = self.names.rename(&place.path, place.at, &params.new_name).map_err(refused)?;
        let mut by_file: BTreeMap<&str, Vec<&Replacement>> = BTreeMap::new();
        for replacement in &replacements {
            by_file.entry(&replacement.path).or_default().push(replacement);
        }
        let edits = |path: &str, replacements: &[&Replacement]| {
            self.on_sheet(path, |sheet| {
                let edit = |one: &&Replacement| json!({"range": sheet.range(one.range), "newText": one.text});
                replacements.iter().map(edit).collect::<Vec<_>>()
            })
        };
        let mut by_uri: Vec<(String, Option<i32>, Vec<Value>)> = Vec::new();
        for (path, replacements) in by_file {
            // All or nothing: half a rename is worse than none.
            let edits = edits(path, &replacements).ok_or_else(|| {
                Error::new(Error::REQUEST_FAILED, format!("`{path}` cannot be read any more"))
            })?;
            by_uri.push((self.uri(path), self.open.get(path).map(|open| open.version), edits));
        }
        Ok(Some(self.workspace_edit(by_uri)))
    }

    /// Changes to documents, by their addresses, with their versions where they are open.
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

fn refused(refusal: Refusal) -> Error {
    Error::new(Error::REQUEST_FAILED, format!("{}; {}", refusal.message, refusal.hint))
}
