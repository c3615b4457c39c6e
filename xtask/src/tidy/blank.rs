//! Rust code with its comments and the contents of its literals blanked out.
//!
//! This lets a rule look for words without finding them in comments. It is not a full lexer: the rules do not need one,
//! and the compiler reports broken files.

use std::ops::Range;

/// The code of a file. It has the same number of bytes and the same line breaks as the file.
pub(super) fn code(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let n_blank = n_blank(rest, code.chars().next_back());
        if n_blank == 0 {
            code.push(character);
            rest = &rest[character.len_utf8()..];
        } else {
            code.extend(rest[..n_blank].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
            rest = &rest[n_blank..];
        }
    }
    code
}

/// The code of a file without its tests.
pub(super) fn shipped_code(text: &str) -> String {
    code(&text[..n_shipped(text)])
}

/// How many bytes of a file come before its tests, which are at its end.
pub(super) fn n_shipped(text: &str) -> usize {
    text.find("\n#[cfg(test)]\nmod ")
        .or(text.starts_with("#[cfg(test)]\nmod ").then_some(0))
        .unwrap_or(text.len())
}

/// The ranges of the raw strings of a file.
pub(super) fn raw_strings(text: &str) -> Vec<Range<usize>> {
    literals(text, &['r', 'b'])
}

/// The ranges of the strings of a file, including raw strings and byte strings.
pub(super) fn strings(text: &str) -> Vec<Range<usize>> {
    literals(text, &['"', 'r', 'b'])
}

/// The ranges of the literals of a file that start with one of these characters.
fn literals(text: &str, starts: &[char]) -> Vec<Range<usize>> {
    let (mut literals, mut at, mut before) = (Vec::new(), 0, None);
    while let Some(character) = text[at..].chars().next() {
        let n_blank = n_blank(&text[at..], before);
        if n_blank > 0 && starts.contains(&character) {
            literals.push(at..at + n_blank);
        }
        before = if n_blank == 0 { Some(character) } else { Some(' ') };
        at += n_blank.max(character.len_utf8());
    }
    literals
}

/// The length of the comment or literal at the start of a text; 0 if there is none. `before` is the character before
/// the text.
fn n_blank(rest: &str, before: Option<char>) -> usize {
    let is_in_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    match rest.as_bytes() {
        [b'/', b'/', ..] => rest.find('\n').unwrap_or(rest.len()),
        [b'/', b'*', ..] => block_comment(rest),
        [b'"', ..] => quoted(rest, '"'),
        [b'\'', ..] => character(rest),
        [b'r' | b'b', ..] if !is_in_word => raw(rest),
        _ => 0,
    }
}

fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    loop {
        match &rest.as_bytes()[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            [] => return rest.len(),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
}

/// The length of a text in quotes, including the quotes.
fn quoted(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of a character literal; 0 for a lifetime.
fn character(rest: &str) -> usize {
    let mut characters = rest.chars().skip(1);
    match (characters.next(), characters.next()) {
        (Some('\\'), _) | (Some(_), Some('\'')) => quoted(rest, '\''),
        _ => 0,
    }
}

/// The length of a raw string; 0 if there is none.
fn raw(rest: &str) -> usize {
    let start = rest.trim_start_matches('b');
    let Some(hashes) = start.strip_prefix('r') else { return 0 };
    let n_hashes = hashes.len() - hashes.trim_start_matches('#').len();
    let Some(content) = hashes[n_hashes..].strip_prefix('"') else { return 0 };
    let end = format!("\"{}", "#".repeat(n_hashes));
    let n_content = content.find(&end).map_or(content.len(), |at| at + end.len());
    rest.len() - content.len() + n_content
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(code(text), expected);
    }

    #[test]
    fn comments_and_literals_are_blank() {
        check("a // b\nc", "a     \nc");
        check("a /* b /* \n */ */ c", "a         \n       c");
        check(r#"a("\"b") c"#, "a(     ) c");
        check("r#\"a\"b\"# br\"x\" c", "               c");
    }

    #[test]
    fn lifetimes_and_names_are_code() {
        check("&'a str, 'b', '\\'', bracket", "&'a str,    ,     , bracket");
        check("r#type bring", "r#type bring");
    }
}
