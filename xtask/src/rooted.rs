//! `cargo xtask rooted`: what only root can set up. A disk that becomes read-only while files are changed, and several
//! users with a daemon each.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::children::{cargo, output, run as run_child, target_directory};

/// How many files are changed at once.
const N_FILES: usize = 60;

/// The size of the disk.
const DISK_KIB: u64 = 2048;

/// The users. They need no names.
const USERS: [u32; 2] = [61_001, 61_002];

const OLD: &str = "Order";
const NEW: &str = "Purchase";

/// What was tried, or why nothing could be.
pub(crate) enum Tried {
    Done(String),
    NotRun(String),
}

/// Tries all, and says what was done. `--program=PATH` tries another build of locant. It is a failure if it cannot run.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let given = arguments.iter().find_map(|argument| argument.strip_prefix("--program="));
    match try_all(given.map(Path::new))? {
        Tried::Done(what) => println!("{what}"),
        Tried::NotRun(why) => bail!("not run: {why}"),
    }
    Ok(())
}

/// Tries all, if this machine allows it.
pub(crate) fn try_all(program: Option<&Path>) -> Result<Tried> {
    if !cfg!(target_os = "linux") || output(Command::new("id").arg("-u"))?.trim() != "0" {
        return Ok(Tried::NotRun("read-only disks and other users need root on Linux".to_owned()));
    }
    let built = match program {
        Some(program) => program.to_owned(),
        None => {
            run_child(&mut cargo(&["build", "--quiet", "-p", "locant"]))?;
            target_directory()?.join("debug").join("locant")
        }
    };
    let folder = Folder::new()?;
    let locant = folder.0.join("bin/locant");
    fs::create_dir_all(folder.0.join("bin"))?;
    fs::copy(&built, &locant)?;
    let disk = match Disk::mount(&folder.0.join("disk")) {
        Ok(disk) => disk,
        Err(why) => return Ok(Tried::NotRun(format!("no disk can be mounted: {why:#}"))),
    };
    let project = Project { locant: &locant, disk: &disk, cache: folder.0.join("cache") };
    let read_only = project.on_read_only_disks()?;
    users(&folder.0, &locant)?;
    Ok(Tried::Done(format!("{read_only}\nusers do not reach the daemons of others")))
}

/// A folder for all of this, removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder> {
        let path = std::env::temp_dir().join(format!("locant-rooted-{}", std::process::id()));
        fs::create_dir_all(&path)?;
        fs::set_permissions(&path, PermissionsExt::from_mode(0o755))?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A small disk in memory. It is unmounted when this is dropped.
struct Disk(PathBuf);

impl Disk {
    fn mount(path: &Path) -> Result<Disk> {
        fs::create_dir_all(path)?;
        let size = format!("size={DISK_KIB}k");
        output(Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(path))?;
        Ok(Disk(path.to_owned()))
    }

    /// Whether the disk could be made read-only or writable. It cannot become read-only while a file is being written.
    fn set_read_only(&self, is_read_only: bool) -> bool {
        let option = if is_read_only { "remount,ro" } else { "remount,rw" };
        let done = Command::new("mount").args(["-o", option]).arg(&self.0).stderr(Stdio::null()).status();
        done.is_ok_and(|status| status.success())
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

/// A project on a disk, in which one name is used in all files.
struct Project<'p> {
    locant: &'p Path,
    disk: &'p Disk,
    cache: PathBuf,
}

impl Project<'_> {
    fn file(&self, n: usize) -> PathBuf {
        self.disk.0.join(format!("project/n{n}.proto"))
    }

    fn restore(&self) -> Result<()> {
        fs::create_dir_all(self.disk.0.join("project"))?;
        for n in 0..N_FILES {
            if fs::read_to_string(self.file(n)).ok() != Some(text(n, OLD)) {
                fs::write(self.file(n), text(n, OLD))?;
            }
        }
        Ok(())
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.locant);
        command.args(arguments).current_dir(self.disk.0.join("project"));
        command.env("XDG_CACHE_HOME", &self.cache).env("XDG_STATE_HOME", &self.cache);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The id of a preview that renames the name in all files.
    fn preview(&self) -> Result<String> {
        self.restore()?;
        let said = output(&mut self.command(&["rename", "n0.proto:Order", NEW]))?;
        let last = said.lines().last().and_then(|line| line.strip_prefix("locant apply "));
        Ok(last.with_context(|| format!("no preview: {said}"))?.to_owned())
    }

    /// Whether all files have the new text; an error if some files are neither old nor new, or of both kinds.
    fn is_new(&self) -> Result<bool> {
        let all =
            |name: &str| (0..N_FILES).all(|n| fs::read_to_string(self.file(n)).ok() == Some(text(n, name)));
        ensure!(all(OLD) || all(NEW), "some files are old and some new, or neither");
        let names = fs::read_dir(self.disk.0.join("project"))?.flatten().map(|entry| entry.file_name());
        let strays: Vec<_> = names.filter(|name| !name.to_string_lossy().ends_with(".proto")).collect();
        ensure!(strays.is_empty(), "files were left behind: {strays:?}");
        Ok(all(NEW))
    }

    /// Makes the disk read-only at different moments of a change.
    fn on_read_only_disks(&self) -> Result<String> {
        let (mut n_old, mut n_new) = (0, 0);
        for round in 0..40 {
            let id = self.preview()?;
            let mut child = self.command(&["apply", &id]).spawn()?;
            sleep(Duration::from_millis(round * 2));
            let mut is_read_only = false;
            while !is_read_only && child.try_wait()?.is_none() {
                is_read_only = self.disk.set_read_only(true);
            }
            let is_said = child.wait()?.success();
            ensure!(!is_read_only || self.disk.set_read_only(false), "the disk stays read-only");
            run_child(&mut self.command(&["locate", "n0.proto:1"]))?;
            let is_new = self.is_new().with_context(|| format!("round {round}"))?;
            ensure!(is_new || !is_said, "round {round}: it said that it was done");
            *if is_new { &mut n_new } else { &mut n_old } += usize::from(is_read_only);
        }
        ensure!(n_old > 0, "no change was disturbed");
        Ok(format!("on a disk that became read-only: {n_old} changes left the files old and {n_new} new"))
    }
}

fn text(n: usize, name: &str) -> String {
    match n {
        0 => format!("syntax = \"proto3\";\nmessage {name} {{ string text = 1; }}\n"),
        _ => format!(
            "syntax = \"proto3\";\nimport \"n0.proto\";\nmessage M{n} {{ {name} a = 1; {name} b = 2; }}\n"
        ),
    }
}

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).trim().to_owned()
}

/// A user with a home of their own.
struct User<'u> {
    id: u32,
    home: PathBuf,
    locant: &'u Path,
}

impl User<'_> {
    fn new<'u>(folder: &Path, locant: &'u Path, id: u32) -> Result<User<'u>> {
        let home = folder.join(format!("user-{id}"));
        for path in [home.clone(), home.join("run"), home.join("project"), home.join("shared")] {
            fs::create_dir_all(&path)?;
            chown(&path, Some(id), Some(id))?;
        }
        fs::set_permissions(home.join("run"), PermissionsExt::from_mode(0o700))?;
        fs::set_permissions(home.join("shared"), PermissionsExt::from_mode(0o777))?;
        let text = "syntax = \"proto3\";\nmessage Money {}\nmessage Use { Money a = 1; }\n";
        fs::write(home.join("project/p.proto"), text)?;
        Ok(User { id, home, locant })
    }

    /// What a command of this user answers, with sockets in this folder.
    fn ask(&self, run: &Path, arguments: &[&str]) -> Result<Value> {
        let mut command = Command::new(self.locant);
        command.args(arguments).arg("--json").current_dir(self.home.join("project"));
        command.env_clear().env("HOME", &self.home).env("XDG_RUNTIME_DIR", run);
        command.env("LOCANT_SERVER_PATH", self.locant.parent().unwrap_or(Path::new("/")));
        let said = command.uid(self.id).gid(self.id).stdin(Stdio::null()).output()?;
        ensure!(said.status.success(), "user {}, {arguments:?}: {}", self.id, complaint(&said));
        serde_json::from_slice(&said.stdout).context("the answer is JSON")
    }

    /// Asks a language server. Fails if the answer is not right.
    fn defines(&self, run: &Path) -> Result<()> {
        let answer = self.ask(run, &["definition", "p.proto:Use@<|>Money", "--server", "locant-lsp"])?;
        let line = &answer["items"][0]["position"]["line"];
        ensure!(*line == 2, "user {}: {answer}", self.id);
        Ok(())
    }

    /// The id of the process of the daemon, if there is one, which must belong to the user.
    fn daemon(&self, run: &Path) -> Result<Option<u64>> {
        let Some(id) = self.ask(run, &["daemon", "status"])?["process_id"].as_u64() else { return Ok(None) };
        let owner = fs::metadata(format!("/proc/{id}"))?.uid();
        ensure!(owner == self.id, "user {} has a daemon of user {owner}", self.id);
        Ok(Some(id))
    }
}

/// Two users, one of which has the other one's folder for sockets in the environment, as after `su`.
fn users(folder: &Path, locant: &Path) -> Result<()> {
    let [first, second] = [User::new(folder, locant, USERS[0])?, User::new(folder, locant, USERS[1])?];
    let run = first.home.join("run");
    first.defines(&run)?;
    let held = first.daemon(&run)?.context("the first user has no daemon")?;
    second.defines(&run)?;
    let other = second.daemon(&run)?.context("the second user has no daemon")?;
    ensure!(held != other, "two users share a daemon");
    second.ask(&run, &["daemon", "stop"])?;
    ensure!(first.daemon(&run)? == Some(held), "one user has stopped the daemon of another");
    root_is_turned_away(&run)?;
    first.defines(&run)?;
    first.ask(&run, &["daemon", "stop"])?;
    // Someone else was first to make the folder where the first user's sockets are to be.
    let shared = first.home.join("shared");
    let theirs = shared.join("locant");
    fs::create_dir(&theirs)?;
    chown(&theirs, Some(second.id), Some(second.id))?;
    first.defines(&shared)?;
    ensure!(first.daemon(&shared)?.is_none(), "a daemon serves in a folder of somebody else");
    Ok(())
}

/// The permissions of a socket keep root from nothing, so the daemon itself must refuse to answer.
fn root_is_turned_away(run: &Path) -> Result<()> {
    let place = fs::read_dir(run.join("locant"))?.flatten().next().context("the daemon has a folder")?.path();
    let mut stream = UnixStream::connect(place.join("socket"))?;
    let call = "{\"build\":\"other\",\"wish\":\"Stop\"}";
    // It may be closed before anything is written.
    let _ = write!(stream, "Content-Length: {}\r\n\r\n{call}", call.len());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    ensure!(answer.is_empty(), "root had an answer: {}", String::from_utf8_lossy(&answer));
    let log = fs::read_to_string(place.join("log"))?;
    ensure!(log.contains("another user was turned away"), "nothing was noted: {log}");
    Ok(())
}
