//! The tables of what models did, for each toolset and kind of task: how many calls and characters a task took, and how
//! many answers were right.

use std::fmt::Write as _;

use anyhow::Result;

use super::record::{self, Record, TOOLSETS};
use super::task::{self, Task};

/// The goal: our tools need at most this fraction of the characters that the best other toolset needs.
const GOAL: f64 = 0.5;

/// The records of a toolset.
struct Done {
    toolset: &'static str,
    records: Vec<Record>,
}

/// The sums over several tasks.
#[derive(Debug, Default, PartialEq, Eq)]
struct Sum {
    n_tasks: usize,
    n_right: usize,
    n_calls: usize,
    n_characters: usize,
    n_wrong_places: usize,
}

impl Done {
    /// The sums over these tasks. `None` if the toolset did not do all of them.
    fn sum(&self, tasks: &[&Task]) -> Option<Sum> {
        let mut sum = Sum::default();
        for task in tasks {
            let record = self.records.iter().find(|record| record.task == task.name)?;
            sum.n_tasks += 1;
            sum.n_right += usize::from(record.why_wrong.is_none());
            sum.n_calls += record.calls.len();
            sum.n_characters += record.characters();
            sum.n_wrong_places += record.n_wrong_places;
        }
        Some(sum)
    }

    /// The number of characters that the toolset tells the model before the first call.
    fn told(&self) -> usize {
        self.records.iter().map(|record| record.told).max().unwrap_or_default()
    }
}

/// The tables in Markdown.
pub(super) fn markdown() -> Result<String> {
    let tasks = task::all()?;
    let mut done = Vec::new();
    for toolset in TOOLSETS {
        done.push(Done { toolset, records: record::read(toolset)? });
    }
    let all: Vec<&Task> = tasks.iter().collect();
    let shared: Vec<&Task> = tasks.iter().filter(|task| task.shared).collect();
    let groups = [("all", all), ("shared", shared)];
    Ok([sums(&groups, &done)?, kinds(&tasks, &done)?, goals(&groups, &done)?]
        .join("\n")
        .trim_end()
        .to_owned())
}

fn sums(groups: &[(&str, Vec<&Task>)], done: &[Done]) -> Result<String> {
    let mut text = String::from(
        "| tasks | toolset | right | wrong | edits on a wrong place | calls | characters read | told before |\n",
    );
    text.push_str("|---|---|---|---|---|---|---|---|\n");
    for (name, tasks) in groups {
        for done in done {
            let Some(sum) = done.sum(tasks) else { continue };
            let Sum { n_tasks, n_right, n_calls, n_characters, n_wrong_places } = sum;
            let (n_wrong, toolset) = (n_tasks - n_right, done.toolset);
            let (read, told) = (grouped(n_characters), grouped(done.told()));
            write!(text, "| {name} {n_tasks} | {toolset} | {n_right} | {n_wrong} | {n_wrong_places} ")?;
            writeln!(text, "| {n_calls} | {read} | {told} |")?;
        }
    }
    Ok(text)
}

/// A table by kind of task. Only the toolsets that did all tasks have columns.
fn kinds(tasks: &[Task], done: &[Done]) -> Result<String> {
    let mut kinds: Vec<&str> = tasks.iter().map(|task| task.kind.as_str()).collect();
    kinds.dedup();
    let all: Vec<&Task> = tasks.iter().collect();
    let done: Vec<&Done> = done.iter().filter(|done| done.sum(&all).is_some()).collect();
    let mut text = String::from("| kind | tasks |");
    for done in &done {
        write!(text, " {0}: right | {0}: calls | {0}: characters |", done.toolset)?;
    }
    text.push_str("\n|---|---|");
    text.push_str(&"---|---|---|".repeat(done.len()));
    text.push('\n');
    for kind in kinds {
        let tasks: Vec<&Task> = tasks.iter().filter(|task| task.kind == kind).collect();
        write!(text, "| {kind} | {} |", tasks.len())?;
        for sum in done.iter().filter_map(|done| done.sum(&tasks)) {
            write!(text, " {} | {} | {} |", sum.n_right, sum.n_calls, grouped(sum.n_characters))?;
        }
        text.push('\n');
    }
    Ok(text)
}

/// A table that compares our tools with the best other toolset, which is the one that needed the fewest characters.
fn goals(groups: &[(&str, Vec<&Task>)], done: &[Done]) -> Result<String> {
    let mut text =
        String::from("| tasks | characters, compared with the best other toolset | goal | met |\n");
    text.push_str("|---|---|---|---|\n");
    let Some((ours, others)) = done.split_first() else { return Ok(text) };
    for (name, tasks) in groups {
        let best = others.iter().filter_map(|other| Some((other, other.sum(tasks)?)));
        let best = best.min_by_key(|(_, sum)| sum.n_characters);
        let (Some(own), Some((other, best))) = (ours.sum(tasks), best) else { continue };
        let ratio = ratio(own.n_characters, best.n_characters);
        let is_met = ratio <= GOAL && own.n_right >= best.n_right && own.n_wrong_places == 0;
        let met = if is_met { "yes" } else { "**no**" };
        let n_tasks = own.n_tasks;
        writeln!(text, "| {name} {n_tasks} | {ratio:.2} × ({}) | {GOAL} × | {met} |", other.toolset)?;
    }
    Ok(text)
}

#[expect(clippy::cast_precision_loss, reason = "these numbers are far below 2^52")]
fn ratio(own: usize, other: usize) -> f64 {
    own as f64 / other as f64
}

/// Writes 90901 as 90,901.
fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::root;

    #[test]
    fn long_numbers_are_grouped() {
        assert_eq!(
            [7, 901, 1_901, 90_901, 1_090_901].map(grouped),
            ["7", "901", "1,901", "90,901", "1,090,901"]
        );
    }

    #[test]
    fn the_page_shows_what_is_recorded() {
        let page = fs::read_to_string(root::root().join("docs/agents.md")).expect("the page can be read");
        let table = markdown().expect("what was recorded can be read");
        assert!(page.contains(&table), "`cargo xtask agents` writes this table:\n{table}");
    }
}
