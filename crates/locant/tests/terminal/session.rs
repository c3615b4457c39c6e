//! Sessions of a shell in a Markdown file: runs their commands and shows what they print now.
//!
//! A file may hold files (a block `file NAME`) and sessions (a block `console`): a line that starts with `$ ` is run by
//! the shell. The lines after it are the expected output: standard output, then standard error with `! ` before each
//! line, then `[CODE]` if the exit code is not 0.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compares a file with its fresh text and returns the differences, if there are any. With `UPDATE=1` in the
/// environment, writes the fresh text instead.
pub(crate) fn compare(file: &Path, fresh: impl Fn(&str) -> String) -> Option<String> {
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

/// The text with its sessions replaced by what `session` makes of their lines. Files in it are written into the
/// directory. `on_heading` is called at each `# ` heading.
pub(crate) fn replay(
    text: &str,
    directory: &Path,
    on_heading: impl Fn(),
    mut session: impl FnMut(&[&str]) -> String,
) -> String {
    let mut actual = String::new();
    let mut lines = text.lines();
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
            actual += &session(&block(&mut lines, fence));
            actual += &format!("{fence}\n");
        }
    }
    actual
}

/// The lines up to the end of the block.
fn block<'a>(lines: &mut impl Iterator<Item = &'a str>, fence: &str) -> Vec<&'a str> {
    lines.take_while(|line| *line != fence).collect()
}

/// The session with the output that each of its commands has now.
pub(crate) fn fresh(session: &[&str], mut output: impl FnMut(&str) -> String) -> String {
    commands(session).iter().map(|command| format!("$ {command}\n{}", output(command))).collect()
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

/// A shell in this directory, with the program that is tested, and without the language servers of this machine: no
/// answer may depend on them.
pub(crate) fn shell(command: &str, directory: &Path) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_locant")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", &command.replace("\n> ", "\n")]).current_dir(directory);
    shell.env("PATH", path).env("LOCANT_SERVER_PATH", "").env_remove("CLICOLOR_FORCE");
    shell
}

/// What a command prints, and how it ends.
pub(crate) fn output(shell: &mut Command, directory: &Path) -> String {
    let output = shell.output().unwrap();
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

/// The path of a folder of this test alone. The folder is made by `empty`.
pub(crate) fn own_folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("locant-{name}-{}", std::process::id()))
}

/// A fresh copy of the files in `examples/`, and a folder for what the program keeps. Both are removed with this value.
pub(crate) struct Playground {
    folder: PathBuf,
    pub(crate) play: PathBuf,
    pub(crate) kept: PathBuf,
}

pub(crate) fn copy_of_examples(name: &str) -> Playground {
    let folder = own_folder(name);
    let (play, kept) = (folder.join("play"), folder.join("kept"));
    empty(&folder);
    fs::create_dir(&play).unwrap();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            fs::copy(entry.path(), play.join(entry.file_name())).unwrap();
        }
    }
    Playground { folder, play, kept }
}

impl Playground {
    /// A shell in the copy, which keeps nothing elsewhere and knows nothing of the reader's settings.
    pub(crate) fn shell(&self, command: &str) -> Command {
        let mut shell = shell(command, &self.play);
        shell.env("XDG_CACHE_HOME", &self.kept).env("XDG_CONFIG_HOME", &self.kept);
        shell.env("GIT_CONFIG_GLOBAL", "/dev/null");
        // These values are fixed, so that commits have the same ids in each run.
        let reader =
            [("NAME", "A Reader"), ("EMAIL", "reader@example.org"), ("DATE", "2026-01-05T12:00:00+00:00")];
        for (name, value) in reader {
            shell.env(format!("GIT_AUTHOR_{name}"), value).env(format!("GIT_COMMITTER_{name}"), value);
        }
        shell
    }
}

impl Drop for Playground {
    fn drop(&mut self) {
        // What cannot be removed stays in the folder for temporary files, which does no harm.
        drop(fs::remove_dir_all(&self.folder));
    }
}

/// Makes the folder anew.
pub(crate) fn empty(directory: &Path) {
    if directory.exists() {
        fs::remove_dir_all(directory).unwrap();
    }
    fs::create_dir_all(directory).unwrap();
}
