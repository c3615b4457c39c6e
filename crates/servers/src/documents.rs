//! The documents that a server has open, and the text of each that it was told last.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::{Path, PathBuf};
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

/// The numbers of the protocol for the kinds of changes on disk.
const CHANGED: u8 = 2;
const DELETED: u8 = 3;

/// The documents that a server has open.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    open: HashMap<PathBuf, Open>,
    /// The paths, the one that was asked about longest ago first.
    order: VecDeque<PathBuf>,
}

#[derive(Debug)]
struct Open {
    version: i64,
    text: Arc<Text>,
}

impl Documents {
    /// Opens the documents that a question needs. Tells the server the texts of its other documents as they are in the
    /// snapshot.
    pub(crate) fn sync(
        &mut self,
        connection: &Connection,
        counting: Counting,
        Shown { snapshot, wanted }: &Shown<'_>,
    ) {
        let is_wanted = |path: &PathBuf| wanted.iter().any(|one| one.path == *path);
        let others: Vec<PathBuf> = self.order.iter().filter(|path| !is_wanted(path)).cloned().collect();
        for path in others {
            match snapshot.text(&path) {
                Some(text) => self.change(connection, counting, &path, &text),
                None => self.close(connection, &path, Some(DELETED)),
            }
        }
        for one in wanted {
            self.open(connection, counting, one);
        }
        while self.order.len() > MOST_OPEN.max(wanted.len()) {
            let Some(oldest) = self.order.front().cloned() else { return };
            self.close(connection, &oldest, None);
        }
    }

    /// The version of an open document.
    pub(crate) fn version(&self, path: &Path) -> Option<i64> {
        self.open.get(path).map(|open| open.version)
    }

    fn open(&mut self, connection: &Connection, counting: Counting, wanted: &Wanted) {
        if self.open.contains_key(&wanted.path) {
            self.change(connection, counting, &wanted.path, &wanted.text);
            self.order.retain(|path| *path != wanted.path);
        } else {
            let text = counting.sent(wanted.text.bytes());
            let (uri, id) = (uri_of(&wanted.path), &wanted.language_id);
            let document = json!({"uri": uri, "languageId": id, "version": 1, "text": text});
            connection.notify("textDocument/didOpen", &json!({"textDocument": document}));
            self.open.insert(wanted.path.clone(), Open { version: 1, text: Arc::clone(&wanted.text) });
        }
        self.order.push_back(wanted.path.clone());
    }

    /// Tells the server the text of an open document, if it was told another one before.
    fn change(&mut self, connection: &Connection, counting: Counting, path: &Path, text: &Arc<Text>) {
        let Some(open) = self.open.get_mut(path) else { return };
        if Arc::ptr_eq(&open.text, text) || open.text.bytes() == text.bytes() {
            return;
        }
        open.version += 1;
        open.text = Arc::clone(text);
        let uri = uri_of(path);
        let document = json!({"uri": uri, "version": open.version});
        connection.forget_published(&uri);
        connection.notify(
            "textDocument/didChange",
            &json!({"textDocument": document, "contentChanges": [{"text": counting.sent(text.bytes())}]}),
        );
        connection.notify("workspace/didChangeWatchedFiles", &changed_on_disk(&uri, CHANGED));
    }

    fn close(&mut self, connection: &Connection, path: &Path, change: Option<u8>) {
        self.open.remove(path);
        self.order.retain(|open| open != path);
        let uri = uri_of(path);
        connection.notify("textDocument/didClose", &json!({"textDocument": {"uri": uri}}));
        if let Some(change) = change {
            connection.notify("workspace/didChangeWatchedFiles", &changed_on_disk(&uri, change));
        }
    }
}

fn changed_on_disk(uri: &str, change: u8) -> Value {
    json!({"changes": [{"uri": uri, "type": change}]})
}

/// Tells a server what has become of files on disk.
pub(crate) fn tell_of_files(connection: &Connection, fates: &BTreeMap<PathBuf, Fate>) {
    let change = |(path, fate): (&PathBuf, &Fate)| json!({"uri": uri_of(path), "type": *fate as u8});
    let changes: Vec<Value> = fates.iter().map(change).collect();
    connection.notify("workspace/didChangeWatchedFiles", &json!({"changes": changes}));
}

/// The address of a file.
pub(crate) fn uri_of(path: &Path) -> String {
    uri::of_path(&written(path))
}
