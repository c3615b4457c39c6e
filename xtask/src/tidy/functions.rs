//! The functions of a file, and the rule that none of them is long.

use std::ops::Range;

use super::blank;
use super::file::{File, Problem};
use super::words::is_in;

const MOST_LINES: usize = 60;

/// A function with a body.
pub(super) struct Function<'c> {
    pub(super) name: &'c str,
    /// Its lines, counted from 0.
    pub(super) lines: Range<usize>,
}

pub(super) fn length(file: &File) -> Vec<Problem> {
    if !file.is_rust() {
        return Vec::new();
    }
    let mut problems = Vec::new();
    for Function { name, lines } in functions(&blank::code(&file.text)) {
        if lines.len() > MOST_LINES {
            let what = format!("fn {name} has {} lines", lines.len());
            problems.push(file.problem(lines.start + 1, what, "a function is one thought, at most 60 lines"));
        }
    }
    problems
}

/// The functions in code whose comments and literals are blanked out, in the order of their first lines.
pub(super) fn functions(code: &str) -> Vec<Function<'_>> {
    let lines: Vec<&str> = code.lines().collect();
    let mut functions = Vec::new();
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| is_in(line, "fn")) {
        if let Some(name) = name(line)
            && let Some(n_lines) = body_lines(&lines[index..])
        {
            functions.push(Function { name, lines: index..index + n_lines });
        }
    }
    functions
}

/// The name after `fn`; `None` if no name follows, as in a type such as `fn(u8)`.
fn name(line: &str) -> Option<&str> {
    let (_, after) = line.split_once("fn ")?;
    let end = after.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    (end > 0).then(|| &after[..end])
}

/// The number of lines of the function that starts on the first line; `None` when it has no body.
fn body_lines(lines: &[&str]) -> Option<usize> {
    let (mut braces, mut others) = (0, 0);
    for (index, line) in lines.iter().enumerate() {
        for character in line.chars() {
            match character {
                '(' | '[' => others += 1,
                ')' | ']' => others -= 1,
                '{' => braces += 1,
                '}' if braces <= 1 => return Some(index + 1),
                '}' => braces -= 1,
                ';' if braces == 0 && others == 0 => return None,
                _ => {}
            }
        }
    }
    None
}
