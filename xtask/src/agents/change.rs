//! The changes in a project: which files differ from the original ones, and on which lines.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

/// Lines of a file that were changed or removed. If lines were only added, the line after which they were added.
#[derive(Debug)]
pub(super) struct Hunk {
    pub(super) file: String,
    pub(super) first: usize,
    /// If lines were only added, this is smaller than `first`, and the new lines come after this line.
    pub(super) last: usize,
}

/// All changed places, sorted by file. A file that is new or gone counts as one place.
pub(super) fn hunks(before: &Path, after: &Path) -> Result<Vec<Hunk>> {
    let mut hunks = Vec::new();
    for file in changed_files(before, after)? {
        let (old, new) = (before.join(&file), after.join(&file));
        if old.exists() && new.exists() {
            hunks.extend(hunks_of(&file, &old, &new)?);
        } else {
            hunks.push(Hunk { file, first: 1, last: 1 });
        }
    }
    Ok(hunks)
}

/// The files that differ. Hidden folders and the folders of interpreters and compilers are left out, because tools keep
/// their own files there.
pub(super) fn changed_files(before: &Path, after: &Path) -> Result<Vec<String>> {
    let mut files = BTreeSet::new();
    collect(&mut files, before, before)?;
    collect(&mut files, after, after)?;
    let differs = |file: &String| fs::read(before.join(file)).ok() != fs::read(after.join(file)).ok();
    Ok(files.into_iter().filter(differs).collect())
}

fn collect(files: &mut BTreeSet<String>, folder: &Path, root: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("could not read {}", folder.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            if !name.starts_with('.') && name != "__pycache__" && name != "target" {
                collect(files, &entry.path(), root)?;
            }
        } else {
            let path: PathBuf = entry.path();
            let path = path.strip_prefix(root).context("it was found there")?;
            files.insert(path.to_string_lossy().replace('\\', "/"));
        }
    }
    Ok(())
}

fn hunks_of(file: &str, old: &Path, new: &Path) -> Result<Vec<Hunk>> {
    let arguments = ["diff", "--no-index", "--no-color", "--no-ext-diff", "--minimal", "--unified=0", "--"];
    let diff = Command::new("git").args(arguments).arg(old).arg(new).stdin(Stdio::null()).output()?;
    ensure!(diff.status.code().is_some_and(|code| code <= 1), "git could not compare {file}");
    let (old, new) = (fs::read(old)?, fs::read(new)?);
    let (old, new): (Vec<&[u8]>, Vec<&[u8]>) = (lines(&old), lines(&new));
    let mut hunks = Vec::new();
    for line in String::from_utf8_lossy(&diff.stdout).lines() {
        let Some(head) = line.strip_prefix("@@ -") else { continue };
        let (before, after) = head_of(head).with_context(|| format!("git says {line}"))?;
        if before.len() == after.len() {
            // Git also counts a few unchanged lines between changed ones to the hunk.
            let pairs = before.zip(after).filter(|(n, m)| old.get(n - 1) != new.get(m - 1));
            hunks.extend(pairs.map(|(n, _)| Hunk { file: file.to_owned(), first: n, last: n }));
        } else {
            hunks.push(Hunk { file: file.to_owned(), first: before.start, last: before.end - 1 });
        }
    }
    Ok(hunks)
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split(|byte| *byte == b'\n').collect()
}

/// Reads `10,2 +10,3 @@` as: lines 10 and 11 became lines 10 to 12. Reads `10,0 +11,2 @@` as: after line 10, lines 11
/// and 12 were added.
fn head_of(text: &str) -> Option<(Range<usize>, Range<usize>)> {
    let mut words = text.split(' ');
    let range = |word: &str| -> Option<Range<usize>> {
        let (first, n_lines) = word.split_once(',').unwrap_or((word, "1"));
        let (first, n_lines): (usize, usize) = (first.parse().ok()?, n_lines.parse().ok()?);
        let first = if n_lines == 0 { first + 1 } else { first };
        Some(first..first + n_lines)
    };
    Some((range(words.next()?)?, range(words.next()?.strip_prefix('+')?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_hunks_are_read() {
        let check = |text, before, after| assert_eq!(head_of(text), Some((before, after)));
        check("10,2 +10,3 @@", 10..12, 10..13);
        check("10 +10 @@ fn f()", 10..11, 10..11);
        check("10,0 +11,2 @@", 11..11, 11..13);
        check("0,0 +1 @@", 1..1, 1..2);
        check("5,2 +4,0 @@", 5..7, 5..5);
    }
    #[test]
    fn unchanged_lines_between_changed_ones_are_no_change() {
        let folder = std::env::temp_dir().join(format!("locant-hunks-{}", std::process::id()));
        let (before, after) = (folder.join("before"), folder.join("after"));
        let check = |old: &str, new: &str, expected: &[(usize, usize)]| {
            for (folder, text) in [(&before, old), (&after, new)] {
                fs::create_dir_all(folder).expect("a folder can be made");
                fs::write(folder.join("a.py"), text.replace(' ', "\n")).expect("a file can be written");
            }
            let found = hunks(&before, &after).expect("the folders can be compared");
            let found: Vec<_> = found.iter().map(|hunk| (hunk.first, hunk.last)).collect();
            assert_eq!(found, expected, "{old} became {new}");
        };
        check("a b c d e", "a B c D e", &[(2, 2), (4, 4)]);
        check("a b c", "a b x c", &[(3, 2)]);
        check("a b c d", "a d", &[(2, 3)]);
        check("a b", "a b", &[]);
        fs::remove_dir_all(&folder).expect("the folder is there");
    }
}
