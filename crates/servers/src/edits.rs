//! Turns the changes that a server wants into replacements, and into files that are created, removed and moved.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use locant_engine::Text;
use locant_engine::names::{FileStep, Proposal, Replacement};
use serde_json::Value;

use crate::answers::Reader;
use crate::documents::path_of_uri;
use crate::position::Sheet;

/// The files that a workspace edit is about, collected while it is read.
#[derive(Default)]
struct Files<'v> {
    /// The edits of files that are there now, by the path that they have now.
    edits: BTreeMap<PathBuf, Vec<&'v Value>>,
    /// The texts of the files that are created, by their paths.
    created: BTreeMap<PathBuf, String>,
    /// The paths that files get, each with the path that the file has now.
    moved: BTreeMap<PathBuf, PathBuf>,
    removed: Vec<PathBuf>,
    /// The files that earlier edits change. A later edit counts positions in the new texts of these files, so it cannot
    /// be combined with the earlier one.
    settled: BTreeSet<PathBuf>,
}

impl Reader<'_> {
    /// What a workspace edit changes. The error says why that cannot be done.
    pub(crate) fn proposal(&self, edit: &Value) -> Result<Proposal, String> {
        self.proposal_of_all(std::slice::from_ref(edit))
    }

    /// What several workspace edits change, which the server wants to be made one after the other.
    pub(crate) fn proposal_of_all(&self, edits: &[Value]) -> Result<Proposal, String> {
        let mut files = Files::default();
        for edit in edits {
            files.settled = files.edits.keys().cloned().collect();
            // If a server fills both `documentChanges` and the older `changes`, the first counts.
            if let Some(changes) = edit.get("documentChanges").and_then(Value::as_array) {
                self.in_order(&mut files, changes)?;
                continue;
            }
            let changes = edit.get("changes").and_then(Value::as_object).into_iter().flatten();
            for (address, edits) in changes {
                self.edit(&mut files, address, edits)?;
            }
        }
        if let Some(path) = files.removed.iter().chain(files.moved.values()).find(|path| files.is_new(path)) {
            return Err(format!("it wants to put a file in the place of `{}`", self.key(path)));
        }
        let replacements = self.replacements(&files.edits)?;
        let key = |path: &Path| self.key(path);
        let created = files.created.iter();
        let created = created.map(|(path, text)| FileStep::Create { path: key(path), text: text.clone() });
        let removed = files.removed.iter().map(|path| FileStep::Remove { path: key(path) });
        let moved = files.moved.iter().map(|(to, from)| FileStep::Move { from: key(from), to: key(to) });
        Ok(Proposal { replacements, files: created.chain(removed).chain(moved).collect() })
    }

    /// Follows changes that build on each other.
    fn in_order<'v>(&self, files: &mut Files<'v>, changes: &'v [Value]) -> Result<(), String> {
        for change in changes {
            let field = |name: &str| change.get(name).and_then(Value::as_str).unwrap_or_default();
            match field("kind") {
                "" => {
                    let address = change.pointer("/textDocument/uri").and_then(Value::as_str);
                    let (Some(address), Some(edits)) = (address, change.get("edits")) else {
                        return Err("it wants a change that names no file or no edits".to_owned());
                    };
                    self.edit(files, address, edits)?;
                }
                "create" => self.create(files, on_disk(field("uri"))?, change)?,
                "rename" => {
                    self.rename(files, on_disk(field("oldUri"))?, on_disk(field("newUri"))?, change)?;
                }
                "delete" => self.delete(files, on_disk(field("uri"))?, change)?,
                kind => return Err(format!("it wants to {kind} a file, which is unknown")),
            }
        }
        Ok(())
    }

    fn edit<'v>(&self, files: &mut Files<'v>, address: &str, edits: &'v Value) -> Result<(), String> {
        let path = on_disk(address)?;
        let list = edits.as_array().map(Vec::as_slice).unwrap_or_default();
        if let Some(text) = files.created.get(&path) {
            let text = self.edited(&path, text, list)?;
            files.created.insert(path, text);
            return Ok(());
        }
        let now = files.moved.get(&path).cloned();
        if now.is_none() && !files.is_there(&path) {
            return Err(format!(
                "it wants to change `{}`, which it has moved away or removed",
                self.key(&path)
            ));
        }
        let now = now.unwrap_or(path);
        if files.settled.contains(&now) {
            return Err(format!("it makes several changes of `{}`, one after the other", self.key(&now)));
        }
        files.edits.entry(now).or_default().extend(list);
        Ok(())
    }

    /// The text of a file that is created, after some edits.
    fn edited(&self, path: &Path, text: &str, edits: &[Value]) -> Result<String, String> {
        let (sheet, key) = (Sheet::new(text.as_bytes(), self.counting), self.key(path));
        let mut new = String::new();
        let mut done = 0;
        for Replacement { range, text: insert, .. } in replacements_of(&sheet, &key, edits.iter().collect())?
        {
            new += &text[done..range.start().index()];
            new += &insert;
            done = range.end().index();
        }
        Ok(new + &text[done..])
    }

    fn create(&self, files: &mut Files<'_>, path: PathBuf, change: &Value) -> Result<(), String> {
        if !self.is_taken(files, &path) {
            files.created.insert(path, String::new());
            return Ok(());
        }
        if has_option(change, "ignoreIfExists") && !has_option(change, "overwrite") {
            return Ok(());
        }
        Err(format!("it wants to create `{}`, which is there already", self.key(&path)))
    }

    fn rename(
        &self,
        files: &mut Files<'_>,
        from: PathBuf,
        to: PathBuf,
        change: &Value,
    ) -> Result<(), String> {
        if self.is_taken(files, &to) {
            if has_option(change, "ignoreIfExists") && !has_option(change, "overwrite") {
                return Ok(());
            }
            return Err(format!("it wants to move a file to `{}`, which is there already", self.key(&to)));
        }
        if let Some(text) = files.created.remove(&from) {
            files.created.insert(to, text);
            return Ok(());
        }
        let now = match files.moved.remove(&from) {
            Some(now) => now,
            None => self.file(files, from, "move")?,
        };
        files.moved.insert(to, now);
        Ok(())
    }

    fn delete(&self, files: &mut Files<'_>, path: PathBuf, change: &Value) -> Result<(), String> {
        if files.created.remove(&path).is_some() {
            return Ok(());
        }
        if has_option(change, "ignoreIfNotExists") && !self.is_taken(files, &path) {
            return Ok(());
        }
        let now = match files.moved.remove(&path) {
            Some(now) => now,
            None => self.file(files, path, "remove")?,
        };
        files.edits.remove(&now);
        files.removed.push(now);
        Ok(())
    }

    /// A file that is there now and has not been moved away or removed.
    fn file(&self, files: &Files<'_>, path: PathBuf, what: &str) -> Result<PathBuf, String> {
        if path.is_dir() {
            return Err(format!("it wants to {what} the folder `{}`; only files can be", self.key(&path)));
        }
        if !files.is_there(&path) || self.text(&path).is_none() {
            return Err(format!("it wants to {what} `{}`, which cannot be read", self.key(&path)));
        }
        Ok(path)
    }

    /// Whether there is a file or folder at this path after the changes that were read so far.
    fn is_taken(&self, files: &Files<'_>, path: &Path) -> bool {
        let is_old = || path.symlink_metadata().is_ok() || self.text(path).is_some();
        files.is_new(path) || files.is_there(path) && is_old()
    }

    /// The replacements in files that are there now, in the order of paths and places.
    fn replacements(&self, edits: &BTreeMap<PathBuf, Vec<&Value>>) -> Result<Vec<Replacement>, String> {
        let mut replacements = Vec::new();
        for (path, edits) in edits {
            let text: Arc<Text> =
                self.text(path).ok_or_else(|| format!("`{}` cannot be read", path.display()))?;
            if let Some(objection) = self.counting.objection(text.bytes()) {
                return Err(format!("`{}`: {objection}", path.display()));
            }
            let sheet = Sheet::new(text.bytes(), self.counting);
            replacements.extend(replacements_of(&sheet, &self.key(path), edits.clone())?);
        }
        Ok(replacements)
    }
}

impl Files<'_> {
    /// Whether a file gets this path.
    fn is_new(&self, path: &Path) -> bool {
        self.created.contains_key(path) || self.moved.contains_key(path)
    }

    /// Whether a file that exists now still exists after the changes that were read so far.
    fn is_there(&self, path: &Path) -> bool {
        !self.removed.iter().chain(self.moved.values()).any(|gone| gone == path)
    }
}

fn has_option(change: &Value, name: &str) -> bool {
    change.pointer(&format!("/options/{name}")) == Some(&Value::Bool(true))
}

fn on_disk(address: &str) -> Result<PathBuf, String> {
    path_of_uri(address)
        .ok_or_else(|| format!("it wants to change `{address}`, which is no file of this machine"))
}

/// The replacements in one file, in the order of places.
fn replacements_of(sheet: &Sheet<'_>, key: &str, edits: Vec<&Value>) -> Result<Vec<Replacement>, String> {
    let read = edits.into_iter().map(|edit| replacement(sheet, key, edit));
    let mut replacements = read.collect::<Result<Vec<Replacement>, String>>()?;
    replacements.sort_by_key(|one| (one.range.start().index(), one.range.end().index()));
    replacements.dedup();
    let overlaps = replacements.windows(2).any(|pair| pair[1].range.start() < pair[0].range.end());
    if overlaps { Err(format!("its changes of `{key}` overlap")) } else { Ok(replacements) }
}

fn replacement(sheet: &Sheet<'_>, key: &str, edit: &Value) -> Result<Replacement, String> {
    let range = edit.get("range").and_then(|range| sheet.replaced(range));
    let range = range.ok_or_else(|| format!("it wants to change a range that `{key}` does not have"))?;
    let text = edit.get("newText").or_else(|| edit.pointer("/snippet/value")).and_then(Value::as_str);
    let text = text.ok_or_else(|| format!("it wants a change of `{key}` without a text"))?;
    Ok(Replacement { path: key.to_owned(), range, text: text.to_owned() })
}
