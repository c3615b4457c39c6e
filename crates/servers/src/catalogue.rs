//! The servers that locant knows, from the folder `servers/`.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use locant_engine::Document;

use crate::entry::Entry;

include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));

/// All servers that locant knows, in the order of their names.
pub fn known() -> &'static [Arc<Entry>] {
    static KNOWN: OnceLock<Vec<Arc<Entry>>> = OnceLock::new();
    KNOWN.get_or_init(|| FILES.iter().map(|(name, text)| Arc::new(read(name, text))).collect())
}

fn read(name: &str, text: &str) -> Entry {
    let mut entry: Entry = toml::from_str(text).expect("a test reads all files of the folder");
    name.clone_into(&mut entry.name);
    entry
}

/// The ids that the protocol has for some languages: the name of the language in locant, then the id.
const IDS: [(&str, &str); 6] = [
    ("bash", "shellscript"),
    ("tsx", "typescriptreact"),
    ("objc", "objective-c"),
    ("make", "makefile"),
    ("ocaml-interface", "ocaml.interface"),
    ("proto", "proto"),
];

/// The id that the protocol has for the language of a document.
pub(crate) fn language_id(entry: &Entry, document: &Document) -> String {
    let extension = extension(document.path());
    if let Some(id) = entry.extensions.get(extension) {
        return id.clone();
    }
    let language = document.language();
    if language == "javascript" && extension == "jsx" {
        return "javascriptreact".to_owned();
    }
    let id = IDS.iter().find(|(name, _)| *name == language).map(|(_, id)| *id);
    id.unwrap_or(if language.is_empty() { extension } else { language }).to_owned()
}

impl Entry {
    /// Whether the server is for the language of a document.
    pub fn is_for(&self, document: &Document) -> bool {
        let language = document.language();
        self.languages.iter().any(|name| name == language && !language.is_empty())
            || self.extensions.contains_key(extension(document.path()))
    }
}

/// The extension of a path. If the file has none, as `Dockerfile`, its whole name.
fn extension(path: &str) -> &str {
    let path = Path::new(path);
    path.extension().or_else(|| path.file_name()).and_then(|extension| extension.to_str()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_a_server() {
        assert!(known().len() > 30);
        for entry in known() {
            assert!(!entry.command.is_empty(), "{}: no command", entry.name);
            assert!(!entry.install.is_empty(), "{}: no way to install it", entry.name);
            assert!(
                !entry.languages.is_empty() || !entry.extensions.is_empty(),
                "{}: no language",
                entry.name
            );
        }
    }

    #[test]
    fn a_server_counts_as_tried_only_if_the_tests_ask_it() {
        let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/servers");
        for entry in known() {
            let is_asked = cases.join(format!("{}.md", entry.name)).exists();
            assert_eq!(entry.tried, is_asked, "{}: are its cases in tests/servers?", entry.name);
        }
    }

    #[test]
    fn languages_are_called_as_the_protocol_calls_them() {
        let entry = Entry::default();
        for (path, id) in [
            ("a.tsx", "typescriptreact"),
            ("a.jsx", "javascriptreact"),
            ("a.sh", "shellscript"),
            ("a.py", "python"),
        ] {
            let document = Document::new(path, "").expect("it is empty");
            assert_eq!(language_id(&entry, &document), id);
        }
    }
}
