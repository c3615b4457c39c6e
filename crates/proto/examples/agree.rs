//! Holds our tables against protoc's on real files: `agree FOLDER`, where each folder inside is a package.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use locant_names::{Names, Severity};
use locant_proto::{Pool, Sources, TableKind, Workspace};

#[path = "../tests/oracle/mod.rs"]
mod oracle;

use oracle::{Roots, Row, lost};

/// How many tokens are taken out of each file, one at a time.
const N_LOST: usize = 5;

/// How many differences are shown.
const N_SHOWN: usize = 5;

/// Takes some tokens out of each file, one at a time.
fn without_tokens(folder: &Path) -> lost::Tally {
    let mut tally = lost::Tally::default();
    for path in oracle::proto_files(folder) {
        let text = std::fs::read(&path).expect("it was found");
        let step = (oracle::tokens(&text).len() / N_LOST).max(1);
        lost::take_out(&mut tally, &path.to_string_lossy(), &text, step);
    }
    tally
}

/// The position trees of all files: how many nodes they have, and which are wrong.
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

/// What came of a package.
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
    let folder = std::env::args().nth(1).expect("usage: agree FOLDER");
    let mut packages: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the folder is there")
        .flatten()
        .map(|entry| entry.path())
        .collect();
    packages.sort();
    let mut n_wrong = 0;
    for package in packages {
        let tally = check_package(&package);
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
    let tally = without_tokens(Path::new(&folder));
    println!(
        "{} files without one token: {:.2} % of {} paths kept, {} of {} untouched declarations shifted",
        tally.n_files,
        tally.percent_kept(),
        tally.n_paths,
        tally.shifted.len(),
        tally.n_untouched
    );
    for shifted in tally.shifted.iter().take(N_SHOWN) {
        println!("{shifted}");
    }
    let (n_nodes, wrong) = position_trees(Path::new(&folder));
    println!("{n_nodes} nodes of position trees, {} files wrong", wrong.len());
    for wrong in wrong.iter().take(N_SHOWN) {
        println!("{wrong}");
    }
    if n_wrong == 0 && wrong.is_empty() && tally.percent_kept() >= 95.0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn check_package(package: &Path) -> Tally {
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
    for (own, names) in by_root {
        let mut all = vec![own.clone()];
        all.extend(roots.iter().filter(|&root| *root != own).cloned());
        check_names(&mut tally, &all, &files, &names);
        for (kind, flags) in [(TableKind::Default, &[][..]), (TableKind::Retained, &["--retain_options"][..])]
        {
            let (tables, refused) = compiled(&all, &names, flags);
            tally.n_refused += if kind == TableKind::Default { refused } else { 0 };
            for (name, descriptor) in tables {
                tally.n_tables += 1;
                let expected = oracle::table(&descriptor);
                tally.n_rows += expected.len();
                let difference = compare(&all, &name, kind, &expected, &descriptor);
                tally.wrong.extend(difference.map(|text| format!("{name} ({kind:?}): {text}")));
            }
        }
    }
    tally
}

/// Asks for the names of all files that protoc takes: nothing may be wrong with them, and what is said to be unused is
/// what protoc warns of.
fn check_names(tally: &mut Tally, roots: &[PathBuf], files: &[PathBuf], names: &[String]) {
    let path = |path: &Path| path.to_string_lossy().into_owned();
    let mut workspace = Workspace::new(roots.iter().map(|root| path(root)).collect());
    for file in files {
        workspace.set(&path(file), &std::fs::read(file).expect("it was found"));
    }
    for name in names {
        let Some(unused) = oracle::unused_imports(roots, name) else { continue };
        let file = path(&roots[0].join(name));
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

/// What protoc makes of files, and how many it refuses. It refuses a run for one bad file, so bad ones are taken out.
fn compiled(roots: &[PathBuf], names: &[String], flags: &[&str]) -> (HashMap<String, Vec<u8>>, usize) {
    if names.is_empty() {
        return (HashMap::new(), 0);
    }
    match oracle::protoc(roots, names, flags) {
        Ok(tables) => (tables, 0),
        Err(_) if names.len() == 1 => (HashMap::new(), 1),
        Err(_) => {
            let (left, right) = names.split_at(names.len() / 2);
            let (mut tables, refused) = compiled(roots, left, flags);
            let (others, also) = compiled(roots, right, flags);
            tables.extend(others);
            (tables, refused + also)
        }
    }
}

/// The folders that imports are relative to, by what the imports name; those named most often first.
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
