//! Rules about lines and words.

use super::blank;
use super::file::{File, Problem};

const MOST_LINES: usize = 600;

/// The longest line, in characters. The formatter breaks lines of code, but neither strings nor comments.
const WIDEST_LINE: usize = 120;

/// The modules that may contain `unsafe`. They use special instructions of the processor, the entry point of our
/// generated parser, and the guard around parsers, which is written in C.
const UNSAFE_HOMES: &[&str] =
    &["crates/text/src/simd.rs", "crates/rholang/src/grammar.rs", "crates/parse/src/guard.rs"];

/// The crates that work only on texts, without files, processes or terminals.
const BELOW_THE_RIM: &[&str] = &["text", "tree", "locate", "lang", "names", "rholang", "proto", "engine"];

/// Words that show unfinished work.
const FORBIDDEN: &[&str] = &["todo!", "unimplemented!", "dbg!", "#[ignore", "#[should_panic"];

pub(super) fn header(file: &File) -> Vec<Problem> {
    if !file.is_rust() || file.text.starts_with("//!") {
        return Vec::new();
    }
    vec![file.problem(1, "no //! header", "a reader who opens the file first wants to know what it is")]
}

pub(super) fn length(file: &File) -> Vec<Problem> {
    let n_lines = file.text.lines().count();
    if !file.is_rust() || n_lines <= MOST_LINES {
        return Vec::new();
    }
    vec![file.problem(MOST_LINES + 1, format!("{n_lines} lines"), "a file is one idea, at most 600 lines")]
}

pub(super) fn width(file: &File) -> Vec<Problem> {
    if !file.is_rust() {
        return Vec::new();
    }
    let raw_strings = blank::raw_strings(&file.text);
    let (mut problems, mut start) = (Vec::new(), 0);
    for (index, line) in file.text.split_inclusive('\n').enumerate() {
        let width = line.trim_end().chars().count();
        // A raw string may contain a text with long lines.
        let is_raw = raw_strings.iter().any(|raw| raw.start < start && start < raw.end);
        if width > WIDEST_LINE && !is_raw {
            let what = format!("{width} characters");
            problems.push(file.problem(
                index + 1,
                what,
                "a line is read at one glance, at most 120 characters",
            ));
        }
        start += line.len();
    }
    problems
}

pub(super) fn forbidden(file: &File) -> Vec<Problem> {
    words(file, FORBIDDEN, "what is not finished or not run does not go in")
}

pub(super) fn unsafe_code(file: &File) -> Vec<Problem> {
    if UNSAFE_HOMES.contains(&file.path.as_str()) {
        return Vec::new();
    }
    words(file, &["unsafe"], "only the modules in UNSAFE_HOMES may, with a proof beside each block")
}

pub(super) fn rim(file: &File) -> Vec<Problem> {
    let is_below = BELOW_THE_RIM.iter().any(|name| file.path.starts_with(&format!("crates/{name}/src/")));
    if !is_below {
        return Vec::new();
    }
    const WHY: &str = "below the rim there are texts and answers, no files, processes or terminals";
    let mut problems = words(file, &["std::fs", "std::process", "println!", "eprintln!", "print!"], WHY);
    problems.extend(grouped(file, WHY));
    problems.sort_by_key(|problem| problem.line);
    problems
}

/// Finds `use std::{fs, …}` on one line.
fn grouped(file: &File, why: &'static str) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, line) in blank::code(&file.text).lines().enumerate() {
        let Some((_, group)) = line.split_once("std::{") else { continue };
        for name in ["fs", "process"].into_iter().filter(|name| is_in(group, name)) {
            problems.push(file.problem(index + 1, format!("std::{name}"), why));
        }
    }
    problems
}

fn words(file: &File, words: &[&str], why: &'static str) -> Vec<Problem> {
    if !file.is_rust() {
        return Vec::new();
    }
    let mut problems = Vec::new();
    for (index, line) in blank::code(&file.text).lines().enumerate() {
        let found = words.iter().filter(|word| is_in(line, word));
        problems.extend(found.map(|word| file.problem(index + 1, *word, why)));
    }
    problems
}

/// Whether a line contains the word, and not only as a part of a longer word.
pub(super) fn is_in(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let starts = !word.starts_with(is_part) || !line[..at].ends_with(is_part);
        let ends = !word.ends_with(is_part)
            || word.starts_with('#')
            || !line[at + word.len()..].starts_with(is_part);
        starts && ends
    })
}
