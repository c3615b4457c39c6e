//! The cases in `tests/servers/NAME.md`: what each server is asked, and what locant answers.
//!
//! The line `Project: NAME` says which folder of `tests/servers/projects` is asked about; a copy of the folder is used.
//! In a block `ask`, each line that starts with `$ ` is a question: the command, a location, and more fields of the
//! request as JSON. The lines after it are the answer. At each heading, the project gets its original files again. The
//! server goes on running, so it must notice this. With `UPDATE=1` in the environment, the actual answers replace the
//! expected ones.
//!
//! Some questions are not for the server: `cat FILE` shows a file, `write FILE` replaces `old` by `new` in it, `apply`
//! makes the change of the last preview, and `undo` takes it back.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::session::Session;
use super::shown::{DOUBT, shown};
use crate::root;

/// The result of a case file.
pub(crate) struct Tried {
    pub(crate) n_questions: usize,
    /// The first line that differs, if any.
    pub(crate) wrong: Option<String>,
}

/// A case file that is run.
struct Run<'r> {
    session: Session,
    folder: &'r Path,
    project: PathBuf,
    server: &'r str,
    /// The id of the last preview.
    preview: Value,
    /// The id of the last change that was made.
    made: Value,
    n_questions: usize,
}

/// The file with the cases of a server.
pub(crate) fn file(server: &str) -> PathBuf {
    root::root().join("tests/servers").join(format!("{server}.md"))
}

/// Asks all questions of a case file. `home` is an empty folder.
pub(crate) fn try_server(locant: &Path, server: &str, home: &Path) -> Result<Tried> {
    let path = file(server);
    let expected = fs::read_to_string(&path).with_context(|| format!("no cases: {}", path.display()))?;
    let project = expected.lines().find_map(|line| line.strip_prefix("Project: "));
    let project = project.with_context(|| format!("{} names no project", path.display()))?;
    let project = root::root().join("tests/servers/projects").join(project);
    let folder = home.join("project");
    restore(&project, &folder)?;
    let session = Session::start(locant, &folder, &home.join("settings"), server)?;
    let folder = folder.as_path();
    let mut run =
        Run { session, folder, project, server, preview: Value::Null, made: Value::Null, n_questions: 0 };
    let actual = run.replay(&expected)?;
    // How long a server reads the project depends on the machine. So an answer may be in doubt on one machine and
    // complete on another.
    let (sure_of, wanted) = (sure(&actual), sure(&expected));
    let wrong = (sure_of != wanted).then(|| difference(&wanted, &sure_of, &path));
    if actual != expected && std::env::var_os("UPDATE").is_some() {
        fs::write(&path, actual)?;
        return Ok(Tried { n_questions: run.n_questions, wrong: None });
    }
    Ok(Tried { n_questions: run.n_questions, wrong })
}

/// The text of a case file without the lines that put an answer in doubt.
fn sure(cases: &str) -> String {
    cases.lines().filter(|line| *line != DOUBT).map(|line| format!("{line}\n")).collect()
}

fn difference(expected: &str, actual: &str, path: &Path) -> String {
    let (mut old, mut new) = (expected.lines(), actual.lines());
    for number in 1.. {
        let (old, new) = (old.next(), new.next());
        if old == new && old.is_some() {
            continue;
        }
        let (old, new) = (old.unwrap_or("(the end)"), new.unwrap_or("(the end)"));
        // The number does not count lines of doubt.
        return format!("{}, about line {number}\n  expected: {old}\n  actual:   {new}", path.display());
    }
    unreachable!("the texts differ")
}

impl Run<'_> {
    /// The case file with the current answers.
    fn replay(&mut self, cases: &str) -> Result<String> {
        let mut actual = String::new();
        let mut is_block = false;
        for line in cases.lines() {
            match line {
                "```ask" => is_block = true,
                "```" => is_block = false,
                _ if line.starts_with("## ") => restore(&self.project, self.folder)?,
                _ if is_block && !line.starts_with("$ ") => continue,
                _ => {}
            }
            actual += &format!("{line}\n");
            if let (true, Some(question)) = (is_block, line.strip_prefix("$ ")) {
                let said = self.answer(question).with_context(|| format!("{}: {question}", self.server))?;
                let id = self.preview.as_str().filter(|id| !id.is_empty());
                actual += &id.map_or(said.clone(), |id| said.replace(id, "ID"));
            }
        }
        Ok(actual)
    }

    fn answer(&mut self, question: &str) -> Result<String> {
        self.n_questions += 1;
        let (op, rest) = question.split_once(' ').unwrap_or((question, ""));
        let (location, fields) = match rest.find("{\"") {
            Some(at) => (
                rest[..at].trim_end_matches(' '),
                serde_json::from_str(&rest[at..]).context("the fields are no JSON")?,
            ),
            None => (rest, json!({})),
        };
        match op {
            "cat" => {
                let path = self.folder.join(location);
                let text =
                    if path.exists() { fs::read_to_string(path)? } else { "(no such file)".to_owned() };
                Ok(if text.ends_with('\n') { text } else { text + "\n" })
            }
            "write" => self.write(location, &fields),
            "apply" => self.ask(op, &mut with(fields, "preview", self.preview.clone())),
            "undo" => self.ask(op, &mut with(fields, "preview", self.made.clone())),
            _ => self.ask(op, &mut with(fields, "locate", Value::String(location.to_owned()))),
        }
    }

    fn ask(&mut self, op: &str, fields: &mut Value) -> Result<String> {
        let answer = self.session.ask(op, fields)?;
        if let Some(id) = answer.get("id") {
            self.preview = id.clone();
        }
        if let Some(id) = answer.get("undo") {
            self.made = id.clone();
        }
        if let Some(who) = answer["server"].as_str() {
            ensure!(who.starts_with(self.server), "{who} has answered");
        }
        // The paths are replaced before long lines are cut. So the length of a path does not matter.
        let installed = root::work().join("servers");
        let answer = answer.to_string().replace(&*self.folder.to_string_lossy(), "$PROJECT");
        let answer = answer.replace(&*installed.to_string_lossy(), "$SERVERS");
        Ok(shown(&serde_json::from_str(&answer).context("an answer is JSON")?))
    }

    fn write(&self, file: &str, fields: &Value) -> Result<String> {
        let path = self.folder.join(file);
        let text = fs::read_to_string(&path)?;
        let (Some(old), Some(new)) = (fields["old"].as_str(), fields["new"].as_str()) else {
            bail!("`old` and `new` are missing")
        };
        ensure!(text.contains(old), "{file} has no {old}");
        fs::write(path, text.replace(old, new))?;
        Ok(String::new())
    }
}

fn with(mut fields: Value, name: &str, value: Value) -> Value {
    fields[name] = value;
    fields
}

/// Makes a folder equal to another one. Files that are already equal are not written.
pub(super) fn restore(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("no project {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            restore(&entry.path(), &target)?;
            continue;
        }
        let bytes = fs::read(entry.path())?;
        if fs::read(&target).ok().as_deref() != Some(bytes.as_slice()) {
            fs::write(target, bytes)?;
        }
    }
    Ok(())
}
