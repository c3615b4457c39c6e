//! Makes the recorded calls of our own tools again with today's build, and says where an outcome differs from the
//! record.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::record::{self, Call, ROOT, Record};
use super::task::{self, Task};
use super::{prepare, verdict};
use crate::children::{cargo, output, run, target_directory};
use crate::root;
use crate::servers::install;
use crate::sources::python;

/// The servers that the projects of the tasks need.
const SERVERS: [&str; 2] = ["ty", "typescript-language-server"];

/// The outcome of the tasks whose calls were made again.
pub(super) struct Replayed {
    pub(super) n_tasks: usize,
    pub(super) n_calls: usize,
    pub(super) differences: Vec<String>,
}

/// Makes the recorded calls of the tasks that `is_meant` accepts again.
pub(super) fn some(is_meant: impl Fn(&Task) -> bool) -> Result<Replayed> {
    let tasks: Vec<Task> = task::all()?.into_iter().filter(is_meant).collect();
    let runs = root::work().join("agents");
    fs::create_dir_all(&runs)?;
    prepare::projects(&runs, &tasks)?;
    use_todays_build(&runs)?;
    let records = record::read("locant")?;
    let mut replayed = Replayed { n_tasks: 0, n_calls: 0, differences: Vec::new() };
    for task in &tasks {
        let record = records.iter().find(|record| record.task == task.name);
        let record = record.with_context(|| format!("{} is not recorded", task.name))?;
        replayed.n_tasks += 1;
        replayed.n_calls += record.calls.len();
        replayed.differences.extend(one(&runs, task, record)?);
    }
    Ok(replayed)
}

/// Builds the program and installs the servers. Writes a file that says where they are.
fn use_todays_build(runs: &Path) -> Result<()> {
    run(&mut cargo(&["build", "--quiet", "-p", "locant"]))?;
    install_servers()?;
    let locant = target_directory()?.join("debug").join("locant");
    let programs = json!({"locant": {
        "command": [&locant, "mcp", "--root", ROOT],
        "last": [&locant, "daemon", "stop"],
        "env": {"LOCANT_SERVER_PATH": install::programs()},
    }});
    Ok(fs::write(runs.join("programs.json"), programs.to_string())?)
}

/// Installs the servers that the projects need, unless that was done before.
fn install_servers() -> Result<()> {
    for server in install::table()?.iter().filter(|server| SERVERS.contains(&server.name.as_str())) {
        server.ready().with_context(|| format!("{} could not be installed", server.name))?;
    }
    Ok(())
}

fn one(runs: &Path, task: &Task, record: &Record) -> Result<Vec<String>> {
    let home = runs.join("locant").join(&task.name);
    tool(runs, task, &["forget"])?;
    let mut differences = Vec::new();
    // A preview gets another name in each run. This maps recorded names to the names in this run.
    let mut previews: BTreeMap<String, String> = BTreeMap::new();
    for (n, call) in record.calls.iter().enumerate() {
        let arguments = arguments_of(call, &previews, &home.join("tree"))?;
        tool(runs, task, &["call", &call.name, &arguments])?;
        let now = last_call(&home)?;
        if now.error != call.error {
            let is = if now.error { "fails" } else { "is answered" };
            differences.push(format!("{}: call {} ({}) {is} now", task.name, n + 1, call.name));
        }
        if let (Some(then), Some(now)) = (&call.preview, now.preview) {
            previews.insert(then.clone(), now);
        }
    }
    tool(runs, task, &["answer", &record.answer.to_string()])?;
    let verdict = verdict::of(task, runs, &home)?;
    if verdict.why_wrong != record.why_wrong {
        let say = |why: &Option<String>| why.clone().unwrap_or_else(|| "right".to_owned());
        let (then, now) = (say(&record.why_wrong), say(&verdict.why_wrong));
        differences.push(format!("{}: was {then}, is {now}", task.name));
    }
    if !shows_answer(task, &home)? {
        differences.push(format!("{}: the answers do not name what is asked for any more", task.name));
    }
    // If there are differences, the run is kept, so that a person can look at it.
    if differences.is_empty() {
        tool(runs, task, &["forget"])?;
    }
    Ok(differences)
}

fn arguments_of(call: &Call, previews: &BTreeMap<String, String>, tree: &Path) -> Result<String> {
    let mut arguments = call.arguments.clone();
    if let Some(Value::String(preview)) = arguments.get_mut("preview")
        // A model may write the start of a name.
        && let Some((_, now)) = previews.iter().find(|(then, _)| then.starts_with(&**preview))
    {
        preview.clone_from(now);
    }
    Ok(serde_json::to_string(&arguments)?.replace(ROOT, &tree.to_string_lossy()))
}

/// Whether the answers name the files of all places that the task asks for.
fn shows_answer(task: &Task, home: &Path) -> Result<bool> {
    let Some(truth) = &task.answer else { return Ok(true) };
    let mut shown = String::new();
    for entry in fs::read_dir(home.join("answers")).into_iter().flatten() {
        shown.push_str(&fs::read_to_string(entry?.path())?);
    }
    let is_file_shown = |place: &String| {
        let file = place.split(':').next().unwrap_or_default();
        shown.contains(file)
    };
    Ok(truth.places.iter().all(is_file_shown))
}

fn last_call(home: &Path) -> Result<Call> {
    let log = fs::read_to_string(home.join("log.jsonl"))?;
    let line = log.lines().last().context("the call was not logged")?;
    serde_json::from_str(line).context("the log is wrong")
}

fn tool(runs: &Path, task: &Task, words: &[&str]) -> Result<String> {
    let script: PathBuf = task::home().join("tool.py");
    let mut command = Command::new(python().context("there is no Python")?);
    command.arg("-B").arg(script).arg("--runs").arg(runs).args(["locant", &task.name]).args(words);
    output(&mut command)
}
