//! No function is long.

use super::{File, Problem, blank, words::is_in};

const MOST_LINES: usize = 60;

pub(super) fn length(file: &File) -> Vec<Problem> {
    if !file.is_rust() {
        return Vec::new();
    }
    let code = blank::code(&file.text);
    let lines: Vec<&str> = code.lines().collect();
    let mut problems = Vec::new();
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| is_in(line, "fn")) {
        let Some(name) = name(line) else { continue };
        let n_lines = body_lines(&lines[index..]).unwrap_or(0);
        if n_lines > MOST_LINES {
            let what = format!("fn {name} has {n_lines} lines");
            problems.push(file.problem(index + 1, what, "a function is one thought, at most 60 lines"));
        }
    }
    problems
}

/// The name behind `fn`; `None` for the type of a function.
fn name(line: &str) -> Option<&str> {
    let (_, behind) = line.split_once("fn ")?;
    let end = behind.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    (end > 0).then(|| &behind[..end])
}

/// How many lines a function takes from its first; `None` when it has no body.
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
