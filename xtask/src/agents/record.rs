//! The records of what models did, in `tests/agents/recorded`: one file for each toolset, with a line for each task.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::task::{self, Task};
use super::verdict;

/// What a model did for a task with a toolset.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Record {
    pub(super) task: String,
    pub(super) calls: Vec<Call>,
    pub(super) answer: Value,
    /// The number of characters that the toolset tells the model before the first call.
    pub(super) told: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) why_wrong: Option<String>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) n_wrong_places: usize,
}

/// One call, without its answer.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) arguments: Value,
    pub(super) characters: usize,
    pub(super) seconds: f64,
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) error: bool,
    /// The name of the preview that the call made, which a later call may apply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) preview: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

impl Record {
    pub(super) fn characters(&self) -> usize {
        self.calls.iter().map(|call| call.characters).sum()
    }
}

/// The toolsets, in the order of the table.
pub(super) const TOOLSETS: [&str; 4] = ["locant", "grep", "serena", "agent-lsp"];

/// Checks the runs in a folder. The runs with an answer replace the records of these toolsets. Returns what was wrong.
pub(super) fn keep(runs: &Path, toolsets: &[&str]) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    let folder = task::home().join("recorded");
    fs::create_dir_all(&folder)?;
    for toolset in toolsets {
        let mut text = String::new();
        for task in task::all()? {
            let run = runs.join(toolset).join(&task.name);
            if !run.join("answer.json").exists() {
                continue;
            }
            let record = record_of(&task, runs, &run)?;
            if let Some(why) = &record.why_wrong {
                wrong.push(format!("{toolset}: {}: {why}", task.name));
            }
            let line = without_machine(&serde_json::to_string(&record)?, &run);
            ensure!(!line.contains(&*runs.to_string_lossy()), "{toolset}: {} names a folder", task.name);
            text.push_str(&line);
            text.push('\n');
        }
        ensure!(!text.is_empty(), "there is no run with {toolset} in {}", runs.display());
        fs::write(folder.join(format!("{toolset}.jsonl")), text)?;
    }
    Ok(wrong)
}

fn record_of(task: &Task, runs: &Path, run: &Path) -> Result<Record> {
    let log = fs::read_to_string(run.join("log.jsonl")).unwrap_or_default();
    let calls = log.lines().map(|line| Ok(serde_json::from_str(line)?)).collect::<Result<Vec<Call>>>();
    let verdict = verdict::of(task, runs, run)?;
    let told = fs::read_to_string(run.join("tools.txt")).unwrap_or_default();
    Ok(Record {
        task: task.name.clone(),
        calls: calls.with_context(|| format!("the log of {} is wrong", task.name))?,
        answer: serde_json::from_str(&fs::read_to_string(run.join("answer.json"))?)?,
        told: told.trim_end().chars().count(),
        why_wrong: verdict.why_wrong,
        n_wrong_places: verdict.n_wrong_places,
    })
}

/// The text with a placeholder for the folder of the project, so that no record names a folder of this machine.
pub(super) fn without_machine(text: &str, run: &Path) -> String {
    text.replace(&*run.join("tree").to_string_lossy(), ROOT)
}

/// The placeholder for the folder of the project in records.
pub(super) const ROOT: &str = "{ROOT}";

/// The records of a toolset. Empty if it has none.
pub(super) fn read(toolset: &str) -> Result<Vec<Record>> {
    let path: PathBuf = task::home().join("recorded").join(format!("{toolset}.jsonl"));
    let Ok(text) = fs::read_to_string(&path) else { return Ok(Vec::new()) };
    text.lines()
        .map(|line| serde_json::from_str(line).with_context(|| format!("{} is wrong", path.display())))
        .collect()
}
