//! The names that an assignment declares.

use locant_text::Range;

use super::line::Lines;
use crate::bytes::is_word;

/// How deep patterns may be nested in each other. If they are nested deeper, the reader is not sure.
const MAX_DEPTH: usize = 16;

/// The names that a statement assigns to, as one list for each assignment in it: `a = b, (c, *d) = …` or `a: int`.
/// `None` if the reader is not sure.
pub(crate) fn targets(lines: &Lines<'_>, start: usize, end: usize) -> Option<Vec<Vec<Range>>> {
    let mut targets = Vec::new();
    let mut from = start;
    while let Some((at, mark)) = next_mark(lines, from, end) {
        // After the first mark, a colon belongs to an expression, or it comes before a type in a place where only the
        // grammar allows one.
        if mark == b':' && from > start && !lines.has_colon(lines.text()[from..at].trim_ascii()) {
            return None;
        }
        if mark == b'=' || from == start {
            let mut names = Vec::new();
            pattern(lines, from, at, 0, &mut names)?;
            targets.push(names);
        }
        if mark == b':' {
            break;
        }
        from = at + 1;
    }
    Some(targets)
}

/// The `=` or `:` after something that can be assigned to.
fn next_mark(lines: &Lines<'_>, start: usize, end: usize) -> Option<(usize, u8)> {
    let text = lines.text();
    let mut at = start;
    let (mut is_after_word, mut is_first) = (false, true);
    while at < end {
        match text[at] {
            b' ' | b'\t' | b'\\' | b'\n' | b'\r' => at += 1,
            b'=' | b':' if text.get(at + 1) == Some(&b'=') => return None,
            mark @ (b'=' | b':') => return (!is_first).then_some((at, mark)),
            b'.' => {
                (is_after_word, is_first) = (false, false);
                at += 1;
            }
            b',' => {
                (is_after_word, is_first) = (false, true);
                at += 1;
            }
            b'*' if is_first => at += 1,
            b'(' | b'[' => {
                at = group_end(lines, at, end)?;
                (is_after_word, is_first) = (true, false);
            }
            byte if is_word(byte) && !is_after_word => {
                at += text[at..].iter().take_while(|&&byte| is_word(byte)).count();
                (is_after_word, is_first) = (true, false);
            }
            _ => return None,
        }
    }
    None
}

/// The end of the brackets that open here.
fn group_end(lines: &Lines<'_>, start: usize, end: usize) -> Option<usize> {
    let close = if lines.text()[start] == b'(' { b')' } else { b']' };
    lines.find(start + 1, end, close).map(|at| at + 1)
}

/// Adds the names of a pattern; `None` if the reader does not understand the pattern.
fn pattern(lines: &Lines<'_>, start: usize, end: usize, depth: usize, names: &mut Vec<Range>) -> Option<()> {
    if depth > MAX_DEPTH || lines.text()[start..end].contains(&b'#') {
        return None;
    }
    let mut from = start;
    while from < end {
        let stop = lines.find(from, end, b',').unwrap_or(end);
        element(lines, from, stop, depth, names)?;
        from = stop + 1;
    }
    Some(())
}

fn element(lines: &Lines<'_>, start: usize, end: usize, depth: usize, names: &mut Vec<Range>) -> Option<()> {
    let text = lines.text();
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'*' | b'\\');
    let start = start + text[start..end].iter().take_while(|byte| is_blank(byte)).count();
    let n_blanks = text[start..end].iter().rev().take_while(|byte| is_blank(byte)).count();
    let end = end - n_blanks;
    let element = &text[start..end];
    match element.first() {
        None => {}
        Some(b'(' | b'[') if group_end(lines, start, end)? == end => {
            pattern(lines, start + 1, end - 1, depth + 1, names)?;
        }
        Some(first) if first.is_ascii_digit() => return None,
        Some(_) if element.iter().all(|&byte| is_word(byte)) => names.push(Range::of_indices(start..end)),
        Some(_) => {}
    }
    Some(())
}
