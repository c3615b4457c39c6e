//! What is kept between commands: whatever happens to it, the next answer is right, and it stays within its bounds.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, sleep};
use std::time::{Duration, SystemTime};

use locant_engine::{READERS, check_of};
use rustix::process::{Pid, Signal, kill_process};

const N_FILES: usize = 120;

/// A tree of Python files, and a cache of its own.
struct Tree {
    folder: PathBuf,
}

impl Tree {
    fn new(name: &str) -> Tree {
        let folder = std::env::temp_dir().join(format!("locant-kept-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let tree = Tree { folder };
        fs::create_dir_all(tree.root()).unwrap();
        (0..N_FILES).for_each(|n| tree.write(&format!("n{n}.py"), &text(n, 40)));
        tree.write("large.py", &text(7, 700));
        // A file that has just changed is read again each time, so this waits until none has.
        while !said(&tree.start(QUESTIONS[0]).wait_with_output().unwrap()).contains("\"read\":0,") {
            sleep(Duration::from_millis(20));
        }
        tree.forget();
        tree
    }

    fn root(&self) -> PathBuf {
        self.folder.join("root")
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.root().join(path), text).unwrap();
    }

    /// The files in the cache, sorted.
    fn kept(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        for folder in ["catalogs", "outlines"] {
            let entries = fs::read_dir(self.folder.join("cache/locant").join(folder)).into_iter().flatten();
            files.extend(entries.map(|entry| entry.unwrap().path()));
        }
        files.sort();
        files
    }

    fn forget(&self) {
        let _ = fs::remove_dir_all(self.folder.join("cache"));
    }

    /// The catalog in the cache. There is one, since there is one tree.
    fn catalog(&self) -> PathBuf {
        self.kept()
            .into_iter()
            .find(|path| path.parent().is_some_and(|own| own.ends_with("catalogs")))
            .unwrap()
    }

    fn command(&self, program: impl AsRef<OsStr>, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.root()).env("XDG_CACHE_HOME", self.folder.join("cache"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn start(&self, arguments: &[&str]) -> Child {
        self.command(env!("CARGO_BIN_EXE_locant"), arguments).spawn().unwrap()
    }

    /// What all questions of these tests answer.
    fn answers(&self) -> Vec<String> {
        QUESTIONS.iter().map(|question| said(&self.start(question).wait_with_output().unwrap())).collect()
    }

    /// Checks that all questions are answered as they are without a cache.
    #[track_caller]
    fn check(&self, expected: &[String]) {
        // What comes from the cache is counted, so only the rest of the answers is compared.
        let plain =
            |answers: &[String]| answers.iter().map(|answer| without_counts(answer)).collect::<Vec<_>>();
        assert_eq!(plain(&self.answers()), plain(expected));
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

const QUESTIONS: [&[&str]; 3] = [
    &["search", "--json", "C17.m3", "--root", "."],
    &["locate", "--json", "large.py:C7.m345"],
    &["outline", "--json", "large.py"],
];

fn text(n: usize, n_methods: usize) -> String {
    let mut text = format!("class C{n}:\n");
    for method in 0..n_methods {
        let _ = write!(
            text,
            "    def m{method}(self, value):\n        \"\"\"Text.\"\"\"\n        return value + {n}\n\n"
        );
    }
    text
}

#[track_caller]
fn said(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// An answer without how many files were read and how many were kept.
fn without_counts(answer: &str) -> String {
    let counts =
        answer.find("\"files\":").map(|start| start..start + answer[start..].find("},").unwrap_or(0));
    counts.map_or_else(|| answer.to_owned(), |counts| answer.replace(&answer[counts], ""))
}

#[test]
fn answers_are_the_same_with_and_without_what_was_kept() {
    let tree = Tree::new("same");
    let expected = tree.answers();
    assert_eq!(tree.kept().len(), 2, "{:?}", tree.kept());
    tree.check(&expected);
    let found = said(&tree.start(QUESTIONS[0]).wait_with_output().unwrap());
    assert!(found.contains(&format!("\"read\":0,\"cached\":{}", N_FILES + 1)), "{found}");
    tree.write("large.py", &text(7, 699));
    let gone = tree.start(&["locate", "large.py:C7.m699"]).wait_with_output().unwrap();
    assert_eq!(gone.status.code(), Some(1));
}

#[test]
fn a_damaged_cache_is_not_believed() {
    let tree = Tree::new("damaged");
    let expected = tree.answers();
    for n in 0..8 {
        for path in tree.kept() {
            let bytes = fs::read(&path).unwrap();
            let at = bytes.len() * n / 8;
            match n {
                0 => fs::write(&path, b"").unwrap(),
                1 => fs::write(&path, b"something else").unwrap(),
                2 | 3 => fs::write(&path, &bytes[..at]).unwrap(),
                _ => {
                    let mut changed = bytes.clone();
                    changed[at] ^= 0x10;
                    fs::write(&path, &changed).unwrap();
                }
            }
        }
        tree.check(&expected);
    }
    for path in tree.kept() {
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
    }
    tree.check(&expected);
}

/// How many bytes the first checksum covers, itself included: all of an outline, and of a catalog all that is before
/// the outlines.
fn len_of_head(path: &Path, bytes: &[u8]) -> usize {
    if path.parent().is_some_and(|folder| folder.ends_with("outlines")) {
        return bytes.len();
    }
    usize::try_from(u64::from_le_bytes(bytes[16..24].try_into().unwrap())).unwrap()
}

#[test]
fn an_outline_that_is_damaged_in_a_catalog_is_read_anew() {
    let tree = Tree::new("outlines");
    let expected = tree.answers();
    let path = tree.catalog();
    let bytes = fs::read(&path).unwrap();
    let head = len_of_head(&path, &bytes);
    assert!(head < bytes.len());
    for byte in [0, b'x'] {
        let mut changed = bytes.clone();
        changed[head..].fill(byte);
        fs::write(&path, &changed).unwrap();
        tree.check(&expected);
        fs::write(&path, &bytes[..head]).unwrap();
        tree.check(&expected);
    }
    // The files whose outlines do not matter were not read, and the others are known again.
    let found = said(&tree.start(QUESTIONS[0]).wait_with_output().unwrap());
    assert!(found.contains("\"read\":0,"), "{found}");
}

#[test]
fn what_another_version_kept_is_not_used() {
    let tree = Tree::new("versions");
    let expected = tree.answers();
    for path in tree.kept() {
        let bytes = fs::read(&path).unwrap();
        let at = bytes.windows(READERS.len()).position(|part| part == READERS.as_bytes()).unwrap();
        let (head, outlines) = bytes.split_at(len_of_head(&path, &bytes));
        let mut changed = head[..head.len() - 8].to_vec();
        changed[at] ^= 1;
        // The symbols that are asked for have another name there.
        let asked = if path == tree.catalog() { &b"\x02m3"[..] } else { &b"\x04m345"[..] };
        let places: Vec<usize> = memchr::memmem::find_iter(&changed, asked).collect();
        assert!(!places.is_empty(), "{} has no names", path.display());
        places.iter().for_each(|at| changed[at + 1] = b'q');
        changed.extend_from_slice(&check_of(&changed).to_le_bytes());
        changed.extend_from_slice(outlines);
        fs::write(&path, &changed).unwrap();
    }
    tree.check(&expected);
    tree.check(&expected);
}

#[test]
fn a_process_that_is_killed_leaves_nothing_wrong_behind() {
    let tree = Tree::new("killed");
    let expected = tree.answers();
    for round in 0..40 {
        if round % 4 == 0 {
            tree.forget();
        }
        tree.write("n3.py", &text(3, 40 + round % 2));
        let mut children: Vec<Child> = QUESTIONS.iter().map(|question| tree.start(question)).collect();
        sleep(Duration::from_micros(u64::try_from(round).unwrap() * 700));
        for child in &mut children {
            let _ = kill_process(Pid::from_child(child), Signal::KILL);
            child.wait().unwrap();
        }
    }
    tree.write("n3.py", &text(3, 40));
    tree.check(&expected);
    tree.check(&expected);
}

#[test]
fn many_processes_share_one_cache() {
    let tree = Tree::new("shared");
    let expected: Vec<String> = tree.answers().iter().map(|answer| without_counts(answer)).collect();
    tree.forget();
    let all = || QUESTIONS.iter().enumerate().cycle().take(18);
    let children: Vec<(usize, Child)> =
        all().map(|(index, question)| (index, tree.start(question))).collect();
    for (index, child) in children {
        assert_eq!(without_counts(&said(&child.wait_with_output().unwrap())), expected[index]);
    }
    assert_eq!(tree.kept().len(), 2, "{:?}", tree.kept());
}

#[test]
fn a_full_disk_costs_only_the_cache() {
    let tree = Tree::new("full");
    let expected = tree.answers();
    tree.forget();
    for question in QUESTIONS {
        // Files may not grow beyond this size, and a process that tries is ended.
        let words =
            [&["-c", "ulimit -f 4; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_locant")], question].concat();
        said(&tree.command("sh", &words).output().unwrap());
    }
    assert_eq!(tree.kept(), Vec::<PathBuf>::new());
    tree.check(&expected);
}

#[test]
fn a_cache_that_cannot_be_written_costs_only_the_cache() {
    let tree = Tree::new("read-only");
    let expected = tree.answers();
    let plain: Vec<String> = expected.iter().map(|answer| without_counts(answer)).collect();
    let file = tree.folder.join("file");
    fs::write(&file, "").unwrap();
    let forbidden = tree.folder.join("forbidden");
    fs::create_dir(&forbidden).unwrap();
    fs::set_permissions(&forbidden, fs::Permissions::from_mode(0o500)).unwrap();
    // No one can make a folder in /proc, not even root, whom permissions do not stop.
    for cache in [file.as_path(), &forbidden, Path::new("/proc/self"), Path::new("/proc/self/no/such/folder")]
    {
        for (question, expected) in QUESTIONS.iter().zip(&plain) {
            let mut command = tree.command(env!("CARGO_BIN_EXE_locant"), question);
            let output = command.env("XDG_CACHE_HOME", cache).output().unwrap();
            assert_eq!(without_counts(&said(&output)), *expected, "{}", cache.display());
        }
    }
    fs::set_permissions(&forbidden, fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn what_another_tree_kept_is_not_used() {
    let (tree, other) = (Tree::new("own"), Tree::new("foreign"));
    let expected = tree.answers();
    // The same paths, but the symbols are in other places.
    other.write("n17.py", &format!("\n\n{}", text(17, 40)));
    while said(&other.start(QUESTIONS[0]).wait_with_output().unwrap()).contains("\"read\":1,") {
        sleep(Duration::from_millis(20));
    }
    fs::copy(other.catalog(), tree.catalog()).unwrap();
    tree.check(&expected);
    tree.check(&expected);
}

#[test]
fn what_is_kept_stays_within_its_bounds() {
    const LARGE: u64 = 400 << 20;

    let tree = Tree::new("bounds");
    let expected = tree.answers();
    let own = tree.catalog();
    let folder = own.parent().unwrap();
    for age in 1..=3 {
        // The file has this length, but takes no room on the disk.
        let file = fs::File::create(folder.join(format!("{age:016x}"))).unwrap();
        file.set_len(LARGE).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(1000 * age)).unwrap();
    }
    tree.write("n3.py", &text(3, 41));
    let is_there = |age: u64| folder.join(format!("{age:016x}")).exists();
    while is_there(3) {
        said(&tree.start(QUESTIONS[0]).wait_with_output().unwrap());
    }
    let total: u64 = tree.kept().iter().map(|path| fs::metadata(path).unwrap().len()).sum();
    assert!(total <= 1 << 30, "{total}");
    assert!(is_there(1) && is_there(2), "only the oldest has to go");
    tree.write("n3.py", &text(3, 40));
    tree.check(&expected);
}

/// The program as another version of it: it has the same code, but another mark of its readers.
#[cfg(target_os = "linux")]
fn other_version(folder: &Path) -> PathBuf {
    let mut program = fs::read(env!("CARGO_BIN_EXE_locant")).unwrap();
    let digest = READERS.split(' ').nth(1).expect("the digest of all grammars and rules");
    let marks: Vec<usize> = memchr::memmem::find_iter(&program, digest.as_bytes()).collect();
    assert!(!marks.is_empty(), "the program has no mark of its readers");
    marks.iter().for_each(|&at| program[at] ^= 1);
    let path = folder.join("other-locant");
    fs::write(&path, program).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
    path
}

#[cfg(target_os = "linux")]
#[test]
fn two_versions_share_one_cache() {
    let tree = Tree::new("two");
    let expected: Vec<String> = tree.answers().iter().map(|answer| without_counts(answer)).collect();
    let programs = [PathBuf::from(env!("CARGO_BIN_EXE_locant")), other_version(&tree.folder)];
    // Each finds what the other has kept, and keeps its own.
    let read_all = format!("\"read\":{},", N_FILES + 1);
    for program in programs.iter().rev() {
        let found = said(&tree.command(program, QUESTIONS[0]).output().unwrap());
        assert!(found.contains(&read_all), "{found}");
    }
    let all = (0..24).map(|n| (&programs[n % 2], n / 2 % QUESTIONS.len()));
    let children: Vec<(usize, Child)> = all
        .map(|(program, index)| (index, tree.command(program, QUESTIONS[index]).spawn().unwrap()))
        .collect();
    for (index, child) in children {
        assert_eq!(without_counts(&said(&child.wait_with_output().unwrap())), expected[index]);
    }
    assert_eq!(tree.kept().len(), 2, "{:?}", tree.kept());
    tree.check(&expected);
}

#[test]
fn files_that_cannot_be_read_are_counted() {
    let tree = Tree::new("odd");
    let root = tree.root();
    fs::create_dir(root.join("inside")).unwrap();
    symlink("nowhere.py", root.join("broken.py")).unwrap();
    symlink("..", root.join("inside/loop")).unwrap();
    symlink("self.py", root.join("self.py")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, root.join("pipe.py"), rustix::fs::Mode::RUSR).unwrap();
    fs::write(root.join("binary.py"), b"\0\0").unwrap();
    let found = said(&tree.start(QUESTIONS[0]).wait_with_output().unwrap());
    for count in ["\"link\":3", "\"special\":1", "\"binary\":1"] {
        assert!(found.contains(count), "no {count} in {found}");
    }
}

#[test]
fn files_may_come_and_go_meanwhile() {
    let tree = Tree::new("vanish");
    let is_over = AtomicBool::new(false);
    let disturb = |root: &Path| {
        let (own, text) = (root.join("own"), text(1, 5));
        while !is_over.load(Ordering::Relaxed) {
            let _ = fs::create_dir_all(&own);
            (0..50).for_each(|n| drop(fs::write(own.join(format!("v{n}.py")), &text)));
            let _ = fs::remove_dir_all(&own);
        }
    };
    let root = tree.root();
    thread::scope(|scope| {
        scope.spawn(|| disturb(&root));
        for _ in 0..10 {
            let found = said(&tree.start(QUESTIONS[0]).wait_with_output().unwrap());
            assert!(found.contains("\"path\":[\"C17\",\"m3\"]"), "{found}");
        }
        is_over.store(true, Ordering::Relaxed);
    });
}
