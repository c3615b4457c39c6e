//! Writes docs/agents-transcripts.md: the full text of some runs of models with our tools.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::record::{Call, without_machine};
use super::task::{self, Task};
use crate::root;

const HEAD: &str = "# Transcripts

Four of the [tasks for models](agents.md#tasks-for-models), as models did them with the tools of `locant mcp`: every
call, and every answer as the model read it. Mistakes are left in. `{ROOT}` stands for the folder of the project.
`cargo xtask agents transcripts DIR` writes this page out of recorded runs.
";

/// The contents of `tests/agents/transcripts.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Chosen {
    transcript: Vec<Transcript>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Transcript {
    task: String,
    title: String,
    note: String,
}

pub(super) fn write(runs: &Path) -> Result<()> {
    let path = task::home().join("transcripts.toml");
    let chosen: Chosen = toml::from_str(&fs::read_to_string(&path)?)
        .with_context(|| format!("{} is wrong", path.display()))?;
    let tasks = task::all()?;
    let mut page = HEAD.to_owned();
    for Transcript { task, title, note } in &chosen.transcript {
        let task =
            tasks.iter().find(|own| own.name == *task).with_context(|| format!("no task is {task}"))?;
        write!(page, "\n## {title}\n\n{}\n", note.trim())?;
        page.push_str(&of(task, &runs.join("locant").join(&task.name))?);
    }
    Ok(fs::write(root::root().join("docs/agents-transcripts.md"), page)?)
}

fn of(task: &Task, run: &Path) -> Result<String> {
    let mut text = format!("\nThe task, on {}:\n\n````text\n{}\n````\n", task.project, task.says.trim());
    let log = fs::read_to_string(run.join("log.jsonl"))
        .with_context(|| format!("there is no run of {} in {}", task.name, run.display()))?;
    for (n, line) in log.lines().enumerate() {
        let call: Call = serde_json::from_str(line).context("the log is wrong")?;
        let answer = fs::read_to_string(run.join("answers").join(format!("{:03}.txt", n + 1)))?;
        let characters = call.characters;
        write!(text, "\n`{}` was called, and answered {characters} characters:\n", call.name)?;
        write!(text, "\n````json\n{}\n````\n\n````text\n{}\n````\n", call.arguments, answer.trim_end())?;
    }
    let answer = fs::read_to_string(run.join("answer.json"))?;
    write!(text, "\nThe model's answer: `{}`\n", answer.trim())?;
    Ok(without_machine(&text, run))
}
