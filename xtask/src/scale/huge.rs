//! Measures how much memory questions about a million files and about ten gigabytes take, and what the answers say
//! about files that cannot be read.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::folders::{link_all, remove};
use super::measured::{Measured, Programs, Question, measure, table};
use crate::children::output;

/// The most memory that a question may take.
const MOST_MEGABYTES: u64 = 1000;

const QUESTION: Question<'_> = Question { location: ":Rare.once", word: "Rare" };

/// A tree that is made to be measured. Its folders have links to the same files, so it takes little space.
struct Huge {
    name: &'static str,
    n_folders: usize,
    n_files_each: usize,
    n_bytes_each: usize,
}

const TREES: [Huge; 2] = [
    Huge { name: "A million small files", n_folders: 1000, n_files_each: 1000, n_bytes_each: 200 },
    Huge { name: "Ten gigabytes", n_folders: 10, n_files_each: 100, n_bytes_each: 10_000_000 },
];

/// Measures both trees once. Returns the text. Fails if a question takes more memory than it may.
pub(super) fn measure_huge(programs: &Programs, work: &Path) -> Result<String> {
    let root = work.join("huge");
    let mut text = String::new();
    for huge in &TREES {
        remove(&root)?;
        let measured = huge.measured(programs, work, &root);
        remove(&root)?;
        let (measured, told) = measured?;
        let most = measured.rows.iter().filter(|row| row.name.contains("locant")).map(|row| row.megabytes);
        let most = most.max().flatten().unwrap_or_default();
        ensure!(most <= MOST_MEGABYTES, "{}: {most} MB of memory", huge.name);
        let _ = write!(text, "{}; not read: {told}\n\n{}\n\n", huge.name, table(&[measured]));
    }
    Ok(text)
}

impl Huge {
    /// Makes the tree and measures it. Also returns what an answer says about files that were not read.
    fn measured(&self, programs: &Programs, work: &Path, root: &Path) -> Result<(Measured, String)> {
        self.make(root).with_context(|| format!("could not make {}", root.display()))?;
        let is_over = AtomicBool::new(false);
        let vanishing = root.join("vanishing");
        thread::scope(|scope| {
            scope.spawn(|| make_and_remove(&vanishing, &is_over));
            let measured = measure(programs, work, root, &QUESTION, 1);
            let told = told(programs, work, root);
            is_over.store(true, Ordering::Relaxed);
            Ok((measured?, told?))
        })
    }

    fn make(&self, root: &Path) -> Result<()> {
        let mut text = String::new();
        while text.len() < self.n_bytes_each {
            let _ = write!(text, "\ndef f{}(value):\n    return value\n", text.len());
        }
        let first = root.join("d0");
        fs::create_dir_all(&first)?;
        for n in 0..self.n_files_each {
            let class = format!("class C{n}:\n    def once(self): pass\n");
            fs::write(first.join(format!("n{n}.py")), class + &text)?;
        }
        for folder in 1..self.n_folders {
            link_all(&first, &root.join(format!("d{folder}")))?;
        }
        fs::write(root.join("one.py"), "class Rare:\n    def once(self): pass\n")?;
        make_odd(root)
    }
}

/// Makes links to nowhere, loops of links, a pipe, and a file that its owner must not read.
#[cfg(unix)]
fn make_odd(root: &Path) -> Result<()> {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let odd = root.join("odd");
    fs::create_dir_all(&odd)?;
    symlink("nowhere.py", odd.join("broken.py"))?;
    symlink("self.py", odd.join("self.py"))?;
    symlink("..", odd.join("loop"))?;
    output(Command::new("mkfifo").arg(odd.join("pipe.py")))?;
    fs::write(odd.join("binary.py"), b"\0\0")?;
    let secret = odd.join("secret.py");
    fs::write(&secret, "class Secret: pass\n")?;
    Ok(fs::set_permissions(&secret, fs::Permissions::from_mode(0o000))?)
}

#[cfg(not(unix))]
fn make_odd(_: &Path) -> Result<()> {
    Ok(())
}

/// Makes and removes files until `is_over`. So files vanish after their names were read.
fn make_and_remove(folder: &Path, is_over: &AtomicBool) {
    while !is_over.load(Ordering::Relaxed) {
        // This may fail because another program uses the folder. Then the next round does it.
        let _ = fs::create_dir_all(folder);
        (0..100).for_each(|n| drop(fs::write(folder.join(format!("v{n}.py")), "class V: pass\n")));
        let _ = fs::remove_dir_all(folder);
    }
}

/// What an answer says about how many files were left out, and why.
fn told(programs: &Programs, work: &Path, root: &Path) -> Result<String> {
    let mut ask = Command::new(&programs.locant);
    ask.args(["search", "--json", "Rare.once", "--root"]).arg(root);
    let said = output(ask.env("XDG_CACHE_HOME", work.join("cache")))?;
    let said: Value = serde_json::from_str(&said).context("the answer is no JSON")?;
    let skipped =
        said["files"]["skipped"].as_object().context("the answer does not tell what was left out")?;
    let counts: Vec<String> = skipped.iter().map(|(why, n)| format!("{why} {n}")).collect();
    Ok(counts.join(", "))
}
