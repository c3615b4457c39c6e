//! Servers that the user or a project adds or changes.
//!
//! The file of the user is `locant.toml` in the folder for configuration. A project may have a file with this name in
//! its root, or a `.lsp.json`. Opening a project must not run a program that the project names. So the servers that a
//! project adds or changes are used only after the user has allowed its folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{env, fs, io};

use serde::Deserialize;
use serde_json::Value;

use crate::catalogue::known;
use crate::entry::{Entry, Unit};

/// The name of a file with settings.
const FILE: &str = "locant.toml";

/// The name of a file with servers in the form that other tools use.
const OTHER_FILE: &str = ".lsp.json";

/// The longest file of settings that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// The servers for a project.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The servers, in the order of their names.
    pub entries: Vec<Arc<Entry>>,
    /// What is wrong with the files of settings.
    pub faults: Vec<String>,
}

/// A file of settings.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct File {
    servers: BTreeMap<String, Change>,
    daemon: DaemonChange,
}

/// What a file of settings says about the daemon.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct DaemonChange {
    idle_minutes: Option<f64>,
    most_servers: Option<usize>,
}

/// How long the daemon keeps servers, and how many.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DaemonLimits {
    /// How long a server is kept after its last question. The daemon ends when it has had no servers and no questions
    /// for the same time.
    pub(crate) idle: Duration,
    /// How many servers are kept. If there are more, those that were asked longest ago are ended.
    pub(crate) most_servers: usize,
}

impl Default for DaemonLimits {
    fn default() -> DaemonLimits {
        DaemonLimits { idle: Duration::from_secs(20 * 60), most_servers: 8 }
    }
}

impl DaemonLimits {
    /// What the user's file of settings says. A project has no say in it.
    pub(crate) fn of_user() -> DaemonLimits {
        let limits = DaemonLimits::default();
        let text = user_folder().and_then(|folder| Config::default().text(&folder.join(FILE)));
        let file: Option<File> = text.and_then(|text| toml::from_str(&text).ok());
        let DaemonChange { idle_minutes, most_servers } = file.map(|file| file.daemon).unwrap_or_default();
        let idle = idle_minutes.and_then(|minutes| Duration::try_from_secs_f64(minutes * 60.0).ok());
        DaemonLimits {
            idle: idle.unwrap_or(limits.idle),
            most_servers: most_servers.unwrap_or(limits.most_servers).max(1),
        }
    }
}

/// What a file of settings says about a server. A field that is missing in the file changes nothing.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Change {
    command: Option<Vec<String>>,
    languages: Option<Vec<String>>,
    extensions: Option<BTreeMap<String, String>>,
    root_markers: Option<Vec<String>>,
    initialization_options: Option<Value>,
    settings: Option<Value>,
    env: Option<BTreeMap<String, String>>,
    preference: Option<u32>,
    encodings: Option<Vec<Unit>>,
    patience: Option<f64>,
    commands: Option<Vec<String>>,
}

/// A server in the form that other tools use.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Other {
    command: String,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    extension_to_language: BTreeMap<String, String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default)]
    initialization_options: Option<Value>,
    #[serde(default)]
    settings: Option<Value>,
}

impl Config {
    /// The servers for a project: those that locant knows, with the changes of the user and then those of the project.
    pub fn of(root: &Path) -> Config {
        let mut config = Config { entries: known().to_vec(), faults: Vec::new() };
        if let Some(folder) = user_folder() {
            config.read(&folder.join(FILE), false);
        }
        config.read(&root.join(FILE), true);
        config.read_other(&root.join(OTHER_FILE));
        config
    }

    fn read(&mut self, path: &Path, is_of_project: bool) {
        let Some(text) = self.text(path) else { return };
        match toml::from_str::<File>(&text) {
            Ok(file) => {
                for (name, change) in file.servers {
                    self.change(&name, change, is_of_project);
                }
            }
            Err(error) => self.faults.push(format!("{}: {}", path.display(), error.message())),
        }
    }

    fn read_other(&mut self, path: &Path) {
        let Some(text) = self.text(path) else { return };
        match serde_json::from_str::<BTreeMap<String, Other>>(&text) {
            Ok(servers) => {
                for (name, other) in servers {
                    self.change(&name, other.into(), true);
                }
            }
            Err(error) => self.faults.push(format!("{}: {error}", path.display())),
        }
    }

    fn text(&mut self, path: &Path) -> Option<String> {
        let about = fs::metadata(path).ok()?;
        if !about.is_file() || about.len() > LONGEST {
            self.faults.push(format!("{}: it is no file, or too long", path.display()));
            return None;
        }
        match fs::read_to_string(path) {
            Ok(text) => Some(text),
            Err(error) => {
                self.faults.push(format!("{}: {error}", path.display()));
                None
            }
        }
    }

    fn change(&mut self, name: &str, change: Change, is_of_project: bool) {
        let at = self.entries.iter().position(|entry| entry.name == name);
        let mut entry = at.map_or_else(Entry::default, |at| Entry::clone(&self.entries[at]));
        name.clone_into(&mut entry.name);
        // Not only a command, but also options and variables of the environment can make a server run another program.
        entry.is_of_project |= is_of_project;
        change.apply(&mut entry);
        if entry.command.is_empty() {
            self.faults.push(format!("the server `{name}` has no command"));
            return;
        }
        match at {
            Some(at) => self.entries[at] = Arc::new(entry),
            None => self.entries.push(Arc::new(entry)),
        }
    }
}

impl Change {
    fn apply(self, entry: &mut Entry) {
        set(&mut entry.command, self.command);
        set(&mut entry.languages, self.languages);
        set(&mut entry.extensions, self.extensions);
        set(&mut entry.root_markers, self.root_markers);
        set(&mut entry.initialization_options, self.initialization_options);
        set(&mut entry.settings, self.settings);
        set(&mut entry.preference, self.preference);
        set(&mut entry.encodings, self.encodings);
        set(&mut entry.commands, self.commands);
        entry.patience = self.patience.or(entry.patience);
        entry.env.extend(self.env.unwrap_or_default());
    }
}

impl From<Other> for Change {
    fn from(other: Other) -> Change {
        let extensions = other.extension_to_language.into_iter();
        let extensions = extensions.map(|(name, id)| (name.trim_start_matches('.').to_owned(), id)).collect();
        Change {
            command: Some(std::iter::once(other.command).chain(other.args).collect()),
            extensions: Some(extensions),
            env: Some(other.env),
            initialization_options: other.initialization_options,
            settings: other.settings,
            ..Change::default()
        }
    }
}

fn set<T>(field: &mut T, new: Option<T>) {
    if let Some(new) = new {
        *field = new;
    }
}

/// The folder for the user's settings of locant.
pub fn user_folder() -> Option<PathBuf> {
    let given = env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    Some(given.or_else(|| Some(env::home_dir()?.join(".config")))?.join("locant"))
}

/// Whether the user has allowed the project in this folder to name programs.
pub fn is_allowed(root: &Path) -> bool {
    let Ok(root) = root.canonicalize() else { return false };
    allowed().contains(&root)
}

/// Allows the programs that the project in a folder names.
pub fn allow(root: &Path) -> io::Result<()> {
    let root = root.canonicalize()?;
    let file = allowed_file().ok_or_else(|| io::Error::other("there is no folder for settings"))?;
    let mut folders = allowed();
    if folders.contains(&root) {
        return Ok(());
    }
    folders.push(root);
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let lines: String = folders.iter().map(|folder| format!("{}\n", folder.display())).collect();
    fs::write(file, lines)
}

/// The folders that the user has allowed.
pub fn allowed() -> Vec<PathBuf> {
    let text = allowed_file().and_then(|file| fs::read_to_string(file).ok()).unwrap_or_default();
    text.lines().map(PathBuf::from).collect()
}

fn allowed_file() -> Option<PathBuf> {
    Some(user_folder()?.join("allowed-folders"))
}
