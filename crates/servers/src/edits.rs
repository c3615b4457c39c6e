//! Turns the changes that a server wants into replacements.

use std::collections::BTreeMap;
use std::path::PathBuf;

use locant_engine::names::Replacement;
use locant_workspace::uri;
use serde_json::Value;

use crate::answers::Reader;
use crate::position::Sheet;

impl Reader<'_> {
    /// The replacements of a workspace edit, in the order of paths and places. The error says why they cannot be made.
    pub(crate) fn replacements(&self, edit: &Value) -> Result<Vec<Replacement>, String> {
        let mut by_path: BTreeMap<PathBuf, Vec<&Value>> = BTreeMap::new();
        for (address, edits) in edits_of(edit)? {
            if !address.starts_with("file:") {
                return Err(format!("it wants to change `{address}`, which is no file"));
            }
            by_path.entry(PathBuf::from(uri::path(address))).or_default().extend(edits);
        }
        let mut replacements = Vec::new();
        for (path, edits) in by_path {
            let text = self.text(&path).ok_or_else(|| format!("`{}` cannot be read", path.display()))?;
            if let Some(objection) = self.counting.objection(text.bytes()) {
                return Err(format!("`{}`: {objection}", path.display()));
            }
            let (sheet, key) = (Sheet::new(text.bytes(), self.counting), self.key(&path));
            let mut of_file = edits
                .into_iter()
                .map(|edit| replacement(&sheet, &key, edit))
                .collect::<Result<Vec<Replacement>, String>>()?;
            of_file.sort_by_key(|one| (one.range.start().index(), one.range.end().index()));
            of_file.dedup();
            let overlaps = of_file.windows(2).any(|pair| pair[1].range.start() < pair[0].range.end());
            if overlaps {
                return Err(format!("its changes of `{key}` overlap"));
            }
            replacements.extend(of_file);
        }
        Ok(replacements)
    }
}

/// The text edits of a workspace edit, by the address of the file. If a server fills both `documentChanges` and the
/// older `changes`, the first counts.
fn edits_of(edit: &Value) -> Result<Vec<(&str, Vec<&Value>)>, String> {
    if let Some(changes) = edit.get("documentChanges").and_then(Value::as_array) {
        return changes.iter().map(document_change).collect();
    }
    let changes = edit.get("changes").and_then(Value::as_object);
    Ok(changes.into_iter().flatten().map(|(address, edits)| (address.as_str(), list(edits))).collect())
}

fn list(edits: &Value) -> Vec<&Value> {
    edits.as_array().map(|edits| edits.iter().collect()).unwrap_or_default()
}

fn document_change(change: &Value) -> Result<(&str, Vec<&Value>), String> {
    if let Some(kind) = change.get("kind").and_then(Value::as_str) {
        return Err(format!("it also wants to {kind} a file, which is not built yet"));
    }
    let address = change.pointer("/textDocument/uri").and_then(Value::as_str);
    let edits = change.get("edits").and_then(Value::as_array);
    address
        .zip(edits)
        .map(|(address, edits)| (address, edits.iter().collect()))
        .ok_or_else(|| "it wants a change that names no file or no edits".to_owned())
}

fn replacement(sheet: &Sheet<'_>, key: &str, edit: &Value) -> Result<Replacement, String> {
    let range = edit.get("range").and_then(|range| sheet.range(range));
    let range = range.ok_or_else(|| format!("it wants to change a range that `{key}` does not have"))?;
    let text = edit.get("newText").or_else(|| edit.pointer("/snippet/value")).and_then(Value::as_str);
    let text = text.ok_or_else(|| format!("it wants a change of `{key}` without a text"))?;
    Ok(Replacement { path: key.to_owned(), range, text: text.to_owned() })
}
