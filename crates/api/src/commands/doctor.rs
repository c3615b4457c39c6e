//! `doctor`: what works here, what does not, and what to do about it.

mod checks;
mod languages;

use std::path::PathBuf;

use clap::Args;
use locant_workspace::{Project, written};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::flags::Flags;
use crate::phrase::{Phrase, Voice};
use crate::request::Context;
use crate::show;

/// Say what works here, what does not, and what to do about it
///
/// It looks at the program, the root, the languages of the project and their servers, the daemon, the cache, and the
/// settings of agent hosts. It starts nothing and changes nothing. It exits with 1 if something does not work; what
/// only could be better is advice.
///
///   locant doctor
///   locant doctor --root path/to/project --json
#[derive(Args, Debug, Default, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Doctor {}

/// What was looked at.
#[derive(Debug, JsonSchema, Serialize)]
pub struct DoctorAnswer {
    /// What was looked at, and what was found.
    checks: Vec<Check>,
    /// How many of these are problems.
    problems: usize,
    /// The version of locant.
    version: &'static str,
    /// The folder of the project.
    root: String,
}

/// Something that was looked at.
#[derive(Debug, JsonSchema, Serialize)]
struct Check {
    /// What was looked at: `program`, `root`, `settings`, `server`, `daemon`, `cache`, `git` or `host`.
    name: &'static str,
    /// Whether all is well.
    state: Health,
    /// What was found.
    says: String,
    /// What to do about it; absent if nothing is to be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    todo: Option<String>,
}

/// Whether all is well.
#[derive(Clone, Copy, Debug, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Health {
    /// All is well.
    Ok,
    /// It works, and could be better.
    Advice,
    /// It does not work.
    Problem,
}

impl Ask for Doctor {
    type Answer = DoctorAnswer;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<DoctorAnswer, Failure> {
        let base = flags.base();
        let root: PathBuf = Project::around(&written(&base.folder().join("any")), &base).root;
        let checks: Vec<Check> =
            checks::all(&root, context).into_iter().map(|found| found.told(context.voice)).collect();
        let problems = checks.iter().filter(|check| check.state == Health::Problem).count();
        Ok(DoctorAnswer { checks, problems, version: env!("CARGO_PKG_VERSION"), root: written(&root) })
    }
}

/// What was found by a check. In `todo`, calls and settings are not yet written out: the command line, for example,
/// writes them differently from a batch.
struct Found {
    name: &'static str,
    state: Health,
    says: String,
    todo: Option<Phrase>,
}

impl Found {
    fn ok(name: &'static str, says: impl Into<String>) -> Found {
        Found { name, state: Health::Ok, says: says.into(), todo: None }
    }

    fn advice(name: &'static str, says: impl Into<String>, todo: impl Into<Phrase>) -> Found {
        Found { name, state: Health::Advice, says: says.into(), todo: Some(todo.into()) }
    }

    fn problem(name: &'static str, says: impl Into<String>, todo: impl Into<Phrase>) -> Found {
        Found { state: Health::Problem, ..Found::advice(name, says, todo) }
    }

    fn told(self, voice: &dyn Voice) -> Check {
        let Found { name, state, says, todo } = self;
        Check { name, state, says, todo: todo.map(|todo| todo.said(voice)) }
    }
}

impl Check {
    fn line(&self) -> String {
        let state = match self.state {
            Health::Ok => "ok",
            Health::Advice => "advice",
            Health::Problem => "problem",
        };
        let todo = self.todo.as_ref().map(|todo| format!("{:18}{todo}\n", "")).unwrap_or_default();
        format!("{state:8} {:8} {}\n{todo}", self.name, self.says)
    }
}

impl Answer for DoctorAnswer {
    fn text(&self, _: &dyn Voice) -> String {
        self.checks.iter().map(|check| show::visible(&check.line()).into_owned()).collect()
    }

    fn markdown(&self, voice: &dyn Voice) -> String {
        show::fenced("text", &self.text(voice))
    }

    fn is_found(&self) -> bool {
        self.problems == 0
    }

    fn notes(&self) -> Vec<Phrase> {
        let said = match self.problems {
            0 => "nothing is wrong here".to_owned(),
            1 => "1 problem".to_owned(),
            n => format!("{n} problems"),
        };
        vec![said.into()]
    }
}
