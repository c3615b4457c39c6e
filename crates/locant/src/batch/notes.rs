//! Finds the location in a line of notes, as people write them.

use std::borrow::Cow;
use std::cmp::Reverse;

use locant_engine::Location;

/// The texts that may be the location in a line that is not JSON, the longest first; empty if there is none.
///
/// A location is at the start of the line, after the mark of a list, in backticks, in a link or among words. Only
/// backticks and links show where it ends. Elsewhere the words that follow may be a remark, or belong to the find of
/// the location, so there are several readings.
pub(super) fn locations_in(line: &str) -> Vec<String> {
    let line = unescaped(without_marks(trimmed(line)));
    readings(&line).into_iter().map(str::to_owned).collect()
}

/// The line as one location, in one of the forms that traces and compilers print, and the path of its file. Prose may
/// look like a location, too, so the caller must check that the file exists.
pub(super) fn whole_location(line: &str, exists: &dyn Fn(&str) -> bool) -> Option<(String, String)> {
    let line = without_marks(trimmed(line));
    let location = Location::parse(line, exists).ok()?;
    let is_place = location.scope.is_some() || location.find.is_some();
    is_place.then(|| (line.to_owned(), location.path))
}

fn trimmed(line: &str) -> &str {
    line.trim_start().trim_end_matches(['\n', '\r'])
}

/// The line itself, unless it is the row of a table. In such a row, `|` must be written as `\|`, so each `\|` is
/// replaced by `|`.
fn unescaped(line: &str) -> Cow<'_, str> {
    let is_row = line.starts_with('|') || line.trim_end().ends_with('|');
    if is_row { Cow::Owned(line.replace("\\|", "|")) } else { Cow::Borrowed(line) }
}

fn readings(line: &str) -> Vec<&str> {
    let first_word = first_word(line);
    let has_quoted_name = first_word.ends_with([':', '@']) && line[first_word.len()..].starts_with('`');
    if names_place(first_word) && !first_word.starts_with(['(', '[']) || has_quoted_name {
        return with_emphasis(line);
    }
    if let Some(sure) = spans(line).find(|span| names_place(span)).or_else(|| link(line)) {
        return vec![sure];
    }
    let emphasized = emphasized(line);
    if emphasized.is_empty() { among_words(line, with_emphasis) } else { emphasized }
}

/// The readings of a line that does not start with a location: its path may have blanks in it, or words may precede it.
fn among_words(line: &str, read: for<'t> fn(&'t str) -> Vec<&'t str>) -> Vec<&str> {
    let whole = Some(line).filter(|line| is_location(line) && has_path(line));
    let behind_words = word_starts(line).map(|start| &line[start..]).find(|rest| {
        let word = rest.split([' ', '\t']).next().unwrap_or_default();
        names_place(word) && has_path(word)
    });
    whole.into_iter().chain(behind_words.map(read).unwrap_or_default()).collect()
}

/// The readings of a text that starts with a location, or with one between marks of emphasis.
fn with_emphasis(text: &str) -> Vec<&str> {
    let readings = with_remarks(text).into_iter().chain(emphasized(text));
    longest_first(readings.collect())
}

/// The readings of the text between marks of emphasis, brackets or quotes at the start of a line. A name may contain
/// the mark itself, so each closing mark that no letter or digit follows gives a reading.
fn emphasized(text: &str) -> Vec<&str> {
    const MARKS: [(&str, &str); 8] = [
        ("**", "**"),
        ("*", "*"),
        ("~~", "~~"),
        ("__", "__"),
        ("_", "_"),
        ("<", ">"),
        ("\"", "\""),
        ("'", "'"),
    ];
    /// How deeply marks may be nested.
    const DEEPEST: usize = 3;

    let (mut inside, mut close) = (text, String::new());
    let mut readings = Vec::new();
    for _ in 0..DEEPEST {
        let Some((open, closing)) = MARKS.iter().find(|(open, _)| inside.starts_with(open)) else { break };
        inside = &inside[open.len()..];
        close.insert_str(0, closing);
        let ends = inside.match_indices(&close).map(|(at, _)| at);
        let ends = ends.filter(|at| !inside[at + close.len()..].starts_with(char::is_alphanumeric));
        readings.extend(ends.take(MOST).flat_map(|end| unmarked(&inside[..end])));
    }
    longest_first(readings)
}

fn unmarked(text: &str) -> Vec<&str> {
    if names_place(first_word(text)) { with_remarks(text) } else { among_words(text, with_remarks) }
}

/// The readings of a text that starts with a location: the whole text first, then with less and less of what follows.
fn with_remarks(text: &str) -> Vec<&str> {
    let first_word = first_word(text);
    let sure = Some(first_word).filter(|word| is_coordinate(word)).or_else(|| web_line(first_word));
    sure.map_or_else(|| with_remarks_cut(text), |sure| vec![sure])
}

fn first_word(text: &str) -> &str {
    text.split([' ', '\t', '`']).next().unwrap_or_default()
}

fn longest_first(mut readings: Vec<&str>) -> Vec<&str> {
    readings.sort_by_key(|reading| Reverse(reading.len()));
    readings.dedup();
    readings
}

/// How many ends of a location are looked for, at most: each reading is tried, and a line may be long.
const MOST: usize = 20;

fn names_place(text: &str) -> bool {
    is_location(text) || web_line(text).is_some()
}

/// Whether the text has `:` or `@`, directly followed by something other than a blank. A web address is not a location.
fn is_location(text: &str) -> bool {
    let behind = text.find([':', '@']).map(|at| &text[at + 1..]);
    behind.is_some_and(|behind| !behind.starts_with(|c: char| c.is_whitespace()) && !behind.is_empty())
        && !text.contains("://")
}

/// Whether the part before `:` or `@` looks like a path, and not like a word before a colon or the name of a mailbox.
fn has_path(text: &str) -> bool {
    text.split([':', '@']).next().is_some_and(|path| path.contains(['.', '/', '\\']))
}

/// Where words start: after a blank, an opening bracket, a quotation mark or `|`.
fn word_starts(line: &str) -> impl Iterator<Item = usize> {
    let is_apart = |c: char| matches!(c, ' ' | '\t' | '(' | '[' | '<' | '"' | '|');
    line.match_indices(is_apart).map(|(at, apart)| at + apart.len())
}

/// The target of a link, if it is a location or names a line: `[so](a.py#L12)`.
fn link(line: &str) -> Option<&str> {
    let (_, behind) = line.split_once("](")?;
    let (target, _) = behind.split_once(')')?;
    (!target.contains("://") && (target.contains("#L") || is_location(target))).then_some(target)
}

/// The readings of a text that starts with a location: the whole text, then cut before each possible remark, the
/// longest first.
///
/// A remark starts with a mark, or, in a location without a find, with a blank. A find may have several words, so a
/// blank does not end it: a part of a find would match at other places, too.
fn with_remarks_cut(text: &str) -> Vec<&str> {
    const MARKS: [&str; 11] = [": ", ", ", "; ", ". ", " - ", " -- ", " — ", " – ", " (", "\"", " |"];

    let find = text.find('@').unwrap_or(text.len());
    let mut n_open = 0_usize;
    let is_cut = |&(at, c): &(usize, char)| {
        let rest = &text[at..];
        let ends = matches!(rest, ":" | "," | ";" | "." | "?" | "!" | "]");
        // A closing bracket ends the location if its opening bracket is before the location.
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

/// Whether a word is a path with a line or a coordinate. Then the rest of the text is a remark, since no symbol starts
/// with a digit.
fn is_coordinate(word: &str) -> bool {
    let is_number =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    word.split_once(':').is_some_and(|(_, numbers)| numbers.trim_end_matches(':').split(':').all(is_number))
}

/// A path with a line as web pages write it, `a.py#L12-L20`, without the punctuation after it.
fn web_line(word: &str) -> Option<&str> {
    let (path, line) = word.split_once("#L")?;
    let is_line = has_path(path) && line.starts_with(|c: char| c.is_ascii_digit());
    let word = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    (is_line && !word.contains("://")).then_some(word)
}

/// A line without the marks at its start that make it an item of a list, a task, a quotation, a comment or a heading.
fn without_marks(line: &str) -> &str {
    const MARKS: [&str; 8] = ["- ", "* ", "+ ", "> ", "[ ] ", "[x] ", "// ", "# "];

    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let number_end = || numbered.strip_prefix(". ").or_else(|| numbered.strip_prefix(") "));
    let unnumbered = if numbered.len() < line.len() { number_end() } else { None };
    let rest = unnumbered.or_else(|| MARKS.iter().find_map(|mark| line.strip_prefix(mark)));
    rest.map_or(line, |rest| without_marks(rest.trim_start()))
}

/// The texts in backticks. One that starts with several backticks ends with as many, since a location may contain some.
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
        let cases: [(&str, &[&str]); 39] = [
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
            ("src/a.py#L12", &["src/a.py#L12"]),
            ("- see a.py#L12-L20, please", &["a.py#L12-L20"]),
            ("`a.py#L12` is odd", &["a.py#L12"]),
            ("**a.py:f**", &["**a.py:f**", "a.py:f"]),
            ("***a.py:10***", &["***a.py:10***", "*a.py:10", "a.py:10"]),
            ("_a.py:my_f_", &["_a.py:my_f_", "a.py:my_f"]),
            ("**_a.py:f_**", &["**_a.py:f_**", "_a.py:f_", "a.py:f"]),
            ("~~a.py:f~~", &["~~a.py:f~~", "a.py:f"]),
            ("<a.py:f@<|>x>", &["<a.py:f@<|>x>", "a.py:f@<|>x"]),
            ("'my file.py:f'", &["my file.py:f", "file.py:f"]),
            ("**see a.py:f** first", &["see a.py:f", "a.py:f"]),
            (r"| `a.py:f@<\|>x` |", &["a.py:f@<|>x"]),
            (r"`a.py:f@a\|b`", &[r"a.py:f@a\|b"]),
            ("https://example.com/a.py#L3", &[]),
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
