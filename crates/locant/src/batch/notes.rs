//! Locations in lines of notes, as people write them.

/// What may be the location in a line that is no JSON, the longest reading first; nothing in prose.
///
/// A location stands behind the mark of a list, in backticks, in a link or among words. Only backticks and links tell
/// where it ends: what follows elsewhere may be a remark, or words of a find.
pub(super) fn locations_in(line: &str) -> Vec<&str> {
    let line = without_marks(line.trim_start().trim_end_matches(['\n', '\r']));
    let first_word = line.split([' ', '\t', '`']).next().unwrap_or_default();
    if is_coordinate(first_word) {
        return vec![first_word];
    }
    let has_quoted_name = first_word.ends_with([':', '@']) && line[first_word.len()..].starts_with('`');
    if is_location(first_word) && !first_word.starts_with(['(', '[']) || has_quoted_name {
        return with_remarks_cut(line);
    }
    if let Some(sure) = spans(line).find(|span| is_location(span)).or_else(|| link(line)) {
        return vec![sure];
    }
    // The path may have blanks in it, or words stand in front.
    let whole = Some(line).filter(|line| is_location(line) && has_path(line));
    let among_words = word_starts(line).map(|start| &line[start..]).find(|rest| {
        let word = rest.split([' ', '\t']).next().unwrap_or_default();
        is_location(word) && has_path(word)
    });
    whole.into_iter().chain(among_words.map(with_remarks_cut).unwrap_or_default()).collect()
}

/// Does something follow a path and `:` or `@`? A web address is no location.
fn is_location(text: &str) -> bool {
    let behind = text.find([':', '@']).map(|at| &text[at + 1..]);
    behind.is_some_and(|behind| !behind.starts_with(|c: char| c.is_whitespace()) && !behind.is_empty())
        && !text.contains("://")
}

/// Does what stands in front look like a path, and not like the word before a colon or the name of a mailbox?
fn has_path(text: &str) -> bool {
    text.split([':', '@']).next().is_some_and(|path| path.contains(['.', '/', '\\']))
}

/// Where words start, also behind what opens a bracket or a quotation.
fn word_starts(line: &str) -> impl Iterator<Item = usize> {
    let is_apart = |c: char| matches!(c, ' ' | '\t' | '(' | '[' | '<' | '"' | '|');
    line.match_indices(is_apart).map(|(at, apart)| at + apart.len())
}

/// The target of a link that names a line: `[so](a.py#L12)`.
fn link(line: &str) -> Option<&str> {
    let (_, behind) = line.split_once("](")?;
    let (target, _) = behind.split_once(')')?;
    (!target.contains("://") && (target.contains("#L") || is_location(target))).then_some(target)
}

/// A location with what follows it, then without more and more of it.
///
/// A remark starts with a mark, and behind a symbol also with a blank. The words of a find are many, so a blank alone
/// ends none: a part of a find stands at other places, too.
fn with_remarks_cut(text: &str) -> Vec<&str> {
    const MARKS: [&str; 11] = [": ", ", ", "; ", ". ", " - ", " -- ", " — ", " – ", " (", "\"", " |"];
    /// Each reading is tried, and a line may be long.
    const MOST: usize = 20;

    let find = text.find('@').unwrap_or(text.len());
    let mut n_open = 0_usize;
    let is_cut = |&(at, c): &(usize, char)| {
        let rest = &text[at..];
        let ends = matches!(rest, ":" | "," | ";" | "." | "?" | "!" | "]");
        // A bracket that was opened in front of the location ends it.
        let closes_nothing = c == ')' && n_open == 0;
        n_open = match c {
            '(' => n_open + 1,
            ')' => n_open.saturating_sub(1),
            _ => n_open,
        };
        let is_mark = MARKS.iter().any(|mark| rest.starts_with(mark));
        is_mark || ends || closes_nothing || at < find && c == ' '
    };
    let cuts = text.char_indices().filter(is_cut).map(|(at, _)| text[..at].trim_end());
    let mut readings: Vec<&str> = cuts.filter(|text| is_location(text)).take(MOST).collect();
    readings.dedup();
    readings.push(text);
    readings.reverse();
    readings
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
    let number_end = || numbered.strip_prefix(". ").or_else(|| numbered.strip_prefix(") "));
    let unnumbered = if numbered.len() < line.len() { number_end() } else { None };
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
        let cases: [(&str, &[&str]); 25] = [
            ("a.py:f", &["a.py:f"]),
            ("my file.py:f", &["my file.py:f", "file.py:f"]),
            ("- a.py:f@return <|>x\n", &["a.py:f@return <|>x"]),
            ("  * [ ] a.py:10 is wrong", &["a.py:10"]),
            ("12. a.py:f", &["a.py:f"]),
            ("2) a.py:f", &["a.py:f"]),
            ("a.py:10-12:4: wrong, too", &["a.py:10-12:4:"]),
            ("- a.py:10@return <|>x", &["a.py:10@return <|>x"]),
            ("> - a.py:f", &["a.py:f"]),
            ("a.py:f: too long", &["a.py:f: too long", "a.py:f: too", "a.py:f:", "a.py:f"]),
            ("a.py:f@x y: why, then", &["a.py:f@x y: why, then", "a.py:f@x y: why", "a.py:f@x y"]),
            ("a.py:f@g(x)", &["a.py:f@g(x)"]),
            ("(see a.py:f)", &["(see a.py:f)", "a.py:f)", "a.py:f"]),
            ("`a.py:f`, which is long", &["a.py:f"]),
            ("Note: see `x` in `a.py:f` again", &["a.py:f"]),
            ("see ``doc.md:`Two commands` `` too", &["doc.md:`Two commands`"]),
            ("doc.md:`Two commands`", &["doc.md:`Two commands`", "doc.md:`Two"]),
            ("3.py:f", &["3.py:f"]),
            ("an open `` and `a.py:f`", &["a.py:f"]),
            ("[so](src/a.py#L12-L20)", &["src/a.py#L12-L20"]),
            ("write to foo@bar.com at 12:30", &[]),
            ("http://example.com/a.py:3", &[]),
            ("nothing to see", &[]),
            ("# A heading: with a colon", &[]),
            ("", &[]),
        ];
        for (line, expected) in cases {
            assert_eq!(locations_in(line), expected, "{line}");
        }
    }
}
