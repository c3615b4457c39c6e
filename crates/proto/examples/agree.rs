//! Compares the tables of this crate with protoc's on real files: `agree FOLDER`. Each folder in FOLDER is a package.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use locant_names::{Names, Severity};
use locant_proto::{Pool, Sources, TableKind, Workspace};

#[path = "../tests/oracle/mod.rs"]
mod oracle;

use oracle::lost::{self, Loss};
use oracle::{Compiled, Roots, Row};

/// How many parts are removed from each file, one at a time, unless the argument `lost:N` says otherwise.
const N_LOST: usize = 5;

/// The most differences to show for each check.
const N_SHOWN: usize = 20;

/// Removes `n_lost` parts from each file, one at a time.
fn without(folder: &Path, loss: Loss, n_lost: usize) -> lost::Tally {
    let mut tally = lost::Tally::default();
    for path in oracle::proto_files(folder) {
        let text = std::fs::read(&path).expect("it was found");
        let n_parts = match loss {
            Loss::Line => text.iter().filter(|byte| **byte == b'\n').count(),
            _ => oracle::tokens(&text).len(),
        };
        lost::take_out(&mut tally, &path.to_string_lossy(), &text, loss, (n_parts / n_lost).max(1));
    }
    tally
}

/// Removes all kinds of parts from files. Returns whether enough paths are kept.
fn check_losses(folder: &Path, n_lost: usize) -> bool {
    let mut is_right = true;
    for loss in [Loss::Token, Loss::TwoTokens, Loss::Line, Loss::Rest] {
        let tally = without(folder, loss, n_lost);
        println!(
            "{} files without {loss:?}, {} of them whole: {:.2} % of {} paths kept, {} of {} untouched declarations \
             shifted",
            tally.n_files,
            tally.n_whole,
            tally.percent_kept(),
            tally.n_paths,
            tally.shifted.len(),
            tally.n_untouched
        );
        if tally.by_kind.len() > 1 {
            for (kind, (n_paths, n_kept)) in &tally.by_kind {
                println!("  {kind}: {:.2} % of {n_paths}", 100.0 * *n_kept as f64 / *n_paths as f64);
            }
        }
        for shifted in tally.shifted.iter().take(N_SHOWN) {
            println!("{shifted}");
        }
        is_right &= tally.percent_kept() >= 95.0 && (loss != Loss::Token || tally.shifted.is_empty());
    }
    is_right
}

/// Lays out all files anew. Returns whether nothing but blanks has changed, and nothing changes the second time.
fn check_layouts(folder: &Path) -> bool {
    let (mut n_files, mut n_left, mut n_same, mut wrong) = (0, 0, 0, Vec::new());
    for path in oracle::proto_files(folder) {
        let text = std::fs::read(&path).expect("it was found");
        n_files += 1;
        match oracle::laid_out::formatted(&text) {
            None => n_left += 1,
            Some(new) => n_same += usize::from(new == text),
        }
        let difference = oracle::laid_out::difference(&text);
        wrong.extend(difference.map(|difference| format!("{}: {difference}", path.display())));
    }
    println!(
        "{n_files} files laid out anew, {n_left} left because of syntax errors, {n_same} as they were, {} wrong",
        wrong.len()
    );
    wrong.iter().take(N_SHOWN).for_each(|wrong| println!("{wrong}"));
    wrong.is_empty()
}

/// Checks the position trees of all files. Returns how many nodes they have, and what is wrong with them.
fn position_trees(folder: &Path) -> (usize, Vec<String>) {
    let (mut n_nodes, mut wrong) = (0, Vec::new());
    for path in oracle::proto_files(folder) {
        let text = std::fs::read(&path).expect("it was found");
        let (n, difference) = oracle::positions::difference(&text);
        n_nodes += n;
        wrong.extend(difference.map(|difference| format!("{}: {difference}", path.display())));
    }
    (n_nodes, wrong)
}

/// The counts and differences of a package.
#[derive(Default)]
struct Tally {
    n_files: usize,
    n_refused: usize,
    n_tables: usize,
    n_rows: usize,
    n_mentions: usize,
    wrong: Vec<String>,
}

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let folder = PathBuf::from(
        words.next().expect("usage: agree FOLDER [tables] [names] [lost[:N]] [trees] [layout] [raw:PROGRAM]"),
    );
    let asked: Vec<String> = words.collect();
    let part = |name: &str| match asked.iter().find(|word| word.split(':').next() == Some(name)) {
        Some(word) => Some(word.split_once(':').map_or("", |(_, rest)| rest)),
        None => (asked.is_empty() && name != "raw").then_some(""),
    };
    let mut is_right = true;
    if part("tables").is_some() || part("names").is_some() {
        is_right &= check_packages(&folder, part("names").is_some());
    }
    if let Some(program) = part("raw") {
        is_right &= check_raw(&folder, program);
    }
    if let Some(n_lost) = part("lost") {
        is_right &= check_losses(&folder, n_lost.parse().unwrap_or(N_LOST));
    }
    if part("trees").is_some() {
        let (n_nodes, wrong) = position_trees(&folder);
        println!("{n_nodes} nodes of position trees, {} files wrong", wrong.len());
        wrong.iter().take(N_SHOWN).for_each(|wrong| println!("{wrong}"));
        is_right &= wrong.is_empty();
    }
    if part("layout").is_some() {
        is_right &= check_layouts(&folder);
    }
    if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn check_packages(folder: &Path, with_names: bool) -> bool {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut packages: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    packages.sort();
    let mut n_wrong = 0;
    for package in packages {
        let tally = check_package(&package, with_names);
        println!(
            "{}: {} files, {} refused by protoc, {} tables, {} rows, {} names, {} different",
            package.file_name().unwrap_or_default().to_string_lossy(),
            tally.n_files,
            tally.n_refused,
            tally.n_tables,
            tally.n_rows,
            tally.n_mentions,
            tally.wrong.len()
        );
        for wrong in tally.wrong.iter().take(N_SHOWN) {
            println!("{wrong}");
        }
        n_wrong += tally.wrong.len();
    }
    n_wrong == 0
}

/// Compares the raw tables with those of `program`, which reads the paths of files, runs protoc's parser on these
/// files, and writes a FileDescriptorSet.
fn check_raw(folder: &Path, program: &str) -> bool {
    let files = oracle::proto_files(folder);
    let (mut n_tables, mut n_rows, mut wrong) = (0, 0, Vec::new());
    for (name, descriptor) in oracle::parsed(program, &files).expect("the program runs") {
        let text = std::fs::read(&name).expect("it was found");
        let pool = Pool::new(&name, &text, &locant_proto::NoSources);
        let expected = oracle::table(&descriptor);
        n_tables += 1;
        n_rows += expected.len();
        let difference = oracle::difference(&oracle::ours(&pool, TableKind::Raw), &expected);
        wrong.extend(difference.map(|text| format!("{name} (Raw): {text}")));
    }
    println!("{} files, {n_tables} raw tables, {n_rows} rows, {} different", files.len(), wrong.len());
    wrong.iter().take(N_SHOWN).for_each(|wrong| println!("{wrong}"));
    wrong.is_empty()
}

fn check_package(package: &Path, with_names: bool) -> Tally {
    let files = oracle::proto_files(package);
    let roots = roots(package, &files);
    let mut by_root: HashMap<PathBuf, Vec<String>> = HashMap::new();
    for file in &files {
        let own =
            roots.iter().filter(|root| file.starts_with(root)).max_by_key(|root| root.as_os_str().len());
        let own = own.cloned().unwrap_or_else(|| package.to_path_buf());
        let name = file.strip_prefix(&own).expect("it starts with its root").to_string_lossy().into_owned();
        by_root.entry(own).or_default().push(name);
    }
    let mut tally = Tally { n_files: files.len(), ..Tally::default() };
    for (own, mut names) in by_root {
        let mut all = vec![own.clone()];
        all.extend(roots.iter().filter(|&root| *root != own).cloned());
        for (kind, flags) in [(TableKind::Default, &[][..]), (TableKind::Retained, &["--retain_options"][..])]
        {
            let runs = compiled(&all, &names, flags);
            for run in &runs {
                if with_names && kind == TableKind::Default {
                    check_names(&mut tally, &all, &files, run);
                }
                for (name, descriptor) in &run.descriptors {
                    tally.n_tables += 1;
                    let expected = oracle::table(descriptor);
                    tally.n_rows += expected.len();
                    let difference = compare(&all, name, kind, &expected, descriptor);
                    tally.wrong.extend(difference.map(|text| format!("{name} ({kind:?}): {text}")));
                }
            }
            let n_before = names.len();
            names = runs.into_iter().flat_map(|run| run.descriptors.into_keys()).collect();
            tally.n_refused += n_before - names.len();
        }
    }
    tally
}

/// Checks the names in all files that protoc accepts. These files must have no problems but unused imports, which must
/// be the ones that protoc warns about.
fn check_names(tally: &mut Tally, roots: &[PathBuf], files: &[PathBuf], run: &Compiled) {
    let path = |path: &Path| path.to_string_lossy().into_owned();
    let mut workspace = Workspace::new(roots.iter().map(|root| path(root)).collect());
    for file in files {
        // A file that cannot be read, such as a broken link, is left out.
        std::fs::read(file).into_iter().for_each(|text| workspace.set(&path(file), &text));
    }
    for name in run.descriptors.keys() {
        let file = path(&roots[0].join(name));
        let unused = run.unused_imports(Path::new(&file));
        let problems = workspace.problems(&file);
        let errors = problems.iter().filter(|problem| problem.severity != Severity::Hint);
        tally.wrong.extend(errors.map(|problem| format!("{file}: {problem:?}")));
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let mut ours: Vec<&str> = problems
            .iter()
            .filter(|problem| problem.code == "unused-import")
            .map(|problem| text[problem.range.indices()].trim_matches(['"', '\'']))
            .collect();
        ours.sort_unstable();
        if ours != unused {
            tally.wrong.push(format!("{file}: unused imports: ours {ours:?}, protoc's {unused:?}"));
        }
        tally.n_mentions += workspace.tokens(&file).len();
    }
}

/// The output of protoc for files. One bad file makes protoc refuse the whole run, so the files that it complains about
/// are compiled one by one.
fn compiled(roots: &[PathBuf], names: &[String], flags: &[&str]) -> Vec<Compiled> {
    if names.is_empty() {
        return Vec::new();
    }
    let said = match oracle::protoc(roots, names, flags) {
        Ok(run) => return vec![run],
        Err(said) => said,
    };
    let blamed: HashSet<&str> = said
        .lines()
        .filter(|line| !line.contains(" warning: "))
        .filter_map(|line| line.split(':').next())
        .collect();
    let is_bad = |name: &String| {
        blamed.contains(name.as_str()) || blamed.contains(&*roots[0].join(name).to_string_lossy())
    };
    if names.len() == 1 {
        return Vec::new();
    }
    let (bad, good): (Vec<String>, Vec<String>) = names.iter().cloned().partition(is_bad);
    if !bad.is_empty() {
        // A file may be right on its own: files that declare the same names cannot be in one run.
        let mut runs = compiled(roots, &good, flags);
        runs.extend(bad.into_iter().filter_map(|name| oracle::protoc(roots, &[name], flags).ok()));
        return runs;
    }
    let (left, right) = names.split_at(names.len() / 2);
    let mut runs = compiled(roots, left, flags);
    runs.extend(compiled(roots, right, flags));
    runs
}

/// The folders that the imports of a package are relative to, those with the most imports first.
fn roots(package: &Path, files: &[PathBuf]) -> Vec<PathBuf> {
    let mut votes: HashMap<PathBuf, usize> = HashMap::from([(package.to_path_buf(), 0)]);
    for file in files {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        for line in text.lines().filter(|line| line.starts_with("import")) {
            let Some(path) = line.split('"').nth(1) else { continue };
            for found in files.iter().filter(|file| file.ends_with(path)) {
                let n = Path::new(path).components().count();
                let root: PathBuf = found.ancestors().nth(n).expect("it ends with the path").to_path_buf();
                *votes.entry(root).or_default() += 1;
            }
        }
    }
    let mut roots: Vec<_> = votes.into_iter().collect();
    roots.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(&other.0)));
    roots.into_iter().map(|(root, _)| root).collect()
}

fn compare(
    roots: &[PathBuf],
    name: &str,
    kind: TableKind,
    expected: &[Row],
    descriptor: &[u8],
) -> Option<String> {
    let sources = Roots(roots.to_vec());
    let text = sources.text(name).expect("protoc has read it");
    let pool = Pool::new(name, &text, &sources);
    oracle::difference(&oracle::ours(&pool, kind), expected)
        .or_else(|| oracle::descriptor_difference(&pool, kind, descriptor))
}
