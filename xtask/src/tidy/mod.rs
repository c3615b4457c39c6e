//! The rules of the project that the compiler does not know.
//!
//! Each rule looks at files as text, names the lines that break it, and gives its reason. The rules run as `cargo xtask
//! tidy` and as a test of this package.

mod allowances;
mod blank;
mod closures;
mod commands;
mod file;
mod functions;
mod layers;
mod links;
mod modules;
mod places;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use self::file::{File, Problem};
use crate::grammars;
use crate::root::root;

/// Folders that are not part of the project, and the projects that servers are asked about in tests. The fuzzer creates
/// the last two.
const IGNORED: &[&str] = &[".git", ".work", "node_modules", "projects", "corpus", "artifacts"];

/// A rule about one file. Returns the problems of the file.
type Rule = fn(&File) -> Vec<Problem>;

const RULES: &[Rule] = &[
    words::header,
    words::length,
    words::width,
    words::forbidden,
    words::unsafe_code,
    words::rim,
    functions::length,
    layers::dependencies,
    places::machine_paths,
    places::registries,
    places::one_language,
    links::named_pages,
];

/// A rule about all files together. Returns their problems.
type CrateRule = fn(&[File]) -> Vec<Problem>;

const CRATE_RULES: &[CrateRule] =
    &[modules::cycles, closures::named, commands::literals, links::dead, links::book];

/// Prints all problems. Fails if there are any.
pub(crate) fn run() -> Result<()> {
    grammars::check()?;
    let (problems, n_files) = problems()?;
    for problem in &problems {
        println!("{problem}");
    }
    match problems.len() {
        0 => println!("tidy: {n_files} files keep all rules"),
        n => bail!("tidy: {n} lines break a rule"),
    }
    Ok(())
}

/// All problems, and the number of files.
fn problems() -> Result<(Vec<Problem>, usize)> {
    let mut paths = Vec::new();
    collect(&mut paths, root())?;
    paths.sort();
    let mut files = Vec::new();
    for path in &paths {
        let bytes = fs::read(path).with_context(|| format!("could not read {}", path.display()))?;
        // A picture has no text, but links may lead to it.
        let text = String::from_utf8(bytes).unwrap_or_default();
        let path = path.strip_prefix(root()).unwrap_or(path).to_string_lossy().replace('\\', "/");
        files.push(File { path, text });
    }
    let mut problems: Vec<Problem> =
        files.iter().flat_map(|file| RULES.iter().flat_map(|rule| rule(file))).collect();
    problems.extend(CRATE_RULES.iter().flat_map(|rule| rule(&files)));
    Ok((problems, paths.len()))
}

/// Collects the files of the project, without the folders in `IGNORED` and the build folders.
fn collect(paths: &mut Vec<PathBuf>, folder: &Path) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("could not read {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if IGNORED.contains(&name.as_ref()) {
            continue;
        }
        match entry.file_type()? {
            kind if kind.is_dir() && !name.starts_with("target") => collect(paths, &entry.path())?,
            kind if kind.is_file() => paths.push(entry.path()),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks which problems all rules find in one file, written as `line: what`.
    #[track_caller]
    fn check(path: &str, text: &str, expected: &[&str]) {
        let file = File { path: path.to_owned(), text: text.to_owned() };
        let found: Vec<String> = RULES
            .iter()
            .flat_map(|rule| rule(&file))
            .map(|problem| format!("{}: {}", problem.line, problem.what))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn the_project_is_tidy() {
        let (problems, _) = problems().expect("the project can be read");
        let shown: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert!(shown.is_empty(), "\n{}", shown.join("\n"));
    }

    #[test]
    fn a_file_starts_with_its_header() {
        check("crates/text/src/a.rs", "//! What it is.\n", &[]);
        check("crates/text/src/a.rs", "use x;\n", &["1: no //! header"]);
        check("docs/a.md", "# A\n", &[]);
    }

    #[test]
    fn a_wide_line_is_seen_unless_it_is_a_text_of_its_own() {
        let wide = "ä".repeat(118);
        check("xtask/src/a.rs", &format!("//! A.\n//{wide}\n"), &[]);
        check("xtask/src/a.rs", &format!("//! A.\n// {wide}\n"), &["2: 121 characters"]);
        check("xtask/src/a.rs", &format!("//! A.\n\"{wide}\";\n"), &["2: 121 characters"]);
        check("xtask/src/a.rs", &format!("//! A.\nr#\"\n{wide} xx\n\"#;\n"), &[]);
        check("docs/a.md", &format!("{wide} xx\n"), &[]);
    }

    #[test]
    fn unfinished_work_is_seen_in_code_only() {
        check("xtask/src/a.rs", "//! A.\n// todo!() is a word\nfn a() { \"dbg!\"; }\n", &[]);
        check("xtask/src/a.rs", "//! A.\nfn a() {\n    todo!()\n}\n", &["3: todo!"]);
        check(
            "crates/tree/tests/a.rs",
            "//! A.\n#[ignore]\n#[ignore = \"x\"]\n",
            &["2: #[ignore", "3: #[ignore"],
        );
    }

    #[test]
    fn unsafe_has_one_home() {
        check("crates/text/src/simd.rs", "//! A.\nunsafe {}\n", &[]);
        check("crates/text/src/lines.rs", "//! A.\nunsafe {}\n", &["2: unsafe"]);
        check("crates/text/src/lines.rs", "//! A.\n#![deny(unsafe_code)]\n", &[]);
    }

    #[test]
    fn below_the_rim_there_are_no_files() {
        let text = "//! A.\nuse std::fs;\nuse std::{fs, io};\nfn a() { println!(); std::process::exit(1) }\n";
        check(
            "crates/engine/src/a.rs",
            text,
            &["2: std::fs", "3: std::fs", "4: std::process", "4: println!"],
        );
        check("crates/locant/src/a.rs", text, &[]);
        check("crates/lang/build.rs", text, &[]);
        check("crates/lang/src/a.rs", "//! A.\nlet offs::x;\n", &[]);
    }

    #[test]
    fn a_long_function_is_named() {
        let body = "    x();\n".repeat(60);
        let text = format!("//! A.\nfn long(a: [u8; 3]) -> u8 {{\n{body}}}\nfn declared();\n");
        check("crates/text/src/a.rs", &text, &["2: fn long has 62 lines"]);
    }

    #[test]
    fn dependencies_point_down() {
        let text = "[package]\nname = \"locant-text\"\n[dependencies]\nlocant-tree.workspace = true\nserde = \"1\"\n";
        check("crates/text/Cargo.toml", text, &["4: text uses tree", "5: text uses serde"]);
        let text = "[package]\nname = \"locant-lang\"\n[dependencies]\nlocant-tree.workspace = true\n\
             tree-sitter = \"0\"\n";
        check("crates/lang/Cargo.toml", text, &[]);
    }

    #[test]
    fn tests_may_use_neighbours_but_not_what_stands_on_them() {
        let text = "[dev-dependencies]\nlocant-lang.workspace = true\nlocant-engine.workspace = true\n";
        check("crates/locate/Cargo.toml", text, &["3: locate uses engine, which uses locate"]);
    }

    #[test]
    fn a_machine_is_not_named() {
        let home = format!("see {}ann/x\n", concat!("/ho", "me/"));
        check("docs/a.md", &home, &[concat!("1: /ho", "me/")]);
        check("docs/a.md", "see .work/sources and network/x\n", &[]);
    }

    #[test]
    fn a_lock_file_names_the_public_registry() {
        let line = "source = \"registry+https://github.com/rust-lang/crates.io-index\"\n";
        check("Cargo.lock", line, &[]);
        check(
            "Cargo.lock",
            "source = \"registry+https://mirror.example/\"\n",
            &["1: not the public registry"],
        );
        check(".cargo/config.toml", "[source.crates-io]\n", &["1: a source of one machine"]);
    }

    #[test]
    fn a_language_is_no_rust_file() {
        check("crates/lang/src/python.rs", "//! A.\n", &["1: a file for one language"]);
        check("crates/lang/src/path.rs", "//! A.\n", &[]);
    }
}
