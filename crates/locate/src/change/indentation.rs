//! Gives the lines of a new text the indentation of the place where they go.

use std::borrow::Cow;

use super::layout::{Signs, Style, n_blanks};

/// What to do with a new text that is indented already, but not as the place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Foreign {
    /// Keep its indentation. This is for whole lines, which users replace to indent them more or less.
    Kept,
    /// Replace its indentation by that of the place. This is for symbols, which stay on their level.
    Shifted,
}

/// The lines, moved together so that the first one has the indentation `target`, unless `foreign` keeps the indentation
/// that they have. Before that, tabs become spaces if the file indents only with spaces, and spaces become tabs if it
/// indents only with tabs.
pub(super) fn indented(lines: &[&str], target: &str, style: Style, foreign: Foreign) -> Vec<String> {
    let lines = in_style(lines, style);
    let lines: Vec<&str> = lines.iter().map(AsRef::as_ref).collect();
    moved(&lines, target, style.unit, foreign)
}

/// The lines, indented with tabs or spaces as the file is. A text that mixes both stays as it is.
fn in_style<'l>(lines: &[&'l str], style: Style) -> Vec<Cow<'l, str>> {
    let mut indents = lines.iter().map(|line| indent(line)).filter(|indent| !indent.is_empty());
    let (from, to) = match style.signs {
        Signs::Tabs if indents.all(|indent| !indent.contains('\t')) => {
            let Some(unit) = step(lines) else { return as_given(lines) };
            (" ".repeat(unit), "\t".to_owned())
        }
        Signs::Spaces if indents.all(|indent| !indent.contains(' ')) => {
            ("\t".to_owned(), " ".repeat(style.unit))
        }
        _ => return as_given(lines),
    };
    let rewritten = |line: &&'l str| {
        let (own, rest) = line.split_at(indent(line).len());
        Cow::Owned(own.replace(&from, &to) + rest)
    };
    lines.iter().map(rewritten).collect()
}

/// How many spaces one level of indentation has in a text: the greatest common divisor of all indentations. `None` if
/// no line is indented, or if the divisor is 1, because then the spaces only align.
fn step(lines: &[&str]) -> Option<usize> {
    let is_comment = |line: &&&str| line.trim_start().starts_with('*');
    let depths = lines.iter().filter(|line| !is_blank(line) && !is_comment(line));
    let depths = depths.map(|line| indent(line).len()).filter(|depth| *depth > 0);
    depths.reduce(greatest_common_divisor).filter(|step| *step > 1)
}

fn greatest_common_divisor(one: usize, other: usize) -> usize {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}

fn as_given<'l>(lines: &[&'l str]) -> Vec<Cow<'l, str>> {
    lines.iter().map(|line| Cow::Borrowed(*line)).collect()
}

fn moved(lines: &[&str], target: &str, unit: usize, foreign: Foreign) -> Vec<String> {
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

/// A line with `from` at its start replaced by `to`. A line that does not start with `from` is moved by the difference
/// of the two lengths.
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

/// Whether only the first line lacks its indentation. This happens when a text is copied from the first letter of a
/// symbol on. `lines` starts with this line.
fn is_hanging(lines: &[&str], target: &str, unit: usize) -> bool {
    let rest: Vec<&str> = lines[1..].iter().copied().filter(|line| !is_blank(line)).collect();
    let (Some(next), Some(last)) = (rest.first(), rest.last()) else { return false };
    if target.is_empty() || !rest.iter().all(|line| line.starts_with(target)) {
        return false;
    }
    let depth = |line: &str| indent(line).len();
    // If the last line closes what the first line opens, both start in the same column.
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
        let style = Style { unit: 4, signs: Signs::Spaces };
        assert_eq!(indented(&lines, "    ", style, Foreign::Shifted).join("\n"), expected);
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
        check("\t\tx\n\t\t\ty", "    x\n        y");
    }

    #[test]
    fn a_text_gets_the_signs_that_the_file_indents_with() {
        check("def f():\n\tpass", "    def f():\n        pass");
        let tabs = |text: &str| {
            let lines: Vec<&str> = text.split('\n').collect();
            indented(&lines, "\t", Style { unit: 1, signs: Signs::Tabs }, Foreign::Kept).join("\n")
        };
        assert_eq!(tabs("if x {\n    y\n}"), "\tif x {\n\t\ty\n\t}");
        assert_eq!(tabs("  if x {\n    y\n  }"), "\tif x {\n\t\ty\n\t}");
        assert_eq!(tabs("if x {\n\ty  \n}"), "\tif x {\n\t\ty  \n\t}");
        // A single blank aligns text, and is not an indentation.
        assert_eq!(tabs("        x\n            y"), "\t\tx\n\t\t\ty");
        assert_eq!(tabs("/*\n * x\n */"), "\t/*\n\t * x\n\t */");
    }
}
