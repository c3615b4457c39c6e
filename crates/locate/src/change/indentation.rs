//! Gives the lines of a new text the indentation of the place where they go.

use super::layout::n_blanks;

/// What becomes of a text that has an indentation of its own, other than the one that the place has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Foreign {
    /// It stays: with it, lines are moved in or out.
    Kept,
    /// It gives way, since a symbol stays on its level.
    Shifted,
}

/// The lines with the indentation `target`, and the same relative to each other as before.
///
/// `unit` is by how many characters the file indents.
pub(super) fn indented(lines: &[&str], target: &str, unit: usize, foreign: Foreign) -> Vec<String> {
    let Some(first) = lines.iter().position(|line| !is_blank(line)) else { return owned(lines) };
    let own = indent(lines[first]);
    if own == target || !own.is_empty() && foreign == Foreign::Kept {
        return owned(lines);
    }
    if own.is_empty() && is_hanging(&lines[first..], target, unit) {
        let mut lines = owned(lines);
        lines[first].insert_str(0, target);
        return lines;
    }
    lines.iter().map(|line| shifted(line, own, target)).collect()
}

/// A line with `from` at its start replaced by `to`. A line with less indentation than `from` is moved as far.
fn shifted(line: &str, from: &str, to: &str) -> String {
    if is_blank(line) {
        return line.to_owned();
    }
    if let Some(rest) = line.strip_prefix(from) {
        return format!("{to}{rest}");
    }
    match to.strip_prefix(from) {
        Some(more) => format!("{more}{line}"),
        None => {
            let n_less = from.len().saturating_sub(to.len());
            line[n_less.min(indent(line).len())..].to_owned()
        }
    }
}

/// Whether only the first line lacks its indentation, as in a text that was copied from the first letter of a symbol
/// on. `lines` starts with this line.
fn is_hanging(lines: &[&str], target: &str, unit: usize) -> bool {
    let rest: Vec<&str> = lines[1..].iter().copied().filter(|line| !is_blank(line)).collect();
    let (Some(next), Some(last)) = (rest.first(), rest.last()) else { return false };
    if target.is_empty() || !rest.iter().all(|line| line.starts_with(target)) {
        return false;
    }
    let depth = |line: &str| indent(line).len();
    // A bracket that closes the first line stands below its start.
    if depth(last) == target.len() && closes(last) {
        return true;
    }
    let nearest = rest.iter().map(|line| depth(line)).min().unwrap_or_default();
    if nearest == target.len() {
        depth(next) == nearest && is_attached(lines[0])
    } else {
        nearest - target.len() == unit && nearest != unit
    }
}

fn closes(line: &str) -> bool {
    let line = line.trim();
    line.starts_with(['}', ')', ']']) || line.starts_with("</") || line.starts_with("end")
}

/// Whether a line is a comment, a decorator or an attribute, so that the next line is no deeper.
fn is_attached(line: &str) -> bool {
    ["@", "#", "//", "/*", "--", "["].iter().any(|sign| line.starts_with(sign))
}

/// The blanks at the start of a line.
fn indent(line: &str) -> &str {
    &line[..n_blanks(line.as_bytes())]
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

fn owned(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let lines: Vec<&str> = text.split('\n').collect();
        assert_eq!(indented(&lines, "    ", 4, Foreign::Shifted).join("\n"), expected);
    }

    #[test]
    fn a_text_without_indentation_gets_it() {
        check("def f():\n    pass", "    def f():\n        pass");
        check("if x {\n    y\n}", "    if x {\n        y\n    }");
        check("@a\ndef f():\n    pass\n\n    x", "    @a\n    def f():\n        pass\n\n        x");
    }

    #[test]
    fn a_text_with_its_indentation_stays() {
        check("    def f():\n        pass", "    def f():\n        pass");
        check("def f():\n        pass", "    def f():\n        pass");
        check("if x {\n        y\n    }", "    if x {\n        y\n    }");
        check("@a\n    def f():\n        pass", "    @a\n    def f():\n        pass");
    }

    #[test]
    fn a_text_from_another_level_is_moved() {
        check("  def f():\n      pass", "    def f():\n        pass");
        check("        x\n    y", "    x\ny");
        check("\t\tx\n\t\t\ty", "    x\n    \ty");
    }
}
