//! The tasks in `tests/agents/tasks`, and the lines of files that they name.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::root;

/// The folder with the tasks, the wrapper around toolsets, and what was recorded.
pub(super) fn home() -> PathBuf {
    root::root().join("tests/agents")
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Task {
    pub(super) name: String,
    /// The name and version of a package, without its owner.
    pub(super) project: String,
    #[serde(rename = "language")]
    _language: String,
    /// Whether all toolsets are tried with this task.
    #[serde(default)]
    pub(super) shared: bool,
    pub(super) says: String,
    /// The damage that is done to the project before the task.
    #[serde(default, rename = "break")]
    pub(super) breaks: Vec<Break>,
    pub(super) answer: Option<Truth>,
    pub(super) edit: Option<Edit>,
    /// The name of the file that contains the task.
    #[serde(skip)]
    pub(super) kind: String,
}

/// The right answer, as a set of places or words. `a|b` means that `a` and `b` are both right.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Truth {
    #[serde(default)]
    pub(super) places: Vec<String>,
    #[serde(default)]
    pub(super) words: Vec<String>,
}

/// What makes a change of files right.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Edit {
    /// One word must be replaced by another on all lines in `at`. On the lines in `may`, it may be replaced or stay.
    pub(super) rename: Option<(String, String)>,
    #[serde(default)]
    pub(super) at: Vec<String>,
    #[serde(default)]
    pub(super) may: Vec<String>,
    /// The lines that may change, if the task is not to rename something.
    #[serde(default)]
    pub(super) within: Vec<String>,
    #[serde(default)]
    pub(super) text: Vec<Text>,
    /// A command that must succeed in the changed project. The interpreter finds modules in `path` and in these
    /// `packages`.
    pub(super) run: Option<Vec<String>>,
    #[serde(default)]
    pub(super) packages: Vec<String>,
    pub(super) path: Option<String>,
}

/// The text `from` must be replaced by one of the texts in `to`. White space does not matter.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Text {
    pub(super) file: String,
    pub(super) from: String,
    pub(super) to: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Break {
    pub(super) file: String,
    pub(super) from: String,
    pub(super) to: String,
}

#[derive(Debug, Deserialize)]
struct File {
    task: Vec<Task>,
}

/// All tasks, by kind.
pub(super) fn all() -> Result<Vec<Task>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(home().join("tasks"))?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<PathBuf>>>()?;
    paths.sort();
    let mut tasks = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
        let file: File = toml::from_str(&text).with_context(|| format!("{} is wrong", path.display()))?;
        let kind = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        tasks.extend(file.task.into_iter().map(|task| Task { kind: kind.clone(), ..task }));
    }
    Ok(tasks)
}

/// Lines of a file, both ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lines {
    pub(super) file: String,
    pub(super) first: usize,
    pub(super) last: usize,
}

/// Reads `FILE:3,5-7` as line 3 and lines 5 to 7. `|` has the same meaning as the comma.
pub(super) fn lines(text: &str) -> Result<Vec<Lines>> {
    let (file, numbers) =
        text.trim().rsplit_once(':').with_context(|| format!("{text} names no line of a file"))?;
    let file = file.trim_start_matches("./");
    numbers
        .split([',', '|'])
        .map(|part| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let number = |text: &str| text.trim().parse().with_context(|| format!("{text} is no line"));
            let lines = Lines { file: file.to_owned(), first: number(first)?, last: number(last)? };
            ensure!(0 < lines.first && lines.first <= lines.last, "{text} names no line");
            Ok(lines)
        })
        .collect()
}

/// The lines of several such texts.
pub(super) fn lines_of(texts: &[String]) -> Result<Vec<Lines>> {
    Ok(texts.iter().map(|text| lines(text)).collect::<Result<Vec<_>>>()?.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forty_tasks_have_names_of_their_own_and_twelve_are_for_all_toolsets() {
        let tasks = all().expect("they can be read");
        let mut names: Vec<&str> = tasks.iter().map(|task| task.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 40);
        assert_eq!(tasks.iter().filter(|task| task.shared).count(), 12);
    }

    #[test]
    fn every_task_says_what_is_right() {
        for task in all().expect("they can be read") {
            let Task { name, answer, edit, .. } = &task;
            assert!(answer.is_some() != edit.is_some(), "{name} wants either an answer or an edit");
            if let Some(truth) = answer {
                assert!(truth.places.is_empty() != truth.words.is_empty(), "{name}");
                truth.places.iter().for_each(|place| drop(lines(place).expect("it names lines")));
            }
            if let Some(edit) = edit {
                let n_ways =
                    [edit.rename.is_some(), !edit.text.is_empty(), edit.run.is_some()].map(usize::from);
                assert_eq!(n_ways.iter().sum::<usize>(), 1, "{name} is checked in one way");
                assert_eq!(edit.rename.is_some(), edit.within.is_empty(), "{name} says where it may change");
                lines_of(&[&edit.at[..], &edit.may, &edit.within].concat()).expect("they name lines");
            }
        }
    }

    #[test]
    fn lines_are_read() {
        let three = |first, last| Lines { file: "a/b.py".to_owned(), first, last };
        assert_eq!(lines("./a/b.py:3,5-7").expect("they are lines"), [three(3, 3), three(5, 7)]);
        assert!(lines("a/b.py").is_err());
        assert!(lines("a/b.py:x").is_err());
        assert!(lines("a/b.py:0").is_err());
    }
}
