//! The text of a comment, without the marks that make it a comment.

/// How a comment of several lines begins and ends, longest marks first.
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

/// What each line of a comment may begin with, longest first.
const LINES: &[&str] = &["///", "//!", "//", "---", "--", "##", "#'", "#", ";;", ";", "%%", "%"];

/// The text of a comment or a doc string.
pub(super) fn words(comment: &str) -> String {
    let comment = comment.trim();
    let mut lines: Vec<&str> = match inside(comment) {
        Some(inside) => inside.lines().map(without_star).collect(),
        None => comment.lines().map(without_mark).collect(),
    };
    // The indentation that all lines after the first have in common is removed.
    let rest = lines.iter().skip(1).filter(|line| !line.trim().is_empty());
    let indent = rest.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    for (n, line) in lines.iter_mut().enumerate() {
        *line = if n == 0 { line.trim_start() } else { line.get(indent..).unwrap_or("") }.trim_end();
    }
    lines.join("\n").trim_matches('\n').to_owned()
}

/// The text between the marks at the start and the end.
fn inside(comment: &str) -> Option<&str> {
    BLOCKS.iter().find_map(|(front, back)| comment.strip_prefix(front)?.strip_suffix(back))
}

/// Removes the star at the left side of a line. A star that belongs to `*emphasis*` stays.
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
