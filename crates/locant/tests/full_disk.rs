//! Changes on a disk that fills up, or that may not be written: made whole, or not at all, and told so.
//!
//! The disk is a real one, a small one in memory. `cargo xtask full-disk` mounts it where only this test sees it, and
//! says so where it cannot. The test is not run by `cargo test`.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

const N_FILES: usize = 24;

/// By how many bytes the room on the disk grows from one try to the next. It is what a disk in memory gives at once.
const STEP: u64 = 4096;

/// A project on the small disk.
struct Project {
    disk: PathBuf,
    /// The cache folder: on the small disk or not.
    cache: PathBuf,
}

/// What is done to the project. Each says how it is asked for, and which texts the files have then.
#[derive(Clone, Copy, Debug)]
enum Way {
    Edit,
    Plan,
    Move,
    /// A move to a file in a folder that is not there.
    MoveToNew,
    Undo,
}

const WAYS: [Way; 5] = [Way::Edit, Way::Plan, Way::Move, Way::MoveToNew, Way::Undo];

/// The text of a file. It takes more than one step on the disk.
fn text(n: usize, is_changed: bool) -> String {
    let filler: String =
        (0..120).map(|line| format!("# line {line} of file {n}, which stays as it is\n")).collect();
    let value = if is_changed { "changed" } else { "first" };
    format!("{filler}\ndef f{n}():\n    return \"{value}\"\n\n\ndef g{n}():\n    return {n}\n")
}

/// All files below a folder, with their texts.
fn files_below(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path))
        } else {
            files.push((path.clone(), fs::read(&path).unwrap()))
        }
    }
    files.sort();
    files
}

impl Project {
    fn new(disk: &Path, is_cache_there: bool) -> Project {
        for name in ["root", "cache", "filler"] {
            let _ = fs::remove_dir_all(disk.join(name));
            let _ = fs::remove_file(disk.join(name));
        }
        let elsewhere = std::env::temp_dir().join(format!("locant-full-disk-{}", std::process::id()));
        let _ = fs::remove_dir_all(&elsewhere);
        let cache = if is_cache_there { disk.join("cache") } else { elsewhere };
        let project = Project { disk: disk.to_owned(), cache };
        fs::create_dir_all(project.root().join(".git")).unwrap();
        (0..N_FILES)
            .for_each(|n| fs::write(project.root().join(format!("n{n}.py")), text(n, false)).unwrap());
        project
    }

    fn root(&self) -> PathBuf {
        self.disk.join("root")
    }

    fn locant(&self, arguments: &[&str], input: &str) -> Result<Value, String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_locant"));
        command.args(arguments).args(["--json", "--no-daemon"]).current_dir(self.root());
        command
            .env("XDG_CACHE_HOME", &self.cache)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        if output.status.success() {
            return Ok(answer);
        }
        Err(answer["error"]["message"].as_str().unwrap().to_owned())
    }

    /// The id of the change that a way takes back. Other ways need none.
    fn prepared(&self, way: Way) -> Option<String> {
        let Way::Undo = way else { return None };
        Some(self.make(Way::Plan, None).unwrap()["undo"].as_str().unwrap().to_owned())
    }

    fn make(&self, way: Way, id: Option<&str>) -> Result<Value, String> {
        match way {
            Way::Edit => {
                self.locant(&["edit", "n0.py:f0@\"first\"", "--replace", "\"changed\"", "--apply"], "")
            }
            Way::Plan => {
                let edit = |n| json!({"locate": format!("n{n}.py:f{n}@\"first\""), "replace": "\"changed\""});
                let plan = json!((0..N_FILES).map(edit).collect::<Vec<_>>());
                self.locant(&["edit", "--plan", "-", "--apply"], &plan.to_string())
            }
            Way::Move => self.locant(&["move", "n0.py:f0", "--to", "n1.py", "--apply"], ""),
            Way::MoveToNew => self.locant(&["move", "n0.py:f0", "--to", "deep/er/new.py", "--apply"], ""),
            Way::Undo => self.locant(&["undo", id.unwrap()], ""),
        }
    }

    /// Fills the disk up to so many bytes.
    fn fill(&self, n_left: u64) {
        let mut filler = File::create(self.disk.join("filler")).unwrap();
        let block = [0_u8; 4096];
        while filler.write_all(&block).is_ok() {}
        let length = filler.metadata().unwrap().len();
        filler.set_len(length.saturating_sub(n_left)).unwrap();
    }

    fn empty(&self) {
        fs::remove_file(self.disk.join("filler")).unwrap();
    }
}

fn mount(arguments: &[&str]) {
    assert!(Command::new("mount").args(arguments).status().unwrap().success(), "mount {arguments:?}");
}

/// The folder of the small disk, which nobody else uses.
fn disk() -> PathBuf {
    PathBuf::from(std::env::var_os("LOCANT_SMALL_DISK").expect("`cargo xtask full-disk` gives a disk"))
}

/// With more and more room on the disk, each way is tried until it succeeds.
fn fill_up(way: Way, is_cache_there: bool) -> u64 {
    for room in 0.. {
        let project = Project::new(&disk(), is_cache_there);
        let id = project.prepared(way);
        let before = files_below(&project.root());
        project.fill(room * STEP);
        let made = project.make(way, id.as_deref());
        let after = files_below(&project.root());
        let when = format!("{way:?} with {room} steps of room: {made:?}");
        project.empty();
        if made.is_ok() {
            assert_ne!(before, after, "{when}");
            return room;
        }
        let message = made.as_ref().unwrap_err();
        assert!(message.starts_with("nothing was "), "{when}");
        // What could not be cleaned up on a full disk is cleaned up by the next command.
        project.locant(&["locate", "n2.py:1"], "").unwrap();
        assert!(before == files_below(&project.root()), "{when}");
        project.make(way, id.as_deref()).expect(&when);
    }
    unreachable!("there is always a next number");
}

#[test]
fn on_a_disk_that_fills_up_a_change_is_made_whole_or_not_at_all() {
    for way in WAYS {
        let [here, elsewhere] = [true, false].map(|is_cache_there| fill_up(way, is_cache_there));
        println!(
            "{way:?}: failed whole with less than {here} steps of room, {elsewhere} with the cache elsewhere"
        );
        // A disk on which all fits at once would show nothing.
        assert!(here > 1 && elsewhere > 0, "{way:?}");
    }
}

#[test]
fn where_nothing_may_be_written_nothing_is() {
    let project = Project::new(&disk(), false);
    for way in WAYS {
        let id = project.prepared(way);
        let before = files_below(&project.root());
        mount(&["-o", "remount,ro", project.disk.to_str().unwrap()]);
        let made = project.make(way, id.as_deref());
        mount(&["-o", "remount,rw", project.disk.to_str().unwrap()]);
        assert!(made.as_ref().is_err_and(|message| message.starts_with("nothing was ")), "{way:?}: {made:?}");
        assert!(before == files_below(&project.root()), "{way:?}");
        if let Some(id) = id {
            project.locant(&["undo", &id], "").unwrap();
        }
    }
}

#[test]
fn a_plan_with_one_folder_that_may_not_be_written_changes_no_other() {
    let project = Project::new(&disk(), false);
    let locked = project.root().join("locked");
    fs::create_dir(&locked).unwrap();
    fs::write(locked.join("a.py"), "x = 1\n").unwrap();
    let before = files_below(&project.root());
    let shown = locked.to_str().unwrap();
    mount(&["--bind", shown, shown]);
    mount(&["-o", "remount,bind,ro", shown]);
    for order in [["n0.py:1", "locked/a.py:1"], ["locked/a.py:1", "n0.py:1"]] {
        let plan = json!(order.map(|place| json!({"locate": place, "replace": "y = 2"})));
        let made = project.locant(&["edit", "--plan", "-", "--apply"], &plan.to_string());
        assert!(made.as_ref().is_err_and(|message| message.starts_with("nothing was ")), "{made:?}");
        assert!(before == files_below(&project.root()), "{made:?}");
    }
    assert!(Command::new("umount").arg(&locked).status().unwrap().success());
}
