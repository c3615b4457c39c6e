//! The rule that a function has few named closures.
//!
//! `let is_name = |c| …` is a function in the middle of another function, and may use all its variables. One or two of
//! them shorten a condition. With more, it is hard to see what the outer function does.

use std::collections::BTreeMap;

use super::allowances::{Allowance, kept};
use super::file::{File, Problem, package};
use super::{blank, functions};

const MOST: usize = 2;

/// The crates that have functions with more named closures, and how many such functions each has today.
const ALLOWED: &[Allowance] = &[("benches", 6)];

const WHY: &str = "a closure with a name is a function in the wrong place; at most two in a function";

pub(super) fn named(files: &[File]) -> Vec<Problem> {
    let mut crates: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        let Some(folder) = package(&file.path) else { continue };
        let found = crates.entry(folder).or_default();
        found.extend(
            crowded(file)
                .into_iter()
                .map(|(line, name, n)| format!("{}:{line} fn {name} has {n}", file.path)),
        );
    }
    let found = crates.into_iter().map(|(folder, functions)| {
        let what = format!("functions with more than {MOST} named closures: {}", functions.join(", "));
        (folder, functions.len(), what)
    });
    kept(found.collect(), ALLOWED, 0, WHY)
}

/// The functions with too many named closures: the line and the name of each, and the number of closures.
fn crowded(file: &File) -> Vec<(usize, String, usize)> {
    let code = blank::code(&file.text);
    let functions = functions::functions(&code);
    let mut counts = vec![0_usize; functions.len()];
    for line in closure_lines(&code) {
        // Of the functions that contain the line, the last is the innermost.
        let around = functions.iter().rposition(|function| function.lines.contains(&line));
        counts[around.unwrap_or_default()] += usize::from(around.is_some());
    }
    let crowded = functions.iter().zip(counts).filter(|(_, n)| *n > MOST);
    crowded.map(|(function, n)| (function.lines.start + 1, function.name.to_owned(), n)).collect()
}

/// The lines, counted from 0, on which a closure gets a name.
fn closure_lines(code: &str) -> Vec<usize> {
    let mut lines = Vec::new();
    for (at, _) in code.match_indices("let ") {
        let is_word = !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        if is_word && is_closure(&code[at + "let ".len()..]) {
            lines.push(code[..at].matches('\n').count());
        }
    }
    lines
}

/// Whether the text after `let` binds a closure: a name, an optional type, `=`, optionally `&mut` or `move`, and `|`.
fn is_closure(binding: &str) -> bool {
    let binding = binding.strip_prefix("mut ").unwrap_or(binding);
    let after_name = binding.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').trim_start();
    let value = match after_name.strip_prefix(':') {
        Some(typed) => typed.split_once(" =").map(|(_, value)| value),
        None => after_name.strip_prefix('=').filter(|value| !value.starts_with('=')),
    };
    let Some(value) = value else { return false };
    let value = value.trim_start();
    let value = value.trim_start_matches('&').trim_start_matches("mut ");
    let value = value.strip_prefix("move ").unwrap_or(value).trim_start();
    value.starts_with('|')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(usize, &str, usize)]) {
        let file = File { path: "crates/a/src/a.rs".to_owned(), text: text.to_owned() };
        let found = crowded(&file);
        let found: Vec<(usize, &str, usize)> =
            found.iter().map(|(line, name, n)| (*line, name.as_str(), *n)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn three_closures_with_a_name_are_too_many() {
        check("fn f() {\n let a = |x| x;\n let b = move || 1;\n}\nfn g() {\n let c = || 1;\n}\n", &[]);
        check(
            "fn f() {\n let a = |x| x;\n let mut b = move || 1;\n let c =\n  |y: u8| y;\n}\n",
            &[(1, "f", 3)],
        );
        check(
            "fn f() {\n let a: fn(u8) -> u8 = |x| x;\n let b = &mut || 1;\n let c = |_| 1;\n}\n",
            &[(1, "f", 3)],
        );
    }

    #[test]
    fn only_closures_with_a_name_count() {
        check(
            "fn f() {\n let a = x || y;\n let b = g(|x| x);\n let Some(c) = d else { |x| x };\n let e = z;\n}\n",
            &[],
        );
        check("fn f() {\n let a: B =\n  c;\n let d = |x| x;\n let e = |x| x;\n}\n", &[]);
        check("fn f() {\n // let a = |x| x;\n \"let b = |x| x; let c = |x| x; let d = |x| x\";\n}\n", &[]);
    }

    #[test]
    fn a_function_inside_another_counts_for_itself() {
        let two = " let a = |x| x;\n let b = |x| x;\n";
        check(&format!("fn f() {{\n{two} fn g() {{\n{two} }}\n}}\n"), &[]);
    }
}
