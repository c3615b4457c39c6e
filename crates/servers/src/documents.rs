//! The documents that a server has open, each with the text that the server was told last.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use locant_engine::Text;
use locant_workspace::{uri, written};
use serde_json::{Value, json};

use crate::connection::Connection;
use crate::position::Counting;
use crate::question::{Shown, Wanted};
use crate::watch::Fate;

/// How many documents a server may have open, unless a question needs more. The ones that were asked about longest ago
/// are closed.
const MOST_OPEN: usize = 64;

/// The documents that a server has open.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    open: HashMap<PathBuf, Open>,
    /// The paths, the one that was asked about longest ago first.
    order: VecDeque<PathBuf>,
    /// Whether the server is told of a change by closing a document and opening it again.
    reopens: bool,
}

#[derive(Debug)]
struct Open {
    version: i64,
    text: Arc<Text>,
    language_id: String,
}

impl Documents {
    /// No document is open. `reopens` says how the server is told of changes.
    pub(crate) fn new(reopens: bool) -> Documents {
        Documents { reopens, ..Documents::default() }
    }

    /// Opens the documents that a question needs. Tells the server the texts of its other documents as they are in the
    /// snapshot. Returns whether it was told anything that it did not know.
    pub(crate) fn sync(
        &mut self,
        connection: &Connection,
        counting: Counting,
        Shown { snapshot, wanted }: &Shown<'_>,
    ) -> bool {
        let mut is_news = false;
        let is_wanted = |path: &PathBuf| wanted.iter().any(|one| one.path == *path);
        let others: Vec<PathBuf> = self.order.iter().filter(|path| !is_wanted(path)).cloned().collect();
        for path in others {
            match snapshot.text(&path) {
                Some(text) => {
                    let is_on_disk = snapshot.layered(&path).is_none();
                    is_news |= self.change(connection, counting, &path, &text, is_on_disk);
                }
                None => {
                    is_news = true;
                    self.close(connection, &path);
                }
            }
        }
        for one in wanted {
            is_news |= self.open(connection, counting, one, snapshot.layered(&one.path).is_none());
        }
        while self.order.len() > MOST_OPEN.max(wanted.len()) {
            let Some(oldest) = self.order.front().cloned() else { break };
            self.close(connection, &oldest);
        }
        is_news
    }

    /// The versions of all open documents, by their addresses.
    pub(crate) fn versions(&self) -> HashMap<String, i64> {
        self.open.iter().map(|(path, open)| (uri_of(path), open.version)).collect()
    }

    /// The version of an open document.
    pub(crate) fn version(&self, path: &Path) -> Option<i64> {
        self.open.get(path).map(|open| open.version)
    }

    /// Opens a document. If it is open already with another text, tells the server the new text and returns `true`.
    pub(crate) fn open(
        &mut self,
        connection: &Connection,
        counting: Counting,
        wanted: &Wanted,
        is_on_disk: bool,
    ) -> bool {
        let mut is_news = false;
        if self.open.contains_key(&wanted.path) {
            is_news = self.change(connection, counting, &wanted.path, &wanted.text, is_on_disk);
            self.order.retain(|path| *path != wanted.path);
        } else {
            let text = counting.sent(wanted.text.bytes());
            let (uri, language_id) = (uri_of(&wanted.path), wanted.language_id.clone());
            let document = json!({"uri": uri, "languageId": language_id, "version": 1, "text": text});
            connection.notify("textDocument/didOpen", &json!({"textDocument": document}));
            let open = Open { version: 1, text: Arc::clone(&wanted.text), language_id };
            self.open.insert(wanted.path.clone(), open);
        }
        self.order.push_back(wanted.path.clone());
        is_news
    }

    /// Tells the server the text of an open document. Returns `false` if the server knows this text already.
    fn change(
        &mut self,
        connection: &Connection,
        counting: Counting,
        path: &Path,
        text: &Arc<Text>,
        is_on_disk: bool,
    ) -> bool {
        let Some(open) = self.open.get_mut(path) else { return false };
        if Arc::ptr_eq(&open.text, text) || open.text.bytes() == text.bytes() {
            return false;
        }
        open.version += 1;
        open.text = Arc::clone(text);
        let (uri, version, text) = (uri_of(path), open.version, counting.sent(text.bytes()));
        connection.forget_published(&uri);
        if self.reopens {
            connection.notify("textDocument/didClose", &json!({"textDocument": {"uri": uri}}));
            let id = &open.language_id;
            let document = json!({"uri": uri, "languageId": id, "version": version, "text": text});
            connection.notify("textDocument/didOpen", &json!({"textDocument": document}));
            return true;
        }
        let document = json!({"uri": uri, "version": version});
        let changes = json!({"textDocument": document, "contentChanges": [{"text": text}]});
        connection.notify("textDocument/didChange", &changes);
        if is_on_disk {
            // Some servers read the files that depend on this one again only after it was saved.
            connection.notify("textDocument/didSave", &json!({"textDocument": {"uri": uri}}));
        }
        true
    }

    fn close(&mut self, connection: &Connection, path: &Path) {
        self.open.remove(path);
        self.order.retain(|open| open != path);
        connection.notify("textDocument/didClose", &json!({"textDocument": {"uri": uri_of(path)}}));
    }
}

/// Tells a server what has become of files on disk.
pub(crate) fn tell_of_files(connection: &Connection, fates: &BTreeMap<PathBuf, Fate>) {
    let change = |(path, fate): (&PathBuf, &Fate)| json!({"uri": uri_of(path), "type": *fate as u8});
    let changes: Vec<Value> = fates.iter().map(change).collect();
    connection.notify("workspace/didChangeWatchedFiles", &json!({"changes": changes}));
}

/// The path of a file of this machine; `None` if an address is that of something else. Some servers write
/// `file:/a` for `file:///a`.
pub(crate) fn path_of_uri(address: &str) -> Option<PathBuf> {
    let rest = address.strip_prefix("file:")?;
    let path = match rest.strip_prefix("//") {
        Some(rest) => rest.strip_prefix("localhost").unwrap_or(rest),
        None => rest,
    };
    let path = path.starts_with('/').then(|| uri::path(&format!("file://{path}")))?;
    let path = PathBuf::from(path);
    // Nobody could say whether `/a/../b` is below `/a`, because `a` may be a link.
    let is_plain = path.components().all(|part| !matches!(part, Component::ParentDir));
    (is_plain && path.is_absolute()).then_some(path)
}

/// Which open document a workspace edit was made for in another version than it has; `None` if there is none.
pub(crate) fn outdated(edit: &Value, versions: &HashMap<String, i64>) -> Option<String> {
    match edit {
        Value::Array(items) => items.iter().find_map(|item| outdated(item, versions)),
        Value::Object(fields) => {
            let document = fields.get("textDocument").filter(|_| fields.contains_key("edits"));
            let is_other = |document: &Value| {
                let own = document.get("version")?.as_i64()?;
                let path = path_of_uri(document.get("uri")?.as_str()?)?;
                let uri = uri_of(&path);
                versions.get(&uri).is_some_and(|version| *version != own).then_some(uri)
            };
            let nested = || fields.values().find_map(|field| outdated(field, versions));
            document.and_then(is_other).or_else(nested)
        }
        _ => None,
    }
}

/// The address of a file.
pub(crate) fn uri_of(path: &Path) -> String {
    uri::of_path(&written(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_that_of_a_file_of_this_machine_or_of_none() {
        let path = |address: &str| path_of_uri(address).map(|path| path.to_string_lossy().into_owned());
        for address in ["file:///a/b%20c", "file:/a/b%20c", "file://localhost/a/b%20c"] {
            assert_eq!(path(address).as_deref(), Some("/a/b c"), "{address}");
        }
        for address in [
            "file://elsewhere/a",
            "file:a",
            "file://",
            "untitled:a",
            "jdt:/a",
            "file:///a/../b",
            "file:///a/%2e%2e/b",
            "",
        ] {
            assert_eq!(path(address), None, "{address}");
        }
    }

    #[test]
    fn an_edit_of_another_version_is_noticed() {
        let versions = HashMap::from([("file:///a%20b".to_owned(), 3)]);
        let edit = |address: &str, version: Value| {
            let document = json!({"uri": address, "version": version});
            json!([{"edit": {"documentChanges": [{"textDocument": document, "edits": []}]}}])
        };
        for (address, version, is_outdated) in [
            ("file:///a%20b", json!(3), false),
            ("file:///a%20b", Value::Null, false),
            ("file:///other", json!(1), false),
            ("file:///a%20b", json!(2), true),
            ("file:/a b", json!(4), true),
        ] {
            assert_eq!(
                outdated(&edit(address, version.clone()), &versions).is_some(),
                is_outdated,
                "{address} {version}"
            );
        }
    }
}
