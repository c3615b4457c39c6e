//! `servers`: the language servers that are known, found and running.

use std::path::Path;

use clap::Args;
use locant_servers::config::{self, Config};
use locant_servers::{Entry, Pool, Running, Settings};
use locant_workspace::{Project, written};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::answer::Answer;
use crate::failure::{Failure, Kind};
use crate::flags::Flags;
use crate::phrase::{Phrase, Voice};
use crate::request::Context;

/// List the language servers: which are known, found on this machine, running, and how to get the others
///
/// `allow` lets the project in a folder name programs in its own settings (`locant.toml`, `.lsp.json`).
///
///   locant servers
///   locant servers allow path/to/project
#[derive(Args, Debug, Default, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Servers {
    /// `allow`: let a project name programs
    #[arg(value_name = "allow", value_parser = ["allow"])]
    #[serde(skip)]
    verb: Option<String>,
    /// The folder of the project; the default is the one around the working directory
    #[arg(value_name = "DIR", requires = "verb")]
    #[serde(default)]
    allow: Option<String>,
}

/// The language servers.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ServersAnswer {
    /// The servers, those that run first, then those that are found.
    servers: Vec<ServerItem>,
    /// The folder that was allowed to name programs; absent when none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    allowed: Option<String>,
    /// What is wrong with files of settings.
    #[serde(skip)]
    faults: Vec<String>,
}

/// A language server.
#[derive(Debug, JsonSchema, Serialize)]
struct ServerItem {
    /// Its name, by which it is chosen.
    name: String,
    /// The languages it is for.
    languages: Vec<String>,
    /// `running`, `found` or `missing`.
    state: &'static str,
    /// Its version, if it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    /// Its program, if it is found.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// The memory that it and its processes hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_bytes: Option<u64>,
    /// The folder for which it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<String>,
    /// How to install it.
    install: String,
    /// Whether it was tried with this program.
    tried: bool,
    /// Whether a project names it that was not allowed to.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    forbidden: bool,
}

impl Ask for Servers {
    type Answer = ServersAnswer;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<ServersAnswer, Failure> {
        let base = flags.base();
        let root = Project::around(&written(&base.folder().join("any")), &base).root;
        let allowed = match (self.verb, self.allow) {
            (None, None) => None,
            (_, folder) => Some(folder.map_or_else(|| root.clone(), |folder| base.absolute(&folder))),
        };
        if let Some(folder) = &allowed {
            config::allow(folder).map_err(|error| unwritten(folder, &error))?;
        }
        let own = Pool::new(Settings::default());
        let pool = context.files.pool().map_or(&own, |pool| pool);
        let Config { entries, faults } = Config::of(&root);
        let running = pool.running();
        let is_allowed = config::is_allowed(&root);
        let mut servers: Vec<ServerItem> =
            entries.iter().flat_map(|entry| items(entry, pool, &running, is_allowed)).collect();
        servers.sort_by_key(|server| match server.state {
            "running" => 0,
            "found" => 1,
            _ => 2,
        });
        Ok(ServersAnswer { servers, allowed: allowed.map(|folder| written(&folder)), faults })
    }
}

fn unwritten(folder: &Path, error: &std::io::Error) -> Failure {
    let message = format!("`{}` cannot be allowed: {error}", folder.display());
    Failure::new(Kind::Io, message, "name a folder that is there; the list is in your folder for settings")
}

/// The items for a server: one for each root for which it runs, or a single one if it does not run.
fn items(entry: &Entry, pool: &Pool, running: &[Running], is_allowed: bool) -> Vec<ServerItem> {
    let program = pool.program(entry);
    let forbidden = entry.is_of_project && !is_allowed;
    let mut languages: Vec<String> =
        entry.languages.iter().chain(entry.extensions.values()).cloned().collect();
    languages.dedup();
    let item = |one: Option<&Running>| ServerItem {
        name: entry.name.clone(),
        languages: languages.clone(),
        state: match (one, &program) {
            (Some(_), _) => "running",
            (None, Some(_)) => "found",
            (None, None) => "missing",
        },
        version: one.map(|one| one.version.clone()).filter(|version| !version.is_empty()),
        path: program.as_deref().map(written),
        memory_bytes: one.and_then(|one| one.memory),
        root: one.map(|one| written(&one.root)),
        install: entry.install.clone(),
        tried: entry.tried,
        forbidden,
    };
    let own: Vec<ServerItem> =
        running.iter().filter(|one| one.name == entry.name).map(|one| item(Some(one))).collect();
    if own.is_empty() { vec![item(None)] } else { own }
}

impl ServerItem {
    fn line(&self) -> String {
        let more = match self.state {
            "missing" => self.install.clone(),
            "running" => {
                let megabytes = self.memory_bytes.unwrap_or_default() >> 20;
                let root = self.root.as_deref().unwrap_or_default();
                format!("{} for {root}, {megabytes} MB", self.version.as_deref().unwrap_or("?"))
            }
            _ => self.path.clone().unwrap_or_default(),
        };
        let tried = if self.tried { "" } else { " (not tried)" };
        let forbidden = if self.forbidden { " (named by the project, not allowed)" } else { "" };
        format!("{:8} {} [{}]: {more}{tried}{forbidden}\n", self.state, self.name, self.languages.join(", "))
    }
}

impl Answer for ServersAnswer {
    fn text(&self, _: &dyn Voice) -> String {
        self.servers.iter().map(ServerItem::line).collect()
    }

    fn markdown(&self, _: &dyn Voice) -> String {
        self.servers.iter().map(|server| format!("- {}", server.line())).collect()
    }

    fn notes(&self) -> Vec<Phrase> {
        let allowed = self.allowed.iter().map(|folder| format!("`{folder}` may name programs now"));
        allowed.chain(self.faults.iter().cloned()).map(Phrase::from).collect()
    }
}
