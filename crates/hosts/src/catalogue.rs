//! The hosts that are known, from `agents/hosts.toml`.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use toml::Table;

use crate::folders::{program, resolved};
use crate::jsonc;
use crate::value::Value;

/// A program that runs agents.
#[derive(Debug)]
pub struct Host {
    /// Its name, by which it is asked for.
    pub name: String,
    /// Its name as its makers write it.
    pub title: String,
    /// The command by which a user adds a server for all projects, if that is not done in a file. `{program}` stands
    /// for the program of the server.
    pub command: Option<String>,
    /// How its settings are written.
    pub format: Format,
    /// What is left to do when its settings have the entry.
    pub then: String,
    /// The table in the settings that has the servers.
    pub(crate) key: String,
    /// What new settings start with.
    pub(crate) fresh: Value,
    /// What is added.
    pub(crate) entry: Value,
    programs: Vec<String>,
    marks: Vec<String>,
    homes: Vec<String>,
    project: Vec<String>,
    user: Vec<String>,
}

/// How settings are written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Format {
    /// JSON with comments.
    Json,
    /// TOML.
    Toml,
}

/// All hosts that are known.
pub fn known() -> &'static [Host] {
    static KNOWN: OnceLock<Vec<Host>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let all: Table = FILE.parse().expect("a test reads the file");
        let hosts = all.get("host").and_then(toml::Value::as_array).expect("the file lists hosts");
        hosts.iter().map(Host::read).collect()
    })
}

const FILE: &str = include_str!("../../../agents/hosts.toml");

/// The texts of a list; none where there is no such list.
fn texts(host: &toml::Value, field: &str) -> Vec<String> {
    let all = host.get(field).and_then(toml::Value::as_array).into_iter().flatten();
    all.filter_map(toml::Value::as_str).map(str::to_owned).collect()
}

impl Host {
    fn read(host: &toml::Value) -> Host {
        let text = |field: &str| host.get(field).and_then(toml::Value::as_str).unwrap_or_default().to_owned();
        let json = |field: &str| {
            let node = jsonc::read(&text(field)).expect("a test reads the file");
            node.map_or_else(|| Value::Table(Vec::new()), |node| node.value())
        };
        Host {
            name: text("name"),
            title: text("title"),
            command: Some(text("command")).filter(|command| !command.is_empty()),
            format: if text("format") == "toml" { Format::Toml } else { Format::Json },
            then: text("then"),
            key: text("key"),
            fresh: json("fresh"),
            entry: json("entry"),
            programs: texts(host, "programs"),
            marks: texts(host, "marks"),
            homes: texts(host, "homes"),
            project: texts(host, "project"),
            user: texts(host, "user"),
        }
    }

    /// The file of its settings for a project.
    pub fn file_in(&self, root: &Path) -> PathBuf {
        let files: Vec<PathBuf> = self.project.iter().map(|path| root.join(path)).collect();
        chosen(files).unwrap_or_else(|| root.to_owned())
    }

    /// The file of its settings for all projects of the user. `None` if the host alone may write that.
    pub fn file_of_user(&self) -> Option<PathBuf> {
        chosen(self.user.iter().filter_map(|path| resolved(path)).collect())
    }

    /// Whether something shows that the host is used in a project, or is installed for this user.
    pub fn is_used(&self, root: &Path) -> bool {
        self.marks.iter().any(|mark| root.join(mark).exists())
            || self.homes.iter().filter_map(|home| resolved(home)).any(|home| home.exists())
            || self.programs.iter().any(|name| program(name).is_some())
    }
}

/// The first file that exists, else the first.
fn chosen(files: Vec<PathBuf>) -> Option<PathBuf> {
    let existing = files.iter().position(|file| file.exists()).unwrap_or_default();
    files.into_iter().nth(existing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::addition::{Addition, add};

    #[test]
    fn every_host_can_be_added_to() {
        for host in known() {
            for text in [&host.name, &host.title, &host.then, &host.key] {
                assert!(!text.is_empty(), "{host:?}");
            }
            assert!(
                !host.project.is_empty() && (host.command.is_some() || !host.user.is_empty()),
                "{host:?}"
            );
            assert!(host.entry.on_one_line().contains("{program}"), "{host:?}");
            let Ok(Addition::Missing(insertions)) = add("", host, "locant") else { panic!("{host:?}") };
            assert_eq!(insertions.len(), 1, "{host:?}");
            assert_eq!(add(&insertions[0].text, host, "locant"), Ok(Addition::Present), "{host:?}");
        }
    }
}
