//! Real processes that apply changes: killed, started ten at once, or disturbed by an editor that saves files.
//!
//! The moments are drawn at random, and the assertions hold at every moment. `cargo xtask kill-applies N` runs many
//! rounds.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// How many rounds of each kind are run.
fn n_rounds() -> u64 {
    std::env::var("LOCANT_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(20)
}

const N_FILES: usize = 100;

/// A project of many files in which one name is used everywhere.
struct Project {
    folder: PathBuf,
}

impl Project {
    fn new(name: &str) -> Project {
        let folder = std::env::temp_dir().join(format!("locant-interrupted-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let project = Project { folder };
        (0..N_FILES).for_each(|n| fs::create_dir_all(project.file(n).parent().unwrap()).unwrap());
        project.restore();
        project
    }

    fn root(&self) -> PathBuf {
        self.folder.join("root")
    }

    fn file(&self, n: usize) -> PathBuf {
        self.root().join(format!("f{}/n{n}.proto", n % 7))
    }

    /// Gives all files their first texts again.
    fn restore(&self) {
        for n in 0..N_FILES {
            if fs::read(self.file(n)).ok() != Some(text(n, "Order").into_bytes()) {
                fs::write(self.file(n), text(n, "Order")).unwrap();
            }
        }
    }

    fn locant(&self, arguments: &[&str], cache: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_locant"));
        command.args(arguments).current_dir(self.root()).env("XDG_CACHE_HOME", self.folder.join(cache));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The id of a preview that renames the name in all files.
    fn preview(&self, name: &str, cache: &str) -> String {
        let output = self.locant(&["rename", "f0/n0.proto:Order", name], cache).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        said.lines().last().and_then(|line| line.strip_prefix("locant apply ")).expect(&said).to_owned()
    }

    /// The name, out of these, that all files have; `None` when the files differ.
    fn name(&self, names: &[String]) -> Option<String> {
        let has = |name: &&String| {
            (0..N_FILES).all(|n| fs::read_to_string(self.file(n)).is_ok_and(|now| now == text(n, name)))
        };
        names.iter().find(has).cloned()
    }

    /// Files in the folders that are not part of the project.
    fn strays(&self) -> Vec<PathBuf> {
        let folders = fs::read_dir(self.root()).unwrap().map(|entry| entry.unwrap().path());
        let entries = folders.flat_map(|folder| fs::read_dir(folder).unwrap());
        let paths = entries.map(|entry| entry.unwrap().path());
        paths.filter(|path| path.extension().is_none_or(|end| end != "proto")).collect()
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn text(n: usize, name: &str) -> String {
    match n {
        0 => format!("syntax = \"proto3\";\nmessage {name} {{ string text = 1; }}\n"),
        _ => format!(
            "syntax = \"proto3\";\nimport \"f0/n0.proto\";\nmessage M{n} {{ {name} a = 1; {name} b = 2; }}\n"
        ),
    }
}

/// Pseudo-random numbers, the same in each run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end.max(1)
    }
}

/// How long it takes to apply once, in microseconds.
fn time_to_apply(project: &Project, id: &str) -> u64 {
    let start = Instant::now();
    assert!(project.locant(&["apply", id], "cache").output().unwrap().status.success());
    project.restore();
    u64::try_from(start.elapsed().as_micros()).unwrap()
}

fn signal(child: &Child, signal: Signal) {
    let id = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    // The process may have ended already.
    let _ = kill_process(id, signal);
}

#[test]
fn a_killed_apply_leaves_all_files_old_or_all_new() {
    let project = Project::new("killed");
    let names = ["Order", "Purchase"].map(str::to_owned);
    let id = project.preview("Purchase", "cache");
    let longest = time_to_apply(&project, &id) * 6 / 5;
    let (mut draw, mut n_old, mut n_told) = (Draw(1), 0, 0);
    for round in 0..n_rounds() {
        project.restore();
        let mut child = project.locant(&["apply", &id], "cache").spawn().unwrap();
        sleep(Duration::from_micros(draw.below(longest)));
        signal(&child, [Signal::KILL, Signal::TERM, Signal::INT][usize::try_from(round % 3).unwrap()]);
        child.wait().unwrap();
        let next = project.locant(&["locate", "f0/n0.proto:1"], "cache").output().unwrap();
        assert!(next.status.success(), "round {round}");
        let name = project.name(&names);
        assert!(name.is_some(), "round {round}: some files are old and some are new");
        assert_eq!(project.strays(), Vec::<PathBuf>::new(), "round {round}");
        assert_eq!(fs::metadata(project.folder.join("cache/locant/journal")).map_or(0, |data| data.len()), 0);
        n_old += u64::from(name.as_deref() == Some("Order"));
        n_told += u64::from(String::from_utf8_lossy(&next.stderr).contains("were interrupted"));
    }
    println!(
        "{} killed: {n_old} left as before, {n_told} finished or taken back by the next command",
        n_rounds()
    );
}

#[test]
fn of_ten_applies_at_once_none_is_lost_that_says_it_was_made() {
    let project = Project::new("ten");
    for round in 0..n_rounds().div_ceil(10) {
        project.restore();
        let names: Vec<String> = (0..10).map(|n| format!("Name{round}x{n}")).collect();
        // Some processes have their own journal, as if they were run by users with other cache folders.
        let cache = |n: usize| if n < 5 { "cache".to_owned() } else { format!("cache{n}") };
        let ids: Vec<String> = (0..10).map(|n| project.preview(&names[n], &cache(n))).collect();
        let children: Vec<Child> =
            (0..10).map(|n| project.locant(&["apply", &ids[n]], &cache(n)).spawn().unwrap()).collect();
        let outputs: Vec<Output> =
            children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
        let made: Vec<&String> = names
            .iter()
            .zip(&outputs)
            .filter(|(_, output)| output.status.success())
            .map(|(name, _)| name)
            .collect();
        assert_eq!(made.len(), 1, "round {round}: {made:?}");
        assert_eq!(project.name(&names).as_ref(), Some(made[0]), "round {round}");
        assert_eq!(project.strays(), Vec::<PathBuf>::new(), "round {round}");
    }
}

#[test]
fn what_an_editor_saves_during_an_apply_is_not_lost() {
    let project = Project::new("editor");
    let id = project.preview("Purchase", "cache");
    let longest = time_to_apply(&project, &id);
    let (mut draw, mut n_made) = (Draw(2), 0);
    for round in 0..n_rounds() {
        project.restore();
        let saved = project.file(usize::try_from(draw.below(N_FILES as u64)).unwrap());
        let child = project.locant(&["apply", &id], "cache").spawn().unwrap();
        sleep(Duration::from_micros(draw.below(longest)));
        save(&saved, round % 2 == 0);
        let is_made = child.wait_with_output().unwrap().status.success();
        assert_eq!(fs::read_to_string(&saved).unwrap(), "saved", "round {round}: made: {is_made}");
        let name = if is_made { "Purchase" } else { "Order" };
        for n in (0..N_FILES).filter(|n| project.file(*n) != saved) {
            assert_eq!(fs::read_to_string(project.file(n)).unwrap(), text(n, name), "round {round}");
        }
        assert_eq!(project.strays(), Vec::<PathBuf>::new(), "round {round}");
        n_made += u64::from(is_made);
    }
    println!("{} met by an editor: {n_made} made, the others taken back", n_rounds());
}

/// Saves as editors do: in place, or to another file that is then renamed.
fn save(path: &Path, is_in_place: bool) {
    if is_in_place {
        fs::write(path, "saved").unwrap();
    } else {
        let beside = path.with_extension("swp");
        fs::write(&beside, "saved").unwrap();
        fs::rename(&beside, path).unwrap();
    }
}
