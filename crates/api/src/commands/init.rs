//! `init`: the settings by which an agent host starts locant.

use std::path::{Path, PathBuf};

use clap::Args;
use locant_hosts::{Addition, Fault, Host, Insertion, add, create, known, read};
use locant_workspace::{Project, written};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::flags::Flags;
use crate::phrase::{Phrase, Voice, call, phrase, setting};
use crate::preview::added::Settings;
use crate::request::Context;
use crate::show;

/// Show the settings by which agent hosts start `locant mcp`, and write them
///
/// Without a name, it is about the hosts that are used in the project or installed here. Nothing is written without
/// `--write`. What is in a file stays as it is, with its comments; an entry called `locant` is never replaced.
/// The hosts: claude-code, codex, cursor, vscode, opencode, zed, gemini.
///
///   locant init
///   locant init claude-code --write
///   locant init cursor zed --user
#[derive(Args, Debug, Default, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Init {
    /// The names of hosts; without any, all that are used here
    #[arg(value_name = "HOST")]
    #[serde(default)]
    hosts: Vec<String>,
    /// The settings for all projects of the user, and not for this project
    #[arg(long)]
    #[serde(default)]
    user: bool,
    /// Write the files
    #[arg(long)]
    #[serde(default)]
    write: bool,
    /// The program that hosts start; the default is `locant`, which they look for on the PATH
    #[arg(long, value_name = "PATH")]
    #[serde(default)]
    program: Option<String>,
}

/// The settings of hosts.
#[derive(Debug, JsonSchema, Serialize)]
pub struct InitAnswer {
    /// The hosts, each with what its settings lack.
    hosts: Vec<HostItem>,
    /// The folder of the project.
    root: String,
}

/// The settings of a host.
#[derive(Debug, JsonSchema, Serialize)]
struct HostItem {
    /// The name of the host.
    name: String,
    /// Its name as its makers write it.
    title: String,
    /// What was found, and done.
    state: State,
    /// The file of its settings; absent if the host alone may write it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file_path: Option<String>,
    /// The lines that change in the file, as a unified diff; empty if none do.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    diff: String,
    /// What the settings lack or what is wrong with them, and what to do about it.
    says: String,
    /// The id by which `undo` takes the change back; absent for a new file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    undo: Option<String>,
}

/// What was found in settings, and done.
#[derive(Clone, Copy, Debug, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    /// The entry is there.
    Present,
    /// The entry is not there, and `write` adds it.
    Missing,
    /// The entry was added.
    Written,
    /// There is an entry called `locant` that starts something else. It stays.
    Different,
    /// The host adds the entry itself, by a command.
    ByCommand,
    /// The settings cannot be read or written.
    Failed,
}

impl Ask for Init {
    type Answer = InitAnswer;

    fn run(self, flags: &Flags, _: Context<'_>) -> Result<InitAnswer, Failure> {
        let base = flags.base();
        let root = Project::around(&written(&base.folder().join("any")), &base).root;
        let hosts = self.asked(&root)?;
        let program = self.program.as_deref().unwrap_or("locant");
        let item = |host: &&Host| {
            HostItem::of(host, &Wanted { root: &root, program, is_for_user: self.user }, self.write)
        };
        Ok(InitAnswer { hosts: hosts.iter().map(item).collect(), root: written(&root) })
    }
}

impl Init {
    /// The hosts that the request names. If it names none, the hosts that are used here. If nothing shows which these
    /// are, all hosts; but if files are to be written, this fails.
    fn asked(&self, root: &Path) -> Result<Vec<&'static Host>, Failure> {
        if self.hosts.is_empty() {
            let used: Vec<&Host> = known().iter().filter(|host| host.is_used(root)).collect();
            return match used.as_slice() {
                [] if self.write => Err(Failure::invalid("nothing shows which hosts are used here", names())),
                [] => Ok(known().iter().collect()),
                _ => Ok(used),
            };
        }
        let named = |name: &String| {
            let host = known().iter().find(|host| host.name == *name);
            host.ok_or_else(|| Failure::invalid(format!("there is no host `{name}`"), names()))
        };
        self.hosts.iter().map(named).collect()
    }
}

fn names() -> String {
    let names: Vec<&str> = known().iter().map(|host| host.name.as_str()).collect();
    format!("name one: {}", names.join(", "))
}

/// The entry that is looked for in settings: the program that hosts should start, and for which project.
pub(super) struct Wanted<'w> {
    pub(super) root: &'w Path,
    pub(super) program: &'w str,
    pub(super) is_for_user: bool,
}

/// What is known of the settings of a host.
pub(super) enum Found {
    /// The host alone may write its settings; its user runs this command.
    Command(String),
    /// The settings in a file.
    File(PathBuf, Result<(Option<String>, Addition), String>),
}

impl Wanted<'_> {
    /// What the settings of a host say.
    pub(super) fn found(&self, host: &Host) -> Found {
        let path = if self.is_for_user { host.file_of_user() } else { Some(host.file_in(self.root)) };
        let Some(path) = path else {
            let command = host.command.as_deref().unwrap_or_default();
            return Found::Command(command.replace("{program}", self.program));
        };
        let read = read(&path).map_err(|error| format!("it cannot be read: {error}"));
        let found = read.and_then(|settings| {
            let text = settings.as_deref().unwrap_or_default();
            match add(text, host, self.program) {
                Ok(addition) => Ok((settings, addition)),
                Err(fault) => Err(where_and_what(text, &fault)),
            }
        });
        Found::File(path, found)
    }
}

/// A fault with its line and column.
fn where_and_what(text: &str, fault: &Fault) -> String {
    let before = text.get(..fault.offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |line| line.encode_utf16().count()) + 1;
    format!("line {line}, column {column}: {}", fault.message)
}

impl HostItem {
    fn of(host: &Host, wanted: &Wanted<'_>, writes: bool) -> HostItem {
        let (path, found) = match wanted.found(host) {
            Found::Command(command) => {
                return HostItem::new(host, State::ByCommand, format!("run: {command}"));
            }
            Found::File(path, found) => (path, found),
        };
        let shown = written(path.strip_prefix(wanted.root).unwrap_or(&path));
        let item = match found {
            Err(why) => HostItem::new(host, State::Failed, format!("{why}; correct the file, and ask again")),
            Ok((_, Addition::Present)) => HostItem::new(host, State::Present, host.then.clone()),
            Ok((_, Addition::Different)) => {
                let says = "an entry `locant` starts something else; remove it to have this one written";
                HostItem::new(host, State::Different, says.to_owned())
            }
            Ok((old, Addition::Missing(insertions))) => {
                let settings = Settings::new(&path, &shown, old.as_deref(), &insertions);
                HostItem { diff: settings.diff(), ..HostItem::new(host, State::Missing, host.then.clone()) }
                    .made(writes.then(|| put(&settings, &path, wanted, &insertions)))
            }
        };
        HostItem { file_path: Some(shown), ..item }
    }

    fn new(host: &Host, state: State, says: String) -> HostItem {
        let (name, title) = (host.name.clone(), host.title.clone());
        HostItem { name, title, state, file_path: None, diff: String::new(), says, undo: None }
    }

    /// The item after the attempt to write the file, if there was one.
    fn made(self, put: Option<Result<Option<String>, String>>) -> HostItem {
        match put {
            None => self,
            Some(Ok(undo)) => HostItem { state: State::Written, undo, ..self },
            Some(Err(why)) => HostItem { state: State::Failed, says: why, ..self },
        }
    }

    fn headline(&self) -> String {
        let path = self.file_path.as_deref().unwrap_or_default();
        match self.state {
            State::Present => format!("{}: {path} has it", self.title),
            State::Missing => format!("{}: {path} lacks it", self.title),
            State::Written => format!("{}: {path} is written; {}", self.title, self.says),
            State::Different | State::Failed => format!("{}: {path}: {}", self.title, self.says),
            State::ByCommand => format!("{}: {}", self.title, self.says),
        }
    }
}

/// Writes settings. Returns the id by which the change is taken back; a new file has none.
fn put(
    settings: &Settings<'_>,
    path: &Path,
    wanted: &Wanted<'_>,
    insertions: &[Insertion],
) -> Result<Option<String>, String> {
    let root = (!wanted.is_for_user).then_some(wanted.root);
    if settings.is_new() {
        let text: String = insertions.iter().map(|one| one.text.as_str()).collect();
        return create(path, root, &text)
            .map(|()| None)
            .map_err(|error| format!("it cannot be written: {error}"));
    }
    settings.apply(root).map(Some)
}

impl Answer for InitAnswer {
    fn text(&self, _: &dyn Voice) -> String {
        self.hosts.iter().map(|host| format!("{}\n{}", host.headline(), show::visible(&host.diff))).collect()
    }

    fn markdown(&self, _: &dyn Voice) -> String {
        let item = |host: &HostItem| {
            let diff = if host.diff.is_empty() {
                String::new()
            } else {
                show::fenced("diff", &show::visible(&host.diff))
            };
            format!("- {}\n{diff}", host.headline())
        };
        self.hosts.iter().map(item).collect()
    }

    fn is_found(&self) -> bool {
        self.hosts.iter().all(|host| host.state != State::Failed)
    }

    fn notes(&self) -> Vec<Phrase> {
        let lacks = self.hosts.iter().any(|host| host.state == State::Missing);
        let undone = self.hosts.iter().filter_map(|host| host.undo.as_ref());
        let undo = undone.map(|id| phrase!["`", call("undo").with("preview", id), "` takes a change back"]);
        let hint = lacks
            .then(|| phrase!["nothing is written yet; `", setting("write", ""), "` writes what is missing"]);
        hint.into_iter().chain(undo).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_all_hosts() {
        let help = <Init as Args>::augment_args(clap::Command::new("init")).render_long_help().to_string();
        for host in known() {
            assert!(help.contains(&host.name), "{}", host.name);
        }
    }
}
