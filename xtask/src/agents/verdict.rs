//! Decides whether the answer of a model, or its change of files, is right.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::change::{self, Hunk};
use super::prepare;
use super::task::{self, Edit, Lines, Task, Text, Truth};
use crate::sources::{pip_packages, python};

/// The outcome of a task.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    /// Why the outcome is wrong. `None` if it is right.
    pub(super) why_wrong: Option<String>,
    /// How many places were changed that the task does not allow to change.
    pub(super) n_wrong_places: usize,
}

/// Judges the files that a run left behind. A task without an answer is wrong.
pub(super) fn of(task: &Task, runs: &Path, run: &Path) -> Result<Verdict> {
    let answer: Option<Value> =
        fs::read_to_string(run.join("answer.json")).ok().and_then(|text| serde_json::from_str(&text).ok());
    let pristine = prepare::pristine(runs, task);
    let hunks = change::hunks(&pristine, &run.join("tree"))?;
    let Some(answer) = answer else {
        let n_wrong_places = wrong_places(task, &hunks)?.len();
        return Ok(Verdict { why_wrong: Some("no answer".to_owned()), n_wrong_places });
    };
    let wrong: Vec<String> = wrong_places(task, &hunks)?;
    let why = match (&task.answer, &task.edit) {
        _ if !wrong.is_empty() => Some(format!("changed {}", wrong.join(", "))),
        (Some(truth), _) => why_wrong_answer(truth, &answer),
        (None, Some(edit)) => why_wrong_edit(edit, &pristine, &run.join("tree"))?,
        (None, None) => None,
    };
    Ok(Verdict { why_wrong: why, n_wrong_places: wrong.len() })
}

/// The places that were changed although the task does not allow it.
fn wrong_places(task: &Task, hunks: &[Hunk]) -> Result<Vec<String>> {
    let allowed = match &task.edit {
        Some(edit) => task::lines_of(&[&edit.at[..], &edit.may, &edit.within].concat())?,
        None => Vec::new(),
    };
    // Lines that are added to a function may come directly before or after its lines.
    let is_rename = task.edit.as_ref().is_some_and(|edit| edit.rename.is_some());
    let slack = usize::from(!is_rename);
    let wrong = hunks.iter().filter(|hunk| !is_allowed(hunk, &allowed, slack));
    Ok(wrong.map(|hunk| format!("{}:{}", hunk.file, hunk.first)).collect())
}

fn is_allowed(hunk: &Hunk, allowed: &[Lines], slack: usize) -> bool {
    let holds =
        |own: &Lines, line| own.file == hunk.file && own.first <= line + slack && line <= own.last + slack;
    let last = hunk.last.max(hunk.first);
    (hunk.first..=last).all(|line| allowed.iter().any(|own| holds(own, line)))
}

fn why_wrong_answer(truth: &Truth, answer: &Value) -> Option<String> {
    // If the task asks only for places, additional words in the answer do not matter.
    let words = if truth.words.is_empty() { Vec::new() } else { list(answer, "words") };
    why_not_same(&truth.words, &words, &|truth, given| truth.split('|').any(|word| word == given)).or_else(
        || {
            let places = list(answer, "places");
            why_not_same(&truth.places, &places, &|truth, given| is_in(truth, given).unwrap_or(false))
        },
    )
}

fn list(answer: &Value, name: &str) -> Vec<String> {
    let given = answer[name].as_array().into_iter().flatten().filter_map(Value::as_str);
    given.map(|word| word.trim().trim_matches('`').to_owned()).collect()
}

/// Whether a place is one of the places that `truth` names.
fn is_in(truth: &str, given: &str) -> Result<bool> {
    let given = task::lines(given)?;
    let truth = task::lines(truth)?;
    let holds = |own: &Lines, given: &Lines| {
        own.file == given.file && own.first <= given.first && given.first <= own.last
    };
    Ok(given.iter().all(|given| truth.iter().any(|own| holds(own, given))))
}

fn why_not_same(
    truth: &[String],
    given: &[String],
    fits: &dyn Fn(&String, &String) -> bool,
) -> Option<String> {
    let missing = truth.iter().find(|truth| !given.iter().any(|given| fits(truth, given)));
    let wrong = given.iter().find(|given| !truth.iter().any(|truth| fits(truth, given)));
    let missing = missing.map(|missing| format!("{missing} is missing"));
    missing.or_else(|| wrong.map(|wrong| format!("{wrong} is wrong")))
}

fn why_wrong_edit(edit: &Edit, before: &Path, after: &Path) -> Result<Option<String>> {
    if let Some((from, to)) = &edit.rename {
        return why_wrong_rename(edit, from, to, before, after);
    }
    for text in &edit.text {
        if !is_text_right(text, before, after)? {
            return Ok(Some(format!("{} is not as it should be", text.file)));
        }
    }
    match &edit.run {
        Some(command) => why_fails(command, edit, after),
        None => Ok(None),
    }
}

fn why_wrong_rename(
    edit: &Edit,
    from: &str,
    to: &str,
    before: &Path,
    after: &Path,
) -> Result<Option<String>> {
    for lines in task::lines_of(&edit.at)? {
        let old = fs::read_to_string(before.join(&lines.file))?;
        let new = fs::read_to_string(after.join(&lines.file)).unwrap_or_default();
        let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
        for n in lines.first..=lines.last {
            let old = old.get(n - 1).with_context(|| format!("{} has no line {n}", lines.file))?;
            let wanted = with_word_replaced(old, from, to);
            ensure!(wanted != **old, "{}:{n} has no {from}", lines.file);
            if new.get(n - 1).copied() != Some(wanted.as_str()) {
                return Ok(Some(format!("{}:{n} is not renamed", lines.file)));
            }
        }
    }
    for lines in task::lines_of(&edit.may)? {
        let old = fs::read_to_string(before.join(&lines.file))?;
        let new = fs::read_to_string(after.join(&lines.file)).unwrap_or_default();
        for n in lines.first..=lines.last {
            let line = |text: &str| text.lines().nth(n - 1).unwrap_or_default().to_owned();
            let (old, new) = (line(&old), line(&new));
            if new != old && new != with_word_replaced(&old, from, to) {
                return Ok(Some(format!("{}:{n} is changed otherwise", lines.file)));
            }
        }
    }
    Ok(None)
}

/// Replaces a word wherever it is not a part of a longer word.
fn with_word_replaced(line: &str, from: &str, to: &str) -> String {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut made = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(from) {
        let (before, after) = (&rest[..at], &rest[at + from.len()..]);
        let stands_alone = !before.ends_with(is_of_word) && !after.starts_with(is_of_word);
        made.push_str(before);
        made.push_str(if stands_alone { to } else { from });
        rest = after;
    }
    made + rest
}

fn is_text_right(text: &Text, before: &Path, after: &Path) -> Result<bool> {
    let old = fs::read_to_string(before.join(&text.file))?;
    let new = fs::read_to_string(after.join(&text.file)).unwrap_or_default();
    ensure!(old.matches(&text.from).count() == 1, "{}: {} is not unique", text.file, text.from);
    let bare = |text: &str| text.split_whitespace().collect::<String>();
    Ok(text.to.iter().any(|to| bare(&old.replacen(&text.from, to, 1)) == bare(&new)))
}

fn why_fails(words: &[String], edit: &Edit, tree: &Path) -> Result<Option<String>> {
    let (program, arguments) = words.split_first().context("there is nothing to run")?;
    let program = if program == "python3" { python().context("there is no Python")? } else { program };
    let mut command = Command::new(program);
    command.args(arguments).current_dir(tree).env("PYTHONDONTWRITEBYTECODE", "1");
    let mut modules: Vec<_> = edit.path.iter().map(|path| tree.join(path)).collect();
    if !edit.packages.is_empty() {
        let wanted: Vec<&str> = edit.packages.iter().map(String::as_str).collect();
        let name = edit.packages.first().map_or("", |first| first.split('=').next().unwrap_or_default());
        modules.push(pip_packages(name, &wanted)?);
    }
    command.env("PYTHONPATH", std::env::join_paths(modules)?);
    let output = command.output().with_context(|| format!("could not start {program}"))?;
    if output.status.success() {
        return Ok(None);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().rfind(|line| line.contains("Error")).unwrap_or("the check fails");
    Ok(Some(last.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_are_replaced() {
        let check = |line, wanted| assert_eq!(with_word_replaced(line, "join", "resolve"), wanted);
        check("a.join(b)", "a.resolve(b)");
        check("urljoin(join, joined)", "urljoin(resolve, joined)");
        check("nothing", "nothing");
    }

    #[test]
    fn answers_are_sets() {
        let truth = Truth { places: vec!["a.py:3|5-6".to_owned(), "b.py:1".to_owned()], words: Vec::new() };
        let check = |places: &[&str], wanted: Option<&str>| {
            let said = why_wrong_answer(&truth, &serde_json::json!({"places": places}));
            assert_eq!(said.as_deref(), wanted);
        };
        check(&["b.py:1", "./a.py:6"], None);
        check(&["a.py:3", "b.py:1"], None);
        check(&["a.py:3"], Some("b.py:1 is missing"));
        check(&["a.py:4", "b.py:1"], Some("a.py:3|5-6 is missing"));
        check(&["a.py:3", "b.py:1", "c.py:1"], Some("c.py:1 is wrong"));
        check(&["a.py:3", "b.py:1", "nonsense"], Some("nonsense is wrong"));
    }

    #[test]
    fn changes_elsewhere_are_on_a_wrong_place() {
        let check = |within: &str, first, last, n_wrong| {
            let edit = format!("within = [\"{within}\"]\nrun = [\"true\"]");
            let task =
                format!("name = \"t\"\nproject = \"p\"\nlanguage = \"l\"\nsays = \"s\"\n[edit]\n{edit}");
            let task: Task = toml::from_str(&task).expect("it is a task");
            let hunk = Hunk { file: "a.py".to_owned(), first, last };
            assert_eq!(wrong_places(&task, &[hunk]).expect("lines can be read").len(), n_wrong);
        };
        check("a.py:5-9", 5, 9, 0);
        check("a.py:5-9", 10, 9, 0);
        check("a.py:5-9", 12, 12, 1);
        check("a.py:5-9", 9, 12, 1);
        check("b.py:5-9", 5, 5, 1);
    }
}
