//! The words of a comment, without the marks that make it one.

/// What a comment may begin and end with that goes over several lines, the longest first.
const BLOCKS: &[(&str, &str)] = &[
    ("\"\"\"", "\"\"\""),
    ("'''", "'''"),
    ("/**", "*/"),
    ("/*!", "*/"),
    ("/*", "*/"),
    ("(**", "*)"),
    ("(*", "*)"),
    ("<!--", "-->"),
    ("{-", "-}"),
    ("#|", "|#"),
    ("--[[", "]]"),
    ("\"", "\""),
    ("'", "'"),
];

/// What each line of one may begin with, the longest first.
const LINES: &[&str] = &["///", "//!", "//", "---", "--", "##", "#'", "#", ";;", ";", "%%", "%"];

/// The text of a comment or of a doc string, line by line, as far as it says something.
pub(super) fn words(comment: &str) -> String {
    let comment = comment.trim();
    let mut lines: Vec<&str> = match inside(comment) {
        Some(inside) => inside.lines().map(without_star).collect(),
        None => comment.lines().map(without_mark).collect(),
    };
    // What all lines after the first are indented by is no part of the words.
    let rest = lines.iter().skip(1).filter(|line| !line.trim().is_empty());
    let indent = rest.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    for (n, line) in lines.iter_mut().enumerate() {
        *line = if n == 0 { line.trim_start() } else { line.get(indent..).unwrap_or("") }.trim_end();
    }
    lines.join("\n").trim_matches('\n').to_owned()
}

/// What stands between the marks at both ends.
fn inside(comment: &str) -> Option<&str> {
    BLOCKS.iter().find_map(|(front, back)| comment.strip_prefix(front)?.strip_suffix(back))
}

/// A line without the star that goes down the left side; of `*emphasis*` it is a part.
fn without_star(line: &str) -> &str {
    match line.trim_start().strip_prefix('*') {
        Some(rest) if rest.is_empty() || rest.starts_with([' ', '\t']) => rest,
        _ => line,
    }
}

fn without_mark(line: &str) -> &str {
    let text = line.trim_start();
    LINES.iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_comments_are_left_out() {
        for (comment, expected) in [
            ("/// Adds.\n    ///\n    /// Twice.", "Adds.\n\nTwice."),
            ("/** Adds.\n * Twice:\n *   a list\n */", "Adds.\nTwice:\n  a list"),
            ("\"\"\"Adds.\n\n    Twice:\n      a list\n    \"\"\"", "Adds.\n\nTwice:\n  a list"),
            ("\"\"\"Adds.\"\"\"", "Adds."),
            ("# Adds.\n# Twice.", "Adds.\nTwice."),
            ("-- | Adds.", "| Adds."),
            ("/* Adds. */", "Adds."),
            ("// *very* good", "*very* good"),
            ("/**\n# Heading\n*very* good\n**/", "# Heading\n*very* good"),
            ("# one\n# two\n#   three", "one\ntwo\n  three"),
            ("", ""),
        ] {
            assert_eq!(words(comment), expected, "{comment:?}");
        }
    }
}
