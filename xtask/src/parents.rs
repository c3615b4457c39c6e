//! `cargo xtask parents`: compares the parents of our symbols with the parents according to ctags, on C++ headers that
//! are full of macros.
//!
//! Symbols with the same name on the same line are compared. A symbol has a wrong parent if its path differs from that
//! of ctags. Two habits of ctags do not count as differences: it leaves out the class around a friend function, and the
//! name that a field gives to an unnamed struct.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::children::{cargo, exists, run as run_child, target_directory};
use crate::sources;

/// Debian packages, and the folders in them whose headers are read. `""` stands for all folders.
const LIBRARIES: &[(&str, &[&str])] = &[
    ("nlohmann-json3-dev", &[""]),
    ("libfmt-dev", &[""]),
    ("libeigen3-dev", &[""]),
    ("qtbase5-dev", &[""]),
    ("libboost1.74-dev", &["hana", "asio", "multi_index", "spirit", "mpl", "optional", "variant"]),
    ("libopencv-core-dev", &[""]),
    ("libopencv-imgproc-dev", &[""]),
    ("libopencv-calib3d-dev", &[""]),
    ("libopencv-flann-dev", &[""]),
    ("libopencv-ml-dev", &[""]),
    ("libopencv-features2d-dev", &[""]),
    ("libopencv-dnn-dev", &[""]),
    ("libopencv-contrib-dev", &[""]),
];

/// The highest accepted percentage of wrong parents, among the symbols that both have.
const MOST_WRONG: f64 = 1.0;

/// How many files are passed to a program at once.
const AT_ONCE: usize = 500;

/// The counts of a comparison.
#[derive(Default)]
struct Counts {
    n_files: usize,
    n_both: usize,
    n_theirs_only: usize,
    n_ours_only: usize,
    wrong: Vec<String>,
}

/// A line of ctags.
#[derive(Deserialize)]
struct Tag {
    name: String,
    path: PathBuf,
    line: usize,
    kind: String,
    #[serde(default)]
    scope: String,
}

/// The kinds and paths of our symbols, by file and line.
type Ours = HashMap<(PathBuf, usize), Vec<(String, String)>>;

/// Compares all libraries, or those whose name contains one of the words. `--show=N` prints up to N wrong parents of
/// each.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    ensure!(exists("ctags", "--version"), "ctags is not installed: apt-get install universal-ctags");
    let n_shown = arguments.iter().find_map(|argument| argument.strip_prefix("--show="));
    let n_shown = n_shown.map_or(Ok(0), str::parse).context("--show wants a number")?;
    let words: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with("--")).collect();
    run_child(&mut cargo(&["build", "--quiet", "-p", "locant-lang", "--example", "measure"]))?;
    let measure = target_directory()?.join("debug/examples/measure");
    println!("| library | files | both | wrong parent | theirs only | ours only |");
    println!("|---|---|---|---|---|---|");
    let mut total = Counts::default();
    for (package, parts) in LIBRARIES {
        if !words.is_empty() && !words.iter().any(|word| package.contains(word.as_str())) {
            continue;
        }
        let folder = sources::unpacked(package)?;
        for part in *parts {
            let counts = compare(&folder, part, &measure)?;
            counts.print(&format!("{package} {part}"), n_shown);
            total.add(counts);
        }
    }
    total.print("all", 0);
    ensure!(total.percent() <= MOST_WRONG, "more than {MOST_WRONG} % of the symbols stand in something else");
    Ok(())
}

impl Counts {
    fn percent(&self) -> f64 {
        100.0 * self.wrong.len() as f64 / self.n_both.max(1) as f64
    }

    fn print(&self, name: &str, n_shown: usize) {
        let Counts { n_files, n_both, n_theirs_only, n_ours_only, wrong } = self;
        let (name, n_wrong, percent) = (name.trim(), wrong.len(), self.percent());
        println!(
            "| {name} | {n_files} | {n_both} | {n_wrong} ({percent:.2} %) | {n_theirs_only} | {n_ours_only} |"
        );
        wrong.iter().take(n_shown).for_each(|line| println!("  {line}"));
    }

    fn add(&mut self, other: Counts) {
        self.n_files += other.n_files;
        self.n_both += other.n_both;
        self.n_theirs_only += other.n_theirs_only;
        self.n_ours_only += other.n_ours_only;
        self.wrong.extend(other.wrong);
    }
}

/// Compares the headers of a library that are in a folder called `part`, or all headers if `part` is empty.
fn compare(folder: &Path, part: &str, measure: &Path) -> Result<Counts> {
    let mut files = Vec::new();
    collect(&mut files, folder)?;
    files.retain(|file| part.is_empty() || file.iter().any(|name| name == part));
    files.sort();
    let (theirs, ours) = (ctags(&files)?, ours(measure, &files)?);
    let mut counts = Counts { n_files: files.len(), ..Counts::default() };
    let mut known: HashMap<(&PathBuf, usize), Vec<String>> = HashMap::new();
    for tag in &theirs {
        known.entry((&tag.path, tag.line)).or_default().push(plain(&tag.name));
        if is_counted(tag) {
            counts.judge(tag, ours.get(&(tag.path.clone(), tag.line)).map_or(&[][..], Vec::as_slice));
        }
    }
    for ((path, line), symbols) in &ours {
        let names = known.get(&(path, *line)).map_or(&[][..], Vec::as_slice);
        let is_ours_only = |(kind, path): &&(String, String)| {
            OURS.contains(&kind.as_str()) && !names.iter().any(|name| leads_to(path, name))
        };
        counts.n_ours_only += symbols.iter().filter(is_ours_only).count();
    }
    Ok(counts)
}

const OURS: &[&str] = &["class", "struct", "function", "method", "constructor", "field"];

fn is_counted(tag: &Tag) -> bool {
    let is_kind =
        ["class", "struct", "union", "function", "prototype", "member"].contains(&tag.kind.as_str());
    is_kind && !tag.name.starts_with("__anon")
}

impl Counts {
    /// Compares a symbol of ctags with our symbols on the same line.
    fn judge(&mut self, tag: &Tag, ours: &[(String, String)]) {
        let name = if tag.kind.len() < 7 { plain(&without_angles(&tag.name)) } else { plain(&tag.name) };
        let same: Vec<&String> =
            ours.iter().map(|(_, path)| path).filter(|path| leads_to(path, &name)).collect();
        let Some(first) = same.first() else {
            self.n_theirs_only += 1;
            return;
        };
        self.n_both += 1;
        let scope = without_angles(&tag.scope);
        let levels: Vec<&str> = scope.split("::").filter(|level| !level.is_empty()).collect();
        let named = levels.iter().filter(|level| !level.starts_with("__anon"));
        let expected: String = named.map(|level| format!("{}.", plain(level))).collect();
        let is_right = |path: &&String| {
            let path = plain(path);
            let is_friend = || is_function(tag) && path.starts_with(&expected) && is_near_friend(tag);
            path == format!("{expected}{name}") || is_same_but_named(&path, &levels, &name) || is_friend()
        };
        if !same.iter().any(is_right) {
            let place = format!("{}:{}", tag.path.display(), tag.line);
            self.wrong.push(format!("{place}: {first}, by ctags {expected}{name}"));
        }
    }
}

fn is_function(tag: &Tag) -> bool {
    tag.kind == "function" || tag.kind == "prototype"
}

/// Whether a path has the same levels. A level that ctags calls `__anon…` may have any name.
fn is_same_but_named(path: &str, levels: &[&str], name: &str) -> bool {
    let Some(front) = path.strip_suffix(name) else { return false };
    let ours: Vec<&str> = front.split('.').filter(|level| !level.is_empty()).collect();
    let fits = |(ours, theirs): (&&str, &&str)| theirs.starts_with("__anon") || *ours == plain(theirs);
    ours.len() == levels.len() && ours.iter().zip(levels).all(fits)
}

/// Whether the word `friend` is on the line of a symbol or on one of the three lines above it.
fn is_near_friend(tag: &Tag) -> bool {
    let text = fs::read(&tag.path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    text.lines().skip(tag.line.saturating_sub(4)).take(4.min(tag.line)).any(|line| line.contains("friend"))
}

/// Whether a path ends with this name.
fn leads_to(path: &str, name: &str) -> bool {
    let path = plain(path);
    path.strip_suffix(name).is_some_and(|front| front.is_empty() || front.ends_with('.'))
}

/// A name without blanks, so that `operator ()` and `operator()` are the same.
fn plain(name: &str) -> String {
    name.split_whitespace().collect()
}

/// A name without the parts in angle brackets.
fn without_angles(name: &str) -> String {
    let (mut plain, mut depth) = (String::new(), 0_usize);
    for c in name.chars() {
        match c {
            '<' if !plain.trim_end().ends_with("operator") => depth += 1,
            '>' if depth > 0 => depth -= 1,
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    plain
}

fn collect(files: &mut Vec<PathBuf>, folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("could not read {}", folder.display()))? {
        let (path, kind) =
            (entry.as_ref().map(fs::DirEntry::path), entry.as_ref().map(fs::DirEntry::file_type));
        let (Ok(path), Ok(Ok(kind))) = (path, kind) else { continue };
        let is_header = path
            .extension()
            .is_some_and(|end| ["h", "hpp", "ipp", "hxx", "inl"].iter().any(|known| end == *known));
        if kind.is_dir() {
            collect(files, &path)?;
        } else if kind.is_file() && is_header {
            files.push(path);
        }
    }
    Ok(())
}

fn ctags(files: &[PathBuf]) -> Result<Vec<Tag>> {
    let arguments =
        ["--output-format=json", "--fields=+nKs", "--language-force=C++", "--kinds-C++=+pA", "-f", "-"];
    let mut tags = Vec::new();
    for files in files.chunks(AT_ONCE) {
        let printed = output(Command::new("ctags").args(arguments).args(files))?;
        tags.extend(printed.lines().filter_map(|line| serde_json::from_str::<Tag>(line).ok()));
    }
    Ok(tags)
}

fn ours(measure: &Path, files: &[PathBuf]) -> Result<Ours> {
    let mut ours = Ours::new();
    for files in files.chunks(AT_ONCE) {
        for line in output(Command::new(measure).arg("tags").args(files))?.lines() {
            let [path, line, kind, names] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
            let symbols = ours.entry((PathBuf::from(path), line.parse()?)).or_default();
            symbols.push((kind.to_owned(), names.to_owned()));
        }
    }
    Ok(ours)
}

fn output(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let done = command.stderr(Stdio::null()).output().with_context(|| format!("could not start {name}"))?;
    ensure!(done.status.success(), "{name} failed ({})", done.status);
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(scope: &str, name: &str, path: &str) -> usize {
        let tag = Tag {
            name: name.to_owned(),
            path: PathBuf::new(),
            line: 1,
            kind: "member".to_owned(),
            scope: scope.to_owned(),
        };
        let mut counts = Counts::default();
        counts.judge(&tag, &[("field".to_owned(), path.to_owned())]);
        assert_eq!(counts.n_both, 1);
        counts.wrong.len()
    }

    #[test]
    fn another_path_is_a_wrong_parent() {
        assert_eq!(judged("a::B<int>", "f", "a.B.f"), 0);
        assert_eq!(judged("a::B", "f", "a.f"), 1);
        assert_eq!(judged("a::__anon1", "f", "a.name.f"), 0);
        assert_eq!(judged("a::b", "f", "a.name.f"), 1);
    }
}
