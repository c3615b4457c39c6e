//! `daemon`: the process that keeps language servers warm between commands.

use clap::{Args, ValueEnum};
use locant_servers::daemon::Client;
use locant_servers::{Running, Status};
use locant_workspace::written;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::answer::Answer;
use crate::failure::{Failure, Kind};
use crate::flags::Flags;
use crate::phrase::{Phrase, Voice, phrase, setting};
use crate::request::Context;

/// Keep language servers warm between commands: start, stop or look at the process that holds them
///
/// It starts by itself when a command needs a language server, and ends when nobody has needed one for 20 minutes
/// (`idle_minutes` in the section `[daemon]` of your `locant.toml`). Every project has each of its servers once,
/// whoever asks. `--no-daemon` does without it.
///
///   locant daemon status
///   locant daemon stop
#[derive(Args, Debug, Default, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Daemon {
    /// What to do; the default is `status`
    #[arg(value_enum, default_value = "status")]
    #[serde(default)]
    verb: Verb,
}

/// What to do with the daemon.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, ValueEnum)]
#[serde(rename_all = "lowercase")]
enum Verb {
    /// Start it, if it does not run
    Start,
    /// End it, with all servers that it holds
    Stop,
    /// Say what it holds
    #[default]
    Status,
}

/// The daemon.
#[derive(Debug, Default, JsonSchema, Serialize)]
pub struct DaemonAnswer {
    /// `running` or `stopped`.
    state: &'static str,
    /// The id of its process.
    #[serde(skip_serializing_if = "Option::is_none")]
    process_id: Option<u32>,
    /// Its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    /// How many seconds it has run.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<u64>,
    /// After how many seconds without a question it ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    idle_seconds: Option<u64>,
    /// The memory that it holds itself, without the servers.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_bytes: Option<u64>,
    /// The file in which it notes what it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<String>,
    /// The servers that it holds.
    servers: Vec<HeldItem>,
    #[serde(skip)]
    note: Option<&'static str>,
}

/// A language server that the daemon holds.
#[derive(Debug, JsonSchema, Serialize)]
struct HeldItem {
    /// Its name.
    name: String,
    /// Its version, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    /// The folder for which it runs.
    root: String,
    /// Its program.
    path: String,
    /// The memory that it and its processes hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_bytes: Option<u64>,
    /// What it is busy with.
    #[serde(skip_serializing_if = "Option::is_none")]
    work: Option<String>,
    /// How many seconds nobody has asked it anything.
    idle_seconds: u64,
}

impl Ask for Daemon {
    type Answer = DaemonAnswer;

    fn run(self, _: &Flags, context: Context<'_>) -> Result<DaemonAnswer, Failure> {
        let client = context.files.pool().and_then(|pool| pool.daemon()).ok_or_else(no_daemon)?;
        match self.verb {
            Verb::Status => Ok(client.status().map_or_else(DaemonAnswer::stopped, DaemonAnswer::running)),
            Verb::Start => start(client),
            Verb::Stop => {
                let did_run = client.stop().map_err(|why| failed(&why))?;
                let note = (!did_run).then_some("it did not run");
                Ok(DaemonAnswer { note, ..DaemonAnswer::stopped() })
            }
        }
    }
}

fn start(client: &Client) -> Result<DaemonAnswer, Failure> {
    let started = client.start().map_err(|why| failed(&why))?;
    let note = started.was_running.then_some("it was running already");
    Ok(DaemonAnswer { note, ..DaemonAnswer::running(started.status) })
}

fn failed(why: &str) -> Failure {
    Failure::new(
        Kind::Server,
        why,
        phrase![
            "commands work without it, too: `",
            setting("no_daemon", ""),
            "` starts servers for one command"
        ],
    )
}

fn no_daemon() -> Failure {
    Failure::new(
        Kind::Unsupported,
        "language servers are not kept between commands here",
        phrase!["each command starts the ones it needs, as with `", setting("no_daemon", ""), "`"],
    )
}

impl DaemonAnswer {
    fn stopped() -> DaemonAnswer {
        DaemonAnswer { state: "stopped", ..DaemonAnswer::default() }
    }

    fn running(status: Status) -> DaemonAnswer {
        DaemonAnswer {
            state: "running",
            process_id: Some(status.process),
            version: Some(status.version),
            seconds: Some(status.seconds),
            idle_seconds: Some(status.idle_seconds),
            memory_bytes: status.memory,
            log: Some(written(&status.log)),
            servers: status.servers.into_iter().map(HeldItem::new).collect(),
            note: None,
        }
    }
}

impl HeldItem {
    fn new(running: Running) -> HeldItem {
        HeldItem {
            name: running.name,
            version: Some(running.version).filter(|version| !version.is_empty()),
            root: written(&running.root),
            path: written(&running.program),
            memory_bytes: running.memory,
            work: running.work,
            idle_seconds: running.idle.as_secs(),
        }
    }

    fn line(&self) -> String {
        let version = self.version.as_deref().unwrap_or("?");
        let work = self.work.as_ref().map(|work| format!(", busy: {work}")).unwrap_or_default();
        let megabytes = megabytes(self.memory_bytes);
        format!(
            "{} {version} for {}, {megabytes}, asked {} s ago{work}\n",
            self.name, self.root, self.idle_seconds
        )
    }
}

fn megabytes(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "? MB".to_owned(), |bytes| format!("{} MB", bytes >> 20))
}

impl Answer for DaemonAnswer {
    fn text(&self, _: &dyn Voice) -> String {
        let Some(process) = self.process_id else { return format!("{}\n", self.state) };
        let (version, seconds) = (self.version.as_deref().unwrap_or("?"), self.seconds.unwrap_or_default());
        let held: String = self.servers.iter().map(HeldItem::line).collect();
        let own = format!("{}: process {process}, version {version}, {seconds} s", self.state);
        let log = self.log.as_deref().unwrap_or_default();
        format!("{own}, {}, log {log}\n{held}", megabytes(self.memory_bytes))
    }

    fn markdown(&self, voice: &dyn Voice) -> String {
        self.text(voice).lines().map(|line| format!("- {line}\n")).collect()
    }

    fn notes(&self) -> Vec<Phrase> {
        self.note.into_iter().map(Phrase::from).collect()
    }
}
