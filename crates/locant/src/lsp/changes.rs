//! Renames.

use std::collections::BTreeMap;
use std::path::Path;

use gen_lsp_types as lsp;
use locant_engine::names::{Names, Refusal, Replacement};
use locant_engine::word_at;
use serde_json::{Value, json};

use super::requests::Cursor;
use super::server::Server;
use super::transport::Error;
use crate::disk::written;
use crate::project::{Origin, Project};
use crate::unseen::Unseen;

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
        let edit = self.workspace_edit(by_uri);
        let gaps = self.gaps(&place);
        Ok(Some(if gaps.is_empty() { edit } else { self.in_doubt(edit, &gaps) }))
    }

    /// Why a rename may not reach all uses of the name.
    fn gaps(&self, place: &Cursor) -> Vec<String> {
        let folder = self.folders.iter().find(|folder| Path::new(&place.path).starts_with(folder));
        let Some(root) = folder.cloned() else {
            return vec![format!("`{}` is in no folder of the workspace", place.path)];
        };
        // What is around the folder that someone has opened is none of its business.
        let project = Project { root, origin: Origin::Repository };
        let gaps = self.document(&place.path).and_then(|document| {
            document.read(|document| {
                let word = document.text().lossy(word_at(document, place.at));
                let is_seen = |key: &str| self.names.has(&written(&project.on_disk(key)));
                let base = &project.root;
                let unseen = Unseen {
                    project: &project,
                    base,
                    document,
                    word: &word,
                    has_flags: false,
                    is_seen: &is_seen,
                };
                unseen.gaps()
            })
        });
        gaps.unwrap_or_default()
    }

    /// A change that may not be all: the client asks before it makes it, if it can, or shows a warning.
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
                self.tell("window/showMessage", &json!({"type": WARNING, "message": message}));
            }
        }
        edit
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

/// The name of what is said of a change that may not be all.
const IN_DOUBT: &str = "in-doubt";

/// How the protocol counts a warning among messages.
const WARNING: u8 = 2;

fn refused(refusal: Refusal) -> Error {
    Error::new(Error::REQUEST_FAILED, format!("{}; {}", refusal.message, refusal.hint))
}
