//! The rule that no command or flag is named in the crates below the doors.
//!
//! A hint with `locant read …` helps someone at a terminal, but is noise in an editor or to an agent. The crates below
//! the doors return hints as values, and each door writes them in its own way.

use std::collections::BTreeMap;

use super::allowances::{Allowance, kept};
use super::blank;
use super::file::{File, Problem, package};

/// The crates that are doors or tools of the project.
const DOORS: &[&str] = &["crates/locant", "benches", "xtask", "fuzz"];

/// The code that runs git, where the commands and flags of git are named.
const GIT: &str = "crates/workspace/src/git/";

/// The crates that still name commands or flags in string literals, and how often. At present no crate does.
const ALLOWED: &[Allowance] = &[];

const WHY: &str = "commands and flags are the words of one door; below the doors a hint is a value";

pub(super) fn literals(files: &[File]) -> Vec<Problem> {
    let mut crates: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        let Some(folder) = package(&file.path).filter(|folder| !DOORS.contains(folder)) else { continue };
        if file.path.starts_with(&format!("{folder}/src/")) && !file.path.starts_with(GIT) {
            let found = lines(&file.text).into_iter().map(|line| format!("{}:{line}", file.path));
            crates.entry(folder).or_default().extend(found);
        }
    }
    let found = crates.into_iter().map(|(folder, lines)| {
        (folder, lines.len(), format!("texts with a command or flag: {}", lines.join(", ")))
    });
    kept(found.collect(), ALLOWED, 0, WHY)
}

/// The lines, counted from 1, of string literals that name a command or a flag. Tests are left out, because they may
/// quote what a user sees.
fn lines(text: &str) -> Vec<usize> {
    let n_shipped = blank::n_shipped(text);
    let strings = blank::strings(text).into_iter().filter(|string| string.start < n_shipped);
    strings
        .filter(|string| has_command(&text[string.clone()]) || has_flag(&text[string.clone()]))
        .map(|string| text[..string.start].matches('\n').count() + 1)
        .collect()
}

fn has_command(literal: &str) -> bool {
    follows(literal, "locant ")
}

/// The line that starts a file in a diff of git contains `--`, but no flag.
fn has_flag(literal: &str) -> bool {
    follows(&literal.replace("diff --git ", ""), "--")
}

/// Whether a lower-case letter follows the mark somewhere, and the mark is not the end of a longer word.
fn follows(literal: &str, mark: &str) -> bool {
    literal.match_indices(mark).any(|(at, _)| {
        let is_apart =
            !literal[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '&'));
        is_apart && literal[at + mark.len()..].starts_with(|c: char| c.is_ascii_lowercase())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[usize]) {
        assert_eq!(lines(text), expected, "{text}");
    }

    #[test]
    fn commands_and_flags_in_texts_are_seen() {
        check("f(\"see: locant read {}\");\ng(\n    \"use `--fuzzy`\",\n    r\"--json\");\n", &[1, 3, 4]);
        check("let x = \"a\\\n  locant outline\";", &[1]);
    }

    #[test]
    fn other_texts_are_free() {
        check("// locant read --json\nf(\"locant {}\", \"a--b -- c --\", \"locant\", '-');\n", &[]);
        check("#[cfg(test)]\nmod tests {\n    f(\"--fuzzy\");\n}\n", &[]);
    }

    #[test]
    fn the_doors_may_say_them() {
        let text = "f(\"--fuzzy\");\n";
        let at = |path: &str| literals(&[File { path: path.to_owned(), text: text.to_owned() }]).len();
        assert_eq!(at("crates/locate/src/a.rs"), 1);
        assert_eq!(at("crates/locate/tests/a.rs"), 0);
        assert_eq!(at("crates/locant/src/a.rs"), 0);
        assert_eq!(at("xtask/src/a.rs"), 0);
        assert_eq!(at("crates/workspace/src/git/a.rs"), 0);
    }
}
