//! The table of what models did: calls, characters read, right and wrong, for each toolset and kind of task.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::Result;

use super::record::{self, Record, TOOLSETS};
use super::task;

/// What several tasks took together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Sum {
    n_tasks: usize,
    n_right: usize,
    n_calls: usize,
    n_characters: usize,
    n_wrong_places: usize,
}

impl Sum {
    fn add(&mut self, record: &Record) {
        self.n_tasks += 1;
        self.n_right += usize::from(record.why_wrong.is_none());
        self.n_calls += record.calls.len();
        self.n_characters += record.characters();
        self.n_wrong_places += record.n_wrong_places;
    }
}

/// The tables in Markdown: all tasks by kind for the toolsets that did them all, and those that all toolsets did.
pub(super) fn markdown() -> Result<String> {
    let tasks = task::all()?;
    let kind_of: BTreeMap<&str, &str> =
        tasks.iter().map(|task| (task.name.as_str(), task.kind.as_str())).collect();
    let is_shared = |name: &str| tasks.iter().any(|task| task.name == name && task.shared);
    let mut all =
        String::from("| tasks | toolset | right | calls | characters read | edits on a wrong place |\n");
    all.push_str("|---|---|---|---|---|---|\n");
    let mut shared = all.clone();
    let mut by_kind: BTreeMap<(&str, usize), Sum> = BTreeMap::new();
    for (n, toolset) in TOOLSETS.iter().enumerate() {
        let records = record::read(toolset)?;
        let mut own = Sum::default();
        for record in &records {
            let kind = kind_of.get(record.task.as_str()).copied().unwrap_or("others");
            by_kind.entry((kind, n)).or_default().add(record);
            by_kind.entry(("together", n)).or_default().add(record);
            if is_shared(&record.task) {
                own.add(record);
            }
        }
        if own != Sum::default() {
            row(&mut shared, &format!("{} shared", own.n_tasks), toolset, &own)?;
        }
    }
    for ((kind, n), sum) in &by_kind {
        let did_all = by_kind.get(&("together", *n)).is_some_and(|sum| sum.n_tasks == tasks.len());
        if did_all {
            row(&mut all, kind, TOOLSETS[*n], sum)?;
        }
    }
    Ok(format!("{all}\n{shared}\n{}", told()?))
}

fn row(table: &mut String, tasks: &str, toolset: &str, sum: &Sum) -> Result<()> {
    let Sum { n_tasks, n_right, n_calls, n_characters, n_wrong_places } = sum;
    writeln!(
        table,
        "| {tasks} | {toolset} | {n_right} of {n_tasks} | {n_calls} | {n_characters} | {n_wrong_places} |"
    )?;
    Ok(())
}

/// What each toolset tells a model before its first call, which is read once in a conversation.
fn told() -> Result<String> {
    let mut text =
        String::from("| toolset | characters of its instructions, descriptions and schemas |\n|---|---|\n");
    for toolset in TOOLSETS {
        let told = record::read(toolset)?.iter().map(|record| record.told).max().unwrap_or_default();
        if told > 0 {
            writeln!(text, "| {toolset} | {told} |")?;
        }
    }
    Ok(text)
}
