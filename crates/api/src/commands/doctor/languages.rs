//! The languages of a project, and who knows what their names mean.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use locant_engine::{NameIndex, Reader};
use locant_servers::Entry;
use locant_workspace::{walk, written};

/// How many files and folders are looked at. It is enough to meet every language that matters.
const MOST_ENTRIES: usize = 20_000;

/// How many files a project has of each kind.
#[derive(Debug, Default)]
pub(super) struct Languages {
    /// By the names of their languages.
    pub(super) by_name: BTreeMap<&'static str, usize>,
    /// By their extensions, in languages that locant does not read.
    by_extension: BTreeMap<String, usize>,
}

impl Languages {
    /// The languages of the project in a folder.
    pub(super) fn of(root: &Path) -> Languages {
        let mut languages = Languages::default();
        for entry in walk::walker(root, |_| ()).require_git(false).build().flatten().take(MOST_ENTRIES) {
            locant_stop::check();
            if !entry.file_type().is_some_and(|kind| kind.is_file()) {
                continue;
            }
            match Reader::for_file(&written(entry.path()), b"") {
                Some(reader) => *languages.by_name.entry(reader.name()).or_default() += 1,
                None => {
                    let extension =
                        entry.path().extension().map(|extension| extension.to_string_lossy().into_owned());
                    *languages.by_extension.entry(extension.unwrap_or_default()).or_default() += 1;
                }
            }
        }
        languages
    }

    /// The languages, each with the number of its files and the servers that are for it. Languages for which no server
    /// is known are left out.
    pub(super) fn with_servers<'e>(&self, entries: &'e [Arc<Entry>]) -> Vec<(String, usize, Vec<&'e Entry>)> {
        let offered: Vec<&Entry> =
            entries.iter().map(|entry| &**entry).filter(|entry| !entry.only_by_name).collect();
        let for_language = |name: &str| {
            let all = offered.iter().filter(|entry| entry.languages.iter().any(|one| one == name));
            sorted(all.copied().collect())
        };
        let for_extension = |extension: &str| {
            let all = offered.iter().filter(|entry| entry.extensions.contains_key(extension));
            sorted(all.copied().collect())
        };
        let named = self.by_name.iter().map(|(name, n)| ((*name).to_owned(), *n, for_language(name)));
        let others = self.by_extension.iter().map(|(name, n)| (format!(".{name}"), *n, for_extension(name)));
        let mut all: Vec<_> = named.chain(others).filter(|(.., servers)| !servers.is_empty()).collect();
        all.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        all
    }

    /// The languages whose names locant reads itself.
    pub(super) fn known(&self) -> Vec<&'static str> {
        let is_known = |name: &&&str| Reader::by_name(name).is_some_and(NameIndex::knows);
        self.by_name.keys().filter(is_known).copied().collect()
    }
}

/// The servers in the order in which they are asked.
fn sorted(mut servers: Vec<&Entry>) -> Vec<&Entry> {
    servers.sort_by_key(|entry| entry.preference);
    servers
}
