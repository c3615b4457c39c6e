//! All that decides how a server is started and what it answers.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{env, fs};

use locant_engine::Encoding;
use serde::{Deserialize, Serialize};

use crate::entry::Entry;
use crate::settings::Settings;

/// All that decides how a server is started and what it answers.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Launch {
    pub(crate) entry: Arc<Entry>,
    pub(crate) program: PathBuf,
    pub(crate) root: PathBuf,
    /// The encodings that it is offered, the preferred first.
    encodings: Vec<String>,
    /// How long it may show no progress on a request.
    pub(crate) patience: Duration,
    /// The environment of the process that asks.
    env: BTreeMap<String, String>,
}

/// What a server is kept under: its root, its name, and a digest of what else it depends on.
pub(crate) type Key = (PathBuf, String, u64);

/// The starts of the names of variables that servers depend on: where programs, packages and settings are. Other
/// variables differ between any two terminals. If they counted, each terminal would start a server of its own.
const DECISIVE: [&str; 34] = [
    "BUNDLE_",
    "CARGO",
    "CC",
    "CGO_",
    "CLANGD_",
    "CONDA_PREFIX",
    "CPATH",
    "CPLUS_INCLUDE_PATH",
    "CXX",
    "C_INCLUDE_PATH",
    "DENO_",
    "GEM_",
    "GO",
    "HOME",
    "JAVA_HOME",
    "JDK_HOME",
    "LD_LIBRARY_PATH",
    "LIBRARY_PATH",
    "LOCANT_",
    "LUA_",
    "MIX_",
    "MYPY",
    "NODE_",
    "PATH",
    "PERL5LIB",
    "PIPENV_",
    "POETRY_",
    "PYTHON",
    "RUBY",
    "RUST",
    "TMPDIR",
    "UV_",
    "VIRTUAL_ENV",
    "XDG_C",
];

impl Launch {
    /// What starts a server from this process.
    pub(crate) fn new(entry: &Arc<Entry>, root: &Path, program: &Path, settings: &Settings) -> Launch {
        let variable = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        let mut env: BTreeMap<String, String> = env::vars_os().filter_map(variable).collect();
        env.extend(entry.env.clone());
        Launch {
            entry: Arc::clone(entry),
            program: program.to_owned(),
            root: root.to_owned(),
            encodings: settings.encodings.iter().map(|encoding| encoding.word().to_owned()).collect(),
            patience: entry.patience().unwrap_or(settings.patience),
            env,
        }
    }

    /// What the server is kept under.
    pub(crate) fn key(&self) -> Key {
        let mut digest = DefaultHasher::new();
        self.decisive().for_each(|variable| variable.hash(&mut digest));
        self.encodings.hash(&mut digest);
        (self.root.clone(), self.entry.name.clone(), digest.finish())
    }

    /// Whether both start the same server in the same way.
    pub(crate) fn is_like(&self, other: &Launch) -> bool {
        let rest = |launch: &Launch| (launch.program.clone(), launch.patience, launch.key());
        self.entry == other.entry && rest(self) == rest(other)
    }

    /// The encodings that the server is offered.
    pub(crate) fn encodings(&self) -> Vec<Encoding> {
        if !self.entry.encodings.is_empty() {
            return self.entry.encodings.iter().map(|unit| Encoding::from(*unit)).collect();
        }
        self.encodings.iter().filter_map(|word| Encoding::of_word(word)).collect()
    }

    /// The environment of the server.
    pub(crate) fn env(&self) -> &BTreeMap<String, String> {
        &self.env
    }

    fn decisive(&self) -> impl Iterator<Item = (&String, &String)> {
        self.env.iter().filter(|(name, _)| DECISIVE.iter().any(|start| name.starts_with(start)))
    }
}

/// The version in the `package.json` around a program.
pub(crate) fn packed_version(program: &Path) -> Option<String> {
    /// How many folders above the program are looked at.
    const MOST_FOLDERS: usize = 4;

    let program = program.canonicalize().ok()?;
    let mut packages =
        program.ancestors().skip(1).take(MOST_FOLDERS).map(|folder| folder.join("package.json"));
    let text = packages.find_map(|package| fs::read_to_string(package).ok())?;
    let package: serde_json::Value = serde_json::from_str(&text).ok()?;
    Some(package.get("version")?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(variable: &str) -> Launch {
        let settings = Settings::default();
        let entry = Arc::new(Entry { name: "a".to_owned(), ..Entry::default() });
        let mut launch = Launch::new(&entry, Path::new("/r"), Path::new("/bin/a"), &settings);
        launch.env.insert(variable.to_owned(), "other".to_owned());
        launch
    }

    #[test]
    fn a_server_is_shared_unless_it_would_see_other_programs_or_packages() {
        assert_eq!(launch("TERM_SESSION_ID").key(), launch("WINDOWID").key());
        assert_ne!(launch("VIRTUAL_ENV").key(), launch("WINDOWID").key());
    }
}
