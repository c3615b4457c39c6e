//! What people see in a terminal: runs the sessions in `tests/cases/*.md`.
//!
//! A case file holds files (a block `file NAME`) and sessions (a block `console`): a line that starts with `$ ` is run
//! by the shell in a directory with these files. The lines after it are the expected output: standard output, then
//! standard error with `! ` before each line, then `[CODE]` if the exit code is not 0. At each `#` heading the
//! directory is emptied. With `UPDATE=1` in the environment, the actual output replaces the expected output.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn sessions_show_what_they_say() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut files: Vec<PathBuf> = fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let wrong: Vec<String> = files.iter().filter_map(|file| check(file)).collect();
    assert!(wrong.is_empty(), "{}\nUPDATE=1 writes the new output into the cases", wrong.join("\n"));
}

/// The examples of the README and of other pages run in the root of the repository.
#[test]
fn the_pages_show_what_they_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for page in ["README.md", "docs/tree-wide.md"] {
        let wrong = compare(&root.join(page), |text| as_in_a_terminal(&replay_in(text, &root, || ())));
        assert!(wrong.is_none(), "{}\nUPDATE=1 writes the new output into {page}", wrong.unwrap_or_default());
    }
}

/// A session as people see it: without the marks for standard error and exit codes.
fn as_in_a_terminal(text: &str) -> String {
    let shown = text.lines().filter(|line| !matches!(*line, "[1]" | "[2]" | "[3]"));
    shown.map(|line| format!("{}\n", line.strip_prefix("! ").unwrap_or(line))).collect()
}

/// Runs a case file and returns the differences, if there are any.
fn check(file: &Path) -> Option<String> {
    compare(file, |text| replay(text, file))
}

/// Compares a file with its fresh text and returns the differences, if there are any. With `UPDATE=1`, writes the fresh
/// text instead.
fn compare(file: &Path, fresh: impl Fn(&str) -> String) -> Option<String> {
    let expected = fs::read_to_string(file).unwrap();
    let actual = fresh(&expected);
    if actual == expected {
        return None;
    }
    if std::env::var_os("UPDATE").is_some() {
        fs::write(file, actual).unwrap();
        return None;
    }
    let differs = expected.lines().zip(actual.lines()).enumerate().find(|(_, (old, new))| old != new);
    let (line, (old, new)) = differs.unwrap_or((0, ("(the end)", "(more or less output)")));
    Some(format!("{}:{}\n  expected: {old}\n  actual:   {new}", file.display(), line + 1))
}

/// The case file with the output that its sessions have now.
fn replay(cases: &str, file: &Path) -> String {
    let directory = std::env::temp_dir().join(format!(
        "locant-{}-{}",
        file.file_stem().unwrap().to_string_lossy(),
        std::process::id()
    ));
    let actual = replay_in(cases, &directory, || empty(&directory));
    fs::remove_dir_all(&directory).unwrap();
    actual
}

/// The file with the output that its sessions have now. `on_heading` is called at each `# ` heading: case files get an
/// empty directory there, the README does not.
fn replay_in(cases: &str, directory: &Path, on_heading: impl Fn()) -> String {
    let mut actual = String::new();
    let mut lines = cases.lines();
    while let Some(line) = lines.next() {
        actual += &format!("{line}\n");
        if line.starts_with("# ") {
            on_heading();
        } else if let Some(name) = line.strip_prefix("```file ") {
            let content: String = block(&mut lines, "```").iter().map(|line| format!("{line}\n")).collect();
            fs::create_dir_all(directory.join(name).parent().unwrap()).unwrap();
            fs::write(directory.join(name), &content).unwrap();
            actual += &format!("{content}```\n");
        } else if let Some(fence) = line.strip_suffix("console").filter(|fence| fence.starts_with("```")) {
            for command in commands(&block(&mut lines, fence)) {
                actual += &format!("$ {command}\n{}", output(command.as_str(), directory));
            }
            actual += &format!("{fence}\n");
        }
    }
    actual
}

/// The lines up to the end of the block.
fn block<'a>(lines: &mut impl Iterator<Item = &'a str>, fence: &str) -> Vec<&'a str> {
    lines.take_while(|line| *line != fence).collect()
}

/// The commands of a session. A line that starts with `> ` continues the command before it.
fn commands(session: &[&str]) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    for line in session {
        if let Some(command) = line.strip_prefix("$ ") {
            commands.push(command.to_owned());
        } else if let (Some(more), Some(command)) = (line.strip_prefix("> "), commands.last_mut()) {
            command.push_str("\n> ");
            command.push_str(more);
        }
    }
    commands
}

fn output(command: &str, directory: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_locant")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", &command.replace("\n> ", "\n")])
        .env("PATH", path)
        // No answer may depend on the language servers that are on this machine.
        .env("LOCANT_SERVER_PATH", "")
        .env_remove("CLICOLOR_FORCE")
        .current_dir(directory)
        .output()
        .unwrap();
    // Answers name the folder, which is different in each run.
    let named = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&*directory.to_string_lossy(), "$PWD");
    let stdout = named(&output.stdout);
    let mut shown = stdout.clone();
    if !stdout.is_empty() && !stdout.ends_with('\n') {
        shown += "(no line break)\n";
    }
    for line in named(&output.stderr).lines() {
        shown += &format!("! {line}\n");
    }
    if !output.status.success() {
        shown +=
            &format!("[{}]\n", output.status.code().map_or("signal".to_owned(), |code| code.to_string()));
    }
    shown
}

fn empty(directory: &Path) {
    if directory.exists() {
        fs::remove_dir_all(directory).unwrap();
    }
    fs::create_dir_all(directory).unwrap();
}
