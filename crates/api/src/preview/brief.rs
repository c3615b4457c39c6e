//! The lines that change, for a reader who pays for each character. The lines around them are left out. If the same
//! word changes everywhere, the old lines are left out, too.
//!
//! The whole diff is in the structured form of the answer.

use std::fmt::Write as _;

use super::unified::{LineChange, Texts};
use super::{ChangedFile, Whole};
use crate::grouped::{clipped, numbers};
use crate::show;

/// How many lines of a file are shown where the same word changes everywhere. For further lines, only the numbers are
/// given.
const MOST_ALIKE: usize = 10;

/// What changes in some files. Each file is named once; lines have their numbers before and after the changes.
pub(super) fn brief(files: &[ChangedFile]) -> String {
    let are_alike = are_alike(files);
    files.iter().map(|file| of_file(file, are_alike)).collect()
}

fn of_file(file: &ChangedFile, are_alike: bool) -> String {
    let new_text = file.changed();
    let texts = Texts::of(file.document.text().bytes(), &new_text);
    let changes = texts.changes(&file.replacements);
    let mut brief = heading(file) + "\n";
    if !are_alike {
        for change in &changes {
            write(&mut brief, '-', change.old.clone().zip(&texts.old.contents[change.old.clone()]));
            write(&mut brief, '+', change.new.clone().zip(&texts.new.contents[change.new.clone()]));
        }
        return brief;
    }
    let lines: Vec<usize> = changes.iter().flat_map(|change: &LineChange| change.new.clone()).collect();
    let (shown, rest) = lines.split_at(lines.len().min(MOST_ALIKE));
    write(&mut brief, '+', shown.iter().map(|line| (*line, &texts.new.contents[*line])));
    if !rest.is_empty() {
        let rest: Vec<String> = rest.iter().map(|line| (line + 1).to_string()).collect();
        // Writing to a string does not fail.
        let _ = writeln!(brief, "and likewise in the lines {}", rest.join(", "));
    }
    brief
}

/// Where changes stand once they are made: the numbers of the lines, and of each stretch of them the first line.
pub(super) fn made(files: &[ChangedFile]) -> String {
    let are_alike = are_alike(files);
    files.iter().map(|file| made_in(file, are_alike)).collect()
}

fn made_in(file: &ChangedFile, are_alike: bool) -> String {
    let path = match &file.whole {
        Whole::Removed => return format!("{} removed\n", show::code(&file.path)),
        Whole::MovedTo(to) => format!("{}, moved from {}", show::code(to), show::code(&file.path)),
        Whole::Created => format!("{}, new", show::code(&file.path)),
        Whole::Stays => show::code(&file.path),
    };
    let new_text = file.changed();
    let texts = Texts::of(file.document.text().bytes(), &new_text);
    let changes = texts.changes(&file.replacements);
    if are_alike {
        let lines: Vec<u32> = changes.iter().flat_map(|change| change.new.clone()).map(number).collect();
        return format!("{path} {}\n", numbers(&lines));
    }
    let mut made = path + "\n";
    for change in &changes {
        made += &stretch(change, &texts);
        if breaks_lines(file) && change.new.len() <= MOST_BROKEN {
            let others = change.new.clone().skip(1);
            write(&mut made, ':', others.map(|line| (line, &texts.new.contents[line])));
        }
    }
    made
}

/// Whether a text with line breaks came inside a line. Its lines are shown, because such a text easily has the wrong
/// indentation.
fn breaks_lines(file: &ChangedFile) -> bool {
    let text = file.document.text().bytes();
    let is_inside = |start: usize| start > 0 && !matches!(text[start - 1], b'\n' | b'\r');
    file.replacements.iter().any(|one| one.text.contains('\n') && is_inside(one.range.start().index()))
}

/// How many lines of such a text are shown at most.
const MOST_BROKEN: usize = 8;

fn number(line: usize) -> u32 {
    u32::try_from(line + 1).unwrap_or(u32::MAX)
}

/// The lines of a change as they are now, and how many there were if that is another number.
fn stretch(change: &LineChange, texts: &Texts<'_>) -> String {
    let lines = |n: usize| if n == 1 { "1 line".to_owned() } else { format!("{n} lines") };
    let (n_old, n_new) = (change.old.len(), change.new.len());
    let first = number(change.new.start);
    if n_new == 0 {
        return format!(":{first} {} removed here\n", lines(n_old));
    }
    let last = if n_new > 1 { format!("-{}", change.new.end) } else { String::new() };
    let was = match n_old {
        n if n == n_new => String::new(),
        0 => " (new)".to_owned(),
        n => format!(" (was {})", lines(n)),
    };
    let now = &texts.new.contents[change.new.start];
    let before = texts.old.contents.get(change.old.start).filter(|_| n_old > 0);
    // What both lines start with is known.
    let n_same = before.map_or(0, |before| now.iter().zip(before.iter()).take_while(|(a, b)| a == b).count());
    let text = String::from_utf8_lossy(now);
    let near = String::from_utf8_lossy(&now[..n_same]).chars().count();
    let indent: String = text.chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
    let more = if n_new > 1 { " …" } else { "" };
    format!(":{first}{last}{was} {indent}{}{more}\n", show::visible(&clipped(&text, near)))
}

fn heading(file: &ChangedFile) -> String {
    let path = &file.path;
    match &file.whole {
        Whole::Stays => path.clone(),
        Whole::Created => format!("{path} (new)"),
        Whole::Removed => format!("{path} (removed)"),
        Whole::MovedTo(to) => format!("{path} (moved to {to})"),
    }
}

/// Lines with their numbers, counted from 1.
fn write<'l>(brief: &mut String, sign: char, lines: impl Iterator<Item = (usize, &'l &'l [u8])>) {
    for (line, content) in lines {
        let content = String::from_utf8_lossy(content);
        let _ = writeln!(brief, "{sign}{}: {}", line + 1, content.trim_end_matches(['\n', '\r']));
    }
}

/// Whether the same word becomes the same other word in several places, and nothing else changes.
fn are_alike(files: &[ChangedFile]) -> bool {
    let mut places = files.iter().flat_map(|file| file.replacements.iter().map(move |one| (file, one)));
    let Some((file, first)) = places.next() else { return false };
    let old = |file: &ChangedFile, one: &super::Replacement| {
        file.document
            .text()
            .bytes()
            .get(one.range.start().index()..one.range.end().index())
            .map(<[u8]>::to_vec)
    };
    let word = old(file, first);
    let is_word = word.as_ref().is_some_and(|word| !word.is_empty() && !word.contains(&b'\n'));
    let mut n_more = 0;
    let all = places.all(|(file, one)| {
        n_more += 1;
        one.text == first.text && old(file, one) == word
    });
    all && n_more > 0 && is_word && !first.text.contains('\n')
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use locant_engine::names::Replacement;
    use locant_engine::{Document, Offset, Range};

    use super::*;

    fn check(old: &str, edits: &[(u32, u32, &str)], expected: &str) {
        assert_eq!(brief(&[changed(old, edits)]), expected);
    }

    fn changed(old: &str, edits: &[(u32, u32, &str)]) -> ChangedFile {
        let document = Document::new("a.txt", old.as_bytes()).expect("text");
        let replacement = |(start, end, text): &(u32, u32, &str)| Replacement {
            path: "a.txt".to_owned(),
            range: Range::new(Offset::new(*start), Offset::new(*end)),
            text: (*text).to_owned(),
        };
        ChangedFile {
            path: "a.txt".to_owned(),
            document: Arc::new(document),
            replacements: edits.iter().map(replacement).collect(),
            whole: Whole::Stays,
        }
    }

    #[test]
    fn what_is_made_is_told_by_its_lines() {
        let told = |old: &str, edits: &[(u32, u32, &str)]| made(&[changed(old, edits)]);
        assert_eq!(told("a\n  b\nc\n", &[(2, 6, "  x\n  y\n")]), "`a.txt`\n:2-3 (was 1 line)   x …\n");
        assert_eq!(told("a\n  b\nc\n", &[(4, 5, "x\ny")]), "`a.txt`\n:2-3 (was 1 line)   x …\n:3: y\n");
        assert_eq!(told("a\nb\n", &[(2, 3, "x")]), "`a.txt`\n:2 x\n");
        assert_eq!(told("a\nb\n", &[(2, 2, "x\n")]), "`a.txt`\n:2 (new) x\n");
        assert_eq!(told("a\nb\nc\n", &[(2, 6, "")]), "`a.txt`\n:2 2 lines removed here\n");
        assert_eq!(told("a = b\nc = a\n", &[(0, 1, "x"), (10, 11, "x")]), "`a.txt` :1 :2\n");
    }

    #[test]
    fn only_what_changes_is_shown() {
        check("a\nb\nc\n", &[(2, 3, "x\ny")], "a.txt\n-2: b\n+2: x\n+3: y\n");
        check("a\nb\nc\n", &[(0, 2, "")], "a.txt\n-1: a\n");
        check("a\nb", &[(3, 3, "!")], "a.txt\n-2: b\n+2: b!\n");
        check("", &[(0, 0, "a\r\n")], "a.txt\n+1: a\n");
    }

    #[test]
    fn a_word_that_changes_everywhere_is_told_by_the_new_lines() {
        check("a = b\nc = a\n", &[(0, 1, "x"), (10, 11, "x")], "a.txt\n+1: x = b\n+2: c = x\n");
        let edits: Vec<(u32, u32, &str)> = (0..12).map(|n| (n * 2, n * 2 + 1, "y")).collect();
        let shown: String = (1..=10).map(|n| format!("+{n}: y\n")).collect();
        let expected = format!("a.txt\n{shown}and likewise in the lines 11, 12\n");
        check(&"a\n".repeat(12), &edits, &expected);
        check("a\nb\n", &[(0, 1, "x"), (2, 3, "x")], "a.txt\n-1: a\n-2: b\n+1: x\n+2: x\n");
    }
}
