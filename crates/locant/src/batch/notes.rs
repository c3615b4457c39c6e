//! Locations in lines of notes, as people write them.

/// The location in a line that is no JSON: behind the mark of a list, in backticks, or the line itself.
pub(super) fn location_in(line: &str) -> Option<&str> {
    let line = without_marks(line.trim_start().trim_end_matches(['\n', '\r']));
    let is_location = |text: &&str| {
        let named = text.find([':', '@']).map(|at| text[at + 1..].chars().next());
        named.is_some_and(|next| next.is_some_and(|next| !next.is_whitespace()))
    };
    let first_word = line.split([' ', '\t', '`']).next().unwrap_or_default();
    if is_coordinate(first_word) {
        return Some(first_word);
    }
    let has_quoted_name = first_word.ends_with([':', '@']) && line[first_word.len()..].starts_with('`');
    if is_location(&first_word) || has_quoted_name {
        return Some(line);
    }
    spans(line).find(is_location).or_else(|| Some(line).filter(|line| line.contains([':', '@'])))
}

/// A path with a line or a coordinate: what follows behind a blank is a remark, no symbol starts with a digit.
fn is_coordinate(word: &str) -> bool {
    let is_number =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    word.split_once(':').is_some_and(|(_, numbers)| numbers.trim_end_matches(':').split(':').all(is_number))
}

/// A line without what makes it an item of a list, a task or a quotation.
fn without_marks(line: &str) -> &str {
    const MARKS: [&str; 8] = ["- ", "* ", "+ ", "> ", "[ ] ", "[x] ", "// ", "# "];

    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let unnumbered = if numbered.len() < line.len() { numbered.strip_prefix(". ") } else { None };
    let rest = unnumbered.or_else(|| MARKS.iter().find_map(|mark| line.strip_prefix(mark)));
    rest.map_or(line, |rest| without_marks(rest.trim_start()))
}

/// What stands in backticks: between as many as it starts with, since a location may have some in itself.
fn spans(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        loop {
            let start = rest.find('`')?;
            let opened = &rest[start..];
            let n_ticks = opened.len() - opened.trim_start_matches('`').len();
            let (ticks, inside) = opened.split_at(n_ticks);
            if let Some((span, behind)) = inside.split_once(ticks) {
                rest = behind;
                return Some(span.trim());
            }
            rest = inside;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_location_is_found_where_notes_have_it() {
        let cases = [
            ("a.py:f", Some("a.py:f")),
            ("my file.py:f", Some("my file.py:f")),
            ("- a.py:f@return <|>x\n", Some("a.py:f@return <|>x")),
            ("  * [ ] a.py:10 is wrong", Some("a.py:10")),
            ("12. a.py:f", Some("a.py:f")),
            ("a.py:10-12:4: wrong, too", Some("a.py:10-12:4:")),
            ("- a.py:10@return <|>x", Some("a.py:10@return <|>x")),
            ("> - a.py:f", Some("a.py:f")),
            ("`a.py:f`, which is long", Some("a.py:f")),
            ("Note: see `x` in `a.py:f` again", Some("a.py:f")),
            ("see ``doc.md:`Two commands` `` too", Some("doc.md:`Two commands`")),
            ("doc.md:`Two commands`", Some("doc.md:`Two commands`")),
            ("3.py:f", Some("3.py:f")),
            ("an open `` and `a.py:f`", Some("a.py:f")),
            ("nothing to see", None),
            ("# A heading", None),
            ("", None),
        ];
        for (line, expected) in cases {
            assert_eq!(location_in(line), expected, "{line}");
        }
    }
}
