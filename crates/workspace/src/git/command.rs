//! Starts git so that it runs no program of the repository, uses no network and leaves no files behind.
//!
//! A repository may come from anywhere, and its configuration can name programs to run: a file system monitor, hooks,
//! filters, diff tools, ways to connect to servers. Git runs most of these only when it looks at the working tree, so
//! it is asked only about its objects. The rest are turned off one by one.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::patience;
use crate::failure::{Failure, FailureKind as Kind};

/// Settings that could start a program, or write to the repository, each with a value that prevents it.
const SETTINGS: &[&str] = &[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.editor=false",
    "core.askPass=",
    "core.sshCommand=false",
    "core.gitProxy=",
    "core.alternateRefsCommand=false",
    "core.attributesFile=/dev/null",
    "core.splitIndex=false",
    "core.untrackedCache=false",
    "credential.helper=",
    "diff.external=",
    "diff.ignoreSubmodules=all",
    "diff.submodule=short",
    "submodule.recurse=false",
    "gpg.program=false",
    "log.showSignature=false",
    "color.ui=false",
    "color.diff=false",
    "protocol.allow=never",
    "maintenance.auto=false",
    "gc.auto=0",
    // Ignores a bare repository that is committed inside of the tree.
    "safe.bareRepository=explicit",
];

/// Variables that git is started with, whatever their values are in the caller's environment.
const ENVIRONMENT: &[(&str, &str)] = &[
    ("GIT_OPTIONAL_LOCKS", "0"),
    // This file does not exist. If git read a split index, it would change the modification time of the shared file.
    ("GIT_INDEX_FILE", "/nonexistent/index"),
    ("GIT_NO_LAZY_FETCH", "1"),
    // No protocol has this name, so none is allowed, whatever the configuration allows for a single protocol.
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_TERMINAL_PROMPT", "0"),
    // A revision is read as it was committed, without replacement objects.
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_LITERAL_PATHSPECS", "1"),
    // Messages of git are searched for English words.
    ("LC_ALL", "C"),
    ("LANGUAGE", "C"),
];

/// Variables for git that are passed on from the caller's environment, because they are about the user and not about a
/// particular repository.
const OF_THE_USER: &[&str] = &[
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_EXEC_PATH",
];

/// Prepares a git command in a folder. Characters of file names have no special meaning, because all pathspecs are
/// literal.
pub(super) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os() {
        let is_about_git = name.to_str().is_some_and(|name| name.starts_with("GIT_"));
        if is_about_git && !OF_THE_USER.iter().any(|kept| name == *kept) {
            command.env_remove(name);
        }
    }
    command.envs(ENVIRONMENT.iter().copied()).env_remove("SSH_ASKPASS");
    command.arg("-C").arg(folder).arg("--no-pager");
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    command.args(arguments).stdin(Stdio::null());
    command
}

pub(super) fn run(folder: &Path, arguments: &[&str]) -> Result<Output, Failure> {
    patience::output(command(folder, arguments))
}

/// The standard output of git, or why git failed.
pub(super) fn answer(folder: &Path, output: Output) -> Result<Vec<u8>, Failure> {
    if output.status.success() { Ok(output.stdout) } else { Err(refused(folder, &output)) }
}

pub(super) fn not_started(error: &std::io::Error) -> Failure {
    Failure::new(Kind::Io, format!("git could not be started: {error}"), "install git")
}

pub(super) fn refused(folder: &Path, output: &Output) -> Failure {
    let said = String::from_utf8_lossy(&output.stderr);
    let fatal = said.lines().find_map(|line| line.strip_prefix("fatal: "));
    let said = fatal.or_else(|| said.lines().next()).unwrap_or("git failed and did not say why");
    if said.contains("dubious ownership") {
        let hint = "if you trust it: git config --global --add safe.directory DIR";
        return Failure::new(Kind::Refused, "the repository belongs to another user", hint);
    }
    let hint = if is_partial(folder) {
        NOTHING_IS_FETCHED
    } else {
        "check the revision and the path: `git log -- FILE`"
    };
    Failure::new(Kind::Io, said, hint)
}

/// The failure for an object that is missing from a clone. `what` names the object, and `how` is the command that
/// fetches it.
pub(super) fn not_in_clone(folder: &Path, what: &str, how: &str) -> Failure {
    let message = format!("{what} is not in this clone");
    let hint = if is_partial(folder) {
        format!("it is a partial clone, and nothing is fetched here: {how} fetches it")
    } else {
        "the repository is damaged: `git fsck` says where".to_owned()
    };
    Failure::new(Kind::Io, message, hint)
}

const NOTHING_IS_FETCHED: &str =
    "it is a partial clone, and nothing is fetched here: `git fetch --refetch --no-filter` fetches all";

/// Whether the repository was cloned without some of its objects.
fn is_partial(folder: &Path) -> bool {
    let partial = r"^(extensions\.partialclone|remote\..*\.(promisor|partialclonefilter))$";
    let output = run(folder, &["config", "--get-regexp", partial]);
    output.is_ok_and(|output| output.status.success())
}

/// Puts what was tried in front of the failure's message.
pub(super) fn about(what: &str, failure: Failure) -> Failure {
    Failure { message: format!("{what}: {}", failure.message), ..failure }
}
