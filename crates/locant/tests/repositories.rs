//! Repositories of other people: whatever programs their settings name, none of them runs, the network is not used, and
//! nothing in them is changed.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::SystemTime;

/// A folder with a program that leaves a mark when it runs.
struct Trap {
    folder: PathBuf,
}

impl Trap {
    fn new(name: &str) -> Trap {
        let folder = std::env::temp_dir().join(format!("locant-repositories-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let trap = Trap { folder };
        trap.set(&trap.program());
        trap
    }

    /// The program. It writes its command line to a file when it runs.
    fn program(&self) -> PathBuf {
        self.folder.join("trap")
    }

    fn set(&self, path: &Path) {
        let mark = self.folder.join("ran");
        let script = format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\ncat 2>/dev/null\nexit 1\n", mark.display());
        fs::write(path, script).unwrap();
        fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
    }

    /// The command lines of the programs that ran since the last call.
    fn ran(&self) -> String {
        let mark = self.folder.join("ran");
        let ran = fs::read_to_string(&mark).unwrap_or_default();
        let _ = fs::remove_file(mark);
        ran
    }

    fn git(&self, folder: &str, arguments: &[&str]) {
        let mut command = Command::new("git");
        command.arg("-C").arg(self.folder.join(folder)).args(arguments);
        let output = owned(&mut command).output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn locant(&self, folder: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_locant"));
        command.args(arguments).current_dir(self.folder.join(folder));
        owned(&mut command).env("XDG_CACHE_HOME", self.folder.join("cache")).output().unwrap()
    }
}

impl Drop for Trap {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The command with a fixed author, and without the settings of the user and the machine.
fn owned(command: &mut Command) -> &mut Command {
    let names = ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"];
    command.envs(names.map(|name| (name, "a@b"))).env("GIT_CONFIG_NOSYSTEM", "1");
    command.env("GIT_CONFIG_GLOBAL", "/dev/null")
}

/// All files below a folder, with their contents and times.
type Snapshot = BTreeMap<PathBuf, (Vec<u8>, SystemTime)>;

/// The paths that have changed since a snapshot.
fn changes(before: &Snapshot, folder: &Path) -> Vec<PathBuf> {
    let after = snapshot(folder);
    let paths = before.keys().chain(after.keys());
    paths.filter(|path| before.get(*path) != after.get(*path)).cloned().collect()
}

fn snapshot(folder: &Path) -> Snapshot {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let time = fs::symlink_metadata(&entry).unwrap().modified().unwrap();
            if entry.is_dir() {
                files.insert(entry.clone(), (Vec::new(), time));
                folders.push(entry);
            } else {
                files.insert(entry.clone(), (fs::read(&entry).unwrap(), time));
            }
        }
    }
    files
}

/// The settings that name a program, or make git start one.
const PROGRAMS: &[&str] = &[
    "core.fsmonitor",
    "core.sshCommand",
    "core.gitProxy",
    "core.pager",
    "core.editor",
    "core.askPass",
    "core.alternateRefsCommand",
    "sequence.editor",
    "credential.helper",
    "diff.external",
    "diff.trap.command",
    "diff.trap.textconv",
    "filter.trap.clean",
    "filter.trap.smudge",
    "filter.trap.process",
    "merge.trap.driver",
    "gpg.program",
    "gpg.ssh.program",
    "gpg.x509.program",
    "gpg.ssh.defaultKeyCommand",
    "pager.log",
    "pager.diff-tree",
    "pager.cat-file",
    "pager.ls-files",
    "pager.rev-parse",
    "interactive.diffFilter",
    "uploadpack.packObjectsHook",
    "remote.origin.uploadpack",
    "remote.origin.receivepack",
    "difftool.trap.cmd",
    "mergetool.trap.cmd",
    "trailer.trap.command",
    "tar.trap.command",
    "guitool.trap.cmd",
    "sendemail.smtpServer",
    "browser.trap.cmd",
    "man.trap.cmd",
    "help.browser",
];

const HOOKS: &[&str] = &[
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-rewrite",
    "pre-auto-gc",
    "pre-commit",
    "pre-push",
    "pre-rebase",
    "query-fsmonitor",
    "reference-transaction",
    "sendemail-validate",
    "update",
];

/// Questions that read the history in all ways: about a file that keeps its name, was renamed, is renamed on disk, or
/// is gone.
const QUESTIONS: &[&[&str]] = &[
    &["locate", "a.py:load", "--from", "HEAD~2"],
    &["track", "a.py:load", "--from", "HEAD~2"],
    &["track", "old.py:keep", "--from", "HEAD~2"],
    &["track", "new.py:keep", "--from", "HEAD~2"],
    &["locate", "index.py:index", "--from", "HEAD"],
    &["track", "moved.py:move", "--from", "HEAD"],
    &["track", "here.py:move", "--from", "HEAD"],
    &["locate", "gone.py:gone", "--from", "HEAD"],
    &["locate", "a.py:load", "--from", "HEAD@{1}"],
    &["locate", "a.py:load", "--from", "nowhere"],
    &["track", "sub/s.py:sub", "--from", "HEAD"],
    &["outline", "."],
    &["rename", "a.proto:Order", "Purchase"],
];

/// Makes a repository with a history. One file is renamed in the index, another only on disk, and `sub` is a repository
/// of its own.
fn history(trap: &Trap) {
    let write = |name: &str, text: &str| fs::write(trap.folder.join("g").join(name), text).unwrap();
    let define = |name: &str| format!("import os\n\n\ndef {name}(path):\n    return os.path.join(path)\n");
    fs::create_dir_all(trap.folder.join("g/sub")).unwrap();
    trap.git("g", &["init", "-q", "-b", "main"]);
    write(".gitattributes", "* filter=trap diff=trap merge=trap text\n");
    for (file, name) in
        [("a", "load"), ("old", "keep"), ("staged", "index"), ("moved", "move"), ("gone", "gone")]
    {
        write(&format!("{file}.py"), &define(name));
    }
    write("a.proto", "syntax = \"proto3\";\nmessage Order {}\n");
    trap.git("g/sub", &["init", "-q", "-b", "main"]);
    write("sub/s.py", &define("sub"));
    trap.git("g/sub", &["add", "-A"]);
    trap.git("g/sub", &["commit", "-q", "-m", "Sub"]);
    trap.git("g", &["-c", "advice.addEmbeddedRepo=false", "add", "-A"]);
    trap.git("g", &["commit", "-q", "-m", "First"]);
    trap.git("g", &["mv", "old.py", "new.py"]);
    trap.git("g", &["commit", "-q", "-m", "Second"]);
    write("a.py", &format!("import sys\n{}", define("load")));
    trap.git("g", &["commit", "-q", "-a", "-m", "Third"]);
    trap.git("g", &["mv", "staged.py", "index.py"]);
    fs::rename(trap.folder.join("g/moved.py"), trap.folder.join("g/here.py")).unwrap();
    fs::remove_file(trap.folder.join("g/gone.py")).unwrap();
}

/// Names the program in all settings of a repository, and as all hooks.
fn arm(trap: &Trap, folder: &str) {
    let program = trap.program().display().to_string();
    for name in PROGRAMS {
        trap.git(folder, &["config", name, &program]);
    }
    for (name, value) in
        [("log.showSignature", "true"), ("core.untrackedCache", "true"), ("core.splitIndex", "true")]
    {
        trap.git(folder, &["config", name, value]);
    }
    trap.git(folder, &["config", "color.ui", "always"]);
    for hook in HOOKS {
        trap.set(&trap.folder.join(folder).join(".git/hooks").join(hook));
    }
}

#[test]
fn none_of_a_repositorys_programs_runs_and_nothing_in_it_changes() {
    let trap = Trap::new("programs");
    history(&trap);
    let plain: Vec<Vec<u8>> = QUESTIONS.iter().map(|question| trap.locant("g", question).stdout).collect();
    arm(&trap, "g");
    arm(&trap, "g/sub");
    // Checks that the trap works: a plain `git status` runs the program.
    let mut status = Command::new("git");
    let _ = owned(status.arg("-C").arg(trap.folder.join("g")).arg("status")).output();
    assert_ne!(trap.ran(), "", "a plain status runs nothing, so this test shows nothing");
    let before = snapshot(&trap.folder.join("g"));
    for (question, plain) in QUESTIONS.iter().zip(plain) {
        let output = trap.locant("g", question);
        assert_eq!(trap.ran(), "", "{question:?} ran a program");
        assert_eq!(String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&plain), "{question:?}");
        assert_eq!(changes(&before, &trap.folder.join("g")), Vec::<PathBuf>::new(), "{question:?}");
    }
}

#[test]
fn what_the_caller_tells_git_is_not_told_to_ours() {
    let trap = Trap::new("environment");
    history(&trap);
    let program = trap.program();
    let asked = |names: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_locant"));
        command.args(["track", "new.py:keep", "--from", "HEAD~2"]).current_dir(trap.folder.join("g"));
        let output = owned(&mut command).envs(names.iter().copied()).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let plain = asked(&[]);
    assert!(plain.contains("unchanged"), "{plain}");
    let program = program.to_str().unwrap();
    for name in ["GIT_EXTERNAL_DIFF", "GIT_SSH_COMMAND", "GIT_SSH", "GIT_PAGER", "GIT_EDITOR", "GIT_ASKPASS"]
    {
        assert_eq!(asked(&[(name, program)]), plain, "{name}");
    }
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE"] {
        assert_eq!(asked(&[(name, "/nowhere")]), plain, "{name}");
    }
    let trace = trap.folder.join("trace");
    assert_eq!(asked(&[("GIT_TRACE", trace.to_str().unwrap())]), plain);
    assert!(!trace.exists(), "a trace was written");
    let counted =
        [("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", "core.fsmonitor"), ("GIT_CONFIG_VALUE_0", program)];
    assert_eq!(asked(&counted), plain);
    assert_eq!(trap.ran(), "");
}

#[test]
fn a_partial_clone_says_what_it_lacks_and_asks_nobody() {
    let trap = Trap::new("partial");
    history(&trap);
    trap.git("g", &["checkout", "-q", "-f", "main"]);
    trap.git("g", &["config", "uploadpack.allowFilter", "true"]);
    let origin = format!("file://{}", trap.folder.join("g").display());
    for (name, filter) in [("blobs", "--filter=blob:none"), ("trees", "--filter=tree:0")] {
        trap.git(".", &["clone", "-q", filter, &origin, name]);
        let url = format!("ssh://nobody@nowhere.invalid/{name}");
        trap.git(name, &["config", "remote.origin.url", &url]);
        trap.git(name, &["config", "protocol.ssh.allow", "always"]);
        trap.git(name, &["config", "protocol.allow", "always"]);
        let program = trap.program().display().to_string();
        trap.git(name, &["config", "core.sshCommand", &program]);
        trap.git(name, &["config", "core.fsmonitor", &program]);
        let before = snapshot(&trap.folder.join(name));
        for question in [
            ["locate", "a.py:load"],
            ["track", "a.py:load"],
            ["track", "new.py:keep"],
            ["track", "old.py:keep"],
        ] {
            let output = trap.locant(name, &[&question[..], &["--from", "HEAD~2"]].concat());
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(trap.ran(), "", "{name}: {question:?}");
            assert!(!said.contains("there was no file"), "{name}: {question:?}: {said}");
            assert!(
                output.status.success() || said.contains("partial clone"),
                "{name}: {question:?}: {said}"
            );
            assert_eq!(
                changes(&before, &trap.folder.join(name)),
                Vec::<PathBuf>::new(),
                "{name}: {question:?}"
            );
        }
        // What the clone has is still found.
        let here = trap.locant(name, &["locate", "a.py:load", "--from", "HEAD"]);
        assert!(here.status.success(), "{name}: {}", String::from_utf8_lossy(&here.stderr));
    }
    let missing = trap.locant("blobs", &["locate", "a.py:load", "--from", "HEAD~2"]);
    let said = String::from_utf8_lossy(&missing.stderr);
    assert!(said.contains("is not in this clone") && said.contains("fetches it"), "{said}");
    assert_eq!(missing.status.code(), Some(3));
}

/// If git waits for a pipe that nobody writes to, it is killed, and the answer says so.
#[test]
fn a_pipe_in_a_repository_stops_nothing() {
    for pipe in [".git/HEAD", ".git/config", ".git/included", ".git/packed-refs"] {
        let trap = Trap::new("pipe");
        fs::create_dir(trap.folder.join("here")).unwrap();
        trap.git("here", &["init", "-q"]);
        fs::write(trap.folder.join("here/a.py"), "x = 1\n").unwrap();
        trap.git("here", &["add", "a.py"]);
        trap.git("here", &["commit", "-qm", "a"]);
        trap.git("here", &["config", "include.path", "included"]);
        let path = trap.folder.join("here").join(pipe);
        let _ = fs::remove_file(&path);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        for arguments in [&["locate", "a.py@x", "--from", "HEAD"][..], &["track", "a.py@x", "--from", "HEAD"]]
        {
            let mut command = Command::new(env!("CARGO_BIN_EXE_locant"));
            command.args(arguments).current_dir(trap.folder.join("here")).env("LOCANT_GIT_SECONDS", "1");
            let output =
                owned(&mut command).env("XDG_CACHE_HOME", trap.folder.join("cache")).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            // Some questions make git read other files than the pipe, and with some pipes git finds no repository.
            let is_told =
                said.contains("git said nothing for 1 s and was ended") || said.contains("not a git");
            assert!(is_told || output.status.success(), "{pipe}: {said}");
            if pipe == ".git/config" {
                assert!(said.contains("LOCANT_GIT_SECONDS"), "{said}");
            }
        }
    }
}
